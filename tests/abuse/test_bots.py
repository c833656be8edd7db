"""Bots have a time budget and a queue of their own: no move of a person waits behind one."""

import time
from dataclasses import replace
from typing import Any

import pytest

from marketpost.play.limits import Limit, Limits, read_limits
from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.bot_moves import move_bots
from marketpost.play.moves.decide import decide
from marketpost.play.moves.submit import outcome, submit
from marketpost.play.people.guests import new_guest
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.bots import STRONG, bot, foresight_of
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.rate_counters import RateCounters
from tests.games import deciding, sealed
from tests.games import open_game as open_position
from workers.notifier import call_bots
from workers.queue import BOTS, WorkQueue

every_ruleset = pytest.mark.parametrize("rules", rulesets().values(), ids=lambda rules: rules.name)


@pytest.fixture
def ports(redis: Any) -> Ports:
    redis.flushall()
    limits = Limits(read_limits(""), RateCounters(redis), "a secret")
    return Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None, limits=limits)


def against_strong(ports: Ports, rules: Ruleset[Any], host: str) -> str:
    """A game in which a bot that thinks long has to decide first."""
    seats = [SeatPlan(player=host), SeatPlan(player=host)]
    seats[first_seat(rules)] = SeatPlan(bot=STRONG)
    open_game(ports, "g1", host, rules.name, seats, {})
    return "g1"


def first_seat(rules: Ruleset[Any]) -> int:
    state, _ = open_position(rules, Setting(rules.colours[:2], rules.boards()[0], None, {}), sealed(1))
    return rules.deciders(state)[0]


@every_ruleset
def test_out_of_time_strong_takes_the_best_so_far(rules: Ruleset[Any]) -> None:
    state, _ = open_position(rules, Setting(rules.colours[: rules.players[-1]], rules.boards()[0], None, {}), sealed(1))
    seat = rules.deciders(state)[0]

    at_once = bot(rules, STRONG, lambda: True)(state.copy(), seat, sealed(2))

    assert at_once == foresight_of(rules).shortlist(state.copy(), seat, sealed(2))[0]


@every_ruleset
def test_strong_stops_within_its_budget(rules: Ruleset[Any]) -> None:
    state, _ = open_position(rules, Setting(rules.colours[: rules.players[-1]], rules.boards()[0], None, {}), sealed(1))
    seat, until, asked = rules.deciders(state)[0], time.process_time() + 0.1, []

    def out_of_time() -> bool:
        asked.append(time.process_time())
        return asked[-1] > until

    bot(rules, STRONG, out_of_time)(state.copy(), seat, sealed(2))

    assert time.process_time() < until + 0.5
    assert rules.judge(state, seat, bot(rules, STRONG, out_of_time)(state.copy(), seat, sealed(2)), sealed(2)).refusal is None


@every_ruleset
def test_whoever_judges_moves_calls_bots_and_does_not_wait_for_them(rules: Ruleset[Any], ports: Ports) -> None:
    game, called = against_strong(ports, rules, register(ports, "ann@example.org", "Ann").id), list[str]()
    began = time.process_time()

    decide(ports, [game], replace(deciding(), call_bots=called.extend))

    assert called == [game]
    assert time.process_time() - began < 0.1
    assert ports.games.has_work(game), "the sweeper finds it if the call is lost"
    assert ports.games.pending(game) == []


def test_bots_of_guests_come_after_those_of_people(ports: Ports) -> None:
    queue = WorkQueue(ports.games.redis)
    guest, ann = new_guest(ports, "Guest", "en"), register(ports, "ann@example.org", "Ann")
    for host in (guest, ann):
        open_game(ports, f"of-{host.name}", host.id, "portobello", [SeatPlan(player=host.id), SeatPlan(bot=STRONG)], {})

    for game in ("of-Guest", "of-Ann"):
        call_bots(ports, queue, [game])

    assert [queue.next_games(BOTS) for _ in range(3)] == [["of-Ann"], ["of-Guest"], []]


@every_ruleset
def test_a_called_bot_moves_once_however_often_it_is_called(rules: Ruleset[Any], ports: Ports) -> None:
    ann = register(ports, "ann@example.org", "Ann").id
    game = against_strong(ports, rules, ann)
    decide(ports, [game], deciding())

    for _ in range(3):
        move_bots(ports, game)

    assert [move.player for move in ports.games.pending(game)] == ["bot:strong"]
    before = len(ports.games.read(game))
    decide(ports, [game], deciding())
    move_bots(ports, game)
    assert len(ports.games.read(game)) == before + 1


def test_a_bot_waits_for_a_move_that_is_not_judged_yet(ports: Ports) -> None:
    ann = register(ports, "ann@example.org", "Ann").id
    open_game(ports, "g1", ann, "portobello", [SeatPlan(bot="greedy"), SeatPlan(player=ann)], {})
    game = ports.game("g1")
    assert game
    move = submit(ports, game, ann, "bobby 3")

    move_bots(ports, "g1")

    assert [each.id for each in ports.games.pending("g1")] == [move]
    decide(ports, ["g1"], deciding())
    decided = outcome(ports, "g1", move)
    assert decided
    assert decided.status == "applied"


@pytest.mark.parametrize(("limit", "is_guest"), [(Limit.BOT_TIME_GUEST, True), (Limit.BOT_TIME_PLAYER, False)])
def test_bots_use_the_time_of_whoever_opened_the_game(limit: Limit, is_guest: bool, ports: Ports) -> None:
    host = new_guest(ports, "Guest", "en").id if is_guest else register(ports, "ann@example.org", "Ann").id
    game = against_strong(ports, rulesets()["portobello"], host)
    decide(ports, [game], deciding())
    before = ports.limits.spend(limit, host, 0)

    move_bots(ports, game)

    after = ports.limits.spend(limit, host, 0)
    assert before
    assert after
    assert 0 < before.left - after.left < 2000


def test_where_no_time_is_left_a_bot_decides_at_once(ports: Ports) -> None:
    ann = register(ports, "ann@example.org", "Ann").id
    game = against_strong(ports, rulesets()["alturien"], ann)
    decide(ports, [game], deciding())
    ports.limits.spend(Limit.BOT_TIME_PLAYER, ann, 900_000)
    with pytest.raises(Exception, match="over-limit"):
        ports.limits.spend(Limit.BOT_TIME_PLAYER, ann)
    began = time.process_time()

    move_bots(ports, game)

    assert time.process_time() - began < 0.2
    assert [move.player for move in ports.games.pending(game)] == ["bot:strong"]


def test_a_persons_move_is_taken_before_moves_of_bots_that_came_earlier(redis: Any) -> None:
    redis.flushall()
    work_queue = WorkQueue(redis)
    for number in range(3):
        work_queue.enqueue_behind_people(f"bots{number}")
    work_queue.enqueue("person")

    assert work_queue.next_games() == ["person"]
    assert [work_queue.next_games() for _ in range(2)] == [["bots0"], ["bots1"]]
