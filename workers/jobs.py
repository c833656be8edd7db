"""The jobs. They carry ids only; a lost, doubled or killed one does no harm."""

from play.decide import decide
from workers.wiring import worker_kicks, worker_ports


def kick(game: str) -> None:
    """Do what there is to do in this game."""
    worker_kicks().taken(game)
    decide(worker_ports(), game, worker_kicks().tried)
