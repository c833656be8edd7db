"""Views of a game: what a reader may see, what is legal, and what orders would do."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from marketpost.play.log.game import Game
from marketpost.play.people.names import plain_name
from marketpost.play.ports import Ports
from marketpost.rules import records
from marketpost.rules.chance import T
from marketpost.rules.pictures import LIGHT, pictured
from marketpost.rules.refusal import Refusal
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.svg import Style
from marketpost.rules.words import Words
from marketpost.store.players import Player

MOST_BRANCHES = 64


def position_at(game: Game, version: int) -> Any:
    """Compute the position after a version of the log; None before the beginning."""
    events = [event for number, played in game.history if number <= version for event in played.events]
    return game.rules.fold(events) if events else None


def picture(game: Game, version: int, words: Words, style: Style = LIGHT) -> str:
    """Draw the board after a version as SVG, with the last player's moves marked."""
    return pictured(game.rules, [played for number, played in game.history if number <= version], words, style)


def names(ports: Ports, game: Game) -> dict[str, str]:
    """Name the player of each colour, for those at the table; erased players have no name."""
    return names_among(ports.players.find_all(seated(game)), game)


def names_for(ports: Ports, game: Game, reader: str | None) -> dict[str, str]:
    """Name the player of each colour, for any reader: to those who are not at the table hidden players have no name."""
    return names_seen(ports.players.find_all(seated(game)), game, reader)


def names_seen(people: Mapping[str, Player], game: Game, reader: str | None) -> dict[str, str]:
    """The same from players that were read before."""
    at_table = reader is not None and reader in game.people
    return names_among({id: player for id, player in people.items() if at_table or not player.hidden}, game)


def seated(game: Game) -> set[str]:
    """List the players who have a seat."""
    return {seat.player for seat in game.seats if seat.player}


def names_among(people: Mapping[str, Player], game: Game) -> dict[str, str]:
    """Name the player of each colour, from players that were read before."""
    named = {}
    for colour, seat in zip(game.setting.colours, game.seats, strict=True):
        player = people.get(seat.player) if seat.player else None
        name = plain_name(player.name) if player else f"{seat.bot} bot" if seat.bot else ""
        if name:
            named[colour] = name
    return named


def record(ports: Ports, game: Game) -> str:
    """Write the record of a game for those at the table."""
    return records.write(game.rules, game.played, names(ports, game))


def record_for(ports: Ports, game: Game, reader: str | None) -> str:
    """Write the record of a game for any reader."""
    return records.write(game.rules, game.played, names_for(ports, game, reader))


def situation(game: Game, player: str) -> dict[str, Any]:
    """Describe a game for a program that decides for this player, without what the player may not see."""
    seat, colours, rules = game.seat_of(player), game.setting.colours, game.rules
    begun = game.state is not None
    return {
        "id": game.id,
        "version": game.version,
        "rules": rules.name,
        "status": game.status,
        "you": None if seat is None else colours[seat],
        "decides": [colours[each] for each in game.deciders],
        "steps": list(rules.legal(game.state, seat)) if seat is not None and seat in game.deciders else [],
        "position": rules.document(game.state, seat) if begun else None,
        "scores": dict(zip(colours, rules.scores(game.state), strict=True)) if begun else {},
        "winners": [colours[each] for each in game.winners],
        "proposal": proposal_of(game),
    }


def proposal_of(game: Game) -> dict[str, Any] | None:
    """Describe the open proposal and who must still answer; None if there is none."""
    proposal, colours = game.proposal, game.setting.colours
    if proposal is None:
        return None
    asked = game.asked_by(proposal)
    return {
        "number": proposal.number,
        "what": proposal.what,
        "colour": colours[proposal.seat],
        "back_to": proposal.back_to,
        "asked": [colour for colour, seat in zip(colours, game.seats, strict=True) if seat.player in asked],
    }


@dataclass(frozen=True, slots=True)
class PreviewBranch:
    """What orders would do if chance brought these outcomes."""

    outcomes: tuple[str, ...]
    events: Sequence[Any]
    state: Any
    refusal: Refusal | None
    probability: Fraction = Fraction(1)


class _Supposed:
    """Chance that returns the supposed outcomes, then the first option each time, and collects the alternatives."""

    def __init__(self, outcomes: Sequence[Any]) -> None:
        self._supposed, self.outcomes = outcomes, list[Any]()
        self.others: list[tuple[Any, ...]] = []
        self.probability = Fraction(1)
        """How likely the outcomes so far are, taken together."""

    def pick(self, options: Sequence[T]) -> T:
        """Return the next outcome."""
        if len(self.outcomes) < len(self._supposed):
            outcome: T = self._supposed[len(self.outcomes)]
        else:
            outcome, *others = dict.fromkeys(options)
            self.others = [(*self.outcomes, other) for other in others] + self.others
        self.outcomes.append(outcome)
        self.probability *= Fraction(options.count(outcome), len(options))
        return outcome


def preview(game: Game, seat: int, orders: str) -> list[PreviewBranch]:
    """Compute what orders would do, for every branch of chance. Nothing is drawn and nothing changes."""
    return branches(game.rules, game.state, seat, orders)


def branches(rules: Ruleset[Any], state: Any, seat: int, orders: str) -> list[PreviewBranch]:
    """Compute what orders would do in a position, at most `MOST_BRANCHES` branches."""
    return list(itertools.islice(_branches(rules, state, seat, orders, ()), MOST_BRANCHES))


def legal_after(game: Game, seat: int, branches: Sequence[PreviewBranch]) -> list[str]:
    """List the steps that are legal after orders in every branch of chance."""
    first, *others = [list(game.rules.legal(each.state, seat)) for each in branches]
    return [step for step in first if all(step in other for other in others)]


def choices(rules: Ruleset[Any], state: Any, steps: Sequence[str]) -> list[dict[str, Any]]:
    """Describe legal steps in a position as data, beside their texts."""
    return [_choice(rules, state, text) for text in steps]


def _choice(rules: Ruleset[Any], state: Any, text: str) -> dict[str, Any]:
    step, places = _read_step(rules.parse, rules.places, text)
    document = msgspec.to_builtins(step)
    return {
        "rules": rules.name,
        "kind": document["kind"],
        "places": list(places),
        "cost": rules.cost(state, step),
        "text": text,
        "step": document,
    }


@lru_cache(maxsize=4096)
def _read_step(parse: Callable[[str], Any], places: Callable[[str], Iterable[str]], text: str) -> tuple[Any, tuple[str, ...]]:
    """Read a step and the places that it names; the same steps are legal again and again."""
    [step] = parse(text)
    return step, tuple(places(text))


def _branches(rules: Ruleset[Any], state: Any, seat: int, orders: str, supposed: tuple[Any, ...]) -> Iterator[PreviewBranch]:
    chance = _Supposed(supposed)
    verdict = rules.judge(state, seat, orders, chance)
    after = state.copy()
    for event in verdict.events:
        event.apply(after)
    yield PreviewBranch(tuple(map(str, chance.outcomes)), verdict.events, after, verdict.refusal, chance.probability)
    for other in chance.others:
        yield from _branches(rules, state, seat, orders, other)
