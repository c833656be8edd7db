"""A move comes in: it is stored before anyone is told that it was accepted."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

import msgspec

from marketpost.play.log.actions import Moved
from marketpost.play.log.commit import absent
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.changes import GameArchived, Stored, Submission
from marketpost.store.compacted_games import CompactedGame

LONGEST_ORDERS = 20_000


class OutcomeStatus(StrEnum):
    """What became of a move."""

    QUEUED = "queued"
    APPLIED = "applied"
    REFUSED = "refused"


class Outcome(msgspec.Struct, omit_defaults=True):
    """What became of a move."""

    id: str
    status: OutcomeStatus
    at: int
    version: int | None = None
    """The version of the log it made, if it changed anything."""
    code: str | None = None
    step: int | None = None
    values: dict[str, object] = {}
    dropped: list[str] = []
    legal: list[str] = []
    """Some of the steps that would have been legal."""
    legal_count: int = 0
    """How many there were."""


_outcome = msgspec.json.Decoder(Outcome)


def submit(ports: Ports, game: Game, player: str, orders: str, key: str = "", if_match: int | None = None, via: str = "") -> str:
    """Accept orders from a player; the id under which the move is known. The same key is the same move."""
    seat = game.seat_of(player)
    if seat is None:
        raise Refused(_why_no_seat(game, player))
    if game.ended and not sent_before(ports, game.id, player, key):
        raise Refused("game-over")
    if game.status == GameStatus.OPEN:
        raise Refused("not-started")
    if len(orders) > LONGEST_ORDERS:
        raise Refused("orders-too-long", most=LONGEST_ORDERS)
    body = hashlib.sha256(f"{if_match}|{orders}".encode(errors="surrogatepass")).hexdigest()[:8]
    submission = Submission("", player, seat, orders, ports.clock(), if_match, via)
    return store(ports, game.id, submission, f"{player} {key}" if key else "", body)


def _why_no_seat(game: Game, player: str) -> str:
    gone = next((gone for gone in game.absent.values() if gone.player == player), None)
    return "not-your-game" if gone is None else "seat-lost" if gone.may_return else "out-of-time"


def sent_before(ports: Ports, game: str, player: str, key: str) -> bool:
    return bool(key) and ports.games.known(game, f"{player} {key}")


def store(ports: Ports, game: str, submission: Submission, key: str, body: str) -> str:
    """Announced first: a game with work that nobody knows of would wait for ever."""
    ports.index.announce(game, ports.clock() / 1000)
    try:
        move = ports.games.accept(game, submission, key, body)
    except GameArchived:
        raise absent(ports, game) from None
    ports.enqueue(game)
    return move


def outcome(ports: Ports, game: str, move: str) -> Outcome | None:
    """What became of it; `queued` while it waits, `None` if there is no such move."""
    found = ports.games.outcome(game, move)
    if found:
        return _outcome.decode(found)
    waiting = ports.games.submission(game, move)
    if waiting:
        return Outcome(move, OutcomeStatus.QUEUED, waiting.at)
    # Between the two looks it may have been decided, and the game compacted, or restored.
    found = ports.games.outcome(game, move)
    return _outcome.decode(found) if found else _in_finished_game(ports, game, move)


def _in_finished_game(ports: Ports, game: str, move: str) -> Outcome | None:
    """It keeps only those outcomes that its log does not tell, also when it was restored because a move was sent again."""
    compacted = ports.games.compacted(game)
    found = compacted.outcomes.get(move) if compacted else ports.games.outcome(game, move)
    if found:
        return _outcome.decode(found)
    return next((each for each in told_by_log(_finished_log(ports, game, compacted)) if each.id == move), None)


def _finished_log(ports: Ports, game: str, compacted: CompactedGame | None) -> Sequence[Stored]:
    """What is compacted is over, and need not be played again to be sure of it."""
    if compacted:
        return [Stored(number, data) for number, data in enumerate(compacted.entries, 1)]
    known = ports.game(game)
    return ports.games.read(game) if known and known.status == GameStatus.OVER else ()


def told_by_log(stored: Iterable[Stored]) -> Iterator[Outcome]:
    """Every move that was simply applied."""
    for entry in (decode(each.data) for each in stored):
        if isinstance(entry.action, Moved):
            yield Outcome(entry.action.move, OutcomeStatus.APPLIED, entry.at, entry.version)
