"""Describes the position in sentences, for screen readers."""

from collections.abc import Iterator

from marketpost.rules.alturien.board import Board
from marketpost.rules.alturien.options import unusual
from marketpost.rules.alturien.state import CUSTOMERS, NOBODY, THIEF, Phase, State
from marketpost.rules.variant import note
from marketpost.rules.words import Words, capital


def linear(state: State, words: Words) -> str:
    """Write the whole position as lines of text."""
    return "\n".join(sentences(state, words)) + "\n"


def sentences(state: State, words: Words) -> Iterator[str]:
    """List the sentences; the first ones say who is to decide and what everybody has."""
    return map(capital, _sentences(state, words))


def _sentences(state: State, words: Words) -> Iterator[str]:
    yield now(state, words)
    if state.last_round and not state.over:
        yield words.say("now.last-round")
    for seat in range(len(state.colours)):
        yield " ".join(_player(state, words, seat))
    yield from _figures(state, words)
    yield words.say("linear.no-guard") if state.guard == NOBODY else words.say("now.guard", who=state.colours[state.guard])
    yield from (_free_sites(state, words, group) for group in state.board.groups)
    yield from _map(state, words)
    yield from note(words, "", unusual(state.options))


def now(state: State, words: Words) -> str:
    """Say who must do what, or how the game ended."""
    if state.over:
        return words.say("now.over", count=len(state.winners), who=[state.colours[seat] for seat in state.winners])
    values: dict[str, object] = {"who": state.colours[state.decider], "turn": state.turn}
    if state.debt:
        to = "bank" if state.debt.to == NOBODY else state.colours[state.debt.to]
        return words.say("now.debt", amount=state.debt.amount, to=to, **values)
    if state.phase == Phase.CUSTOMERS:
        values["kinds"] = [kind for kind in CUSTOMERS for _ in range(state.customers_left(kind))]
    if state.phase == Phase.MOVE:
        values["roll"] = words.listed(state.dice, "and")
    return words.say(f"now.{state.phase}", **values)


def _player(state: State, words: Words, seat: int) -> Iterator[str]:
    prestige, stock = state.prestige[seat], state.stock[seat]
    yield words.say(
        "linear.player",
        who=state.colours[seat],
        money=words.say("linear.money", count=state.money[seat]),
        prestige=words.say("linear.prestige", count=prestige) if prestige else words.say("linear.no-prestige"),
        stock=words.say("linear.stock", count=stock) if stock else words.say("linear.no-stock"),
    )
    if state.cards[seat]:
        yield words.say("linear.cards", cards=state.cards[seat])
    if groups := [group for group, holder in state.supremacy.items() if holder == seat]:
        yield words.say("linear.supremacy", groups=groups)
    if shops := state.shops(seat):
        yield words.say("linear.shops", shops=[_shop(state.board, words, site, state.houses[site]) for site in sorted(shops)])


def _shop(board: Board, words: Words, site: str, houses: int) -> str:
    key = "linear.grey-shop" if site in board.grey else "linear.shop"
    return words.say(key, site=site, group=board.group_of[site], count=houses)


def _figures(state: State, words: Words) -> Iterator[str]:
    for kind, space, facing in zip(state.kinds, state.spaces, state.facings, strict=True):
        key = "figure" if kind != THIEF else "thief" if facing else "entering"
        yield words.say(f"linear.{key}", kind=kind, space=space, facing=facing)
    if not state.thief_is_out:
        yield words.say("now.harbour")


def _free_sites(state: State, words: Words, group: str) -> str:
    free = [site for site in state.board.groups[group] if site not in state.owners]
    return words.say("linear.free", group=group, sites=free) if free else words.say("linear.none-free", group=group)


def _map(state: State, words: Words) -> Iterator[str]:
    yield words.say("linear.grey", spaces=sorted(state.board.grey))
    yield words.say("linear.middle", space=state.board.middle)
    yield from (words.say("linear.street", spaces=street.split()) for street in state.board.document["streets"])
