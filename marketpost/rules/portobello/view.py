"""The position as a document for programs."""

from typing import Annotated

from msgspec import Meta, Struct

from marketpost.rules.portobello.options import CustomerSupply
from marketpost.rules.portobello.state import State


class ShownTile(Struct, frozen=True):
    """An action tile of a player."""

    number: int
    own: Annotated[bool, Meta(description="Whether it is one of the player's own tiles, not a neutral one.")]


class ShownTiles(Struct, frozen=True):
    """The action tiles of a player, face up and face down."""

    open: list[ShownTile]
    closed: list[ShownTile]


class Mark(Struct, frozen=True):
    """The tile with which a district was marked."""

    colour: str
    tile: int


class ShownPosition(Struct, frozen=True, tag_field="rules", tag="portobello"):
    """A position of Portobello Market. Nothing on the table is hidden; the order of the bag is not fixed before it is drawn."""

    board: str
    edition: str
    turn: Annotated[int, Meta(description="0 until the Bobby is placed.")]
    decides: Annotated[str | None, Meta(description="The colour that is to decide; null once the game is over.")]
    scores: Annotated[dict[str, int], Meta(description="By colour.")]
    bobby: Annotated[int | None, Meta(description="The district it stands in; null while it stands aside.")]
    squares: Annotated[dict[str, str | None], Meta(description="By square: `citizen`, `clerk`, `lord`, or null if it is free.")]
    lanes: Annotated[
        dict[str, list[str | None]], Meta(description="By lane, from its first letter's end: the colour of the stall on each space.")
    ]
    scored: Annotated[list[str], Meta(description="The lanes that have been scored.")]
    tiles: Annotated[dict[str, ShownTiles], Meta(description="By colour.")]
    neutral: Annotated[list[int], Meta(description="The neutral tiles that nobody has yet, the next one first.")]
    stalls: Annotated[dict[str, int], Meta(description="By colour: how many are left.")]
    marks: Annotated[dict[str, Mark], Meta(description="By district.")]
    bag: Annotated[dict[str, int], Meta(description="How many customers of each kind are left.")]
    queue: Annotated[list[str] | None, Meta(description="With the option `customers=queue`: who comes next.")]
    hand: Annotated[str | None, Meta(description="The customer that was drawn and must be placed.")]
    chosen: Annotated[int | None, Meta(description="The tile chosen in this turn.")]
    used: Annotated[int, Meta(description="Actions taken in this turn.")]
    winners: list[str]


def view(state: State, viewer: int | None) -> ShownPosition:
    """Show the position; everybody sees the same."""
    return ShownPosition(
        board=state.board.name,
        edition=state.edition,
        turn=state.turn,
        decides=None if state.over else state.colours[state.decider],
        scores=dict(zip(state.colours, state.scores, strict=True)),
        bobby=state.bobby or None,
        squares=dict(state.squares),
        lanes={lane: [None if seat is None else state.colours[seat] for seat in spaces] for lane, spaces in state.lanes.items()},
        scored=sorted(state.scored),
        tiles={
            colour: ShownTiles(_tiles(state, seat, is_open=True), _tiles(state, seat, is_open=False))
            for seat, colour in enumerate(state.colours)
        },
        neutral=list(state.neutral),
        stalls=dict(zip(state.colours, state.stalls, strict=True)),
        marks={str(district): Mark(state.colours[seat], number) for district, (seat, number) in state.marks.items()},
        bag=dict(state.bag),
        queue=list(state.queue) if state.options.customers == CustomerSupply.QUEUE else None,
        hand=state.hand,
        chosen=state.chosen or None,
        used=state.used,
        winners=[state.colours[seat] for seat in state.winners],
    )


def _tiles(state: State, seat: int, *, is_open: bool) -> list[ShownTile]:
    return [ShownTile(tile.number, tile.own) for tile in state.tiles[seat] if tile.open == is_open]
