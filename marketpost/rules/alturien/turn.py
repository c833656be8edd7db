"""The course of a turn: roll, move, income, investment, end."""

from marketpost.rules.alturien.events import FigureMoved, GameEnded, LastRoundBegan, MoveSkipped, Rolled, TurnBegan
from marketpost.rules.alturien.income import take_income
from marketpost.rules.alturien.movement import Landing, can_move
from marketpost.rules.alturien.options import Variant
from marketpost.rules.alturien.state import NOBODY, THIEF, Phase, State
from marketpost.rules.alturien.supremacy import look_again
from marketpost.rules.alturien.thief import enter, rob, thief_comes
from marketpost.rules.alturien.trial import Trial


def begin_play(trial: Trial) -> None:
    """Begin the first turn once the table is set up."""
    look_again(trial, trial.state.board.groups)
    trial.happen(TurnBegan(0))


def roll(trial: Trial) -> None:
    """Roll the dice that are due; the move is skipped at once if no figure can move."""
    state = trial.state
    dice = 2 if "staff" in state.cards[state.active] else 1
    trial.happen(Rolled(state.active, tuple(trial.chance.pick(state.board.faces) for _ in range(dice))))
    if not can_move(state):
        trial.happen(MoveSkipped(state.active))
        take_income(trial)


def move(trial: Trial, landing: Landing) -> None:
    """Move a figure, then go on with what follows."""
    state = trial.state
    is_thief = state.kinds[landing.figure] == THIEF
    trial.happen(FigureMoved(state.active, *landing, again=is_thief and state.moved == NOBODY))
    if is_thief:
        rob(trial)
    go_on(trial)


def go_on(trial: Trial) -> None:
    """Pay the income after the last move and after any debt."""
    if trial.state.phase == Phase.INVEST and not trial.state.debt:
        take_income(trial)


def end_turn(trial: Trial) -> None:
    """End the turn, and with it the game if the last round is over."""
    state = trial.state
    if not state.last_round and _is_decided(state):
        trial.happen(LastRoundBegan(state.active))
    if state.last_round and state.active == len(state.colours) - 1:
        trial.happen(GameEnded(winners(state)))
    elif thief_comes(state):
        enter(trial)
    else:
        begin_next_turn(trial)


def begin_next_turn(trial: Trial) -> None:
    """Begin the next player's turn."""
    trial.happen(TurnBegan((trial.state.active + 1) % len(trial.state.colours)))


def prestige_goal(state: State) -> int:
    """Compute how much prestige ends the game."""
    if state.options.variant == Variant.NONE:
        return 3
    return 4 if len(state.colours) <= 4 else 2


def _is_decided(state: State) -> bool:
    return max(state.prestige) >= prestige_goal(state) or not state.prestige_left


def winners(state: State) -> tuple[int, ...]:
    """Find the winners: most prestige, then most money."""
    ranks = list(zip(state.prestige, state.money, strict=True))
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
