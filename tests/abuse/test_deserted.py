"""Nothing goes on for nobody: games without a person end, and registrations that nobody confirms are erased."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from marketpost.play.clock.timeouts import tick
from marketpost.play.log.actions import AtZero, Ending, SeatPlan, TimeControl
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.guests import IDLE, erase_idle_guests
from marketpost.play.people.registration import invite, new_code, register, sign_in
from marketpost.play.ports import Ports
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.seating import join, open_game, resign
from marketpost.rules.ruleset import rulesets

WAYS: dict[str, Callable[[Ports, str], Game]] = {
    "resigns": lambda ports, player: resign(ports, "g1", player),
    "hands over": lambda ports, player: hand_over(ports, "g1", player, SeatPlan(bot="greedy")),
}


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("way", WAYS)
def test_a_game_ends_when_the_last_person_leaves_it(ports: Ports, rules: str, way: str) -> None:
    ann, ben = (register(ports, f"{name}@example.org", name).id for name in ("ann", "ben"))
    open_game(ports, "g1", ann, rules, [SeatPlan(player=ann), SeatPlan(player=ben), SeatPlan(bot="greedy")], {})

    assert WAYS[way](ports, ann).status == GameStatus.RUNNING
    last = WAYS[way](ports, ben)

    assert (last.status, last.ended and last.ended.how, last.deciders) == (GameStatus.OVER, Ending.ABANDONED, ())


@pytest.mark.parametrize(("at_zero", "status"), [(AtZero.OUT, GameStatus.OVER), (AtZero.BOT_TAKES, GameStatus.RUNNING)])
def test_a_game_ends_when_the_last_person_is_out_of_time_for_good(ports: Ports, at_zero: AtZero, status: GameStatus) -> None:
    ann, ben = (register(ports, f"{name}@example.org", name).id for name in ("ann", "ben"))
    clock = TimeControl(per_decision=3_600_000, at_zero=at_zero)
    game = open_game(ports, "g1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=ben)], {}, clock=clock)
    resign(ports, "g1", {ann, ben}.difference(game.seats[seat].player for seat in game.deciders).pop())
    hours = count(1)
    ports.clock = lambda: 3_600_000 * next(hours) + game.changed
    for _ in range(4):
        tick(ports, game.id)

    then = ports.game("g1")
    assert then
    assert (then.status, [seat.player for seat in then.seats]) == (status, [None, None])


def test_a_registration_that_nobody_confirms_is_erased(ports: Ports) -> None:
    register(ports, "typed@example.org", "Eve")
    register(ports, "ann@example.org", "Ann")
    sign_in(ports, "ann@example.org", new_code(ports, "ann@example.org"), "", ("play",))
    asked = register(ports, "ben@example.org", "Ben").id
    game = open_game(ports, "g1", asked, "portobello", [SeatPlan(), SeatPlan(invited=invite(ports, "ben@example.org"))], {})

    erase_idle_guests(replace(ports, clock=lambda: ports.clock() + IDLE + 1))

    assert ports.players.at_address("typed@example.org") is None
    assert ports.players.at_address("ann@example.org")
    assert ports.players.at_address("ben@example.org")
    assert join(ports, game.id, asked).seat_of(asked) is not None
