"""What somebody must be told because of a change. Written to the outbox in the same step as the change itself."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from play.game import Game


class Notice(msgspec.Struct, frozen=True):
    id: str
    """The same notice always has the same id, so that it is told once."""
    kind: str
    """`bot`, `turn` or `over`."""
    game: str
    version: int
    seat: int
    player: str | None
    at: int


_notice = msgspec.json.Decoder(Notice)


def decode(data: bytes) -> Notice:
    return _notice.decode(data)


def after_move(game: Game, state: Any, version: int, mover: int | None, at: int) -> list[bytes]:
    """Who must decide now, and at the end everyone."""
    if game.rules.winners(state):
        return _write(game, "over", range(len(game.seats)), version, at)
    deciders = game.rules.deciders(state)
    bots = [seat for seat in deciders if game.seats[seat].bot]
    people = [seat for seat in deciders if not game.seats[seat].bot and seat != mover]
    return _write(game, "bot", bots, version, at) + _write(game, "turn", people, version, at)


def _write(game: Game, kind: str, seats: Sequence[int], version: int, at: int) -> list[bytes]:
    return [msgspec.json.encode(notice) for notice in _notices(game, kind, seats, version, at)]


def _notices(game: Game, kind: str, seats: Sequence[int], version: int, at: int) -> Iterator[Notice]:
    for seat in seats:
        player = game.seats[seat].player
        if player or kind == "bot":
            yield Notice(f"{game.id}-{version}-{kind}-{seat}", kind, game.id, version, seat, player, at)
