"""The position as a document for programs."""

from typing import Annotated

from msgspec import Meta, Struct

from marketpost.rules.alturien.options import by_hand
from marketpost.rules.alturien.state import NOBODY, State


class ShownShop(Struct, frozen=True):
    """A shop on a site."""

    colour: str
    houses: int


class ShownFigure(Struct, frozen=True):
    """A customer or the thief."""

    kind: Annotated[str, Meta(description="`duke`, `marquis`, `count` or `thief`.")]
    space: str
    facing: Annotated[str | None, Meta(description="The space it looks at; null for a thief that has just entered.")]


class ShownDebt(Struct, frozen=True):
    """What a robbed player owes."""

    colour: str
    to: Annotated[str | None, Meta(description="Null if the bank is paid.")]
    amount: int


class ShownPosition(Struct, frozen=True, tag_field="rules", tag="alturien"):
    """A position of The Market of Alturien. Nothing on the table is hidden."""

    board: str
    options: Annotated[dict[str, str], Meta(description="How the table was set up, and every option that is not as usual.")]
    turn: int
    decides: Annotated[str | None, Meta(description="The colour that is to decide; null once the game is over.")]
    asks: Annotated[
        str | None,
        Meta(description="What for: `customers`, `shops`, `roll`, `move`, `invest`, `face` or `debt`; null once the game is over."),
    ]
    roll: Annotated[list[str], Meta(description="What the dice show.")]
    money: Annotated[dict[str, int], Meta(description="By colour.")]
    prestige: Annotated[dict[str, int], Meta(description="By colour: how many prestige cards.")]
    cards: Annotated[dict[str, list[str]], Meta(description="By colour: investment cards.")]
    houses: Annotated[dict[str, int], Meta(description="By colour: houses that stand nowhere yet.")]
    shops: Annotated[dict[str, ShownShop], Meta(description="By site.")]
    figures: list[ShownFigure]
    supremacy: Annotated[dict[str, str | None], Meta(description="By product group: the colour that holds its card.")]
    guard: Annotated[str | None, Meta(description="The colour that has the guard.")]
    debt: ShownDebt | None
    last_round: bool
    winners: list[str]


def view(state: State, viewer: int | None) -> ShownPosition:
    """Show the position; everybody sees the same."""
    figures = zip(state.kinds, state.spaces, state.facings, strict=True)
    return ShownPosition(
        board=state.board.name,
        options=by_hand(state.options),
        turn=state.turn,
        decides=None if state.over else state.colours[state.decider],
        asks=None if state.over else "debt" if state.debt else state.phase,
        roll=list(state.dice),
        money=dict(zip(state.colours, state.money, strict=True)),
        prestige=dict(zip(state.colours, state.prestige, strict=True)),
        cards={colour: list(cards) for colour, cards in zip(state.colours, state.cards, strict=True)},
        houses=dict(zip(state.colours, state.stock, strict=True)),
        shops={site: ShownShop(state.colours[seat], state.houses[site]) for site, seat in sorted(state.owners.items())},
        figures=[ShownFigure(kind, space, facing or None) for kind, space, facing in figures],
        supremacy={group: _colour(state, state.supremacy.get(group, NOBODY)) for group in state.board.groups},
        guard=_colour(state, state.guard),
        debt=_debt(state),
        last_round=state.last_round,
        winners=[state.colours[seat] for seat in state.winners],
    )


def _debt(state: State) -> ShownDebt | None:
    debt = state.debt
    return ShownDebt(state.colours[debt.seat], _colour(state, debt.to), debt.amount) if debt else None


def _colour(state: State, seat: int) -> str | None:
    return None if seat == NOBODY else state.colours[seat]
