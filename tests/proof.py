"""docs/proof.md: figures as the commands measured them. Each command replaces its own section and leaves the others alone."""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

FILE = Path(__file__).parents[1] / "docs/proof.md"
TITLE = """# Proof
What the service promises, as it was measured. `make proof` runs everything again and writes this page; each section is
written by the command it names, which also runs alone and then changes nothing here. Speed is told as a ratio to something
else measured in the same run: trust the ratios, not the digits.
"""
ABOUT = {
    "make bench": """A row tells how long one of something takes and how many that is in a second, then the same of the yardstick, and
their ratio: the smaller, the faster. `ok` or `short` says whether the ratio reaches its goal. A/A is the yardstick against itself: where
it strays too far from 1 the row is `unsteady` and says nothing.""",
    "make soak": """Four people at every table, most of them over REST; at one table in twenty somebody plays by mail. *Acknowledged* is
what was answered with 200 or 202, or by the mail door with 250. Whoever does not wait for the outcome may be told of a refusal later, so
there are fewer moves in the logs. *Lost*: acknowledged, and no outcome or no entry is there; *twice*: more than one entry. Memory is that
at the end, and how large the process was in the last third of the time, compared with the middle third: near 1 is flat. The games' Redis
grows with the logs; numbered ones are its children, while they write its file anew. A finished game is compacted in Redis by itself, takes
less room when the keys of its moves lapse after a day, and can be archived to a file.""",
    "make chaos": """A *blow* is something that was done to the running service, and how often. Killed with -9: `worker`, `api`, `redis`,
`queue` (the Redis of the queue), `mail-in`, `sweeper`, `everything`. `cut`: all is killed and the file of the games cut at a random byte;
`set-back`: the same to Redis alone, while everyone else goes on; `rq-keys` and `lost-list`: the queue, or the list of what is to do, is
deleted; `smtp-down` and `bad-post`: the mail server is away, or is slow, says later or hangs up; `disk-full`, `no-memory`, `latency`
(5 s), `clock-jump` (hours, to and fro), `pause` (a worker stands still), `hang-up` (all connections cut), `poison` (a game, a letter and
a mail that nobody can read). Every *acknowledged* move was *applied* or *refused*, or lay in what was *cut away* on purpose, or is
*lost*; *twice* and *never judged* (given up by workers) may not be either. A mail is lost if it was taken and not answered, or if nobody
told a player of a turn; one that was doubled came twice with the same Message-ID, which mail programs show once.""",
    "make bigger": """Three masters with a replica each for the games, Sentinels for the queue; nothing is acknowledged before a replica
has it. The longest silence is the longest time after a blow in which no move at all was acknowledged.""",
    "make fuzz": "Random legal steps to the end, any number of players, edition and options; the record is read back to the same position.",
    "make secrets": """Looked for, in every answer, letter, call, page, log line, key of both Redis servers and compacted game: secrets and
draws to come of running games, tokens, codes, keys, and addresses where only somebody else may know them. A *hit* is one that was
found.""",
}
"""What the words in each section mean."""
ORDER = tuple(ABOUT)
SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)


def write(section: str, lines: Sequence[str], seed: int | None = None, file: Path = FILE) -> None:
    """Put these lines of Markdown under the name of the command, with when and on how large a machine they were measured."""
    known = _sections(file.read_text("utf-8")) if file.exists() else {}
    known[section] = "\n".join([_circumstances(seed), "", ABOUT[section], "", *lines]).strip()
    places = {name: place for place, name in enumerate(ORDER)}
    told = sorted(known, key=lambda name: (places.get(name, len(places)), name))
    file.write_text(TITLE + "".join(f"\n## {name}\n{known[name]}\n" for name in told), "utf-8")


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """In Markdown; the first row is the head."""
    head, *body = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body]


def _sections(text: str) -> dict[str, str]:
    _, *found = SECTION.split(text)
    return {name: body.strip() for name, body in zip(found[::2], found[1::2], strict=True)}


def _circumstances(seed: int | None) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    told = [f"{datetime.now(UTC):%-d %B %Y}", f"{os.cpu_count()} cores", f"{memory:.0f} GB of memory"]
    return ", ".join(told + ([f"seed {seed}"] if seed is not None else [])) + "."
