"""Matches searches for a game: who may sit together, and which tables come about. Pure; docs/rulings.md says why."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from marketpost.store.searches import Search

LONGEST_SEARCH = 3_600_000
"""Milliseconds after which a table opens with those who are there, and bots in the other seats."""
CONSIDERED = 20
"""Of those who may sit with a seeker, so many are considered, the longest waiting first; it bounds the time of a search."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """A search, and what is known of its player."""

    search: Search
    points: float = 0.0
    """Rating; 0, where the table of ratings begins, for a player without."""
    is_newcomer: bool = False
    is_reliable: bool = True
    is_bot: bool = False
    """Whether it is a bot account; they play among themselves."""
    persons: frozenset[str] = frozenset()
    """The player, and the owner of a bot account."""
    blocked: frozenset[str] = frozenset()
    """Whom the player has blocked."""

    @property
    def is_patient(self) -> bool:
        """Whether newcomers are seated with this player: one who plays with anybody and is rarely out of time."""
        return self.is_reliable and self.search.plan.least is None and self.search.plan.most is None


def may_sit_together(one: Seeker, other: Seeker) -> bool:
    """Whether two seekers may sit at one table."""
    first, second = one.search.plan, other.search.plan
    return (
        (first.rules, first.players, first.pace) == (second.rules, second.players, second.pace)
        and one.is_bot == other.is_bot
        and one.persons.isdisjoint(other.persons)
        and all(_accepts(*pair) for pair in ((one, other), (other, one)))
    )


def _accepts(one: Seeker, other: Seeker) -> bool:
    """Whether a seeker plays with another: in the range, not blocked, and patient if the first is a newcomer."""
    plan = one.search.plan
    if (plan.least is not None and other.points < plan.least) or (plan.most is not None and other.points > plan.most):
        return False
    return one.blocked.isdisjoint(other.persons) and (not one.is_newcomer or other.is_patient)


def match_searches(seekers: Sequence[Seeker], now: int) -> list[list[Seeker]]:
    """Find the tables that come about now: first the full ones, then one for each seeker who has waited for `LONGEST_SEARCH`.

    Who has waited longest chooses first, and gets those who have waited longest of those who may sit at one table.
    """
    waiting = sorted(seekers, key=lambda each: (each.search.since, each.search.id))
    full = _tables(waiting, lambda first: [first.search.plan.players])
    left = [each for each in waiting if not any(each in table for table in full)]
    return full + _tables(left, lambda first: range(first.search.plan.players if _is_late(first, now) else 0, 0, -1))


def _is_late(seeker: Seeker, now: int) -> bool:
    return now - seeker.search.since >= LONGEST_SEARCH


def _tables(waiting: Sequence[Seeker], sizes: Callable[[Seeker], Iterable[int]]) -> list[list[Seeker]]:
    """Seat one seeker after the other at a table of the first of their sizes that comes about."""
    tables, left = list[list[Seeker]](), list(waiting)
    while left:
        first, *left = left
        near = [each for each in left if may_sit_together(first, each)][:CONSIDERED]
        table = next((found for size in sizes(first) if (found := _grown([first], near, size))), [])
        tables += [table] if table else []
        left = [each for each in left if each not in table]
    return tables


def _grown(table: list[Seeker], others: Sequence[Seeker], size: int) -> list[Seeker]:
    """Add seekers until the table has its size, going back where nobody fits; empty if there is no such table."""
    if len(table) == size:
        return table
    for number, each in enumerate(others):
        if all(may_sit_together(each, seated) for seated in table) and (found := _grown([*table, each], others[number + 1 :], size)):
            return found
    return []
