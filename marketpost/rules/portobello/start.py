"""Starts a game, and converts turns to and from records."""

import re
from collections.abc import Mapping, Sequence

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.allowed import in_bag
from marketpost.rules.portobello.board import load_board
from marketpost.rules.portobello.events import (
    BobbyMoved,
    BobbyPlaced,
    CustomerDrawn,
    CustomerPlaced,
    DistrictMarked,
    Event,
    GameStarted,
    LordPlaced,
    StallBuilt,
    TileChosen,
    TurnClosed,
)
from marketpost.rules.portobello.options import USUAL_EDITION, CustomerSupply, by_hand, choose
from marketpost.rules.portobello.orders import KINDS as KIND_WORDS
from marketpost.rules.portobello.orders import WORDS
from marketpost.rules.portobello.state import COLOURS, EACH_KIND, KINDS, STALLS, State
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Setting
from marketpost.rules.words import fold, lexicon

OUTCOME = re.compile(r"=\s*([^\W\d_]+)")


def start(setting: Setting, chance: Chance) -> list[Event]:
    """Build the first event of a game; with a queue, the order of the customers is drawn here."""
    _check_colours(setting.colours)
    edition = USUAL_EDITION if setting.edition is None else setting.edition
    options = choose(edition, setting.options)
    load_board(setting.board)
    queue = _shuffled(chance) if options.customers == CustomerSupply.QUEUE else ()
    return [GameStarted(setting.colours, setting.board, edition, options, queue)]


def _check_colours(colours: tuple[str, ...]) -> None:
    if len(colours) not in STALLS:
        raise Refused("players-number", count=len(colours), least=min(STALLS), most=max(STALLS))
    for colour in colours:
        if colour not in COLOURS:
            raise Refused("unknown-colour", colour=colour, colours=COLOURS)
    if len(set(colours)) < len(colours):
        raise Refused("colour-twice", colours=colours)


def _shuffled(chance: Chance) -> tuple[str, ...]:
    left = [kind for kind in KINDS for _ in range(EACH_KIND)]
    queue = []
    while left:
        queue.append(chance.pick(left))
        left.remove(queue[-1])
    return tuple(queue)


def draws(state: State, event: Event) -> list[tuple[list[str], str]]:
    """List what chance chose in this event, and from which options."""
    match event:
        case GameStarted(queue=queue):
            left = [kind for kind in KINDS for _ in range(EACH_KIND)]
            return [_take_from(left, kind) for kind in queue]
        case CustomerDrawn(_, kind) if not state.queue:
            return [(in_bag(state), kind)]
        case _:
            return []


def _take_from(left: list[str], kind: str) -> tuple[list[str], str]:
    before = list(left)
    left.remove(kind)
    return before, kind


def head(state: State) -> Mapping[str, str | Mapping[str, str]]:
    """List what a record states of the set-up beside board and seats."""
    lines: dict[str, str | Mapping[str, str]] = {"edition": state.edition, "option": by_hand(state.edition, state.options)}
    return lines | {"queue": " ".join(state.queue)} if state.queue else lines


def serialize_turn(state: State, events: Sequence[Event]) -> str:
    """Write the events of one submission as a record does. `state` is the position before them and is modified."""
    steps: list[str] = []
    for event in events:
        if told := _tell_event(state, event, steps):
            steps.append(told)
        event.apply(state)
    return "; ".join(steps).replace(":;", ":")


def _tell_event(state: State, event: Event, before: list[str]) -> str | None:
    match event:
        case BobbyPlaced(_, district):
            return f"bobby {district}"
        case TileChosen(_, number):
            return f"{number}:"
        case StallBuilt(_, lane, space):
            return f"stall {_direction(lane, space) if state.is_empty(lane) else lane}"
        case CustomerDrawn(_, kind):
            return "customer" if state.queue else f"customer={kind}"
        case CustomerPlaced(_, _, square):
            return _tell_placed(square, before)
        case LordPlaced(_, _, True):
            return "lord"
        case BobbyMoved(_, route):
            return f"bobby {'-'.join(map(str, route))}"
        case DistrictMarked(_, district):
            return f"mark {district}"
        case TurnClosed(cut_short=True):
            return "end"
        case _:
            return None


def _direction(lane: str, space: int) -> str:
    return f"{lane[0]}-{lane[1]}" if space == 0 else f"{lane[1]}-{lane[0]}"


def _tell_placed(square: str, before: list[str]) -> str:
    """Write a draw that was placed at once as one order: `customer C=citizen`."""
    if not before or not before[-1].startswith("customer") or " " in before[-1]:
        return f"place {square}"
    return before.pop().replace("customer", f"customer {square}", 1)


def parse_turn(text: str, *, refused: bool = False) -> tuple[str, list[str]]:
    """Split a record's `customer C=citizen` into the player's order, `customer C`, and the outcome of chance."""
    if refused:
        return text, []
    return OUTCOME.sub("", text), [_outcome(word) for word in OUTCOME.findall(text)]


def _outcome(word: str) -> str:
    found = lexicon(WORDS).get(fold(word), ())
    return found[0] if len(found) == 1 and found[0] in KIND_WORDS else word
