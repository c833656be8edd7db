"""Reads searches in words: `portobello 3 players, 1 day, any strength`, and completes them."""

import re
from dataclasses import dataclass
from enum import StrEnum

from marketpost.play.ports import Ports
from marketpost.play.table.new_game_request import NUMBERS, UNITS, NewGameRequest, read_request
from marketpost.play.table.searching import similar_strength
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import COMMON, fold, lexicon, plain
from marketpost.store.searches import SearchPlan

USUAL_PLAYERS = 3
USUAL_PACE = UNITS["day"]


class Strength(StrEnum):
    """Whom a player searches for."""

    ANY = "any"
    SIMILAR = "similar"
    """Players whose rating is near the searching player's own."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A game that somebody searches for; what is left out is usual."""

    rules: str
    players: int | None = None
    pace: int | None = None
    """Milliseconds for each decision."""
    strength: Strength = Strength.ANY
    least: float | None = None
    most: float | None = None

    def plan(self, ports: Ports, player: str) -> SearchPlan:
        """Complete the request: with usual values, and with the player's rating if it names similar strength."""
        players = self.players or min(USUAL_PLAYERS, ruleset(self.rules).players[-1])
        near = similar_strength(ports, player, self.rules) if self.strength == Strength.SIMILAR else (None, None)
        least, most = near[0] if self.least is None else self.least, near[1] if self.most is None else self.most
        if least is not None and most is not None and least > most:
            raise Refused("search-range")
        return SearchPlan(self.rules, players, self.pace or USUAL_PACE, least, most)


def read_search(text: str) -> SearchRequest:
    """Read a search; refused if no game is named, or something is said that cannot be searched for."""
    rest, players = _take(fold(plain(text)), rf"({_number_pattern()})\s+(?:{_pattern('players')})")
    rest, points = _take(rest, rf"(?:{_pattern('rating')})\s+(\d{{1,2}})\s*(?:-|{_pattern('to')})\s*(\d{{1,2}})")
    rest, similar = _take(rest, f"({_pattern('similar')})")
    rest, any_ = _take(rest, f"({_pattern('any')})")
    rest, untimed = _take(rest, f"({_pattern('no-clock', 'request')})")
    request = read_request(rest)
    if request is None or request != NewGameRequest(request.rules, clock=request.clock):
        raise Refused("search-request")
    if max(map(len, (players, points, similar, any_))) > 1 or sum(map(bool, (points, similar, any_))) > 1:
        raise Refused("search-request")
    if untimed or (request.clock and not request.clock.weekends):
        raise Refused("search-request")
    [least, most] = map(float, points[0]) if points else (None, None)
    return SearchRequest(
        request.rules,
        _count(players[0][0]) if players else None,
        request.clock.per_decision if request.clock else None,
        Strength.SIMILAR if similar else Strength.ANY,
        least,
        most,
    )


def _take(text: str, pattern: str) -> tuple[str, list[tuple[str, ...]]]:
    """Take everything that fits a pattern out of a text; returns the rest and what the groups of the pattern found."""
    whole = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")
    return whole.sub(" ", text), [found.groups() for found in whole.finditer(text)]


def _pattern(meaning: str, part: str = "search") -> str:
    """Build a pattern of all spellings of a meaning, the longest first."""
    found = (spelling for spelling, meanings in lexicon(COMMON, part).items() if meaning in meanings)
    return "|".join(re.escape(each).replace(r"\ ", r"\s*") for each in sorted(found, key=len, reverse=True))


def _numbers() -> dict[str, int]:
    """The numbers of players as figures and words."""
    return {word: int(found) for word, meanings in lexicon(COMMON, "request").items() for found in meanings if found in NUMBERS}


def _count(text: str) -> int:
    return _numbers().get(text) or int(text)


def _number_pattern() -> str:
    return "|".join(sorted(map(re.escape, _numbers()), key=len, reverse=True)) + r"|\d{1,3}"
