"""Taking back: free while the turn is still yours and chance has shown nothing since. The log shows it; nothing is erased."""

from play import notices
from play.game import Game
from play.log import AnyDeed, Undone
from play.open import change
from play.ports import Ports
from rules.records import Played
from rules.refusal import Refused


def undo(ports: Ports, id: str, player: str) -> Game:
    """The player's last submission is taken back."""

    def take_back(game: Game) -> tuple[list[AnyDeed], list[bytes]]:
        seat = game.seat_of(player)
        if seat is None:
            raise Refused("not-your-game")
        version = undoable(game, seat)
        return [Undone(seat, version - 1)], notices.after_move(game, game.state, game.version + 1, seat, ports.clock())

    return change(ports, id, player, take_back)


def undoable(game: Game, seat: int) -> int:
    """The version that this seat may take back now; refused with the reason if there is none."""
    if game.status != "running" or not game.history:
        raise Refused("not-running")
    version, played = game.history[-1]
    if played.seat != seat or seat not in game.deciders:
        raise Refused("turn-passed")
    before = game.rules.fold([event for _, each in game.history[:-1] for event in each.events])
    if before.turn != game.state.turn:
        raise Refused("turn-passed")
    if _drew(game, before, played):
        raise Refused("chance-shown")
    return version


def _drew(game: Game, state: object, played: Played) -> bool:
    for event in played.events:
        if game.rules.draws(state, event):
            return True
        event.apply(state)
    return False
