"""Judges orders: from a position and a text to events, or to a refusal."""

from itertools import islice, takewhile

from marketpost.rules.alturien.movement import moves
from marketpost.rules.alturien.orders import (
    Buy,
    BuyCard,
    Develop,
    FaceThief,
    If,
    Investment,
    Move,
    MoveHouse,
    Orders,
    Pass,
    PlaceCustomer,
    PlaceShop,
    Sale,
    Step,
    Stuck,
    notate_step,
    parse,
)
from marketpost.rules.alturien.state import Phase, State
from marketpost.rules.alturien.steps import take
from marketpost.rules.alturien.trial import Trial
from marketpost.rules.alturien.turn import roll
from marketpost.rules.chance import Chance
from marketpost.rules.refusal import Illegal, Refusal, Refused, Unreadable
from marketpost.rules.ruleset import Verdict

FITTING: dict[str, type | tuple[type, ...]] = {
    Phase.CUSTOMERS: PlaceCustomer,
    Phase.SHOPS: PlaceShop,
    Phase.MOVE: (Move, If),
    Phase.INVEST: (Buy, Develop, MoveHouse, BuyCard, Pass, Stuck),
    Phase.FACE: FaceThief,
}
"""What each moment asks for, unless a debt has to be paid first."""


def judge(state: State, seat: int, text: str, chance: Chance) -> Verdict:
    """Play these orders. A refusal undoes all steps except what chance has already shown."""
    if state.over:
        return Verdict([], Refusal("game-over", 1))
    if seat != state.decider:
        return Verdict([], Refusal("not-your-turn", 1, {"colour": state.colours[state.decider]}))
    try:
        orders = _read(state, text)
    except Refused as refused:
        return Verdict([], refused.refusal)
    return PlayedSubmission(state.copy(), seat, orders, chance).verdict()


def play(state: State, steps: Orders, chance: Chance) -> None:
    """Carry out legal steps on the position itself, and the roll that follows."""
    played = PlayedSubmission(state, state.decider, steps, chance)
    played.play()
    if state.roll_due:
        roll(played.trial)


def _read(state: State, text: str) -> Orders:
    """Parse the whole submission; an `if` must name a face of this board's die."""
    orders = parse(text)
    for number, step in enumerate(orders, 1):
        if isinstance(step, If) and step.face not in state.board.faces:
            raise Unreadable(number, notate_step(step))
    return orders


class PlayedSubmission:
    """The steps of one submission, played one after the other on a position that may be changed."""

    __slots__ = ("ended", "number", "orders", "seat", "standing", "standing_steps", "trial")

    def __init__(self, state: State, seat: int, orders: Orders, chance: Chance) -> None:
        self.trial = Trial(state, chance)
        self.seat = seat
        self.orders = orders
        self.number = 0
        """Which step is being played, counted from 1."""
        self.ended = False
        """Whether it has ended the player's turn."""
        self.standing = 0
        """How many events stay if a later step is refused."""
        self.standing_steps = 0

    def verdict(self) -> Verdict:
        """Return the events so far, and the refusal if there was one."""
        try:
            played = self.play()
        except Illegal as refused:
            refusal = Refusal(refused.code, self.number, refused.refusal.values)
            return Verdict(self.trial.events[: self.standing], refusal, self._notated(self.standing_steps) if self.standing else ())
        return Verdict(self.trial.events, None, self._notated(played))

    def _notated(self, first: int) -> tuple[str, ...]:
        return tuple(map(notate_step, self.orders[first:]))

    def play(self) -> int:
        """Play steps and return how many; the rest waits for a roll that no `if` names."""
        played = 0
        while played < len(self.orders):
            self.number = played + 1
            self._roll_if_due(played)
            step = self.orders[played]
            if not isinstance(step, If):
                self._take(step)
                played += 1
                continue
            if not self._take_fitting(played):
                return played
            played += len(self._branches(played))
        return played

    def _roll_if_due(self, played: int) -> None:
        state = self.trial.state
        if state.roll_due and state.decider == self.seat:
            roll(self.trial)
            self.standing, self.standing_steps = len(self.trial.events), played

    def _take_fitting(self, first: int) -> bool:
        """Play the first `if` that fits the roll; if none does, the turn stops after the steps before it."""
        state = self.trial.state
        if self.trial.events and not self.ended and self.seat == state.active and (state.debt or state.stuck):
            return False
        _check_moment(self, self.orders[first])
        for number, step in enumerate(self._branches(first), first + 1):
            if step.face in state.dice:
                self.number = number
                self._take(step.move)
                return True
        if not self.trial.events:
            raise Illegal("must-move-first", moves=_some_moves(state))
        return False

    def _branches(self, first: int) -> list[If]:
        """Take the `if` orders that follow one another."""
        together = takewhile(lambda step: isinstance(step, If), self.orders[first:])
        return [step for step in together if isinstance(step, If)]

    def _take(self, step: Step) -> None:
        _check_moment(self, step)
        take(self.trial, step)
        if isinstance(step, Investment):
            self.ended = True


def _check_moment(submission: PlayedSubmission, step: Step) -> None:
    """Refuse an order that this moment of the turn does not allow."""
    state = submission.trial.state
    if submission.ended and isinstance(step, Investment):
        raise Illegal("already-invested")
    if state.over:
        raise Illegal("game-over")
    if state.decider != submission.seat:
        raise Illegal("not-your-turn", colour=state.colours[state.decider])
    if isinstance(step, (Move, If, Stuck)) and _has_moved(submission) and not (isinstance(step, Stuck) and state.stuck):
        raise Illegal("already-moved")
    if isinstance(step, Sale) and not state.debt:
        raise Illegal("nothing-owed")
    if isinstance(step, PlaceCustomer) and state.phase != Phase.CUSTOMERS:
        raise Illegal("customer-already-placed", why="all")
    if isinstance(step, (Investment, Stuck)) and state.phase == Phase.MOVE and not state.debt:
        raise Illegal("must-move-first", moves=_some_moves(state))
    if not isinstance(step, Sale if state.debt else FITTING[state.phase]):
        raise Illegal("not-now", why="debt" if state.debt else state.phase, moves=_some_moves(state))


def _some_moves(state: State) -> list[str]:
    """List a few legal moves for a refusal."""
    return [notate_step(step) for step in islice(moves(state), 3)] if state.phase == Phase.MOVE else []


def _has_moved(submission: PlayedSubmission) -> bool:
    state = submission.trial.state
    return submission.seat == state.active and state.phase in (Phase.INVEST, Phase.FACE)
