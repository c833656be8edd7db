"""A game that is over takes as little room as can be, and answers as before."""

import msgspec

from play.ports import Ports
from play.submit import told_by_log
from store.packing import Packed


def settle(ports: Ports, id: str) -> bool:
    """Pack a finished game; False if it is not over or something still waits in it."""
    game = ports.game(id)
    ports.forget(id)  # nobody plays on in it
    stored = ports.games.newer(id, 0)
    if game is None or game.status != "over" or not stored:
        return False
    told = {each.id: msgspec.json.encode(each) for each in told_by_log(stored)}
    became, sent = ports.games.outcomes(id), ports.games.keys(id)
    outcomes = {move: data for move, data in became.items() if told.get(move) != data}
    # Bots and standing orders answer each notice once, and there are no more notices.
    keys = {key: move for key, move in sent.items() if not key.startswith(("bot ", "standing "))}
    packed = Packed(tuple(each.data for each in stored), outcomes, salt=ports.games.salt(id))
    return ports.games.pack(id, stored[-1].version, packed, keys, (len(became), len(sent)))
