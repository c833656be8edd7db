"""Vacations: days on which a player's clocks stop; everybody has a number of them each year."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

from marketpost.play.clock.calendar import Calendar, Days
from marketpost.play.clock.timeouts import update_deadlines
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player

DAYS_A_YEAR = 30
LONGEST_AHEAD = timedelta(days=366)
DAY = timedelta(days=1)


def take_vacation(ports: Ports, player: Player, first: date, last: date) -> None:
    """Take a vacation from one day to another, both included, in place of the one that is planned or running.

    A day that has begun counts whole, so that nobody gains days by taking them again.
    """
    _change(ports, player, lambda known: planned(ports, known, first, last))


def planned(ports: Ports, player: Player, first: date, last: date) -> list[Days]:
    """List the player's vacations with this one added; refused if it cannot be taken."""
    today = day_of(ports, player)
    if last < first:
        raise Refused("vacation-backwards")
    if last < today:
        raise Refused("vacation-over")
    if last > today + LONGEST_AHEAD:
        raise Refused("vacation-far", most=LONGEST_AHEAD.days)
    days = _join([*_used(player, today), (max(first, today), last)])
    for year in {first.year, last.year}:
        if (left := DAYS_A_YEAR - _days_in(days, year)) < 0:
            raise Refused("vacation-budget", year=str(year), most=DAYS_A_YEAR, over=-left)
    return days


def end_vacation(ports: Ports, player: Player) -> None:
    """End a vacation: from tomorrow on the clocks run again, and the days that were not used remain."""
    _change(ports, player, lambda known: _used(known, day_of(ports, known)))


def vacation_of(player: Player, today: date) -> Days | None:
    """Find the vacation that is running or to come."""
    return next(((first, last) for first, last in player.vacations if last >= today), None)


def days_left(player: Player, year: int) -> int:
    """Count the days that are left in a year."""
    return DAYS_A_YEAR - _days_in(player.vacations, year)


def day_of(ports: Ports, player: Player) -> date:
    """Compute today's date in the player's timezone."""
    return Calendar(player.timezone).day(ports.clock())


def _used(player: Player, today: date) -> list[Days]:
    """List the days taken up to today, of this year and the last."""
    begun = [(first, min(last, today)) for first, last in player.vacations if first <= today]
    return [(first, last) for first, last in begun if last.year >= today.year - 1]


def _join(days: list[Days]) -> list[Days]:
    """Join the last vacation to the one before it if no day lies between them."""
    *before, old, new = [(date.min, date.min), *days]
    joined = [*before, (old[0], new[1])] if new[0] - DAY <= old[1] else [*before, old, new]
    return [each for each in joined if each[0] > date.min]


def _days_in(days: list[Days], year: int) -> int:
    return sum(1 for day in _each(days) if day.year == year)


def _each(days: list[Days]) -> Iterator[date]:
    for first, last in days:
        yield from (first + DAY * number for number in range((last - first).days + 1))


def _change(ports: Ports, player: Player, plan: Callable[[Player], list[Days]]) -> None:
    """Store new vacations and move the deadlines of all running games.

    Only one earlier state is stored, `vacations_before`. A change before this one is therefore counted in all games first.
    """

    def changes(known: Player) -> dict[str, Any]:
        days = plan(known)
        if days == known.vacations:
            return {}
        _count_in_all_games(ports, known)
        return {"vacations_before": known.vacations, "vacations": days, "vacation_changed": ports.clock()}

    ports.players.change(player, changes)
    _count_in_all_games(ports, player)


def _count_in_all_games(ports: Ports, player: Player) -> None:
    """Move the player's running deadlines. If this is cut short, the next tick of each game does the rest."""
    for game in ports.index.timed_games_of(player.id):
        update_deadlines(ports, ports.sound_game(game))
