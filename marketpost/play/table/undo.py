"""Undo: free while the turn is still the player's and chance has shown nothing, later if all others agree. No entry is deleted."""

from typing import Any

from marketpost.play.log.actions import Done, ProposalKind, Undone
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import position_at
from marketpost.play.ports import Ports
from marketpost.play.table.proposals import proposed, taken_back
from marketpost.rules.refusal import Refused


def undo(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Undo the player's last move, or propose it to the others where it is not free."""

    def take_back(game: Game) -> Done:
        version, seat = last_own(game, player)
        try:
            undoable(game, seat)
        except Refused as refused:
            if refused.code == "not-running":
                raise
            return proposed(ports, game, seat, ProposalKind.UNDO, version - 1)
        return [Undone(seat, version - 1)], taken_back(game, version - 1, game.version + 1, seat, ports.clock())

    return change(ports, id, player, take_back, via)


def last_own(game: Game, player: str) -> tuple[int, int]:
    """Find version and seat of the player's last move."""
    held = game.seats_of(player)
    if not held:
        raise Refused("not-your-game")
    if game.status != GameStatus.RUNNING:
        raise Refused("not-running")
    own = ((version, played.seat) for version, played in reversed(game.history) if played.seat in held and version > game.told)
    version, seat = next(own, (0, None))
    if seat is None:
        raise Refused("nothing-to-undo")
    return version, seat


def undoable(game: Game, seat: int) -> int:
    """Find the version that this seat may undo now without asking; refused with the reason if there is none."""
    if game.status != GameStatus.RUNNING or not game.history:
        raise Refused("not-running")
    version, played = game.history[-1]
    if played.seat != seat or seat not in game.deciders or version <= game.told:
        raise Refused("turn-passed")
    before = _before_last(game)
    if before.turn != game.state.turn:
        raise Refused("turn-passed")
    if _chance_answered(game, before):
        raise Refused("chance-shown")
    return version


def _before_last(game: Game) -> Any:
    return position_at(game, game.history[-1][0] - 1) or game.rules.blank()


def chance_answered(game: Game) -> bool:
    """Whether the last move drew anything."""
    return _chance_answered(game, _before_last(game))


def _chance_answered(game: Game, state: Any) -> bool:
    last = game.history[-1][0]
    for event in (event for version, played in game.history[-2:] if version == last for event in played.events):
        if game.rules.draws(state, event):
            return True
        event.apply(state)
    return False
