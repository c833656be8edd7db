"""The way of a turn: roll, move, income, investment, and what comes when it ends."""

from marketpost.rules.alturien.events import FigureMoved, GameEnded, LastRoundBegan, MoveSkipped, Rolled, TurnBegan
from marketpost.rules.alturien.income import take_income
from marketpost.rules.alturien.movement import Landing, can_move
from marketpost.rules.alturien.state import INVEST, NOBODY, THIEF, State
from marketpost.rules.alturien.supremacy import look_again
from marketpost.rules.alturien.table import Table
from marketpost.rules.alturien.thief import enter, rob, thief_comes


def begin_play(table: Table) -> None:
    """The table is set."""
    look_again(table, table.state.board.groups)
    table.happen(TurnBegan(0))


def roll(table: Table) -> None:
    """The roll that is due; a roll that lets no figure move is over at once."""
    state = table.state
    dice = 2 if "staff" in state.cards[state.active] else 1
    table.happen(Rolled(state.active, tuple(table.chance.pick(state.board.faces) for _ in range(dice))))
    if not can_move(state):
        table.happen(MoveSkipped(state.active))
        take_income(table)


def move(table: Table, landing: Landing) -> None:
    state = table.state
    is_thief = state.kinds[landing.figure] == THIEF
    table.happen(FigureMoved(state.active, *landing, again=is_thief and state.moved == NOBODY))
    if is_thief:
        rob(table)
    go_on(table)


def go_on(table: Table) -> None:
    """Income comes after the last move and after any debt."""
    if table.state.phase == INVEST and not table.state.debt:
        take_income(table)


def end_turn(table: Table) -> None:
    state = table.state
    if not state.last_round and _is_decided(state):
        table.happen(LastRoundBegan(state.active))
    if state.last_round and state.active == len(state.colours) - 1:
        table.happen(GameEnded(winners(state)))
    elif thief_comes(state):
        enter(table)
    else:
        begin_next_turn(table)


def begin_next_turn(table: Table) -> None:
    table.happen(TurnBegan((table.state.active + 1) % len(table.state.colours)))


def prestige_goal(state: State) -> int:
    if state.options.variant == "none":
        return 3
    return 4 if len(state.colours) <= 4 else 2


def _is_decided(state: State) -> bool:
    return max(state.prestige) >= prestige_goal(state) or not state.prestige_left


def winners(state: State) -> tuple[int, ...]:
    """Most prestige, then most money."""
    ranks = list(zip(state.prestige, state.money, strict=True))
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
