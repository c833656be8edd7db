"""docs/proof.md: figures as the commands measured them. Each command replaces its own section and leaves the others alone."""

import os
import random
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

FILE = Path(__file__).parents[1] / "docs/proof.md"
TITLE = """# Proof
What the service promises, as it was measured. `make proof` runs everything again within an hour and writes this page, but for
`make duel`, `make blunders` and `make mutants`, which take longer and write here with `PROOF=1`. Each section is written by the command
it names, which also runs alone and then changes nothing here. Speed is told as a ratio to something else measured in the same run:
trust the ratios, not the digits.
"""
ABOUT = {
    "make proof": """All of these sections one after the other, each with the seed named here: how long it took, and whether it found a
fault. One that fails does not stop the others.""",
    "make bench": """A row tells how long one of something takes and how many that is in a second, then the same of the yardstick, and
their ratio: the smaller, the faster. `ok` or `short` says whether the ratio reaches its goal. A/A is the yardstick against itself: where
it strays too far from 1 the row is `unsteady` and says nothing.""",
    "make bare": """What `make run` installs before it starts, in a fresh copy of this folder and without what pip has stored from earlier.
The time is mostly that of downloads.""",
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
(5 s), `clock-jump` (hours, to and fro), `pause` (a worker stands still), `hang-up` (all connections cut), `rolling` (every process but
the stores is told to end, one after the other), `wrong-setting` (a worker of letters without its mail server, and one without a store),
`previous-worker` (workers of the previous release work beside ours; the store is one that it began, until `adopt`), `stream-cut` (an
account stream, at every event), `league` (workers die while it is paired), `poison` (a game, a letter and a mail that nobody can read).
Every *acknowledged* move was *applied* or *refused*, or lay in what was *cut away* on purpose, or is *lost*; *twice* and *never judged*
(given up by workers) may not be either. A mail is lost if it was taken and not answered, or if nobody
told a player of a turn; one that was doubled came twice with the same Message-ID, which mail programs show once.""",
    "make bigger": """Three masters with a replica each for the games, Sentinels for the queue; nothing is acknowledged before a replica
has it. The longest silence is the longest time after a blow in which no move at all was acknowledged.""",
    "make upgrade-proof": """The service of the previous release (the wheel in `tests/previous_release`) is replaced process by process by
this one, and back again, while people play. A request that found nobody at the door was *sent again* with the same key.""",
    "make env": """Bots of the service play at random; their orders, given again in the PettingZoo environment with the same chance,
lead to the same events up to the end.""",
    "make fuzz": "Random legal steps to the end, any number of players, edition and options; the record is read back to the same position.",
    "make fuzz-ahead": """Random games in which players leave orders ahead, under conditions drawn at random, and move, undo, agree, resign
and hand over their seats. Each order is followed from the log alone: it was *played* in the first own turn after it was left and under a
condition that holds, or its player was told that it is used up (*none-fits*) or dropped (the others), or had *taken* it *back*.""",
    "make duel": """The bot `strong` against the usual one at all other seats, each seat in turn with the same chance. A share of the win
counts where several win. *95 % sure*: where the true share lies in 95 of 100 cases. Decisions are timed in processor time and end by the
limit of the service (`bot-decision-service`). A run replaces the rows of its pairings and leaves the others as they were.""",
    "make blunders": """Positions of games between bots in which a lane can be scored, and orders that leave it to the next player: how many
of them the analysis after a game finds.""",
    "make streams": """One API process; every stream belongs to an account of its own. Twenty pairs of these accounts make a hundred moves a
second together, the same ones before any stream is open and while all are, and wait for each outcome; a machine that cannot keep up makes
fewer, and then the comparison says little. CPU with streams is also that of keeping them open: each has a line every 15 seconds. What the
streams of the players told of these moves is compared with the logs: *missed* are moves that one did not tell, *twice* those that came
more than once.""",
    "make model": """Players do anything at any time at random tables, by REST and by mail: join, move, write nonsense, send the same again,
undo, propose, answer, resign and return, while clocks are moved, and while processes and both Redis servers die, at any of their commands.
After every action the service must agree with a small model of it (`tests/model/reference.py`) on seats, turns, moves, proposals, deadlines
and the position; every mail has one answer, and no letter comes twice unless its worker died. Below that, the scripts of the store
(`tests/model/interleavings.py`): the moves are actions of all threads, and a death closes a connection between two commands.""",
    "make weight": """The page of a game in Chromium: what it asks for over the network at a first view and at a second one, and in whole
turns against a bot, each step previewed. Bytes are compressed, and with their headers.""",
    "make secrets": """Looked for, in every answer, letter, call, page, log line, key of both Redis servers and compacted game: secrets and
draws to come of running games, tokens, codes, keys, and addresses where only somebody else may know them. A *hit* is one that was
found.""",
    "make competitions": """Tournaments without games, in which the better of random performances wins: how well their Swiss rounds are
paired, beside pairing by chance. The smaller, the better.""",
    "make seasons": """Three seasons of a league that nearly all enter, a Swiss tournament of one half and duplicate tables of the other,
played by bots in the names of people: three of four over REST, the others by answering letters. The clock is moved; somebody enters late,
some leave, one is erased, two never come. One of eight tables is played to its end; at the others a draw is proposed and agreed on after a
few moves. Workers die, processes of the API and Redis servers, most where a round may be paired. A *fault* would be a table
that is missing, opened twice or does not verify, a pairing that is another one when it is done again, a move or a mail that was taken and
not done, or a letter about a round that came twice or not at all.""",
    "make abuse": "The tests of limits, floods, forged mail, names, guests and blocked players (`tests/abuse`); the seed draws names.",
    "make mutants": """A *mutant* is the core with one small fault: a comparison turned round, a number one higher, a statement left out, a
command of a Lua script missing. It is *killed* if a test in its process that runs its line fails or hangs. Drawn by the seed from all
there are of the rules (not of pictures, stories, bots and analyses), the log, the decision and the store's scripts.""",
}
"""What the words in each section mean."""
ORDER = tuple(ABOUT)
SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)


def with_seed(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--seed`, which is drawn if it is not given, and printed."""
    return click.option("--seed", type=int, default=_drawn, callback=_told, help="Do the same again.")(command)


def seeded(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command of `make proof`: `--seed` and `--proof`."""
    return click.option("--proof", "to_prove", is_flag=True, help="Write the figures to docs/proof.md.")(with_seed(command))


def today(seed: int) -> str:
    """Tell when and with which seed a row was measured."""
    return f"{datetime.now(UTC):%-d %B %Y}, seed {seed}"


def _drawn() -> int:
    return random.SystemRandom().randrange(10**9)


def _told(context: click.Context, option: click.Parameter, seed: int) -> int:
    """Print when, on how large a machine and with which seed a command begins."""
    click.echo(_circumstances(seed), err=True)
    return seed


def write(section: str, lines: Sequence[str], seed: int | None = None, file: Path = FILE) -> None:
    """Put these lines of Markdown under the name of the command, with when and on how large a machine they were measured."""
    known = _sections(file.read_text("utf-8")) if file.exists() else {}
    known[section] = "\n".join([_circumstances(seed), "", ABOUT[section], "", *lines]).strip()
    places = {name: place for place, name in enumerate(ORDER)}
    told = sorted(known, key=lambda name: (places.get(name, len(places)), name))
    file.write_text(TITLE + "".join(f"\n## {name}\n{known[name]}\n" for name in told), "utf-8")


def write_rows(section: str, head: Sequence[str], rows: Sequence[Sequence[str]], file: Path = FILE) -> None:
    """Put rows in the table of the command. Those that begin with the same cell are replaced; the others stay, measured earlier."""
    known = _sections(file.read_text("utf-8")) if file.exists() else {}
    earlier = [_cells(line) for line in known.get(section, "").splitlines() if line.startswith("|")]
    told = {row[0]: row for row in (*earlier, *rows) if len(row) == len(head) and [*row] != [*head]}
    write(section, table([head, *(told[name] for name in sorted(told))]), file=file)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """In Markdown; the first row is the head."""
    head, *body = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def _sections(text: str) -> dict[str, str]:
    _, *found = SECTION.split(text)
    return {name: body.strip() for name, body in zip(found[::2], found[1::2], strict=True)}


def _circumstances(seed: int | None) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    told = [f"{datetime.now(UTC):%-d %B %Y}", f"{os.cpu_count()} cores", f"{memory:.0f} GB of memory"]
    return ", ".join(told + ([f"seed {seed}"] if seed is not None else [])) + "."
