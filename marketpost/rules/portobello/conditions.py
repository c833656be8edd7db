"""What orders ahead may depend on: what a player did, what stands where, points and majorities."""

from collections.abc import Callable
from typing import Any

from marketpost.rules.conditions import Conditions, Gaps, Since, Test, named
from marketpost.rules.portobello.board import lane_name
from marketpost.rules.portobello.events import BobbyMoved, CustomerDrawn, CustomerPlaced, DistrictMarked, StallBuilt, TileChosen
from marketpost.rules.portobello.orders import WORDS
from marketpost.rules.portobello.state import KINDS, LORD, State


def _lane(state: State, words: list[str]) -> str | None:
    """Read `AB` or `A-B`."""
    letters = "".join(words).replace("-", "").upper()
    name = lane_name(*letters) if len(letters) == 2 else ""
    return name if name in state.lanes else None


def _square(state: State, words: list[str]) -> str | None:
    return words[0].upper() if len(words) == 1 and words[0].upper() in state.squares else None


def _district(state: State, words: list[str]) -> str | None:
    return words[0] if words[0] in map(str, state.board.districts) and len(words) == 1 else None


def _kind(state: State, words: list[str]) -> str | None:
    return named(WORDS, words, KINDS)


def _guest(state: State, words: list[str]) -> str | None:
    return named(WORDS, words, (*KINDS, LORD))


def _did(kind: type[Any], is_meant: Callable[[Any, Gaps], bool]) -> Test:
    """Test whether a player did something: an event of this class by `who`, with what fills the other gaps."""

    def has_done(since: Since, gaps: Gaps) -> bool:
        found: list[Any] = [event for event in since.events if isinstance(event, kind)]
        return any(since.is_by(gaps["who"], event.seat) and is_meant(event, gaps) for event in found)

    return has_done


def _has_majority(since: Since, gaps: Gaps) -> bool:
    spaces = since.state.lanes[gaps["lane"]]
    counts = [spaces.count(seat) for seat in range(len(since.state.colours))]
    return any(counts[seat] and counts.count(counts[seat]) == 1 and counts[seat] == max(counts) for seat in since.seats(gaps["who"]))


def _leads(since: Since, gaps: Gaps) -> bool:
    scores = since.state.scores
    return any(scores[seat] > max(score for other, score in enumerate(scores) if other != seat) for seat in since.seats(gaps["who"]))


CONDITIONS = Conditions(
    WORDS,
    {
        "builds-in": _did(StallBuilt, lambda event, gaps: event.lane == gaps["lane"]),
        "plays-tile": _did(TileChosen, lambda event, gaps: event.number == int(gaps["number"])),
        "draws": _did(CustomerDrawn, lambda event, gaps: event.kind == gaps["kind"]),
        "places-on": _did(CustomerPlaced, lambda event, gaps: event.square == gaps["square"]),
        "moves-bobby": _did(BobbyMoved, lambda event, gaps: True),
        "marks": _did(DistrictMarked, lambda event, gaps: str(event.district) == gaps["district"]),
        "marks-any": _did(DistrictMarked, lambda event, gaps: True),
        "bobby-in": lambda since, gaps: str(since.state.bobby) == gaps["district"],
        "stands-on": lambda since, gaps: since.state.squares[gaps["square"]] == gaps["guest"],
        "square-free": lambda since, gaps: since.state.squares[gaps["square"]] is None,
        "lane-empty": lambda since, gaps: since.state.is_empty(gaps["lane"]),
        "lane-full": lambda since, gaps: None not in since.state.lanes[gaps["lane"]],
        "lane-scored": lambda since, gaps: gaps["lane"] in since.state.scored,
        "majority": _has_majority,
        "points-least": lambda since, gaps: any(since.state.scores[seat] >= int(gaps["number"]) for seat in since.seats(gaps["who"])),
        "points-most": lambda since, gaps: any(since.state.scores[seat] <= int(gaps["number"]) for seat in since.seats(gaps["who"])),
        "leads": _leads,
    },
    {"lane": _lane, "square": _square, "district": _district, "kind": _kind, "guest": _guest},
)
