"""Accepts moves: a move is stored before its sender is told that it was accepted."""

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
LATE = 1000
"""Milliseconds from acceptance to decision above which the outcome says when its move was accepted."""


class OutcomeStatus(StrEnum):
    """Status of a move."""

    QUEUED = "queued"
    APPLIED = "applied"
    REFUSED = "refused"


class Outcome(msgspec.Struct, omit_defaults=True):
    """What became of a move."""

    id: str
    status: OutcomeStatus
    at: int
    version: int | None = None
    """Version of its entry, if it changed anything."""
    code: str | None = None
    step: int | None = None
    values: dict[str, object] = {}
    dropped: list[str] = []
    legal: list[str] = []
    """Some of the steps that would have been legal."""
    legal_count: int = 0
    """Number of all steps that would have been legal."""
    accepted: int | None = None
    """When its move was accepted, if it waited for long: for an operator who looks for the reason."""


_outcome = msgspec.json.Decoder(Outcome)


def submit(ports: Ports, game: Game, player: str, orders: str, key: str = "", if_match: int | None = None, via: str = "") -> str:
    """Accept a player's orders and return the id of the move. The same idempotency key is the same move."""
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
    """Whether the player has sent a move with this idempotency key."""
    return bool(key) and ports.games.known(game, f"{player} {key}")


def store(ports: Ports, game: str, submission: Submission, key: str, body: str) -> str:
    """Store a move and wake a worker.

    Fault: the process may die before it wakes a worker. The game is announced before the move is stored, so that the sweeper finds it.
    """
    ports.index.announce(game, ports.clock() / 1000)
    try:
        move = ports.games.accept(game, submission, key, body)
    except GameArchived:
        raise absent(ports, game) from None
    ports.enqueue(game)
    return move


def outcome(ports: Ports, game: str, move: str) -> Outcome | None:
    """Read the outcome of a move; `queued` while it waits, None if there is no such move."""
    return _outcome_of(ports, game, move, ports.games.move(game, move))


def wait_for_outcome(ports: Ports, game: str, move: str, after: int, milliseconds: int) -> tuple[list[Stored], Outcome | None]:
    """Wait for the log to grow beyond a version, at most so many milliseconds; return its new entries and the outcome as it is then."""
    news, found = ports.games.growth_and_move(game, after, milliseconds, move)
    return news, _outcome_of(ports, game, move, found, news)


def _outcome_of(
    ports: Ports, game: str, move: str, read: tuple[Submission | None, bytes | None], news: Sequence[Stored] = ()
) -> Outcome | None:
    waiting, found = read
    if found:
        return _read(ports, game, move, found, news)
    return Outcome(move, OutcomeStatus.QUEUED, waiting.at) if waiting else _in_finished_game(ports, game, move)


def _read(ports: Ports, game: str, move: str, found: bytes, news: Sequence[Stored] = ()) -> Outcome:
    """Parse a stored outcome: a document, or the version of the entry that it follows from."""
    if not found.isdigit():
        return _outcome.decode(found)
    return Outcome(move, OutcomeStatus.APPLIED, decode(entry_at(ports, game, int(found), news).data).at, int(found))


def entry_at(ports: Ports, game: str, version: int, news: Sequence[Stored] = ()) -> Stored:
    """Return the entry of a version, from those that were read already if it is among them."""
    return next((each for each in news if each.version == version), None) or ports.games.read(game, version - 1, 1)[0]


def _in_finished_game(ports: Ports, game: str, move: str) -> Outcome | None:
    """Read an outcome in a finished game, which stores only outcomes that do not follow from its log."""
    compacted = ports.games.compacted(game)
    found = compacted.outcomes.get(move) if compacted else ports.games.outcome(game, move)
    if found:
        return _read(ports, game, move, found)
    return next((each for each in applied_outcomes(_finished_log(ports, game, compacted)) if each.id == move), None)


def _finished_log(ports: Ports, game: str, compacted: CompactedGame | None) -> Sequence[Stored]:
    """Read the log of a finished game; empty while it runs. A compacted game is over and need not be folded to know it."""
    if compacted:
        return [Stored(number, data) for number, data in enumerate(compacted.entries, 1)]
    known = ports.game(game)
    return ports.games.read(game) if known and known.status == GameStatus.OVER else ()


def applied_outcomes(stored: Iterable[Stored]) -> Iterator[Outcome]:
    """List an `applied` outcome for every move in a log; an outcome that differs from it is stored beside the log."""
    for entry in (decode(each.data) for each in stored):
        if isinstance(entry.action, Moved):
            yield Outcome(entry.action.move, OutcomeStatus.APPLIED, entry.at, entry.version)
