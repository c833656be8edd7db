"""Two pieces of work timed side by side, and whether the machine was steady enough to believe it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter, process_time

Work = Callable[[], object]

ROUNDS = 9
BATCH = 0.015
"""Seconds of work in one round, so that the clock's own grain does not count."""
STEADY = (0.8, 1.25)
TRIES = 6


@dataclass(frozen=True, slots=True)
class Case:
    """What is measured against what. `units` and `yards` say how many of the things named one call does."""

    what: str
    work: Work
    units: int
    against: str
    yardstick: Work
    yards: int
    goal: float | None = None
    """The ratio must not be above it; smaller is faster."""
    on_the_wall: bool = False
    """Timed by the clock on the wall, for other processes have a part in it; by this process's CPU time else."""


@dataclass(frozen=True, slots=True)
class Measured:
    case: Case
    figure: float
    """Seconds for one unit, as are the yardstick's."""
    yardstick: float
    ratio: float
    control: float
    """The yardstick against itself."""
    cpu: float = 0.0
    """Seconds of CPU for one unit in all processes of ours together, where it was measured."""

    @property
    def steady(self) -> bool:
        return STEADY[0] <= self.control <= STEADY[1]

    @property
    def verdict(self) -> str:
        if not self.steady:
            return "unsteady"
        if self.case.goal is None:
            return "–"
        return "ok" if self.ratio <= self.case.goal else "short"


def measure(case: Case) -> Measured:
    return steady(partial(_run, case))


def steady(run: Callable[[], Measured], tries: int = TRIES) -> Measured:
    """A run whose control strayed is thrown away; if none was steady, the last one is given as what it is."""
    for _ in range(tries):
        measured = run()
        if measured.steady:
            break
    return measured


def _run(case: Case) -> Measured:
    """In each round the work stands between two measurements of the yardstick, the second of which is the control."""
    time = partial(_time, perf_counter if case.on_the_wall else process_time)
    calls, yard_calls = _calls(time, case.work), _calls(time, case.yardstick)
    rounds = [(time(case.yardstick, yard_calls), time(case.work, calls), time(case.yardstick, yard_calls)) for _ in range(ROUNDS)]
    return compared(case, rounds)


def compared(case: Case, rounds: Sequence[tuple[float, float, float]]) -> Measured:
    """From rounds of yardstick, work, and yardstick again."""
    figures = [work / case.units for _, work, _ in rounds]
    yardsticks = [yard / case.yards for yard, _, _ in rounds]
    return Measured(
        case,
        median(figures),
        median(yardsticks),
        median(figure / yardstick for figure, yardstick in zip(figures, yardsticks, strict=True)),
        median(again / yard for yard, _, again in rounds),
    )


def _calls(time: Callable[[Work, int], float], work: Work) -> int:
    """How many calls fill a batch. The first call of all warms the caches."""
    work()
    calls = 1
    while time(work, calls) * calls < BATCH:
        calls *= 2
    return calls


def _time(clock: Callable[[], float], work: Work, calls: int) -> float:
    """Seconds a call. Other programs on the same cores disturb CPU time less than the clock on the wall."""
    start = clock()
    for _ in range(calls):
        work()
    return (clock() - start) / calls
