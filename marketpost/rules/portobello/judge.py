"""Judges orders: from a position and a text to what happens, or why not."""

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.events import BobbyPlaced
from marketpost.rules.portobello.orders import Bobby, Draw, Look, Orders, Place, notate_step, parse
from marketpost.rules.portobello.state import State
from marketpost.rules.portobello.steps import check_districts, take
from marketpost.rules.portobello.table import Table
from marketpost.rules.portobello.turn import close_turn
from marketpost.rules.refusal import Illegal, Refusal, Refused
from marketpost.rules.ruleset import Verdict


def judge(state: State, seat: int, text: str, chance: Chance) -> Verdict:
    """What these orders do. A refused submission changes nothing, but what chance has shown stays."""
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
    """Before turn 1 the only order is `bobby N`, alone in a submission."""
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
    table = Table(state, chance)
    try:
        _play_out(table, orders)
    except Illegal as refused:
        return _refuse(state, table, refused, chance)
    close_turn(table)
    return Verdict(table.events)


def _play_out(table: Table, orders: Orders) -> None:
    table.steps = list(orders)
    hidden = table.state.options.customers != "queue"
    looked = False
    while table.number < len(table.steps):
        step = table.steps[table.number]
        table.number += 1
        take(table, step)
        drew = hidden and isinstance(step, (Draw, Look))
        if drew or (looked and isinstance(step, Place)):
            table.standing, table.standing_steps = len(table.events), table.number
        looked = drew and isinstance(step, Look)


def _refuse(state: State, table: Table, refused: Illegal, chance: Chance) -> Verdict:
    """Nothing stands but what chance has shown, up to the last draw and its placement."""
    kept = Table(state, chance)
    for event in table.events[: table.standing]:
        kept.happen(event)
    if kept.events:
        close_turn(kept)
    dropped = tuple(map(notate_step, table.steps[table.standing_steps :])) if kept.events else ()
    return Verdict(kept.events, Refusal(refused.code, table.number, refused.refusal.values), dropped)
