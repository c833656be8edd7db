"""Time to decide: given, saved, kept across undo, vacation and outage; and what happens when it is up."""

import subprocess
import sys
from datetime import date

import msgspec
import pytest

from play.clock import running
from play.log import Moved, Postponed, Reminded, Returned, TimedOut, Undone, decode
from play.open import change, resign
from play.submit import submit
from play.tick import come_back, tick
from play.undo import undo
from play.vacation import DAYS_A_YEAR, days_left, end_vacation, take_vacation
from play.verify import rebuild, verify
from rules.refusal import Refused
from store.games import Games
from store.people import Player
from store.settings import Settings
from tests.mail.office import Desk
from tests.play.timed import DAY, HOUR, MINUTE, be_down, entries, letters, live, look, timed_game


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben", "de", timezone="Europe/Berlin")


def left(desk: Desk, seat: int) -> int:
    """Minutes until this seat's deadline."""
    return round((desk.game().times[seat].by - desk.clock.now) / MINUTE)


def saved(desk: Desk, seat: int) -> int:
    """Minutes that this seat has in its bank."""
    return round(desk.game().times[seat].bank / MINUTE)


def play(desk: Desk) -> None:
    """Whoever is to decide plays a turn that a bot would."""
    player, turn = desk.to_play(), desk.game().state.turn
    while desk.game().status == "running" and desk.game().state.turn == turn and desk.to_play().id == player.id:
        desk.by_rest(player, desk.good_orders())
    desk.work()


def of(desk: Desk, kind: type) -> list[object]:
    return [entry.deed for entry in entries(desk) if isinstance(entry.deed, kind)]


# Given and saved


def test_whoever_is_to_decide_has_the_time_of_the_game_and_nobody_else(desk: Desk, ann: Player, ben: Player) -> None:
    game = timed_game(desk, ann, ben)

    assert running(game).keys() == {0}
    assert left(desk, 0) == 24 * 60
    assert entries(desk)[-1].asked[0].by == game.times[0].by


def test_time_that_was_saved_is_there_for_the_next_decision_up_to_the_limit(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, bank=30 * HOUR)
    live(desk, hours=4)
    play(desk)
    assert (saved(desk, 0), desk.game().times[0].by) == (20 * 60, 0)
    play(desk)
    assert (saved(desk, 0), left(desk, 0)) == (20 * 60, 44 * 60)
    play(desk)
    assert saved(desk, 0) == 30 * 60, "of 44 hours 30 are kept"
    play(desk)
    assert left(desk, 0) == 54 * 60


def test_what_was_used_beyond_the_time_of_a_decision_comes_out_of_the_bank(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, bank=30 * HOUR)
    play(desk)
    play(desk)
    live(desk, hours=40)
    play(desk)

    assert saved(desk, 0) == 8 * 60


def test_moving_in_pieces_gives_no_new_time(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    by = desk.game().times[0].by
    live(desk, hours=1)
    desk.by_rest(ann, "2:")

    assert desk.game().deciders == (0,)
    assert desk.game().times[0].by == by


def test_bots_need_no_time(desk: Desk, ann: Player) -> None:
    timed_game(desk, ann, desk.person("Cleo"), desk.person("Dan"))
    resign(desk.office.ports, "g1", desk.game().seats[1].player or "")
    desk.work()
    play(desk)

    assert desk.game().deciders == (2,)
    assert desk.game().times.keys() == {0, 2}, "the bot has none"


def test_nobody_waits_when_the_game_is_over(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    while desk.game().status == "running":
        play(desk)

    assert not any(time.by for time in desk.game().times.values())
    assert desk.office.ports.index.expected(desk.clock.now + 1000 * DAY) == []
    assert verify("g1", desk.office.ports.games.read("g1")).faults == ()


def test_a_game_without_a_clock_pays_nothing_for_it(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    play(desk)
    redis = desk.office.ports.games.redis
    assert all(stored.data.endswith(b",[]]") for stored in desk.office.ports.games.read("g1"))
    before = redis.info("stats")["total_commands_processed"]
    tick(desk.office.ports, "g1")

    assert redis.info("stats")["total_commands_processed"] - before == 1, "only the question itself"
    assert not redis.exists("index:clock", "{service}:beat")


# Undo


def test_undo_within_a_turn_leaves_the_deadline_where_it_was(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    by = desk.game().times[0].by
    for _ in range(3):
        live(desk, hours=2)
        desk.by_rest(ann, "2:")
        live(desk, hours=2)
        undo(desk.office.ports, "g1", ann.id)

    assert desk.game().times[0].by == by


def take_back_to(desk: Desk, version: int) -> None:
    change(desk.office.ports, "g1", None, lambda game: ([Undone(0, version)], []))


def test_a_turn_taken_back_later_brings_back_the_time_that_was_left_then(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, bank=72 * HOUR)
    live(desk, hours=9)
    before, others = desk.game().version, saved(desk, 1)
    play(desk)
    live(desk, hours=5)
    play(desk)
    assert left(desk, 0) == (24 + 15) * 60
    live(desk, hours=1)

    take_back_to(desk, before)

    assert (left(desk, 0), saved(desk, 0)) == (15 * 60, 0)
    assert (saved(desk, 1), desk.game().times[1].by) == (others, 0), "what the other saved in a turn that never was is gone"
    play(desk)
    assert saved(desk, 0) == 15 * 60


def test_taking_back_again_and_again_gains_nothing(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, bank=72 * HOUR)
    before = desk.game().version
    used = 0
    for _ in range(3):
        live(desk, hours=3)
        used += 3
        play(desk)
        live(desk, hours=10)
        take_back_to(desk, before)
        before = desk.game().version

        assert left(desk, 0) == (24 - used) * 60


# Reminders


def test_reminders_come_at_half_and_at_a_tenth_of_the_time_each_once(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=11, minutes=58)
    assert letters(desk, ann) == ["your-turn"]
    live(desk, minutes=4)
    assert letters(desk, ann) == ["your-turn", "reminder"]
    live(desk, hours=9, minutes=30)
    assert letters(desk, ann) == ["your-turn", "reminder"]
    live(desk, minutes=10)

    assert letters(desk, ann) == ["your-turn", "reminder", "reminder"]
    assert of(desk, Reminded) == [Reminded(0, 1), Reminded(0, 2)]
    assert "in 2 hours" in " ".join(desk.newest(ann).text.split())


def test_who_plays_in_time_is_not_reminded(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=11)
    play(desk)
    live(desk, hours=2)

    assert letters(desk, ann) == ["your-turn"]


def test_several_sweepers_and_workers_remind_once(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    desk.clock.forward(seconds=100)
    live(desk, hours=11, minutes=50)
    for _ in range(20):
        live(desk, minutes=1)
        look(desk)
        tick(desk.office.ports, "g1")

    assert of(desk, Reminded) == [Reminded(0, 1)]


# The time is up


def test_a_bot_plays_the_turn_and_the_seat_stays_the_players(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, at_zero="bot-plays", bank=72 * HOUR)
    live(desk, hours=24, minutes=3)

    game = desk.game()
    assert of(desk, TimedOut) == [TimedOut(0, "bot-plays", "greedy")]
    assert game.deciders == (1,)
    assert game.seats[0].player == ann.id
    assert letters(desk, ann)[-1] == "timed-out"
    assert letters(desk, ben)[-1] == "your-turn"
    assert {entry.by for entry in entries(desk) if isinstance(entry.deed, Moved) and entry.deed.seat == 0} == {None}
    play(desk)
    assert (desk.game().deciders, left(desk, 0), saved(desk, 0)) == ((0,), 24 * 60, 0)
    assert letters(desk, ann)[-1] == "your-turn"


def test_a_bot_takes_the_seat_until_the_player_comes_back(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, at_zero="bot-takes")
    live(desk, hours=24, minutes=3)
    assert desk.game().seats[0].bot == "greedy"
    assert letters(desk, ann)[-1] == "timed-out"
    with pytest.raises(Refused) as refused:
        submit(desk.office.ports, desk.game(), ann.id, "2:")
    assert refused.value.code == "seat-lost"
    play(desk)
    assert desk.game().deciders == (1,), "the bot has played at once"

    assert desk.answer(ann, "back", desk.newest(ann)) == "answered"

    assert of(desk, Returned) == [Returned(0, ann.id)]
    assert desk.game().seats[0].player == ann.id
    assert "the seat is yours again" in " ".join(desk.newest(ann).text.split())
    play(desk)
    assert (desk.game().deciders, left(desk, 0)) == ((0,), 24 * 60)


def test_who_comes_back_before_the_bot_has_played_leaves_it_this_turn(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, at_zero="bot-takes")
    live(desk, hours=23, minutes=59)
    desk.clock.forward(seconds=90)
    tick(desk.office.ports, "g1")
    assert desk.game().deciders == (0,), "the bot has been called, and no worker has come yet"

    come_back(desk.office.ports, "g1", ann.id)
    desk.work()

    assert desk.game().deciders == (1,)
    assert {entry.by for entry in entries(desk) if isinstance(entry.deed, Moved) and entry.deed.seat == 0} == {None}
    play(desk)
    assert (desk.game().deciders, desk.game().seats[0].player) == ((0,), ann.id)


def test_who_is_out_cannot_come_back_and_the_result_shows_it(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, at_zero="out")
    live(desk, hours=24, minutes=3)

    with pytest.raises(Refused) as refused:
        come_back(desk.office.ports, "g1", ann.id)

    assert refused.value.code == "out-of-time"
    assert "out of the game" in " ".join(desk.newest(ann).text.split())
    while desk.game().status == "running":
        play(desk)
    desk.work()
    assert desk.game().absent[0].player == ann.id
    assert letters(desk, ann)[-1] == "over"
    assert "you have won" not in desk.newest(ann).text.casefold()
    assert "Bot „greedy“, seit die Zeit abgelaufen war" in " ".join(desk.newest(ben).text.split())


def test_a_stranger_cannot_come_back(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)

    with pytest.raises(Refused) as refused:
        come_back(desk.office.ports, "g1", desk.person("Cleo").id)

    assert refused.value.code == "not-your-game"


def test_a_move_that_waits_is_judged_before_the_time_is(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=23, minutes=59)
    submit(desk.office.ports, desk.game(), ann.id, desk.good_orders())
    live(desk, minutes=5)

    assert of(desk, TimedOut) == []


@pytest.mark.parametrize("at_zero", ["bot-plays", "bot-takes", "out"])
@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_a_game_that_everybody_has_left_is_played_to_its_end(desk: Desk, ann: Player, ben: Player, rules: str, at_zero: str) -> None:
    timed_game(desk, ann, ben, rules=rules, at_zero=at_zero, per_decision=MINUTE)
    for _ in range(3000):
        if desk.game().status == "over":
            break
        live(desk, seconds=61)

    assert desk.game().status == "over"
    assert verify("g1", desk.office.ports.games.read("g1")).faults == ()


# Outages


def test_a_day_without_the_service_is_given_back_before_anything_is_judged(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=6)
    be_down(desk, days=3)
    look(desk)

    assert left(desk, 0) == 18 * 60
    assert letters(desk, ann) == ["your-turn"]
    [back] = of(desk, Postponed)
    assert (back.seat, back.why) == (0, "outage")


def test_an_outage_is_given_back_once_however_many_look(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=6)
    be_down(desk, hours=10)
    for _ in range(5):
        look(desk)
        tick(desk.office.ports, "g1")

    assert len(of(desk, Postponed)) == 1
    assert left(desk, 0) == 18 * 60
    be_down(desk, hours=1)
    look(desk)
    assert len(of(desk, Postponed)) == 2, "the next one is another"


def test_a_move_right_after_an_outage_saves_what_was_left_before_it(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, bank=72 * HOUR)
    live(desk, hours=6)
    be_down(desk, hours=17)
    desk.office.ports.heart.beat(desk.clock.now)
    play(desk)

    assert saved(desk, 0) == 18 * 60


def test_a_worker_that_slept_through_the_deadline_judges_nobody_by_it(desk: Desk, ann: Player, ben: Player) -> None:
    """A machine that was put to sleep wakes up in the middle of a job, with no heartbeat since."""
    timed_game(desk, ann, ben)
    live(desk, hours=6)
    be_down(desk, days=2)
    tick(desk.office.ports, "g1")

    assert of(desk, TimedOut) == of(desk, Reminded) == []
    assert left(desk, 0) == 18 * 60


def test_a_short_silence_is_no_outage(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    be_down(desk, seconds=110)
    look(desk)

    assert of(desk, Postponed) == []


def test_an_outage_at_night_costs_nobody_anything(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, quiet=(22, 8))
    live(desk, hours=13)
    be_down(desk, hours=8)
    look(desk)

    assert of(desk, Postponed) == []


# Vacation


def vacation(desk: Desk, player: Player, first: str, last: str) -> Player:
    return take_vacation(desk.office.ports, desk.again(player), date.fromisoformat(first), date.fromisoformat(last))


def test_a_vacation_moves_the_deadlines_that_are_running(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=2)
    vacation(desk, ann, "2026-03-03", "2026-03-05")

    assert left(desk, 0) == (22 + 3 * 24) * 60
    [moved] = of(desk, Postponed)
    assert moved.why == "vacation"


def test_a_vacation_that_is_planned_counts_for_the_next_decisions_too(desk: Desk, ann: Player, ben: Player) -> None:
    vacation(desk, ann, "2026-03-03", "2026-03-05")
    timed_game(desk, ann, ben)

    assert left(desk, 0) == 4 * 24 * 60


def test_ending_a_vacation_early_takes_back_what_was_not_used(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    vacation(desk, ann, "2026-03-03", "2026-03-12")
    assert days_left(desk.again(ann), 2026) == DAYS_A_YEAR - 10
    live(desk, days=2)
    assert left(desk, 0) == (24 + 240 - 48) * 60

    end_vacation(desk.office.ports, desk.again(ann))

    assert left(desk, 0) == (10 + 14) * 60, "what is left of the day, which is off, and of the time"
    assert days_left(desk.again(ann), 2026) == DAYS_A_YEAR - 2


def test_nobody_gains_by_taking_a_vacation_again_and_again(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=2)
    vacation(desk, ann, "2026-03-02", "2026-03-02")
    by = desk.game().times[0].by
    for _ in range(5):
        live(desk, minutes=30)
        end_vacation(desk.office.ports, desk.again(ann))
        live(desk, minutes=30)
        vacation(desk, ann, "2026-03-02", "2026-03-02")

    assert desk.game().times[0].by == by
    assert days_left(desk.again(ann), 2026) == DAYS_A_YEAR - 1


def test_a_vacation_has_an_end_and_a_budget(desk: Desk, ann: Player) -> None:
    for first, last, code in (
        ("2026-03-05", "2026-03-04", "vacation-backwards"),
        ("2026-02-01", "2026-03-01", "vacation-over"),
        ("2026-03-02", "2026-04-01", "vacation-budget"),
        ("2027-02-20", "2027-03-10", "vacation-far"),
    ):
        with pytest.raises(Refused) as refused:
            vacation(desk, ann, first, last)
        assert refused.value.code == code
    vacation(desk, ann, "2026-03-02", "2026-03-31")
    assert days_left(desk.again(ann), 2026) == 0
    vacation(desk, ann, "2026-12-20", "2027-01-10")
    found = desk.again(ann)
    assert (days_left(found, 2026), days_left(found, 2027)) == (DAYS_A_YEAR - 1 - 12, DAYS_A_YEAR - 10), "today had begun"


def test_a_vacation_that_was_written_down_is_reckoned_even_if_its_writer_died(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=2)
    found = desk.again(ann)
    found.vacations, found.vacation_changed = [(date(2026, 3, 3), date(2026, 3, 5))], desk.clock()
    desk.office.ports.people.save(found)
    live(desk, days=2)

    assert of(desk, TimedOut) == []
    assert left(desk, 0) == (22 + 3 * 24 - 48) * 60
    assert len(of(desk, Postponed)) == 1


def test_a_move_to_another_timezone_gives_no_more_than_was_given(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, quiet=(22, 8), bank=72 * HOUR)
    found = desk.again(ann)
    found.timezone = "Pacific/Auckland"
    desk.office.ports.people.save(found)
    play(desk)

    assert saved(desk, 0) <= 24 * 60


# Killed in between


def halted(settings: Settings, desk: Desk) -> None:
    """A real worker takes up what waits and is killed while it tells the first of it."""
    command = [sys.executable, "-m", "tests.play.timed", str(settings.data), str(desk.clock.now)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout
        assert worker.stdout.readline().strip()
        worker.kill()


@pytest.mark.parametrize("much", [{"hours": 12.02}, {"hours": 24.02}])
def test_a_worker_killed_before_it_told_anybody_changes_nothing(
    desk: Desk, settings: Settings, ann: Player, much: dict[str, float]
) -> None:
    timed_game(desk, ann, desk.person("Ben"))
    live(desk, hours=much["hours"] - 0.04)
    told = letters(desk, ann)
    desk.clock.forward(seconds=110)
    desk.office.ports.heart.beat(desk.clock.now)
    sweep_only(desk)
    halted(settings, desk)
    desk.office.ports.forget("g1")
    assert len(entries(desk)) > 2
    assert letters(desk, ann) == told
    live(desk, minutes=5)

    assert len(letters(desk, ann)) == len(told) + 1
    assert len(of(desk, Reminded)) + len(of(desk, TimedOut)) == len(told)
    assert not rebuild(desk.office.ports).differences


def sweep_only(desk: Desk) -> None:
    for game in desk.office.ports.index.expected(desk.clock.now):
        desk.kicks.kick(game)


def test_a_move_whose_worker_died_before_it_was_told_still_sets_the_next_clock(desk: Desk, settings: Settings, ann: Player) -> None:
    timed_game(desk, ann, desk.person("Ben"))
    orders = desk.good_orders()
    submit(desk.office.ports, desk.game(), ann.id, orders)
    desk.office.ports.games.redis.delete("index:clock")
    halted(settings, desk)
    desk.office.ports.games.redis.delete("index:clock")
    desk.office.ports.forget("g1")
    live(desk, minutes=2)

    assert desk.office.ports.index.redis.zscore("index:clock", "g1") is not None


# Derived


def test_the_moments_can_be_thrown_away_and_made_again(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    timed_game(desk, ann, ben, id="g2", quiet=(22, 8))
    ports = desk.office.ports
    assert rebuild(ports).differences == ()
    ports.index.redis.delete("index:clock")

    assert rebuild(ports).differences == ("index:clock: g1 was missing", "index:clock: g2 was missing")
    assert rebuild(ports).differences == ()


def test_old_logs_without_a_clock_are_read_as_before(desk: Desk, ann: Player, ben: Player) -> None:
    """Entries once ended with the hash of the one before, and `opened` with whether it was imported."""
    desk.table(ann, ben)
    [first, *_] = desk.office.ports.games.read("g1")
    plain = msgspec.json.decode(first.data)
    plain.pop()
    plain[3].pop()

    assert decode(msgspec.json.encode(plain)) == decode(first.data)
    assert Games.key("g1", "log") == "game:{g1}:log"
