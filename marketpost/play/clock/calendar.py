"""Playing time: what a player's day leaves for deciding, in their own timezone. Moments are milliseconds since 1970, UTC."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

MOST_QUIET = 16
"""So many hours of a day may be quiet at most: whatever else is left out, there is an end to every wait."""
SATURDAY = 5

Days = tuple[date, date]
"""From the first day to the last, both included."""
Hours = tuple[int, int]
"""From one full hour to another, across midnight if the second is not above the first."""


@dataclass(frozen=True, slots=True)
class Calendar:
    zone: str = "UTC"
    weekends: bool = True
    """Whether Saturday and Sunday count."""
    quiet: Hours | None = None
    """Hours that do not count."""
    away: tuple[Days, ...] = ()
    """Days that do not count."""

    def add(self, at: int, much: int) -> int:
        """The moment at which this much playing time has passed."""
        if self._counts_always:
            return at + much
        for start, end in self._open_from(at) if much > 0 else ():
            if end - start >= much:
                return start + much
            much -= end - start
        return at

    def between(self, start: int, end: int) -> int:
        """The playing time from one moment to another; none if the second is the earlier."""
        if self._counts_always:
            return max(0, end - start)
        found = 0
        for opened, closed in self._open_from(start) if end > start else ():
            if opened >= end:
                break
            found += min(closed, end) - opened
        return found

    def day(self, at: int) -> date:
        return datetime.fromtimestamp(at / 1000, ZoneInfo(self.zone)).date()

    @property
    def _counts_always(self) -> bool:
        return self.weekends and self.quiet is None and not self.away

    def _open_from(self, at: int) -> Iterator[tuple[int, int]]:
        """Every stretch of playing time from a moment on, for ever."""
        today = self.day(at)
        while True:
            for start, end in self._open_on(today):
                if end > at and end > start:
                    yield max(start, at), end
            today += timedelta(days=1)

    def _open_on(self, day: date) -> list[tuple[int, int]]:
        if (not self.weekends and day.weekday() >= SATURDAY) or any(first <= day <= last for first, last in self.away):
            return []
        falls, rises = self.quiet or (24, 24)
        hours = [(0, falls), (rises, 24)] if falls <= rises else [(rises, falls)]
        midnight = self._moment(day, 24)
        return [(self._moment(day, start), min(self._moment(day, end), midnight)) for start, end in hours]

    def _moment(self, day: date, hour: int) -> int:
        """An hour that a change of the clocks leaves out is the moment of the change; of one that comes twice it is the first."""
        there = datetime.combine(day if hour < 24 else day + timedelta(days=1), time(hour % 24), ZoneInfo(self.zone))
        return int(there.timestamp()) * 1000


def hours_quiet(quiet: Hours) -> int:
    return (quiet[1] - quiet[0]) % 24
