"""Two pieces of work timed side by side, and whether the machine was steady enough to believe it."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

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


@dataclass(frozen=True, slots=True)
class Measured:
    case: Case
    figure: float
    """Seconds of CPU for one unit, as is the yardstick's."""
    yardstick: float
    ratio: float
    control: float
    """The yardstick against itself."""

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
    """A run whose control strayed is thrown away; if none was steady, the last one is given as what it is."""
    for _ in range(TRIES):
        measured = _run(case)
        if measured.steady:
            break
    return measured


def _run(case: Case) -> Measured:
    """In each round the work stands between two measurements of the yardstick, the second of which is the control."""
    calls, yard_calls = _calls(case.work), _calls(case.yardstick)
    rounds = [(_time(case.yardstick, yard_calls), _time(case.work, calls), _time(case.yardstick, yard_calls)) for _ in range(ROUNDS)]
    figures = [work / case.units for _, work, _ in rounds]
    yardsticks = [yard / case.yards for yard, _, _ in rounds]
    return Measured(
        case,
        median(figures),
        median(yardsticks),
        median(figure / yardstick for figure, yardstick in zip(figures, yardsticks, strict=True)),
        median(again / yard for yard, _, again in rounds),
    )


def _calls(work: Work) -> int:
    """How many calls fill a batch. The first call of all warms the caches."""
    work()
    calls = 1
    while _time(work, calls) * calls < BATCH:
        calls *= 2
    return calls


def _time(work: Work, calls: int) -> float:
    """CPU seconds a call: other programs on the same cores disturb it less than the clock on the wall."""
    start = process_time()
    for _ in range(calls):
        work()
    return (process_time() - start) / calls
