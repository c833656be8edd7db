"""Closes a turn, and with the last one the game."""

from marketpost.rules.portobello.allowed import exhausted, spent, used_slot
from marketpost.rules.portobello.events import GameEnded, LaneScored, TurnClosed
from marketpost.rules.portobello.scoring import lane_points, lord_lanes
from marketpost.rules.portobello.state import State
from marketpost.rules.portobello.trial import Trial


def close_turn(trial: Trial) -> None:
    """Close the turn at the end of a submission if nothing is left to do in it."""
    state = trial.state
    done = state.marked or spent(state) or exhausted(state)
    if state.hand or not (done or trial.ended):
        return
    slot = -1 if state.marked else used_slot(state)
    others = (tile.open for place, tile in enumerate(state.tiles[state.active]) if place != slot)
    following = _next_seat(state)
    trial.happen(TurnClosed(state.active, slot, not any(others), not done, following))
    if following == -1:
        _finish(trial)


def _next_seat(state: State) -> int:
    """Find the next seat. A round is always finished; then the game ends if a supply is empty or nobody acted."""
    following = (state.active + 1) % len(state.colours)
    idle = not (state.busy or state.used or state.marked)
    if following == 0 and (0 in state.stalls or idle):
        return -1
    return following


def _finish(trial: Trial) -> None:
    state = trial.state
    for lane in list(lord_lanes(state)):
        if any(points := lane_points(state, lane)):
            trial.happen(LaneScored(lane, points))
    best = max(state.scores)
    trial.happen(GameEnded(tuple(seat for seat, score in enumerate(state.scores) if score == best)))
