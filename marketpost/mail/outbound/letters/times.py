"""Format times in a player's timezone and language, and numbers in the language."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from babel.dates import format_date, format_skeleton, format_time, format_timedelta, get_timezone, get_timezone_name
from babel.numbers import format_decimal

from marketpost.store.players import Player

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The current time and the deadline of a decision, both with a timezone."""

    now: datetime
    until: datetime
    saved: timedelta = timedelta()
    """How much of the time was saved earlier."""


def until(clock: TimeLeft | None, player: Player) -> dict[str, str] | None:
    """Return the deadline in the player's timezone and language."""
    if clock is None:
        return None
    there = clock.until.astimezone(get_timezone(player.timezone))
    return {
        "date": format_date(there, "full", locale=locale(player.language)),
        "time": format_time(there, "short", locale=locale(player.language)),
        "zone": _zone(there, player.language),
        "left": format_timedelta(clock.until - clock.now, add_direction=True, threshold=1.5, locale=locale(player.language)),
        "saved": format_timedelta(clock.saved, threshold=1.5, locale=locale(player.language)) if clock.saved >= MINUTE else "",
    }


def locale(language: str) -> str:
    """Return the locale of a language; English is British."""
    return "en_GB" if language == "en" else language


def _zone(at: datetime, language: str) -> str:
    """Return the name of a timezone; Babel's Italian names begin with a capital, which is wrong within a sentence."""
    name = get_timezone_name(at, locale=locale(language))
    return name[:1].lower() + name[1:] if language == "it" else name


def moment(at: datetime, language: str) -> str:
    """Format a day and a time in short, without the year."""
    return f"{_short_day(at.date(), language)}, {at:%H:%M}"


@lru_cache(maxsize=1000)
def _short_day(at: date, language: str) -> str:
    """Format a day in short. Cached: a page of a hundred games shows the same few days hundreds of times."""
    return format_skeleton("MMMEd", at, locale=locale(language))


def day_of(at: datetime, player: Player) -> str:
    """Return the date of a moment in the player's timezone and language."""
    return day(at.astimezone(get_timezone(player.timezone)), player.language)


def day(at: date, language: str) -> str:
    """Format a date in a language."""
    return format_date(at, "long", locale=locale(language))


def decimal(value: float, language: str, places: int = 1) -> str:
    """Format a number with so many decimal places."""
    return format_decimal(value, f"0.{'0' * places}", locale=locale(language))
