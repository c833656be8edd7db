"""Compaction: a finished game becomes one compressed blob that is still read like a log."""

import msgspec

from marketpost.play.log.game import GameStatus
from marketpost.play.moves.submit import applied_outcomes
from marketpost.play.ports import Ports
from marketpost.store.compacted_games import CompactedGame


def compact(ports: Ports, id: str) -> bool:
    """Compact a finished game; False if it is not over, its secret is still to come, or something waits in it."""
    game = ports.game(id)
    ports.evict(id)  # a finished game is rarely read again
    stored = ports.games.newer(id, 0)
    if game is None or game.status != GameStatus.OVER or game.is_sealed or not stored:
        return False
    told = {each.id: (msgspec.json.encode(each), b"%d" % (each.version or 0)) for each in applied_outcomes(stored)}
    became = ports.games.outcomes(id)
    outcomes = {move: data for move, data in became.items() if data not in told.get(move, ())}
    finished = CompactedGame(tuple(each.data for each in stored), outcomes)
    return ports.games.compact(id, stored[-1].version, finished, len(became))
