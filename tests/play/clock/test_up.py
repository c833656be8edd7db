"""Reminders, and what happens when the time is up."""

import pytest

from marketpost.play.clock.timeouts import come_back, tick
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Moved, Reminded, Returned, TimedOut
from marketpost.play.moves.submit import submit
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.play.timed import HOUR, MINUTE, entries, left, letters, live, look, of, play, saved, timed_game


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
        tick(desk.mailer.ports, "g1")

    assert of(desk, Reminded) == [Reminded(0, 1)]


def test_a_bot_plays_the_turn_and_the_seat_stays_the_players(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, at_zero="bot-plays", bank=72 * HOUR)
    live(desk, hours=24, minutes=3)

    game = desk.game()
    assert of(desk, TimedOut) == [TimedOut(0, "bot-plays", "greedy")]
    assert game.deciders == (1,)
    assert game.seats[0].player == ann.id
    assert letters(desk, ann)[-1] == "timed-out"
    assert letters(desk, ben)[-1] == "your-turn"
    assert {entry.by for entry in entries(desk) if isinstance(entry.action, Moved) and entry.action.seat == 0} == {None}
    play(desk)
    assert (desk.game().deciders, left(desk, 0), saved(desk, 0)) == ((0,), 24 * 60, 0)
    assert letters(desk, ann)[-1] == "your-turn"


def test_a_bot_takes_the_seat_until_the_player_comes_back(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, at_zero="bot-takes")
    live(desk, hours=24, minutes=3)
    assert desk.game().seats[0].bot == "greedy"
    assert letters(desk, ann)[-1] == "timed-out"
    with pytest.raises(Refused) as refused:
        submit(desk.mailer.ports, desk.game(), ann.id, "2:")
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
    tick(desk.mailer.ports, "g1")
    assert desk.game().deciders == (0,), "the bot has been called, and no worker has come yet"

    come_back(desk.mailer.ports, "g1", ann.id)
    desk.work()

    assert desk.game().deciders == (1,)
    assert {entry.by for entry in entries(desk) if isinstance(entry.action, Moved) and entry.action.seat == 0} == {None}
    play(desk)
    assert (desk.game().deciders, desk.game().seats[0].player) == ((0,), ann.id)


def test_who_is_out_cannot_come_back_and_the_result_shows_it(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, at_zero="out")
    live(desk, hours=24, minutes=3)

    with pytest.raises(Refused) as refused:
        come_back(desk.mailer.ports, "g1", ann.id)

    assert refused.value.code == "out-of-time"
    assert "out of the game" in " ".join(desk.newest(ann).text.split())
    while desk.game().status == "running":
        play(desk)
    desk.work()
    assert desk.game().absent[0].player == ann.id
    assert letters(desk, ann)[-1] == "over"
    assert "you have won" not in desk.newest(ann).text.casefold()
    assert "Bot „gierig“, seit die Zeit abgelaufen ist" in " ".join(desk.newest(ben).text.split())


def test_a_stranger_cannot_come_back(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)

    with pytest.raises(Refused) as refused:
        come_back(desk.mailer.ports, "g1", desk.person("Cleo").id)

    assert refused.value.code == "not-your-game"


def test_a_move_that_waits_is_judged_before_the_time_is(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=23, minutes=59)
    submit(desk.mailer.ports, desk.game(), ann.id, desk.good_orders())
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
    assert verify("g1", desk.mailer.ports.games.read("g1")).faults == ()
