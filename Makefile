.DEFAULT_GOAL := help
.PHONY: help setup run test lint bench soak chaos bigger fuzz duel secrets proof letters client sentences pictures diagrams constraints release-check
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip
PORT ?= 8000

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

run: .venv/ready ## the whole service: Redis, API, workers, in this terminal
	@$(BIN)/marketpost up --port $(PORT)

setup: .venv/dev ## .venv with the tools for development; `make run` does without them

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet --require-hashes --requirement constraints.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@$(PIP) check >/dev/null || { $(PIP) check; echo "run make constraints"; exit 1; }
	@touch $@

.venv/dev: .venv/ready constraints-dev.txt
	$(PIP) install --quiet --require-hashes --requirement constraints-dev.txt
	@touch $@

test: lint ## lint, then everything that is tested
	@sh tests/debian.sh
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: setup ## ruff, mypy and the one-way rule for imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup ## speed, as ratios to yardsticks measured in the same run
	@sh tests/debian.sh postfix
	@$(BIN)/python -m tests.bench

soak: setup ## a thousand games at once for ten minutes: make soak GAMES=1000 MINUTES=10
	@$(BIN)/python -m tests.soak --games $(GAMES) --minutes $(MINUTES)
soak: GAMES ?= 1000
soak: MINUTES ?= 10

chaos: setup ## hurt a running service at random while people play, and count what was acknowledged
	@sh tests/debian.sh gcc libc6-dev
	@$(BIN)/python -m tests.chaos

bigger: setup ## the same on a Redis Cluster and Sentinels, with masters killed
	@$(BIN)/python -m tests.bigger

secrets: GAMES ?= 1000
secrets: setup ## random games, every byte searched for what is secret: make secrets GAMES=1000
	@$(BIN)/python -m tests.secrets $(GAMES)

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

fuzz: setup ## random games with a fresh seed, each replayed from its record: make fuzz GAMES=10000
	@$(BIN)/python -m tests.fuzz $(GAMES)
	@THOROUGH=8 $(BIN)/python -m pytest -q -n auto $(THOROUGHLY)
fuzz: THOROUGHLY = tests/play/test_undo.py tests/mail/test_example_orders.py tests/api/test_service.py tests/mail/test_incoming.py tests/mail/test_reading.py
fuzz: GAMES ?= 10000

duel: setup ## the bot strong against the usual one, seats changing: make duel GAMES=60
	@$(BIN)/python -m tests.duel $(GAMES)
duel: GAMES ?= 60

proof: GAMES ?= 1000
proof: MINUTES ?= 10
proof: setup ## bench, soak, chaos, bigger, fuzz and secrets, in fifty minutes, and their figures into docs/proof.md
	@sh tests/debian.sh postfix gcc libc6-dev
	@$(BIN)/python -m tests.bench --proof
	@$(BIN)/python -m tests.soak --games $(GAMES) --minutes $(MINUTES) --proof
	@$(BIN)/python -m tests.chaos --proof
	@$(BIN)/python -m tests.bigger --proof
	@$(BIN)/python -m tests.fuzz $(GAMES) --proof
	@$(BIN)/python -m tests.secrets $(GAMES) --proof

COMPILE = $(BIN)/uv pip compile --universal --no-header --no-annotate --quiet --generate-hashes --group build $(if $(UPGRADE),--upgrade)
constraints: ## write what pyproject.toml asks for, with hashes, to the lock files; UPGRADE=1 takes newer versions
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --quiet uv
	$(COMPILE) pyproject.toml --extra server --output-file constraints.txt
	$(COMPILE) pyproject.toml --extra server --extra dev --constraint constraints.txt --output-file constraints-dev.txt

release-check: setup ## build sdist and wheel, check metadata and licences, and that the tag would fit the changelog
	@$(BIN)/python -m tests.release
