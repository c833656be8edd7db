"""Time to decide: given, saved, and kept across undo."""

from marketpost.play.clock.deadlines import running
from marketpost.play.clock.timeouts import tick
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Undone
from marketpost.play.log.commit import change
from marketpost.play.table.seating import resign
from marketpost.play.table.undo import undo
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.play.timed import DAY, HOUR, entries, left, live, play, saved, timed_game


def test_whoever_is_to_decide_has_the_time_of_the_game_and_nobody_else(desk: Desk, ann: Player, ben: Player) -> None:
    game = timed_game(desk, ann, ben)

    assert running(game).keys() == {0}
    assert left(desk, 0) == 24 * 60
    assert entries(desk)[-1].deadlines[0].by == game.times[0].by


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
    resign(desk.mailer.ports, "g1", desk.game().seats[1].player or "")
    desk.work()
    play(desk)

    assert desk.game().deciders == (2,)
    assert desk.game().times.keys() == {0, 2}, "the bot has none"


def test_nobody_waits_when_the_game_is_over(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    while desk.game().status == "running":
        play(desk)

    assert not any(time.by for time in desk.game().times.values())
    assert desk.mailer.ports.index.clocks_due(desk.clock.now + 1000 * DAY) == []
    assert verify("g1", desk.mailer.ports.games.read("g1")).faults == ()


def test_a_game_without_a_clock_pays_nothing_for_it(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    play(desk)
    redis = desk.mailer.ports.games.redis
    assert all(stored.data.endswith(b",[]]") for stored in desk.mailer.ports.games.read("g1"))
    before = redis.info("stats")["total_commands_processed"]
    tick(desk.mailer.ports, "g1")

    assert redis.info("stats")["total_commands_processed"] - before == 1, "only the question itself"
    assert not redis.exists("index:clock", "{service}:beat")


def test_undo_within_a_turn_leaves_the_deadline_where_it_was(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    by = desk.game().times[0].by
    for _ in range(3):
        live(desk, hours=2)
        desk.by_rest(ann, "2:")
        live(desk, hours=2)
        undo(desk.mailer.ports, "g1", ann.id)

    assert desk.game().times[0].by == by


def take_back_to(desk: Desk, version: int) -> None:
    change(desk.mailer.ports, "g1", None, lambda game: ([Undone(0, version)], []))


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
