"""`hint` in a mail: one answer with the hint, in the player's language; none for a position that has passed; told to the others."""

import pytest

from marketpost.mail.outbound.hint_letters import HELD_FOR
from marketpost.mail.outbound.mailer import WORDS
from marketpost.play.limits import Limit, Limits
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.hint_told import orders_told
from marketpost.rules.words import LANGUAGES, Words
from marketpost.store.players import Player
from tests.mail.desk import Desk

ASKED = {"en": "hint", "de": "Tipp", "fr": "conseil", "it": "suggerimento"}
THREE = ("portobello", "alturien", "sticks", "portobello")


@pytest.fixture(autouse=True)
def brief(desk: Desk, _from_outside: None) -> None:
    """A bot may think for 60 ms; a third game is there, too."""
    desk.mailer.ports.limits = Limits({Limit.BOT_DECISION_SERVICE: 60})


def opened(desk: Desk, rules: str, *seats: SeatPlan, **setting: str) -> None:
    open_game(desk.mailer.ports, "g1", seats[0].player or "", rules, seats, setting)
    desk.work()


def later(desk: Desk, player: Player) -> str:
    """The newest letter when the answer need not wait for a hint any more."""
    desk.clock.forward(seconds=HELD_FOR / 1000)
    desk.work()
    return " ".join(desk.newest(player).text.split())


@pytest.mark.parametrize(("language", "rules"), [*zip(LANGUAGES, THREE, strict=True)])
def test_the_answer_to_hint_is_one_letter_with_the_hint(desk: Desk, language: str, rules: str) -> None:
    ann = desk.person("Ann", language)
    opened(desk, rules, SeatPlan(player=ann.id), SeatPlan(bot="random"))
    before = len(desk.box(ann))
    desk.answer(ann, ASKED[language])
    assert len(desk.box(ann)) == before, "the answer waits for the hint"
    letter, game = later(desk, ann), desk.game()

    [hint] = game.hints.values()
    assert len(desk.box(ann)) == before + 1
    assert " ".join(Words(language, WORDS).say("answers.hint").split()) in letter
    assert orders_told(game.rules, hint.orders, game.rules.in_language(language)).split(";")[0] in letter


def test_a_hint_for_a_position_that_has_passed_is_not_shown(desk: Desk) -> None:
    ann = desk.person("Ann")
    opened(desk, "portobello", SeatPlan(player=ann.id), SeatPlan(bot="random"))
    desk.answer(ann, "hint")
    desk.by_rest(ann, desk.good_orders())
    later(desk, ann)

    assert any("The position has changed since you asked for a hint" in " ".join(letter.text.split()) for letter in desk.box(ann))


def test_the_others_read_in_their_next_letter_that_a_hint_was_taken(desk: Desk) -> None:
    ann, ben = desk.person("Ann"), desk.person("Ben")
    opened(desk, "alturien", SeatPlan(player=ann.id), SeatPlan(invited=ben.id), hints="allowed")
    assert "Everybody at this table may ask for hints" in " ".join(desk.newest(ben).text.split())
    desk.answer(ben, "yes")
    first, other = (ann, ben) if desk.to_play().id == ann.id else (ben, ann)
    desk.answer(first, "hint")
    later(desk, first)
    while desk.to_play().id == first.id:
        desk.by_rest(first, desk.good_orders())
    desk.work()

    letter = " ".join(desk.turn_letter(other).text.split())
    assert "took a hint, which said: " in letter
    assert "took a hint" not in " ".join(desk.turn_letter(first).text.split())


def test_orders_beside_hint_are_played_and_no_hint_is_looked_for(desk: Desk) -> None:
    ann = desk.person("Ann")
    opened(desk, "portobello", SeatPlan(player=ann.id), SeatPlan(bot="random"))
    desk.answer(ann, f"hint\n{desk.good_orders()}")

    assert "Answer “hint” alone." in " ".join(desk.newest(ann).text.split())
    assert not desk.game().hints_asked
