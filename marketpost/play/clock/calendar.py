"""Playing time: the part of a player's days that counts, in their timezone. Moments are milliseconds since 1970, UTC."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

MOST_QUIET = 16
"""Most quiet hours of a day, so that every deadline comes."""
SATURDAY = 5

Days = tuple[date, date]
"""First and last day, both included."""
Hours = tuple[int, int]
"""Full hours from and to; across midnight if the second is not above the first."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Which hours count as playing time."""

    zone: str = "UTC"
    weekends: bool = True
    """Whether Saturday and Sunday count."""
    quiet: Hours | None = None
    """Hours that do not count."""
    away: tuple[Days, ...] = ()
    """Days that do not count."""

    def add(self, at: int, much: int) -> int:
        """Compute the moment at which this much playing time has passed."""
        if self._counts_always:
            return at + much
        for start, end in self._open_from(at) if much > 0 else ():
            if end - start >= much:
                return start + much
            much -= end - start
        return at

    def between(self, start: int, end: int) -> int:
        """Compute the playing time from one moment to another; 0 if the second is earlier."""
        if self._counts_always:
            return max(0, end - start)
        found = 0
        for opened, closed in self._open_from(start) if end > start else ():
            if opened >= end:
                break
            found += min(closed, end) - opened
        return found

    def day(self, at: int) -> date:
        """Compute the date of a moment in this timezone."""
        return datetime.fromtimestamp(at / 1000, ZoneInfo(self.zone)).date()

    @property
    def _counts_always(self) -> bool:
        return self.weekends and self.quiet is None and not self.away

    def _open_from(self, at: int) -> Iterator[tuple[int, int]]:
        """Iterate over all intervals of playing time from a moment on, without end."""
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
        """Compute the moment of an hour: that of the change if daylight saving skips it, the first if it comes twice."""
        there = datetime.combine(day if hour < 24 else day + timedelta(days=1), time(hour % 24), ZoneInfo(self.zone))
        return int(there.timestamp()) * 1000


def hours_quiet(quiet: Hours) -> int:
    """Count the hours of a quiet time."""
    return (quiet[1] - quiet[0]) % 24
