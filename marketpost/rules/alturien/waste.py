"""Recognizes legal turns that throw something away, so that no example shows them."""

from marketpost.rules.alturien.legal import legal_steps
from marketpost.rules.alturien.orders import MoveHouse, Pass, Sale, Step, parse
from marketpost.rules.alturien.state import Phase, State
from marketpost.rules.alturien.steps import take
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.chance import Sealed


def wasteful(state: State, seat: int, orders: str) -> bool:
    """Whether a turn wastes: a house moved for money, a robbery of oneself, a pass although there is something to buy."""
    trial = Trial(state.copy(), Sealed(bytes(32), "waste"))
    for step in parse(orders):
        if _throws_away(trial.state, step) or (not state.debt and isinstance(step, Sale)):
            return True
        take(trial, step)
    return False


def _throws_away(state: State, step: Step) -> bool:
    return isinstance(step, MoveHouse) or (isinstance(step, Pass) and _should_invest(state))


def _should_invest(state: State) -> bool:
    """Whether there is a sensible investment; in the last round only prestige is one."""
    steps = legal_steps(state) if state.phase == Phase.INVEST and not state.last_round else ()
    return any(not isinstance(step, (MoveHouse, Pass)) for step in steps)
