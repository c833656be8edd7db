"""Words that people write beside orders: where am I to move, how does it stand, fewer letters, an answer to a message."""

from itertools import product

import pytest

from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.table.proposals import propose
from marketpost.play.table.seating import open_game
from marketpost.play.table.talk import said
from marketpost.play.table.talk import say as speak
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import Player
from tests.mail.desk import Desk

RULES = sorted(rulesets())
WORDS = {
    "en": {"games": "games", "score": "score", "digest": "digest", "every": "every", "stop": "unsubscribe", "draw": "draw"},
    "de": {"games": "Partien", "score": "Punktestand", "digest": "Sammelbrief", "every": "jeden", "stop": "abbestellen", "draw": "Remis"},
    "fr": {"games": "parties", "score": "score", "digest": "résumé", "every": "chaque", "stop": "désabonner", "draw": "nulle"},
    "it": {"games": "partite", "score": "punteggio", "digest": "riepilogo", "every": "ogni", "stop": "disiscrivi", "draw": "patta"},
}
everywhere = pytest.mark.parametrize(("rules", "language"), [*product(RULES, LANGUAGES)])


def flat(text: str) -> str:
    return " ".join(text.split())


def two(desk: Desk, rules: str, language: str) -> tuple[Player, Player]:
    """Who is to decide, and the other one, in a game that has just begun."""
    ann, ben = desk.person("Ann", language), desk.person("Ben", language)
    desk.table(ann, ben, rules=rules)
    return (ann, ben) if desk.to_play() == ann else (ben, ann)


@everywhere
def test_games_lists_where_i_am_to_move_first_with_deadline_and_link(desk: Desk, rules: str, language: str) -> None:
    ann, ben = desk.person("Ann", language), desk.person("Ben", language)
    clock = TimeControl(86_400_000)
    for id, players in (("g1", (ann, ben)), ("g2", (ben, ann))):
        open_game(desk.mailer.ports, id, ann.id, rules, [SeatPlan(player=each.id) for each in players], {}, clock=clock)
    open_game(desk.mailer.ports, "g3", ben.id, rules, [SeatPlan(player=ben.id), SeatPlan(invited=ann.id)], {})
    desk.work()
    mine, others = ("g1", "g2") if desk.to_play("g1") == ann else ("g2", "g1")

    desk.answer(ann, WORDS[language]["games"], desk.newest(ann))

    text = desk.newest(ann).text
    places = [text.index(f"/games/{id}") for id in (mine, others, "g3")]
    assert places[0] == min(places)
    assert "2026" in text[: places[0]], "the deadline"


@everywhere
def test_score_tells_how_it_stands(desk: Desk, rules: str, language: str) -> None:
    player, other = two(desk, rules, language)
    version, words = desk.game().version, desk.game().rules.in_language(language)

    assert desk.answer(player, WORDS[language]["score"]) == "answered"

    text = flat(desk.newest(player).text)
    assert other.name in text
    for score in desk.game().rules.scores(desk.game().state):
        assert words.score(score) in text
    assert desk.game().version == version


@everywhere
def test_digest_and_every_switch_the_letters(desk: Desk, rules: str, language: str) -> None:
    player, other = two(desk, rules, language)

    desk.answer(other, WORDS[language]["digest"], desk.newest(other))
    assert desk.again(other).mail == "digest"
    assert WORDS[language]["every"] in desk.newest(other).text, "how to come back"
    before = len(desk.box(other))
    while desk.to_play() == player:
        desk.by_rest(player, desk.good_orders())
    desk.work()
    assert len(desk.box(other)) == before, "no letter now"
    desk.clock.forward(days=1)
    desk.work()
    assert len(desk.box(other)) == before + 1, "but the digest"

    desk.answer(other, WORDS[language]["every"], desk.newest(other))
    assert desk.again(other).mail == "every"


@everywhere
def test_stop_ends_the_letters_and_tells_how_to_come_back(desk: Desk, rules: str, language: str) -> None:
    player, other = two(desk, rules, language)

    assert desk.answer(other, WORDS[language]["stop"], desk.newest(other)) == "answered"
    assert desk.again(other).mail == "none"
    last = desk.newest(other)
    assert WORDS[language]["every"] in last.text
    while desk.to_play() == player:
        desk.by_rest(player, desk.good_orders())
    desk.work()
    assert desk.newest(other) == last

    desk.answer(other, WORDS[language]["every"], last)
    assert desk.again(other).mail == "every"


# Answers to a message from the table


TALK = {"en": "Thanks, same to you!", "de": "Danke, dir auch!", "fr": "Merci, à toi aussi !", "it": "Grazie, anche a te!"}
YES = {"en": "yes", "de": "Ja gerne", "fr": "oui", "it": "volentieri"}


@everywhere
def test_an_answer_to_a_message_is_said_to_the_table(desk: Desk, rules: str, language: str) -> None:
    player, other = two(desk, rules, language)
    speak(desk.mailer.ports, desk.game(), other.id, "Good luck!")
    desk.work()
    message = desk.newest(player)

    assert desk.answer(player, TALK[language], message) == "answered"

    assert [each.text for each in said(desk.mailer.ports, "g1")] == ["Good luck!", TALK[language]]
    assert TALK[language] in flat(desk.newest(other).text)


@everywhere
def test_orders_and_commands_in_answer_to_a_message_are_what_they_are(desk: Desk, rules: str, language: str) -> None:
    player, other = two(desk, rules, language)
    speak(desk.mailer.ports, desk.game(), other.id, "Good luck!")
    desk.work()
    message, version = desk.newest(player), desk.game().version

    desk.answer(player, WORDS[language]["score"], message)
    assert desk.answer(player, desk.good_orders(language), message) == "submitted"

    assert desk.game().version > version
    assert len(said(desk.mailer.ports, "g1")) == 1


@everywhere
def test_a_yes_to_a_message_agrees_to_nothing(desk: Desk, rules: str, language: str) -> None:
    player, other = two(desk, rules, language)
    propose(desk.mailer.ports, "g1", other.id, "draw")
    speak(desk.mailer.ports, desk.game(), other.id, "Shall we have tea?")
    desk.work()
    message = next(mail for mail in desk.box(player) if "have tea" in mail.text)

    desk.answer(player, YES[language], message)

    assert desk.game().status == "running"
    assert said(desk.mailer.ports, "g1")[-1].text == YES[language]


@pytest.mark.parametrize("rules", RULES)
def test_words_that_answer_no_message_are_said_to_nobody(desk: Desk, rules: str) -> None:
    player, _ = two(desk, rules, "en")

    desk.answer(player, "Thanks, same to you!")

    assert said(desk.mailer.ports, "g1") == []


@pytest.mark.parametrize("rules", RULES)
def test_two_machines_do_not_talk_to_each_other_for_ever(desk: Desk, rules: str) -> None:
    player, other = two(desk, rules, "en")
    speak(desk.mailer.ports, desk.game(), other.id, "Good luck!")
    desk.work()
    for _ in range(50):
        for each in (player, other):
            desk.answer(each, "I am a machine and say this to everything.", desk.newest(each))

    assert len(said(desk.mailer.ports, "g1")) < 30


def test_of_many_games_those_that_wait_are_listed(desk: Desk) -> None:
    ann, bob = desk.person("Ann"), desk.person("Bob")
    open_game(desk.mailer.ports, "waits-longest", ann.id, "portobello", [SeatPlan(player=ann.id)] * 2, {})
    desk.table(ann, bob)
    for number in range(25):
        open_game(desk.mailer.ports, f"open-{number}", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan()], {})
    desk.answer(ann, "games")
    assert "/games/waits-longest" in desk.newest(ann).text
