.DEFAULT_GOAL := help
.PHONY: help setup run test lint bench bare soak capacity chaos bigger env streams fuzz fuzz-ahead duel blunders secrets competitions seasons model abuse mutants upgrade-proof weight proof letters client sentences pictures diagrams constraints release-check
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip
PORT ?= 8000
SEED ?=
SEEDED = $(if $(SEED),--seed $(SEED))

help: ## list these targets; SEED=7 makes what is random the same again, PROOF=1 writes figures into docs/proof.md
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

run: .venv/ready ## the whole service: Redis, API, workers, in this terminal
	@$(BIN)/marketpost up --port $(PORT)

setup: .venv/dev ## .venv with the tools for development; `make run` does without them

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet --no-compile --require-hashes --requirement constraints.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@find .venv -path '*/babel/locale-data/*.dat' ! -name 'root.dat' ! -name 'en*' ! -name 'de*' ! -name 'fr*' ! -name 'it*' -delete # 31 MB
	@$(PIP) check >/dev/null || { $(PIP) check; echo "run make constraints"; exit 1; }
	@touch $@

.venv/dev: .venv/ready constraints-dev.txt
	$(PIP) install --quiet --require-hashes --requirement constraints-dev.txt
	@touch $@

test: export PYTHONDONTWRITEBYTECODE = # tests start hundreds of processes, and each would compile all modules again
test: lint ## lint, then everything that is tested; what fails beside other tests is run once more by itself, and both results are told
	@sh tests/debian.sh
	$(BIN)/python -m pytest -n auto --dist worksteal || { test $$? = 1 && $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

lint: setup ## ruff, mypy and the one-way rule for imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup ## speed, as ratios to yardsticks measured in the same run
	@sh tests/debian.sh postfix
	@$(BIN)/python -m tests.bench

bare: setup ## what `make run` installs in a fresh copy of this folder, in megabytes and seconds
	@$(BIN)/python -m tests.set_up

soak: setup ## a thousand games at once for ten minutes: make soak GAMES=1000 MINUTES=10
	@$(BIN)/python -m tests.soak --games $(GAMES) --minutes $(MINUTES) $(SEEDED)
soak: GAMES ?= 1000
soak: MINUTES ?= 10

chaos: setup ## hurt a running service at random while people play, and count what was acknowledged
	@sh tests/debian.sh gcc libc6-dev
	@$(BIN)/python -m tests.chaos $(SEEDED)

bigger: setup ## the same on a Redis Cluster and Sentinels, with masters killed
	@$(BIN)/python -m tests.bigger $(SEEDED)

competitions: setup ## how well Swiss rounds are paired, against pairing by chance
	@$(BIN)/python -m tests.competitions $(SEEDED)

seasons: PLAYERS ?= 64
seasons: RULES ?= portobello
seasons: WHOLE ?= 8
seasons: setup ## a league, a Swiss and duplicate tables by mail and REST while parts die: make seasons PLAYERS=64 RULES=alturien
	@$(BIN)/python -m tests.seasons --players $(PLAYERS) --rules $(RULES) --whole $(WHOLE) $(SEEDED)

secrets: GAMES ?= 1000
secrets: setup ## random games, every byte searched for what is secret: make secrets GAMES=1000
	@$(BIN)/python -m tests.secrets $(GAMES) $(SEEDED)

model: MODELS ?= 100
model: setup ## random games by REST and mail against a model, and the store's scripts in many threads: make model MODELS=100
	@$(BIN)/python -m tests.model $(MODELS) $(SEEDED)

abuse: setup ## the tests of limits, floods, forged mail, guests and names
	@$(BIN)/python -m tests.abuse $(SEEDED)

mutants: MUTANTS ?= 300
mutants: setup ## faults put into the core one at a time, which the tests must notice: make mutants MUTANTS=300
	@$(BIN)/python -m tests.mutation --number $(MUTANTS) $(if $(PROOF),--proof) $(SEEDED)

letters: setup ## every letter in every language, to be looked at, into gallery/letters
	$(BIN)/python -m tests.letter_gallery gallery/letters
	$(BIN)/python -m tests.gallery

client: setup ## openapi.yaml, and the typed calls of the Python client from it
	$(BIN)/python -m api.http.openapi > openapi.yaml
	$(BIN)/python -m tests.client_code

sentences: setup ## every sentence beside the English one, for native readers, into docs/sentences
	$(BIN)/python -m tests.sentences

pictures: setup ## every kind of picture, to be looked at, into gallery/pictures
	$(BIN)/python -m tests.pictures
	$(BIN)/python -m tests.terminal
	@sh tests/debian.sh
	$(BIN)/python -m tests.browser.pictures
	$(BIN)/python -m tests.gallery

diagrams: ## the diagrams of docs/architecture.md, from docs/diagrams/*.dot
	@sh tests/debian.sh graphviz
	for file in docs/diagrams/*.dot; do dot -Tsvg $$file -o $${file%.dot}.svg; done

streams: STREAMS ?= 5000
streams: setup ## open event streams of so many accounts on one API process, with moves meanwhile: make streams STREAMS=5000
	@$(BIN)/python -m tests.soak.streams $(STREAMS)

env: GAMES ?= 1000
env: setup ## random games of the service, played again in the PettingZoo environment: make env GAMES=1000
	@$(BIN)/python -m tests.env.service_games $(GAMES) $(SEEDED)

fuzz: setup ## random games with a fresh seed, each replayed from its record: make fuzz GAMES=10000
	@$(BIN)/python -m tests.fuzz $(GAMES) $(SEEDED)
	@THOROUGH=8 $(BIN)/python -m pytest -q -n auto $(if $(SEED),--hypothesis-seed=$(SEED)) $(THOROUGHLY)
fuzz: THOROUGHLY = tests/play/test_undo.py tests/mail/test_example_orders.py tests/api/test_service.py tests/mail/test_incoming.py tests/mail/test_reading.py tests/mail/test_asides.py
fuzz: GAMES ?= 10000

fuzz-ahead: setup ## random games with random orders ahead and a fresh seed: make fuzz-ahead GAMES=10000
	@$(BIN)/python -m tests.play.ahead_fuzz $(GAMES) $(SEEDED)
fuzz-ahead: GAMES ?= 10000

capacity: GAMES ?= 100
capacity: setup ## what play costs, checked at ten times the games, and what a public service needs, into docs/capacity.md
	@$(BIN)/python -m tests.capacity --games $(GAMES) $(SEEDED)

upgrade-proof: GAMES ?= 1000
upgrade-proof: setup ## replace a running service process by process with this release, and back: make upgrade-proof GAMES=1000
	@$(BIN)/python -m tests.upgrade --games $(GAMES) $(SEEDED)

weight: setup ## the page of a game in a real browser: requests and bytes at first view, at second view and for each turn
	@sh tests/debian.sh
	@$(BIN)/python -m tests.page_weight

duel: setup ## the bot strong against the usual one, two and four at a table, seats changing: make duel GAMES=60
	@$(BIN)/python -m tests.duel $(GAMES) $(if $(PROOF),--proof) $(SEEDED) $(if $(ONE),--one $(ONE)) $(if $(OTHER),--other $(OTHER))
duel: GAMES ?= 60

blunders: setup ## plant blunders and count those that the analysis of a game finds: make blunders BLUNDERS=100
	@$(BIN)/python -m tests.blunders $(BLUNDERS) $(if $(PROOF),--proof) $(SEEDED)
blunders: BLUNDERS ?= 100

proof: setup ## nearly all of these, within an hour, and their figures into docs/proof.md: make proof SEED=7, or ONLY="fuzz model"
	@sh tests/debian.sh
	@sh tests/debian.sh gcc libc6-dev
	@$(BIN)/python -m tests.prove $(foreach section,$(ONLY),--only $(section)) $(SEEDED)

COMPILE = $(BIN)/uv pip compile --universal --no-header --no-annotate --quiet --generate-hashes --group build $(if $(UPGRADE),--upgrade)
constraints: ## write what pyproject.toml asks for, with hashes, to the lock files; UPGRADE=1 takes newer versions
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --quiet uv
	$(COMPILE) pyproject.toml --extra server --output-file constraints.txt
	$(COMPILE) pyproject.toml --extra server --extra dev --constraint constraints.txt --output-file constraints-dev.txt

release-check: setup ## build sdist and wheel, check metadata and licences, and that the tag would fit the changelog
	@$(BIN)/python -m tests.release
	@$(BIN)/python -m tests.image
