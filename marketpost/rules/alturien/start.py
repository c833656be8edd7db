"""Starts a game, plays what happens by itself, and converts turns to and from records."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from marketpost.rules.alturien.board import load_board
from marketpost.rules.alturien.events import (
    CardBought,
    CardSold,
    CustomerPlaced,
    Event,
    FigureMoved,
    GameStarted,
    HouseMoved,
    HouseSold,
    MoveSkipped,
    Passed,
    Rolled,
    ShopBought,
    ShopDeveloped,
    ShopPlaced,
    ThiefFaced,
)
from marketpost.rules.alturien.legal import legal_steps
from marketpost.rules.alturien.movement import Landing, notate_landing
from marketpost.rules.alturien.options import Setup, by_hand, choose
from marketpost.rules.alturien.orders import (
    Buy,
    BuyCard,
    Develop,
    FaceThief,
    Investment,
    MoveHouse,
    Pass,
    PlaceCustomer,
    PlaceShop,
    SellCard,
    SellHouse,
    Step,
    Stuck,
    notate_step,
)
from marketpost.rules.alturien.state import COLOURS, PLAYERS, State
from marketpost.rules.alturien.steps import deal
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.alturien.turn import roll
from marketpost.rules.chance import Chance
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Setting

FACE = r"\d+(?:\s*-\s*\d+)?"
ROLL = re.compile(rf"\broll\s+({FACE}(?:\s*,\s*{FACE})*)\s*:", re.ASCII | re.IGNORECASE)


def start(setting: Setting, chance: Chance) -> list[Event]:
    """Build the first event of a game."""
    _check_colours(setting.colours)
    if setting.edition is not None:
        raise Refused("unknown-edition", edition=setting.edition, editions=())
    options = choose(setting.options)
    load_board(setting.board)
    return [GameStarted(setting.colours, setting.board, options)]


def _check_colours(colours: tuple[str, ...]) -> None:
    if len(colours) not in PLAYERS:
        raise Refused("players-number", count=len(colours), least=min(PLAYERS), most=max(PLAYERS))
    for colour in colours:
        if colour not in COLOURS:
            raise Refused("unknown-colour", colour=colour, colours=COLOURS)
    if len(set(colours)) < len(colours):
        raise Refused("colour-twice", colours=colours)


def proceed(state: State, chance: Chance) -> list[Event]:
    """Play what nobody decides: a set-up dealt by chance, and the roll that is due."""
    if state.turn and not state.roll_due:
        return []
    trial = Trial(state.copy(), chance)
    state = trial.state
    while state.options.setup == Setup.AUTO and not state.turn:
        choices = _dealable(state)
        deal(trial, choices[chance.pick(sorted(choices))])
    if state.roll_due:
        roll(trial)
    return trial.events


def _dealable(state: State) -> dict[str, Step]:
    return {notate_step(step): step for step in legal_steps(state)}


def draws(state: State, event: Event) -> list[tuple[Sequence[Any], Any]]:
    """List what chance chose in this event, and from which options."""
    match event:
        case Rolled(_, dice):
            return [(state.board.faces, face) for face in dice]
        case CustomerPlaced(dealt=True) | ShopPlaced(dealt=True):
            step = step_behind(state, event)
            return [(sorted(_dealable(state)), notate_step(step))] if step else []
        case _:
            return []


def head(state: State) -> Mapping[str, str | Mapping[str, str]]:
    """List what a record states of the set-up beside board and seats."""
    return {"option": by_hand(state.options)}


def serialize_turn(state: State, events: Sequence[Event]) -> str:
    """Write the events of one submission as a record does. `state` is the position before them and is modified."""
    steps: list[str] = []
    for event in events:
        if isinstance(event, Rolled):
            steps.append(f"roll {','.join(event.dice)}:")
        elif step := step_behind(state, event):
            steps.append(notate_step(step))
        event.apply(state)
    return "; ".join(steps).replace(":;", ":")


def step_behind(state: State, event: Event) -> Step | None:
    """Return the order that caused an event, or `None` for what follows by itself."""
    match event:
        case CustomerPlaced(_, kind, space, facing):
            return PlaceCustomer(kind, space, facing)
        case ShopPlaced(_, site):
            return PlaceShop(site)
        case FigureMoved(_, figure, space, facing):
            return notate_landing(state, Landing(figure, space, facing))
        case MoveSkipped():
            return Stuck()
        case HouseSold(_, site, _, by_itself):
            return None if by_itself else SellHouse(site)
        case CardSold(_, card, _, by_itself):
            return None if by_itself else SellCard(card)
        case ThiefFaced(_, facing):
            return FaceThief(facing)
        case _:
            return _investment_behind(event)


def _investment_behind(event: Event) -> Investment | None:
    match event:
        case ShopBought(_, site):
            return Buy(site)
        case ShopDeveloped(_, site):
            return Develop(site)
        case HouseMoved(_, site, to):
            return MoveHouse(site, to)
        case CardBought(_, card):
            return BuyCard(card)
        case Passed():
            return Pass()
        case _:
            return None


def parse_turn(text: str, *, refused: bool = False) -> tuple[str, list[str]]:
    """Split a record's `roll 4: c1-g1` into the player's orders, `c1-g1`, and the outcome of chance."""
    rolls = [face for dice in ROLL.findall(text) for face in "".join(dice.split()).split(",")]
    return ROLL.sub("", text).strip(), rolls
