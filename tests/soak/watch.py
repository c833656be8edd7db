"""Looks at a running service every second: memory and CPU time of each of its processes, and how many moves it has applied."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.running.live import Live, descendants
from workers import counters

EVERY = 1.0
FLAT = 1.1
"""The last third of the time may have this much more than the middle third."""
PARTS = (
    ("--queue bots", "bot worker"),
    ("--queue mail", "mail worker"),
    ("--queue hooks", "webhook worker"),
    ("marketpost.cli.main worker", "worker"),
    ("marketpost.cli.main mail-in", "mail door"),
    ("marketpost.cli.main sweeper", "sweeper"),
    ("gunicorn --config python:api.http.gunicorn_settings", "api"),
    ("games.sock", "redis: games"),
    ("queue.sock", "redis: queue"),
)
"""What is in a command line, and what it is called."""
DATA = "redis: games"
"""Grows with what is played: told as bytes an event instead."""
PLAYERS = "the players"
"""Who share the cores with what they play on."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Watched:
    at: list[float] = field(default_factory=list)
    """Seconds since the beginning."""
    applied: list[int] = field(default_factory=list)
    memory: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """Of each process: when, and megabytes."""
    computed: dict[str, list[float]] = field(default_factory=dict)
    """Of each process: seconds of CPU time so far."""

    def rates(self, over: int = 10) -> list[tuple[float, float]]:
        """Moves a second, over so many looks."""
        pairs = zip(range(0, len(self.at), over), range(over, len(self.at), over), strict=False)
        return [(self.at[b], (self.applied[b] - self.applied[a]) / (self.at[b] - self.at[a])) for a, b in pairs]

    def growth(self, process: str) -> float:
        """The last third against the middle one, medians."""
        sizes = [size for _, size in self.memory[process]]
        third = len(sizes) // 3
        return median(sizes[-third:]) / median(sizes[third : 2 * third]) if third else 1.0

    def a_move(self, process: str) -> float:
        """Seconds of CPU time for each move that was applied."""
        seconds = self.computed[process]
        return (seconds[-1] - seconds[0]) / max(1, self.applied[-1] - self.applied[0])

    def growing(self) -> list[str]:
        return [name for name in self.memory if not name.startswith(DATA) and self.growth(name) > FLAT]


@contextmanager
def watching(live: Live) -> Iterator[Watched]:
    watched, stop = Watched(), threading.Event()
    thread = threading.Thread(target=_watch, args=(live, watched, stop))
    thread.start()
    try:
        yield watched
    finally:
        stop.set()
        thread.join()


def _watch(live: Live, watched: Watched, stop: threading.Event) -> None:
    began, redis, names = time.monotonic(), live.work_queue().redis, dict[int, str]()
    while not stop.wait(EVERY):
        now = time.monotonic() - began
        watched.at.append(now)
        watched.applied.append(counters.read(redis).outcomes.get("applied", 0))
        _name(descendants(live.process.pid), names)
        for pid, name in names.items():
            if size := _megabytes(pid):
                watched.memory.setdefault(name, []).append((now, size))
                watched.computed.setdefault(name, []).append(seconds_of(pid))
        watched.computed.setdefault(PLAYERS, []).append(seconds_of(os.getpid()))


def _name(processes: dict[int, str], names: dict[int, str]) -> None:
    """Those of one kind are numbered as they are met."""
    for pid, command in sorted(processes.items()):
        kind = next((name for sign, name in PARTS if sign in command), "")
        if pid not in names and kind:
            number = sum(name.startswith(kind) for name in names.values()) + 1
            names[pid] = f"{kind} {number}" if number > 1 else kind


def _megabytes(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 2**20


def seconds_of(pid: int) -> float:
    """CPU time of a process so far, 0 for one that is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS  # its children's too, such as are gone
