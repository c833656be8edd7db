"""Many games at once for a while: `python -m tests.soak --games 1000 --minutes 10`. How fast, how large, and is anything lost?

A whole service as separate processes; four people at each table, most of them over REST, some by mail. At the end every log is read.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import click
import msgspec

from marketpost.play.keeping import backup as keep
from marketpost.play.keeping.compaction import compact
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import Tampered, decode
from marketpost.play.moves.submit import outcome
from marketpost.play.ports import Ports
from marketpost.store.delivery_queue import DeliveryQueue
from marketpost.store.redis_client import RedisClient
from tests import proof
from tests.mail.servers import free_port
from tests.running.live import Live, running, until
from tests.soak.players import RULES, SEATS, Line, Seen, Table, at_the_tables, correspondents, letterbox, open_table, person
from tests.soak.plot import plot
from tests.soak.watch import PLAYERS, Watched, watching

PICTURE = Path(__file__).parents[2] / "docs/pictures/soak.svg"
BY_MAIL = 20
"""In one of so many games somebody plays by mail."""
DECIDED_WITHIN = 30.0
SAMPLE = 60
"""Games whose size is taken."""
HOUR = 3_600_000
GOAL = 5
"""Milliseconds of CPU for a move, at most."""
RUNNING_GAME, LOG_ENTRY = 16_000, 180
"""Bytes of Redis, at most."""
SAID = 40
"""Lines of the service's own that are shown when something was wrong."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of Redis, medians over a sample."""

    running: float
    an_event: float
    packed: float
    later: float
    """A day later, when the keys of its moves are forgotten, as it is archived."""
    archived: float
    finished: int


def set_tables(live: Live, ports: Ports, games: int, seen: Seen, by_mail: int = BY_MAIL) -> list[Table]:
    """The same people at all tables, but those who play by mail have one game each: nobody gets a hundred letters an hour."""
    regulars = [person(ports, name) for name in ("ann", "bob", "cleo", "dora")]
    line = Line(live.url, seen)
    tables = []
    with click.progressbar(range(games), label="opening", file=sys.stderr) as bar:
        for number in bar:
            guest = person(ports, f"mail{number}", by_mail=True) if number % by_mail == by_mail - 1 else regulars[-1]
            tables.append(open_table(line, [*regulars[: SEATS - 1], guest], RULES[number % len(RULES)], f"table-{number}"))
    return tables


def count(ports: Ports, seen: Seen) -> dict[str, int]:
    """Read every log, and say what became of what was acknowledged."""
    end = time.monotonic() + DECIDED_WITHIN
    while (waiting := _undecided(ports, seen)) and time.monotonic() < end:
        time.sleep(0.2)
    outcomes = [outcome(ports, *each) for each in sorted(seen.moves)]
    games, broken = ports.games.all_games(), 0
    in_logs = Counter[str]()
    for game in games:
        stored = ports.games.read(game)
        in_logs.update(action.move for action in (decode(each.data).action for each in stored) if isinstance(action, Moved))
        try:
            broken += bool(verify(game, stored, ports.games.head(game)).faults)
        except Tampered:
            broken += 1
    should = {each.id for each in outcomes if each and each.version is not None}
    return {
        "games": len(games),
        "moves in all logs": sum(in_logs.values()),
        "acknowledged over REST": len(seen.moves),
        "taken by the mail door": len(seen.mails),
        "lost": sum(each is None for each in outcomes) + len(should - in_logs.keys()),
        "twice": sum(times > 1 for times in in_logs.values()),
        f"undecided after {DECIDED_WITHIN:.0f} s": waiting,
        "mails without an answer": max(0, len(seen.mails) - len(seen.answers)),
        "logs that do not fit together": broken,
    }


def _undecided(ports: Ports, seen: Seen) -> int:
    found = (outcome(ports, *each) for each in sorted(seen.moves))
    return sum(1 for each in found if each and each.status == "queued")


def weigh(ports: Ports, seen: Seen, folder: Path, dice: random.Random) -> Sizes:
    """What games take while they run, when they are over, and in an archive, from which they come back."""
    over = [id for id in seen.over if not ports.games.has_work(id)]
    going = [id for id in ports.games.all_games() if id not in set(seen.over)]
    some = dice.sample(going, min(SAMPLE, len(going)))
    sizes = [_bytes(ports, id) for id in some]
    events = [size / len(ports.games.read(id)) for id, size in zip(some, sizes, strict=True)]
    packed = [_bytes(ports, id) for id in over if compact(ports, id) or ports.games.compacted(id)]
    for id in over:
        ports.games.redis.delete(ports.games.key(id, "keys"))
    later = [_bytes(ports, id) for id in over if ports.games.compacted(id)]
    return Sizes(_middle(sizes), _middle(events), _middle(packed), _middle(later), _archived(ports, folder), len(packed))


def _archived(ports: Ports, folder: Path) -> float:
    file = folder / "archive"
    moved = keep.archive(ports, file, int(time.time() * 1000) + HOUR)
    if not moved:
        return 0.0
    size = file.stat().st_size / len(moved)
    assert sorted(keep.restore_archived(ports, file, ())) == sorted(moved)
    return size


def _bytes(ports: Ports, id: str) -> int:
    redis = ports.games.redis
    return sum(int(redis.memory_usage(key, samples=0) or 0) for key in redis.scan_iter(ports.games.key(id, "*"), count=10_000))


def _middle(values: Sequence[float]) -> float:
    return median(values) if values else 0.0


def _times(samples: Sequence[float]) -> str:
    if len(samples) < 2:
        return "–"
    return f"p50 {median(samples) * 1e3:.0f} ms, p99 {quantiles(samples, n=100)[98] * 1e3:.0f} ms"


def _costs(watched: Watched) -> str:
    """Of each kind of process, the dearest first. The players are told apart: they are no part of the service."""
    costs = Counter[str]()
    for name in watched.computed:
        costs[name.rstrip(" 0123456789")] += watched.a_move(name) * 1e3
    players = costs.pop(PLAYERS)
    parts = ", ".join(f"{name} {cost:.2f}" for name, cost in costs.most_common())
    return f"{costs.total():.1f} ms, goal ≤ {GOAL}: {parts}; the players {players:.2f}"


def rows(games: int, minutes: float, seen: Seen, watched: Watched, sizes: Sizes, result: dict[str, int]) -> list[tuple[str, str]]:
    rates = [rate for _, rate in watched.rates()]
    memory = [
        (f"memory: {name}", f"{each[-1][1]:.0f} MB, last third ÷ middle third {watched.growth(name):.2f}")
        for name, each in sorted(watched.memory.items())
    ]
    packed = f"{sizes.packed:,.0f} bytes of Redis, {sizes.later:,.0f} a day later, {sizes.archived:,.0f} archived ({sizes.finished} games)"
    return [
        ("games at once, minutes", f"{games}, {minutes:g}"),
        ("moves applied a second", f"{_middle(rates):.0f}"),
        ("CPU time a move", _costs(watched)),
        ("POST to 202", _times(seen.accepted)),
        ("POST to applied (`Prefer: wait`)", _times(seen.applied)),
        ("a running game", f"{sizes.running:,.0f} bytes of Redis, goal ≤ {RUNNING_GAME:,}"),
        ("an entry of its log, with all that belongs to it", f"{sizes.an_event:,.0f} bytes, goal ≤ {LOG_ENTRY}"),
        ("a finished game", packed if sizes.finished else "none was finished"),
        *memory,
        *((name, f"{figure:,}") for name, figure in result.items()),
        ("requests sent again, moves refused", f"{len(seen.again)}, {len(seen.refused)}"),
    ]


@click.command()
@click.option("--games", default=1000, show_default=True)
@click.option("--minutes", default=10.0, show_default=True)
@proof.seeded
@click.option("--plot", "file", type=click.Path(path_type=Path), default=None, help="Draw the picture into this SVG file.")
def soak(games: int, minutes: float, seed: int, to_prove: bool, file: Path | None) -> None:
    """Play many games at once, and watch what it costs."""
    seen, door, street = Seen(), free_port(), free_port()
    where = {"LIMITS": "off", "SMTP_URL": f"smtp://127.0.0.1:{street}", "MAIL_LISTEN": f"127.0.0.1:{door}"}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="marketpost-soak-")))
        box = stack.enter_context(letterbox(street))
        live = stack.enter_context(running(folder / "data", **where))
        ports = live.ports()
        with correspondents(box, door, seen, seed):
            tables = set_tables(live, ports, games, seen)
            with watching(live) as watched, at_the_tables(live.url, tables, seen, seed):
                let_pass(minutes * 60, seed)
        until(partial(is_quiet, live), DECIDED_WITHIN)
        result = count(ports, seen)
        told = rows(games, minutes, seen, watched, weigh(ports, seen, folder, random.Random(seed)), result)
        _must_fit(ports)
        said = [*_fates(ports.players.redis), *live.log().splitlines()[-SAID:]]
    _tell(told, watched, PICTURE if to_prove else file, seed, to_prove)
    wrong = [name for name in result if result[name] and name not in list(result)[:4]] + [f"{name} grows" for name in watched.growing()]
    if wrong:
        click.echo("\n".join([f"not as it should be: {', '.join(wrong)}. What the service said last:", *said]), err=True)
    sys.exit(1 if wrong else 0)


def _fates(redis: RedisClient) -> Iterator[str]:
    """What became of the mails that came in, and of the letters that went out."""
    for way in ("in", "out"):
        rows = (msgspec.json.decode(redis.get(key) or b"{}") for key in redis.scan_iter(DeliveryQueue.key(way, "*"), count=1000))
        counts = Counter(" ".join(str(row.get(name, "")) for name in ("letter", "status", "reason")) for row in rows)
        yield from (f"mails {way}: {count:,} {fate}" for fate, count in counts.most_common())


def let_pass(seconds: float, seed: int) -> None:
    end = time.monotonic() + seconds
    with click.progressbar(length=int(seconds), label=f"playing, seed {seed}", file=sys.stderr) as bar:
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(1.0, left))
            bar.update(1)


def is_quiet(live: Live) -> bool:
    return not live.work_queue().waiting()


def _must_fit(ports: Ports) -> None:
    """Once more, for games have been packed, archived and restored."""
    for game in ports.games.all_games():
        verify(game, ports.games.read(game), ports.games.head(game))


def _tell(told: Sequence[tuple[str, str]], watched: Watched, file: Path | None, seed: int, to_prove: bool) -> None:
    for name, figure in told:
        click.echo(f"{name:>48}  {figure}")
    if file:
        plot(watched, file)
    if to_prove:
        proof.write("make soak", [*proof.table([("what", "figure"), *told]), "", "![memory and moves over time](pictures/soak.svg)"], seed)


if __name__ == "__main__":
    soak()
