"""The status of players: when they were here last, and what waits for them."""

from collections.abc import Sequence

import msgspec

from marketpost.play.log.game import GameStatus
from marketpost.play.people.profile import is_shown
from marketpost.play.ports import Ports
from marketpost.store.players import is_bot_id


class PlayerStatus(msgspec.Struct, frozen=True):
    """The status of a player, as another may know it."""

    id: str
    name: str
    bot: bool
    seen: int
    """The hour in which a token of theirs was used last, in milliseconds; 0 if none was."""
    playing: int
    deciding: int


def statuses(ports: Ports, ids: Sequence[str], reader: str) -> list[PlayerStatus]:
    """Tell what players are doing, in this order. Whom the reader may not see as a person is left out; everybody may see themselves."""
    known = ports.players.find_all(ids)
    return [_status(ports, id, known[id].name, reader) for id in ids if id in known and (is_shown(known[id]) or id == reader)]


def _status(ports: Ports, id: str, name: str, reader: str) -> PlayerStatus:
    games = ports.sound_games(ports.index.unfinished_of(id))
    seated = [game for game in games if game.status == GameStatus.RUNNING and game.may_see(reader) and game.seats_of(id)]
    deciding = [game for game in seated if any(seat in game.deciders for seat in game.seats_of(id))]
    seen = max((token.used for token in ports.credentials.tokens_of(id)), default=0)
    return PlayerStatus(id, name, is_bot_id(id), seen, len(seated), len(deciding))
