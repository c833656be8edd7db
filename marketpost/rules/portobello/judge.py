"""Judges orders: from a position and a text to events, or to a refusal."""

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.events import BobbyPlaced
from marketpost.rules.portobello.orders import Bobby, Orders, notate_step, parse
from marketpost.rules.portobello.state import State
from marketpost.rules.portobello.steps import check_districts, take
from marketpost.rules.portobello.trial import Trial
from marketpost.rules.portobello.turn import close_turn
from marketpost.rules.refusal import Illegal, Refusal, Refused
from marketpost.rules.ruleset import Verdict


def judge(state: State, seat: int, text: str, chance: Chance) -> Verdict:
    """Play these orders. A refusal undoes all steps except what chance has already shown."""
    if state.over:
        return Verdict([], Refusal("game-over", 1))
    if seat != state.decider:
        return Verdict([], Refusal("not-your-turn", 1, {"colour": state.colours[state.decider]}))
    try:
        orders = parse(text)
    except Refused as refused:
        return Verdict([], refused.refusal)
    return _place_bobby(state, orders) if not state.turn else _play(state, orders, chance)


def _place_bobby(state: State, orders: Orders) -> Verdict:
    """Place the Bobby before turn 1: `bobby N`, the only order of its submission."""
    first = orders[0]
    if not isinstance(first, Bobby):
        return Verdict([], Refusal("not-your-turn", 1, {"why": "bobby-first"}))
    try:
        check_districts(state, first.route)
    except Illegal as refused:
        return Verdict([], Refusal(refused.code, 1, refused.refusal.values))
    if len(first.route) > 1:
        return Verdict([], Refusal("route-broken", 1, {"why": "bobby-first"}))
    if len(orders) > 1:
        return Verdict([], Refusal("not-your-turn", 2, {"why": "bobby-first"}))
    return Verdict([BobbyPlaced(state.decider, first.route[0])])


def _play(state: State, orders: Orders, chance: Chance) -> Verdict:
    trial = Trial(state.copy(), chance)
    try:
        _play_out(trial, orders)
    except Illegal as refused:
        return _refuse(state, trial, refused, chance)
    close_turn(trial)
    return Verdict(trial.events)


def play(state: State, steps: Orders, chance: Chance) -> None:
    """Carry out legal steps on the position itself."""
    if not state.turn:
        for event in _place_bobby(state, steps).events:
            event.apply(state)
        return
    trial = Trial(state, chance)
    _play_out(trial, steps)
    close_turn(trial)


def _play_out(trial: Trial, orders: Orders) -> None:
    """Take one step after the other; those that follow from a draw are added to them meanwhile."""
    trial.steps = steps = list(orders)
    for step in steps:
        trial.number += 1
        take(trial, step)


def _refuse(state: State, trial: Trial, refused: Illegal, chance: Chance) -> Verdict:
    """Keep only what chance has shown, up to the last draw and its placement."""
    kept = Trial(state.copy(), chance)
    for event in trial.events[: trial.standing]:
        kept.happen(event)
    if kept.events:
        close_turn(kept)
    dropped = tuple(map(notate_step, trial.steps[trial.standing_steps :])) if kept.events else ()
    return Verdict(kept.events, Refusal(refused.code, trial.number, refused.refusal.values), dropped)
