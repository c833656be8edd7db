"""Notices: who is to be told what because of a change. They are written to the outbox in the same commit as the change."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game, Proposal


class NoticeKind(StrEnum):
    """What a notice is about. The values are stored."""

    BOT = "bot"
    """A bot is to decide."""
    HINT = "hint"
    """A player asked for a hint; for the bots' workers."""
    TURN = "turn"
    """A player is to decide."""
    MOVED = "moved"
    """Orders were carried out; for the streams of everybody at the table."""
    OVER = "over"
    STARTED = "started"
    INVITED = "invited"
    DECLINED = "declined"
    SAID = "said"
    PROPOSED = "proposed"
    NEWS = "news"
    REMINDER = "reminder"
    TIMED_OUT = "timed-out"
    ANSWER = "answer"
    """Answer to a move that came by mail."""


class AheadEnd(StrEnum):
    """What became of orders ahead. The values are stored."""

    PLAYED = "played"
    NONE_FITS = "none-fits"
    """Their turn has come, and no branch could be played."""
    PASSED = "passed"
    """Their turn was played otherwise."""
    UNDONE = "undone"
    """Something was undone that had been played before they were left."""
    SEAT_GONE = "seat-gone"
    OVER = "over"
    MEANWHILE = "meanwhile"
    """Something was done at the table while they were being played."""


class AheadTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a player's orders ahead, as the player is told it."""

    end: AheadEnd
    orders: str
    """The branch that was played, or all of them."""
    why: list[tuple[str, int, dict[str, Any]]] = []
    """For each branch why it was not played: code, step and values of the refusal; an empty code if its conditions did not hold."""


class Notice(msgspec.Struct, frozen=True):
    """One notice to one player, or to a bot."""

    id: str
    """Follows from what the notice is about, so that it becomes one letter however often it is delivered."""
    kind: NoticeKind
    game: str
    version: int
    seat: int
    player: str | None
    at: int
    move: str | None = None
    via: str | None = None
    """Inbound message of the move: the one that is answered, that a message at the table came with, or whose move led to this decision,
    also through moves of bots and standing orders in between."""
    about: str | None = None
    """Reference of the invitation that the notice is about."""
    away: bool = False
    """Whether it is a decision outside the seat's own turn, which standing orders may answer."""
    by: str | None = None
    """Player who caused it; a recipient who has muted or blocked them does not get it."""
    ahead: AheadTold | None = None
    """What became of the player's orders ahead."""


_notice = msgspec.json.Decoder(Notice)


def decode(data: bytes) -> Notice:
    """Parse a notice."""
    return _notice.decode(data)


def after_move(game: Game, state: Any, version: int, mover: int | None, at: int, via: str = "") -> list[bytes]:
    """Build the notices after a move: to those who must decide now, or to everybody at the end."""
    if game.rules.winners(state):
        return of_end(game, version, at, via)
    return to_decide(game, state, game.rules.deciders(state), version, mover, at, via)


def of_move(game: Game, version: int, seat: int, at: int) -> bytes:
    """Build the notice that orders of a seat were carried out."""
    return _encoded(game.id, NoticeKind.MOVED, version, seat, None, at, by=None)


def to_decide(game: Game, state: Any, deciders: Sequence[int], version: int, mover: int | None, at: int, via: str = "") -> list[bytes]:
    """Build the notices that ask these seats for a decision, except the one that has just moved."""
    bots = [seat for seat in deciders if game.bot_for(seat, state)]
    people = [seat for seat in deciders if not game.bot_for(seat, state) and seat != mover]
    standing = game.rules.standing
    away = [seat for seat in people if standing and standing.concerns(state, seat)]
    return _write(game, NoticeKind.BOT, bots, version, at, via=via) + _write(game, NoticeKind.TURN, people, version, at, away, via)


def of_invitations(game: str, host: str, seats: Sequence[SeatPlan], at: int) -> list[bytes]:
    """Build the notices to invited players; a host who reserved a seat for themselves gets none."""
    kept = ((number, seat.invited) for number, seat in enumerate(seats) if seat.invited and seat.invited != host)
    return [of_invitation(game, 1, host, number, player, at) for number, player in kept]


def of_invitation(game: str, version: int, host: str, seat: int, player: str, at: int) -> bytes:
    """Build the notice to the player for whom this version keeps a seat."""
    return _encoded(game, NoticeKind.INVITED, version, seat, player, at, by=host)


def of_proposal(game: Game, proposal: Proposal, at: int) -> list[bytes]:
    """Build the notices that ask all others to agree."""
    asked, by = game.asked_by(proposal), game.seats[proposal.seat].player
    seats = {seat.player: number for number, seat in enumerate(game.seats) if seat.player in asked}
    return [_encoded(game.id, NoticeKind.PROPOSED, proposal.number, seat, player, at, by=by) for player, seat in seats.items()]


def of_offer(game: Game, seat: int, player: str, at: int) -> list[bytes]:
    """Build the notice to the player whom a seat is offered to."""
    return [_encoded(game.id, NoticeKind.PROPOSED, game.version + 1, seat, player, at, by=game.seats[seat].player)]


def of_news(game: Game, people: Iterable[str], version: int, at: int, by: str | None = None) -> list[bytes]:
    """Build notices to these people about what this version did; the log says what it was."""
    seats = {player: number for number, seat in enumerate(game.seats) for player in (seat.player, seat.invited) if player}
    return [_encoded(game.id, NoticeKind.NEWS, version, seats.get(each, -1), each, at, by=by) for each in sorted(people)]


def of_ahead(game: Game, seat: int, player: str, version: int, at: int, told: AheadTold) -> bytes:
    """Build the notice that tells a player what became of their orders ahead."""
    id = f"{game.id}-{version}-ahead-{told.end}-{player}"
    return msgspec.json.encode(Notice(id, NoticeKind.NEWS, game.id, version, seat, player, at, ahead=told))


def of_hint(game: Game, seat: int, player: str, at: int) -> bytes:
    """Build the notice by which the bots' workers find a request for a hint."""
    return _encoded(game.id, NoticeKind.HINT, game.version + 1, seat, player, at, by=None)


def of_end(game: Game, version: int, at: int, via: str = "") -> list[bytes]:
    """Build the notices that the game is over."""
    return _write(game, NoticeKind.OVER, range(len(game.seats)), version, at, via=via)


def of_declining(game: Game, seat: int, player: str, reference: str, at: int) -> bytes:
    """Build the notice to the host that an invitation was declined."""
    return _encoded(game.id, NoticeKind.DECLINED, game.version + 1, seat, game.host, at, by=player, about=reference)


def of_start(game: Game, state: Any, version: int, at: int) -> list[bytes]:
    """Build the notices at the beginning: to those who must decide, and to the others."""
    waiting = [seat for seat in range(len(game.seats)) if seat not in game.rules.deciders(state)]
    return after_move(game, state, version, None, at) + _write(game, NoticeKind.STARTED, waiting, version, at)


def of_time(game: Game, kind: NoticeKind, seat: int, version: int, at: int) -> list[bytes]:
    """Build the notice to a player who is reminded or whose time is up, or to the bot that stands in."""
    return _write(game, kind, [seat], version, at)


def of_message(game: Game, message: str, speaker: str, at: int, beside: str = "") -> list[bytes]:
    """Build the notices of a message to all others at the table."""
    listeners = [(number, seat.player) for number, seat in enumerate(game.seats) if seat.player and seat.player != speaker]
    id = f"{game.id}-said-{message}"
    return [
        msgspec.json.encode(
            Notice(f"{id}-{seat}", NoticeKind.SAID, game.id, game.version, seat, player, at, message, beside or None, by=speaker)
        )
        for seat, player in listeners
    ]


def _encoded(
    game: str, kind: NoticeKind, version: int, seat: int, player: str | None, at: int, by: str | None, about: str | None = None
) -> bytes:
    """Serialize one notice to one person. The id has the seat, or the player's id for a person without a seat."""
    whom = seat if seat >= 0 else player
    return msgspec.json.encode(Notice(f"{game}-{version}-{kind}-{whom}", kind, game, version, seat, player, at, about=about, by=by))


def _write(
    game: Game, kind: NoticeKind, seats: Sequence[int], version: int, at: int, away: Sequence[int] = (), via: str = ""
) -> list[bytes]:
    return [msgspec.json.encode(notice) for notice in _notices(game, kind, seats, version, at, away, via)]


def _notices(game: Game, kind: NoticeKind, seats: Sequence[int], version: int, at: int, away: Sequence[int], via: str) -> Iterator[Notice]:
    for seat in seats:
        player = _whom(game, kind, seat)
        if player or kind in (NoticeKind.BOT, NoticeKind.OVER):
            yield Notice(f"{game.id}-{version}-{kind}-{seat}", kind, game.id, version, seat, player, at, via=via or None, away=seat in away)


def _whom(game: Game, kind: NoticeKind, seat: int) -> str | None:
    """Find the player of a notice: None for a bot; at the end also the player who lost the seat to a bot."""
    if kind == NoticeKind.OVER and seat in game.absent:
        return game.absent[seat].player
    return game.seats[seat].player if kind != NoticeKind.BOT else None
