"""Events of an account: what notices tell a player, and every move in the player's games, for programs that follow the account's stream."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec

from marketpost.play.log.game import Game
from marketpost.play.outbox.notices import Notice, NoticeKind
from marketpost.play.people.blocking import is_shut_out
from marketpost.play.ports import Ports
from marketpost.store.account_streams import NewEvent


class AccountEventKind(StrEnum):
    """What an event tells."""

    TURN = "turn"
    MOVED = "moved"
    OVER = "over"
    STARTED = "started"
    INVITED = "invited"
    DECLINED = "declined"
    SAID = "said"
    PROPOSED = "proposed"
    NEWS = "news"
    REMINDER = "reminder"
    TIMED_OUT = "timed-out"
    MISSED = "missed"
    """Older events are gone: whoever reads this looks at the games anew."""


class AccountEvent(msgspec.Struct, frozen=True):
    """An event of an account. It refers to what it is about and repeats nothing of it, so that nothing erased stays in it."""

    event: AccountEventKind
    at: int
    game: str | None = None
    version: int | None = None
    seat: int | None = None
    """Of whoever moved; otherwise of the player, if they have one."""
    message: str | None = None
    """Id of what was said."""


TOLD = frozenset(map(str, AccountEventKind))
_event = msgspec.json.Decoder(AccountEvent)


def decode_event(data: bytes) -> AccountEvent:
    """Parse an event."""
    return _event.decode(data)


def publish(ports: Ports, notices: Sequence[Notice]) -> None:
    """Append notices to the streams of their players, where somebody follows them.

    Fault: the worker may die before the notices are removed from their outboxes. They come again with the same ids, and are appended once.
    """
    games = {id: game for id in {notice.game for notice in notices if notice.kind == NoticeKind.MOVED} if (game := _newest(ports, id))}
    addressed = [(player, notice) for notice in notices for player in _whom(games, notice)]
    followed = ports.streams.followed(sorted({player for player, _ in addressed})) if addressed else set()
    heard = [(player, notice) for player, notice in addressed if player in followed]
    silenced = _silenced(ports, {player for player, notice in heard if notice.by})
    ports.streams.append(
        [_written(player, notice) for player, notice in heard if not is_shut_out(ports, notice.by, silenced.get(player, ()))]
    )


def _newest(ports: Ports, id: str) -> Game | None:
    """Return a game as the worker has it that delivers its notices: it has read the log, or written to it, just before."""
    return ports.cache.get(id) or ports.game(id)


def _whom(games: Mapping[str, Game], notice: Notice) -> Iterable[str]:
    """List the players of a notice: of a move, everybody at the table."""
    if notice.kind != NoticeKind.MOVED:
        return [notice.player] if notice.player and str(notice.kind) in TOLD else []
    return sorted({seat.player for seat in games[notice.game].seats if seat.player}) if notice.game in games else []


def _silenced(ports: Ports, players: set[str]) -> dict[str, Collection[str]]:
    """Read whom these players have muted or blocked."""
    return {id: player.silenced for id, player in ports.players.find_all(players).items()} if players else {}


def _written(player: str, notice: Notice) -> NewEvent:
    seat = notice.seat if notice.seat >= 0 else None
    message = notice.move if notice.kind == NoticeKind.SAID else None
    event = AccountEvent(AccountEventKind(notice.kind), notice.at, notice.game, notice.version, seat, message)
    return NewEvent(player, notice.id, msgspec.json.encode(event))
