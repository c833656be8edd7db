"""Luck and skill of finished games: computed on the bots' queue while no bot has to decide, and stored as derived values."""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from marketpost.play.limits import Limit
from marketpost.play.log.actions import Ending, Moved
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.rules.analysis import FEWEST, LEAST, MOST, Analysis, Decided, GameAnalyst
from marketpost.store.players import is_bot_id

OVERRUN = 3
"""How many times its budget an analysis may take for `LEAST` playouts; after that, `FEWEST` are enough."""
GIVEN_UP = 10
"""An analysis that has taken so many times its budget without even these is given up."""
_analysis = msgspec.msgpack.Decoder(Analysis)


class AnalysisStatus(StrEnum):
    """Whether a game has an analysis."""

    READY = "ready"
    PENDING = "pending"
    NONE = "none"
    """The game is not over, was not played here to its end, had no people in it, or could not be analysed."""


def budget(ports: Ports) -> int:
    """Return the milliseconds of computing for one analysis; 0 if there are to be none, as where no limits are set."""
    return ports.limits.amounts.get(Limit.ANALYSIS_SERVICE, 0)


def request_analysis(ports: Ports, game: Game) -> None:
    """Queue the analysis of a game that is over, if it is to have one."""
    if budget(ports) and is_analysed(game):
        ports.analyses.add(game.id, ports.clock())


def is_analysed(game: Game) -> bool:
    """Whether a game is to be analysed: played here to its end, and not among programs alone."""
    people = [player for player in game.began_with if player and not is_bot_id(player)]
    return game.how_ended == Ending.PLAYED and not game.imported and not game.told and bool(people)


def find_analysis(ports: Ports, game: Game) -> tuple[AnalysisStatus, Analysis | None]:
    """Read the analysis of a game, and say whether it is there or still comes."""
    pending = is_pending(ports, game)
    [data] = ports.index.derived([_name(game.id)])
    if data:
        return AnalysisStatus.READY, _analysis.decode(data)
    return (AnalysisStatus.PENDING if pending else AnalysisStatus.NONE), None


def is_pending(ports: Ports, game: Game) -> bool:
    """Whether the analysis of a game still comes.

    Race: a reader may see the end of a game before its notices are delivered, which queues the analysis. They wait in the outbox till then.
    """
    is_to_come = bool(budget(ports)) and is_analysed(game) and ports.games.has_work(game.id)
    return is_to_come or ports.analyses.holds(game.id)


def _name(id: str) -> str:
    return f"analysis:{id}"


def analyst_of(ports: Ports, game: Game) -> GameAnalyst:
    """Prepare the analysis of a game from its log. Its dice follow from the id of the game, so that it comes out the same again."""
    actions = {each.version: decode(each.data).action for each in ports.games.read(game.id)}
    moves = {version: action for version, action in actions.items() if isinstance(action, Moved)}
    opening = [event for version, played in game.history if version not in moves for event in played.events]
    decided = [
        Decided(version, moves[version].seat, moves[version].orders, [event for each in events for event in each])
        for version, events in _by_version(game).items()
        if version in moves
    ]
    return GameAnalyst(game.rules, game.setting, opening, decided, seed_of(game.id))


def _by_version(game: Game) -> dict[int, list[list[Any]]]:
    found: dict[int, list[list[Any]]] = {}
    for version, played in game.history:
        found.setdefault(version, []).append(list(played.events))
    return found


def seed_of(id: str) -> int:
    """Return the seed of the dice with which a game is analysed."""
    return int.from_bytes(hashlib.sha256(f"analysis|{id}".encode()).digest()[:6], "big")


@dataclass(slots=True)
class AnalysisRun:
    """An analysis under way in this process. It is begun again elsewhere if the process dies: nothing of it is stored before the end."""

    game: str
    analyst: GameAnalyst
    playouts: Iterator[int]
    seconds: float
    """Its budget."""
    spent: float = 0.0

    def go_on(self, seconds: float, clock: Callable[[], float] = time.process_time) -> tuple[bool, Analysis | None]:
        """Compute for a while. Returns whether it has ended, and with what: None if it was given up."""
        began = clock()
        for done in self.playouts:
            now = self.spent + clock() - began
            if self._is_enough(done, now):
                return True, self.analyst.result(done)
            if now >= GIVEN_UP * self.seconds:
                return True, None
            if now - self.spent >= seconds:
                self.spent = now
                return False, None
        return True, self.analyst.result(MOST)

    def _is_enough(self, playouts: int, spent: float) -> bool:
        return (spent >= self.seconds and playouts >= LEAST) or (spent >= OVERRUN * self.seconds and playouts >= FEWEST)


def next_run(ports: Ports) -> AnalysisRun | None:
    """Lease the next game that waits, and prepare its analysis; None if no game waits, or that one cannot be analysed."""
    id = ports.analyses.take(ports.clock())
    if id is None:
        return None
    game = ports.sound_game(id)
    if game is None or not is_analysed(game):
        ports.analyses.remove(id)
        return None
    analyst = analyst_of(ports, game)
    return AnalysisRun(id, analyst, analyst.run(), budget(ports) / 1000)


def store_analysis(ports: Ports, id: str, found: Analysis | None) -> None:
    """Store a finished analysis, then take the game off the queue. Fault: a worker that dies in between leaves it to be done again."""
    if found:
        ports.index.store_derived(_name(id), msgspec.msgpack.encode(found))
    ports.analyses.remove(id)
