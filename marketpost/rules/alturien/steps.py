"""Carries out steps: what each one needs, and what it does."""

from collections.abc import Callable
from typing import Any

from marketpost.rules.alturien.allowed import find_site, first_sites, is_start_space, start_spaces
from marketpost.rules.alturien.events import CustomerPlaced, ShopPlaced, ThiefFaced
from marketpost.rules.alturien.invest import invest
from marketpost.rules.alturien.movement import find_landing, find_space
from marketpost.rules.alturien.orders import (
    Buy,
    BuyCard,
    Develop,
    FaceThief,
    If,
    Investment,
    Move,
    MoveHouse,
    Pass,
    PlaceCustomer,
    PlaceShop,
    Sale,
    SellCard,
    SellHouse,
    Step,
    Stuck,
)
from marketpost.rules.alturien.state import CUSTOMERS, FIRST_SHOPS, State
from marketpost.rules.alturien.thief import sell, settle
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.alturien.turn import begin_next_turn, begin_play, end_turn, go_on, move
from marketpost.rules.refusal import Illegal


def take(trial: Trial, step: Step) -> None:
    """Carry out one step that fits the moment."""
    _TAKE[type(step)](trial, step)


def _move(trial: Trial, step: Move) -> None:
    move(trial, find_landing(trial.state, step))


def _sell(trial: Trial, step: Sale) -> None:
    sell(trial, step)
    settle(trial)
    go_on(trial)


def _invest(trial: Trial, step: Investment) -> None:
    invest(trial, step)
    end_turn(trial)


def _skip(trial: Trial, step: If | Stuck) -> None:
    """Do nothing: the judge has chosen the `if` that fits, and a figure that is stuck stays."""


def _place_customer(trial: Trial, step: PlaceCustomer, *, dealt: bool = False) -> None:
    state = trial.state
    space = find_space(state.board, step.space)
    facing = find_space(state.board, step.facing) if step.facing else None
    if not state.customers_left(step.customer):
        raise Illegal("customer-already-placed", kinds=[kind for kind in CUSTOMERS if state.customers_left(kind)])
    if not is_start_space(state, space):
        raise Illegal("not-a-start-space", space=space, spaces=start_spaces(state))
    if space in state.spaces:
        raise Illegal("space-taken", space=space)
    if facing is None:
        raise Illegal("needs-facing", space=space, facings=state.board.neighbours[space])
    _check_next_to(state, space, facing)
    trial.happen(CustomerPlaced(state.decider, step.customer, space, facing, dealt))


def _check_next_to(state: State, space: str, facing: str) -> None:
    if facing not in state.board.neighbours[space]:
        raise Illegal("route-broken", why="facing", space=space, facings=state.board.neighbours[space])


def _place_shop(trial: Trial, step: PlaceShop, *, dealt: bool = False) -> None:
    state = trial.state
    site = find_site(state, step.site)
    if site not in first_sites(state):
        raise Illegal("one-grey-at-start", site=site)
    trial.happen(ShopPlaced(state.decider, site, dealt))
    if len(state.owners) == FIRST_SHOPS * len(state.colours):
        begin_play(trial)


def _face_thief(trial: Trial, step: FaceThief) -> None:
    state, name = trial.state, step.facing
    middle = state.board.middle
    if name is None:
        raise Illegal("needs-facing", space=middle, facings=state.board.neighbours[middle])
    facing = find_space(state.board, name)
    _check_next_to(state, middle, facing)
    trial.happen(ThiefFaced(state.facer, facing))
    begin_next_turn(trial)


def deal(trial: Trial, step: Step) -> None:
    """Let chance take a step of the set-up for a player."""
    if isinstance(step, PlaceCustomer):
        _place_customer(trial, step, dealt=True)
    elif isinstance(step, PlaceShop):
        _place_shop(trial, step, dealt=True)


_TAKE: dict[type, Callable[[Trial, Any], None]] = {
    PlaceCustomer: _place_customer,
    PlaceShop: _place_shop,
    Move: _move,
    FaceThief: _face_thief,
    SellCard: _sell,
    SellHouse: _sell,
    Buy: _invest,
    Develop: _invest,
    MoveHouse: _invest,
    BuyCard: _invest,
    Pass: _invest,
    If: _skip,
    Stuck: _skip,
}
