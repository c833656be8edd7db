"""What the service lost, by an outage or a worker's death, costs nobody any time."""

import subprocess
import sys

import msgspec
import pytest

from marketpost.play.clock.deadlines import running
from marketpost.play.clock.timeouts import tick
from marketpost.play.keeping.verify import rebuild
from marketpost.play.log.actions import Postponed, Reminded, TimedOut
from marketpost.play.log.entries import decode
from marketpost.play.moves.submit import submit
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from marketpost.store.steady_clock import SteadyTime
from tests.mail.desk import Clock as Watch
from tests.mail.desk import Desk
from tests.play.timed import HOUR, be_down, entries, left, letters, live, look, of, play, saved, timed_game


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
        tick(desk.mailer.ports, "g1")

    assert len(of(desk, Postponed)) == 1
    assert left(desk, 0) == 18 * 60
    be_down(desk, hours=1)
    look(desk)
    assert len(of(desk, Postponed)) == 2, "the next one is another"


def test_a_move_right_after_an_outage_saves_what_was_left_before_it(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, bank=72 * HOUR)
    live(desk, hours=6)
    be_down(desk, hours=17)
    desk.mailer.ports.heartbeat.beat(desk.clock.now)
    play(desk)

    assert saved(desk, 0) == 18 * 60


def test_a_worker_that_slept_through_the_deadline_judges_nobody_by_it(desk: Desk, ann: Player, ben: Player) -> None:
    """A machine that was put to sleep wakes up in the middle of a job, with no heartbeat since."""
    timed_game(desk, ann, ben)
    live(desk, hours=6)
    be_down(desk, days=2)
    tick(desk.mailer.ports, "g1")

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


def on_one_machine(desk: Desk) -> Watch:
    """Let the service measure outages by a steady clock of its machine; only that one is never set."""
    steady = Watch()
    desk.mailer.ports.steady = lambda: SteadyTime("one machine", steady.now)
    return steady


def pass_time(desk: Desk, steady: Watch, **much: float) -> None:
    desk.clock.forward(**much)
    steady.forward(**much)


@pytest.mark.parametrize("back", [60, 600])
def test_an_outage_after_the_clock_was_set_back_is_given_back_too(desk: Desk, ann: Player, ben: Player, back: int) -> None:
    """By less than the decision is old, and by more: then it began in the future."""
    timed_game(desk, ann, ben)
    steady = on_one_machine(desk)
    look(desk)
    for _ in range(60):
        pass_time(desk, steady, minutes=1.5)
        look(desk)
    [before] = [time.by for time in running(desk.game()).values()]
    desk.clock.forward(minutes=-back)
    look(desk)
    assert of(desk, Postponed) == [], "nobody was away yet"
    for minutes in (5, 7):
        pass_time(desk, steady, minutes=minutes)
        for _ in range(3):
            look(desk)

    [after] = [time.by for time in running(desk.game()).values()]
    assert len(of(desk, Postponed)) == 2
    assert after - before == pytest.approx(12 * 60_000, abs=1000)


def test_a_clock_that_is_set_forward_is_no_outage(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    on_one_machine(desk)
    look(desk)
    desk.clock.forward(hours=1)
    look(desk)

    assert of(desk, Postponed) == []


def test_a_decision_after_such_an_outage_gains_nothing_by_it(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    steady = on_one_machine(desk)
    look(desk)
    desk.clock.forward(hours=-1)
    look(desk)
    pass_time(desk, steady, minutes=5)
    look(desk)
    play(desk)
    given = len(of(desk, Postponed))
    pass_time(desk, steady, minutes=1)
    look(desk)

    assert len(of(desk, Postponed)) == given == 1


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
    desk.mailer.ports.heartbeat.beat(desk.clock.now)
    sweep_only(desk)
    halted(settings, desk)
    desk.mailer.ports.evict("g1")
    assert len(entries(desk)) > 2
    assert letters(desk, ann) == told
    live(desk, minutes=5)

    assert len(letters(desk, ann)) == len(told) + 1
    assert len(of(desk, Reminded)) + len(of(desk, TimedOut)) == len(told)
    assert not rebuild(desk.mailer.ports).differences


def sweep_only(desk: Desk) -> None:
    for game in desk.mailer.ports.index.clocks_due(desk.clock.now):
        desk.work_queue.enqueue(game)


def test_a_move_whose_worker_died_before_it_was_told_still_sets_the_next_clock(desk: Desk, settings: Settings, ann: Player) -> None:
    timed_game(desk, ann, desk.person("Ben"))
    orders = desk.good_orders()
    submit(desk.mailer.ports, desk.game(), ann.id, orders)
    desk.mailer.ports.games.redis.delete("index:clock")
    halted(settings, desk)
    desk.mailer.ports.games.redis.delete("index:clock")
    desk.mailer.ports.evict("g1")
    live(desk, minutes=2)

    assert desk.mailer.ports.index.redis.zscore("index:clock", "g1") is not None


def test_the_moments_can_be_thrown_away_and_made_again(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    timed_game(desk, ann, ben, id="g2", quiet=(22, 8))
    ports = desk.mailer.ports
    assert rebuild(ports).differences == ()
    ports.index.redis.delete("index:clock")

    assert rebuild(ports).differences == ("index:clock: g1 was missing", "index:clock: g2 was missing")
    assert rebuild(ports).differences == ()


def test_old_logs_without_a_clock_are_read_as_before(desk: Desk, ann: Player, ben: Player) -> None:
    """Entries once ended with the hash of the one before, and `opened` with whether it was imported."""
    desk.table(ann, ben)
    [first, *_] = desk.mailer.ports.games.read("g1")
    plain = msgspec.json.decode(first.data)
    plain.pop()
    plain[3].pop()

    assert decode(msgspec.json.encode(plain)) == decode(first.data)
    assert GameLogs.key("g1", "log") == "game:{g1}:log"
