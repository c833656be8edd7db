"""Taking back: free while the turn is still yours and chance has shown nothing since. The log shows it; nothing is erased."""

from typing import Any

from play import notices
from play.game import Game
from play.log import AnyDeed, Undone
from play.open import change
from play.ports import Ports
from rules.refusal import Refused


def undo(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """The player's last submission is taken back."""

    def take_back(game: Game) -> tuple[list[AnyDeed], list[bytes]]:
        seat = game.seat_of(player)
        if seat is None:
            raise Refused("not-your-game")
        version = undoable(game, seat)
        return [Undone(seat, version - 1)], notices.after_move(game, game.state, game.version + 1, seat, ports.clock())

    return change(ports, id, player, take_back, via)


def undoable(game: Game, seat: int) -> int:
    """The version that this seat may take back now; refused with the reason if there is none."""
    if game.status != "running" or not game.history:
        raise Refused("not-running")
    version, played = game.history[-1]
    if played.seat != seat or seat not in game.deciders:
        raise Refused("turn-passed")
    if _before_last(game).turn != game.state.turn:
        raise Refused("turn-passed")
    if chance_answered(game):
        raise Refused("chance-shown")
    return version


def _before_last(game: Game) -> Any:
    last = game.history[-1][0]
    return game.rules.fold([event for version, played in game.history if version < last for event in played.events])


def chance_answered(game: Game) -> bool:
    """Whether chance has shown anything in what was played last."""
    state, last = _before_last(game), game.history[-1][0]
    for event in (event for version, played in game.history if version == last for event in played.events):
        if game.rules.draws(state, event):
            return True
        event.apply(state)
    return False
