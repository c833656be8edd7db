"""Describes the position in sentences, one a line, for screen readers."""

from collections.abc import Iterator

from marketpost.rules.portobello.options import CustomerSupply, unusual
from marketpost.rules.portobello.state import LORD, State, Tile
from marketpost.rules.variant import note
from marketpost.rules.words import Words, capital


def linear(state: State, words: Words) -> str:
    """Write the whole position as lines of text."""
    return "\n".join(sentences(state, words)) + "\n"


def sentences(state: State, words: Words) -> Iterator[str]:
    """List the sentences; the first ones say who is to decide and what everybody has."""
    return map(capital, _sentences(state, words))


def _sentences(state: State, words: Words) -> Iterator[str]:
    yield _now(state, words)
    if state.hand:
        yield words.say("linear.hand", kind=state.hand)
    for seat in range(len(state.colours)):
        yield _player(state, words, seat)
    yield _bobby(state, words)
    yield from _marks(state, words)
    yield _squares(state, words)
    yield from _lanes(state, words)
    yield from _waiting(state, words)
    if state.neutral:
        yield words.say("linear.neutral", tiles=state.neutral)
    yield _map(state, words)
    yield from note(words, *unusual(state.edition, state.options))


def _now(state: State, words: Words) -> str:
    if state.over:
        winners = words.listed([words.translate(state.colours[seat]) for seat in state.winners], "and")
        return words.say("linear.winners", count=len(state.winners), who=winners)
    who = state.colours[state.decider]
    if not state.turn:
        return words.say("linear.placing", who=who)
    if not state.chosen:
        return words.say("linear.choosing", who=who, turn=state.turn)
    if not state.used:
        return words.say("linear.acting-none", who=who, turn=state.turn, tile=state.chosen)
    return words.say("linear.acting", who=who, turn=state.turn, tile=state.chosen, count=state.used)


def _player(state: State, words: Words, seat: int) -> str:
    told = [_wealth(state, words, seat)]
    for key, shown in (("open", True), ("closed", False)):
        if here := [_tile(tile, words) for tile in state.tiles[seat] if tile.open is shown]:
            told.append(words.say(f"linear.{key}", count=len(here), tiles=words.listed(here, "and")))
    return " ".join(told)


def _wealth(state: State, words: Words, seat: int) -> str:
    who, points = state.colours[seat], words.say("linear.points", count=state.scores[seat])
    if not state.stalls[seat]:
        return words.say("linear.player-without", who=who, points=points)
    return words.say("linear.player", who=who, points=points, stalls=words.say("linear.stalls", count=state.stalls[seat]))


def _tile(tile: Tile, words: Words) -> str:
    return str(tile.number) if tile.own else words.say("linear.neutral-tile", number=tile.number)


def _bobby(state: State, words: Words) -> str:
    if not state.bobby:
        return words.say("linear.bobby-aside")
    return words.say("linear.bobby", district=state.bobby, squares=words.listed(_corners(state, state.bobby), "and"))


def _corners(state: State, district: int) -> list[str]:
    return sorted(set("".join(state.board.districts[district])))


def _marks(state: State, words: Words) -> Iterator[str]:
    for district, (seat, tile) in sorted(state.marks.items()):
        yield words.say("linear.mark", district=district, who=state.colours[seat], tile=tile)


def _squares(state: State, words: Words) -> str:
    told = (words.say(f"linear.square-{guest or 'free'}", square=square) for square, guest in state.squares.items())
    return words.say("linear.squares", squares=words.listed(told, "and"))


def _lanes(state: State, words: Words) -> Iterator[str]:
    """Describe lanes with stalls one by one, the empty ones together."""
    for lane in state.lanes:
        if not state.is_empty(lane):
            yield _lane(state, words, lane)
    if empty := [lane for lane in state.lanes if state.is_empty(lane)]:
        lanes = ", ".join(f"{_spelt(lane)} {' '.join(map(str, state.board.lanes[lane]))}" for lane in empty)
        yield words.say("linear.empty-lanes", count=len(empty), lanes=lanes)


def _lane(state: State, words: Words, lane: str) -> str:
    spaces = zip(state.lanes[lane], state.board.lanes[lane], strict=True)
    told = (_space(state, words, seat, value) for seat, value in spaces)
    return words.say(f"linear.{_condition(state, lane)}", lane=_spelt(lane), start=lane[0], spaces=words.listed(told, "and"))


def _spelt(lane: str) -> str:
    """Write a lane with a hyphen, so that its two letters are not read out as a word."""
    return f"{lane[0]}-{lane[1]}"


def _condition(state: State, lane: str) -> str:
    if lane in state.scored:
        return "lane-scored"
    return "lane" if None in state.lanes[lane] else "lane-full"


def _space(state: State, words: Words, seat: int | None, value: int) -> str:
    if seat is None:
        return words.say("linear.space-free", value=value)
    return words.say("linear.space-stall", who=state.colours[seat], value=value)


def _waiting(state: State, words: Words) -> Iterator[str]:
    if state.options.customers == CustomerSupply.QUEUE:
        yield from _queue(state, words)
    elif kinds := [words.say(f"linear.count-{kind}", count=count) for kind, count in state.bag.items() if count]:
        yield words.say("linear.bag", customers=words.listed(kinds, "and"))
    else:
        yield words.say("linear.bag-empty")
    if LORD not in state.squares.values():
        yield words.say("linear.lord-aside")


def _queue(state: State, words: Words) -> Iterator[str]:
    customers = [kind for kind in state.queue if kind != LORD]
    yield words.say("linear.queue", kinds=customers) if customers else words.say("linear.queue-empty")


def _map(state: State, words: Words) -> str:
    """Describe where the districts lie."""
    districts = (f"{number} {' '.join(_corners(state, number))}" for number in state.board.districts)
    return words.say("linear.map", districts=", ".join(districts))
