"""The jobs. They carry nothing: what there is to do lies in the store, and a lost, doubled or killed job does no harm."""

import logging
import time

from play.decide import decide
from workers.wiring import MOVES, worker_kicks, worker_ports

AT_ONE_GO = 10.0
"""Seconds after which a job hands over to the next, well before it would be stopped."""
log = logging.getLogger("marketpost.workers")


def moves() -> None:
    """Work off the games that wait, until none does."""
    kicks, ports, began = worker_kicks(), worker_ports(), time.monotonic()
    while game := kicks.next_game():
        try:
            decide(ports, game, kicks.tried)
        except Exception:
            log.exception("game %s: not finished, the sweeper will bring it back", game)
            ports.forget(game)
        if time.monotonic() - began > AT_ONE_GO:
            kicks.wake(MOVES)
            return
