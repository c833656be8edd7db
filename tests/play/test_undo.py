"""Undo in every position: free exactly when the rule says, and the position after it is the earlier one."""

import copy
from typing import Any

import msgspec
import pytest

from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import AnyAction, Began, Moved, Opened, Proposed, SeatPlan, Undone
from marketpost.play.log.entries import decode, write
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import submit
from marketpost.play.ports import Ports
from marketpost.play.table.proposals import agree, disagree
from marketpost.play.table.seating import open_game
from marketpost.play.table.undo import last_own, undo, undoable
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed, seal
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.store.changes import Stored
from tests.games import decide, deciding
from tests.thorough import THOROUGH

GAMES = {"portobello": 10 * THOROUGH, "alturien": 3 * THOROUGH}
PAIR = [SeatPlan(player="ann"), SeatPlan(player="ben")]


def add(game: Game, *actions: AnyAction) -> Game:
    entries, _ = write(game.version, game.head, 0, None, "test 1", actions)
    return follow(game, [Stored(game.version + number, data) for number, data in enumerate(entries, 1)])


def begin(rules: Any, secret: bytes) -> Game:
    colours = rules.colours[:2]
    game = Game("g1")
    add(game, Opened(rules.name, rules.boards()[0], None, {}, colours, tuple(PAIR), "ann", False, seal(secret)))
    chance = Sealed(secret, "g1")
    opening = list(rules.start(game.setting, chance))
    due = list(rules.proceed(rules.fold(opening), chance))
    return add(game, Began(msgspec.Raw(rules.encode([*opening, *due])), len(due)))


def play(game: Game, secret: bytes, orders: str) -> None:
    """As a worker would."""
    rules, seat = game.rules, game.deciders[0]
    chance = Sealed(secret, "g1", game.state.drawn)
    verdict = rules.judge(game.state, seat, orders, chance)
    state = game.state.copy()
    for event in verdict.events:
        event.apply(state)
    due = [] if rules.winners(state) else list(rules.proceed(state, chance))
    add(game, Moved(seat, f"m{game.version}", orders, msgspec.Raw(rules.encode([*verdict.events, *due])), len(due)))


def after_undo(game: Game, seat: int, back_to: int) -> Any:
    then = copy.copy(game)
    then.history, then.undos = list(game.history), []
    return add(then, Undone(seat, back_to)).state


def is_free(game: Game, seat: int) -> bool:
    try:
        undoable(game, seat)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_undo_in_every_position_of_random_games(name: str) -> None:
    rules, free, asked = ruleset(name), 0, 0
    for number in range(GAMES[name]):
        secret = number.to_bytes(32, "big")
        game, dice = begin(rules, secret), Sealed(secret, "orders")
        while game.status == "running":
            before, seat, version = game.state.copy(), game.deciders[0], game.version
            play(game, secret, bot(rules, "random")(game.state.copy(), seat, dice))
            # The rule by itself: still the same turn, still this seat's, and chance has been asked for nothing.
            still_theirs = game.status == "running" and game.state.turn == before.turn and seat in game.deciders
            allowed = still_theirs and game.state.drawn == before.drawn
            assert [is_free(game, each) for each in (0, 1)] == [allowed and each == seat for each in (0, 1)]
            if game.status == "running" and (allowed or game.version % 5 == 0):
                assert last_own(game, PAIR[seat].player or "") == (version + 1, seat)
                then = after_undo(game, seat, version)
                assert (then, then.drawn) == (before, before.drawn)
            free, asked = free + allowed, asked + (not allowed)

    assert min(free, asked) > 10 * GAMES[name]


@pytest.mark.parametrize("name", GAMES)
def test_at_the_table_undo_is_free_or_asks_the_other_and_then_goes_back(ports: Ports, ann: str, ben: str, name: str) -> None:
    open_game(ports, "g1", ann, name, [SeatPlan(player=ann), SeatPlan(player=ben)], {})
    dice, free, asked = Sealed(bytes(32), "orders"), 0, 0
    for _ in range(30):
        game = now(ports)
        before, seat = game.state.copy(), game.deciders[0]
        mover, other = (ann, ben) if game.seats[seat].player == ann else (ben, ann)
        orders = bot(game.rules, "random")(game.state.copy(), seat, dice)
        moved = order(ports, mover, orders)
        is_free_now = is_free(moved, seat)

        taken = undo(ports, "g1", mover)

        assert (taken.proposal is None) == is_free_now
        if taken.proposal:
            taken = agree(ports, "g1", other, taken.proposal.number)
        free, asked = free + is_free_now, asked + (not is_free_now)
        assert taken.state == before
        assert order(ports, mover, orders).state == moved.state
    assert free
    assert asked
    log = ports.games.read("g1")
    assert not verify("g1", log, ports.games.head("g1")).faults
    assert sum(isinstance(decode(each.data).action, Undone) for each in log) == 30


def now(ports: Ports) -> Game:
    found = ports.game("g1")
    assert found
    return found


def order(ports: Ports, player: str, orders: str) -> Game:
    submit(ports, now(ports), player, orders)
    decide(ports, ["g1"], deciding())
    return now(ports)


@pytest.fixture
def drawn(ports: Ports, ann: str, ben: str, cy: str) -> Game:
    """Ann has drawn a customer: chance has shown something."""
    open_game(ports, "g1", ann, "portobello", [SeatPlan(player=each) for each in (ann, ben, cy)], {})
    first = now(ports).seats[now(ports).deciders[0]].player
    assert first
    order(ports, first, "bobby 3")
    return order(ports, ann, "2: customer")


def test_one_no_ends_it_and_all_must_say_yes(ports: Ports, drawn: Game, ann: str, ben: str, cy: str) -> None:
    first = undo(ports, "g1", ann).proposal
    assert first
    assert (first.what, first.back_to, drawn.seats[first.seat].player) == ("undo", drawn.version - 1, ann)
    assert agree(ports, "g1", ben, first.number).state == drawn.state
    assert disagree(ports, "g1", cy, first.number).proposal is None
    second = undo(ports, "g1", ann).proposal
    assert second
    for late in (agree, disagree):
        with pytest.raises(Refused, match="no-such-proposal"):
            late(ports, "g1", ben, first.number)
    agree(ports, "g1", ben, second.number)

    done = agree(ports, "g1", cy, second.number)

    assert done.state.drawn == drawn.state.drawn - 1
    assert order(ports, ann, "2: customer").state == drawn.state, "what chance has shown comes out the same again"


def test_a_proposal_lapses_when_somebody_moves(ports: Ports, drawn: Game, ann: str, ben: str) -> None:
    proposal = undo(ports, "g1", ann).proposal
    assert proposal
    square = drawn.state.free_squares()[0]

    assert order(ports, ann, f"place {square}").proposal is None
    with pytest.raises(Refused, match="no-such-proposal"):
        agree(ports, "g1", ben, proposal.number)


def test_there_is_one_proposal_at_a_time_and_asking_twice_asks_once(ports: Ports, drawn: Game, ann: str, ben: str) -> None:
    first = undo(ports, "g1", ann)

    assert undo(ports, "g1", ann).version == first.version
    with pytest.raises(Refused, match=r"nothing-to-undo|proposal-open"):
        undo(ports, "g1", ben)


def test_whoever_has_written_nothing_has_nothing_to_take_back(ports: Ports, drawn: Game) -> None:
    nobody = next(seat.player for number, seat in enumerate(drawn.seats) if all(played.seat != number for played in drawn.played))
    assert nobody

    with pytest.raises(Refused, match="nothing-to-undo"):
        undo(ports, "g1", nobody)


def test_bots_agree_and_the_log_shows_that_they_were_asked(ports: Ports, ann: str) -> None:
    open_game(ports, "g1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(bot="random")], {})
    decide(ports, ["g1"], deciding())
    before = now(ports).state.copy()
    order(ports, ann, "2: customer")

    undone = undo(ports, "g1", ann)

    assert undone.state == before
    *_, asked, done = (decode(each.data).action for each in ports.games.read("g1"))
    assert isinstance(asked, Proposed)
    assert done == Undone(0, asked.back_to or 0, True)
