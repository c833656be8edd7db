"""Writes to a game's log: read, decide, append; then update the lists of games and wake the workers."""

from collections.abc import Callable, Iterable

from marketpost.play.clock.deadlines import deadlines_after, moment
from marketpost.play.log.actions import AnyAction, Done
from marketpost.play.log.entries import write
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.results import is_played, pool_of, rated_list
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.changes import CommitResult

TRIES = 20
"""Attempts to commit a change while others append to the same log."""
Change = Callable[[Game], Done]


def change(ports: Ports, id: str, by: str | None, decide: Change, via: str = "") -> Game:
    """Read a game, let `decide` say what to write, append it, and update the lists of games.

    Race: two processes change the same game. The loser's commit returns GROWN; it reads the log and decides again, at most `TRIES` times.
    Nothing is written if an entry with the same `via`, an inbound message or idempotency key, is in the log.
    """
    for _ in range(TRIES):
        game = existing(ports, id)
        before = set(lists_of(ports, game))
        actions, told = decide(game) if via not in game.done else ([], [])
        if (not actions and not told) or _append(ports, game, by, actions, told, via):
            break
        ports.evict(id)
    else:
        raise Refused("too-busy")
    game = existing(ports, id)
    enlist(ports, game, before)
    return game


def existing(ports: Ports, id: str) -> Game:
    """Read a game; refused if there is none."""
    game = ports.game(id)
    if game is None:
        raise absent(ports, id)
    return game


def absent(ports: Ports, id: str) -> Refused:
    """Build the refusal for a game that does not exist or is archived."""
    return Refused("archived" if ports.games.archived(id) else "no-such-game")


def _append(ports: Ports, game: Game, by: str | None, actions: list[AnyAction], told: list[bytes], via: str) -> bool:
    """Append entries and notices; False if the log has grown since it was read."""
    at = ports.clock()
    entries, head = write(game.version, game.head, at, by, game.stamp, actions, via, deadlines_after(ports, game, actions, at))
    if told:
        ports.index.announce(game.id, ports.clock() / 1000)
    done = ports.games.commit(game.id, game.version, entries, head, told, before=game.head) is CommitResult.DONE
    if done and told:
        ports.enqueue(game.id)
    return done


def lists_of(ports: Ports, game: Game) -> dict[str, float]:
    """Name the lists that a game belongs on, with its score on each."""
    lists = {"all": float(game.created), game.status: float(game.created)}
    if game.public:
        lists["public"] = float(game.created)
    if then := moment(ports, game):
        lists["clock"] = float(then)
    lists |= {f"played:{player}": float(game.over_at) for player in game.began_with if player and is_played(game)}
    if pool := pool_of(game):
        lists[rated_list(game.rules.name, pool)] = float(game.over_at)
    return lists | {f"player:{player}": float(game.created) for player in game.people}


def enlist(ports: Ports, game: Game, before: Iterable[str] = ()) -> None:
    """Put a game on its lists and take it off those of `before` that it left."""
    leave = {*GameStatus, *before} | ({"clock"} if game.clock else set())
    ports.index.place(game.id, lists_of(ports, game), leave)
