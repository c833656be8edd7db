"""Describes in sentences what a seat may do now."""

from collections.abc import Iterator
from itertools import groupby

from marketpost.rules.portobello.allowed import MARKING, can_act, lanes_with_room, lord_due, marking_slot, open_tiles, unmarked
from marketpost.rules.portobello.scoring import payable_ways
from marketpost.rules.portobello.state import State
from marketpost.rules.words import Words

Choice = tuple[str, dict[str, object]]


def choices(state: State, seat: int, words: Words) -> list[str]:
    """Describe what this seat may do now; empty if it is not to decide."""
    if state.over or seat != state.decider:
        return []
    return [words.say(f"choices.{key}", **values) for key, values in _choices(state, words)]


def _choices(state: State, words: Words) -> Iterator[Choice]:
    if not state.turn:
        yield "bobby-first", {"last": max(state.board.districts)}
    elif state.hand:
        yield from _with_hand(state, words)
    else:
        yield from _tile(state, words)
        yield from _actions(state, words)
        yield from _beside_actions(state, words)


def _with_hand(state: State, words: Words) -> Iterator[Choice]:
    yield f"place-{state.hand}", {"squares": words.listed(state.free_squares())}
    if left := state.chosen - state.used - 1:
        yield "after", {"count": left}


def _tile(state: State, words: Words) -> Iterator[Choice]:
    if state.chosen:
        yield "acting", {"tile": state.chosen, "count": state.chosen - state.used}
    else:
        tiles = open_tiles(state)
        yield "tile", {"count": len(tiles), "tiles": words.listed(tiles)}


def _actions(state: State, words: Words) -> Iterator[Choice]:
    if not state.stalls[state.active]:
        yield "no-stalls", {}
    elif lanes := lanes_with_room(state):
        yield "stall", {"district": state.bobby, "lanes": words.listed(lanes)}
    else:
        yield "no-room", {"district": state.bobby}
    if state.customers_left:
        yield _customer(state, words)
    if lord_due(state):
        yield "lord", {"square": state.free_squares()[0]}


def _customer(state: State, words: Words) -> Choice:
    squares = words.listed(state.free_squares())
    if state.queue:
        return "queue", {"squares": squares, "kind": state.queue[0]}
    bag = [words.say(f"linear.count-{kind}", count=count) for kind, count in state.bag.items() if count]
    return "customer", {"squares": squares, "customers": words.listed(bag, "and")}


def _beside_actions(state: State, words: Words) -> Iterator[Choice]:
    if ways := list(_ways(state, words)):
        yield "bobby", {"ways": words.say("choices.between-ways").join(ways)}
    if tiles := _marking_tiles(state):
        yield "mark", {"tiles": words.listed(tiles), "districts": words.listed(unmarked(state))}
    if state.chosen and not can_act(state):
        yield "end", {"order": words.order("end")}


def _ways(state: State, words: Words) -> Iterator[str]:
    """Describe where the Bobby can be moved, cheapest first."""
    for cost, ways in groupby(payable_ways(state), key=lambda each: each[1][0]):
        districts = sorted(district for district, _ in ways)
        yield words.say("choices.way" if cost else "choices.way-free", count=cost, districts=words.listed(districts))


def _marking_tiles(state: State) -> list[int]:
    if state.used or state.wandered or not unmarked(state):
        return []
    if state.chosen:
        return [state.chosen] if marking_slot(state) is not None else []
    return [tile.number for tile in state.tiles[state.active] if tile.own and tile.open and tile.number in MARKING]
