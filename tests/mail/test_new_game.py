"""A game by mail, asked for at the address for new ones or in answer to the first letter."""

import re

import pytest

from mail.post import write
from mail.render import Sentences
from play.wish import Wish, read_wish
from store.people import Player
from store.post import Mail as Waiting
from tests.mail.office import DOMAIN, Desk, fresh, reply

STRANGER = "mallory@elsewhere.test"


# A game by mail


def test_a_mail_to_new_starts_a_game_after_a_yes(desk: Desk, ann: Player) -> None:
    asked = "Hallo,\n\nportobello mit carla@example.org und greedy bot\n\nGruß\nAnn"

    assert desk.receive(fresh(asked, f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}") == "held"
    assert "carla@example.org" in desk.newest(ann).text
    assert not desk.office.ports.games.all_games()
    assert desk.answer(ann, "Ja", desk.newest(ann)) == "new-game"

    (id,) = desk.office.ports.games.all_games()
    assert sorted((bool(seat.player), bool(seat.invited), seat.bot) for seat in desk.game(id).seats) == [
        (False, False, "greedy"),
        (False, True, None),
        (True, False, None),
    ]
    invitation = next(each for each in desk.street.brought if each.recipient == "carla@example.org")
    desk.receive(reply(invitation.mail, "carla@example.org", "yes"), invitation.mail.reply_to)
    assert desk.game(id).status == "running"


def test_nobody_starts_a_game_in_anothers_name(desk: Desk, ann: Player) -> None:
    desk.receive(fresh("portobello with carla@example.org", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    question = desk.newest(ann)

    assert desk.answer(ann, "yes", question, sender=STRANGER) == "held"
    assert desk.answer(ann, "nein", question) == "dropped"

    assert not desk.office.ports.games.all_games()
    assert {each.recipient for each in desk.street.brought} == {ann.email}


def test_the_own_address_below_the_request_invites_nobody(desk: Desk, ann: Player) -> None:
    asked = f"portobello with carla@example.org\n\n{ann.email}"
    desk.receive(fresh(asked, f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    desk.answer(ann, "yes", desk.newest(ann))

    (id,) = desk.office.ports.games.all_games()
    assert len(desk.game(id).seats) == 2


def test_a_request_that_nobody_understands_is_told_how(desk: Desk, ann: Player) -> None:
    desk.receive(fresh("I would like to play chess", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    desk.answer(ann, "yes", desk.newest(ann))

    assert "portobello" in desk.newest(ann).text


def test_a_request_with_a_word_that_nobody_understands_opens_nothing(desk: Desk) -> None:
    for name, language, yes, text, unclear in (
        ("Eva", "en", "yes", "Hello,\n\nportobello with carlo@example.org and a clever bot\n\nRegards\nEva", "“clever”"),
        ("Uwe", "de", "ja", "Hallo,\n\nportobello mit carlo@example.org und einem schlauen Bot\n\nGruß\nUwe", "„schlauen“"),
        ("Luc", "fr", "oui", "Bonjour,\n\nportobello avec carlo@example.org et trois mages\n\nMerci\nLuc", "trois mages"),
        ("Ugo", "it", "sì", "Ciao,\n\nportobello con carlo@example.org e un bot furbo\n\nSaluti\nUgo", "“furbo”"),
    ):
        player = desk.person(name, language)
        desk.receive(fresh(text, f"new@{DOMAIN}", player.email), f"new@{DOMAIN}")
        desk.answer(player, yes, desk.newest(player))

        assert unclear in desk.newest(player).text
    assert not desk.office.ports.games.all_games()
    assert "carlo@example.org" not in {each.recipient for each in desk.street.brought}


def test_a_request_may_go_on_in_the_next_line(desk: Desk, ann: Player) -> None:
    desk.receive(fresh("Hi,\nPortobello\nwith two\ngreedy bots\n\nThanks\nAnn", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    desk.answer(ann, "yes", desk.newest(ann))

    (id,) = desk.office.ports.games.all_games()
    assert [seat.bot for seat in desk.game(id).seats] == [None, "greedy", "greedy"]


# The first letter


def welcomed(desk: Desk, name: str, language: str = "en") -> Player:
    """Just registered, with the letter that asks to confirm the address."""
    player = desk.person(name, language, confirmed=False)
    at = desk.clock()
    write(desk.office, Waiting(f"confirm-{player.id}", player.id, "confirm", at, at, values={"code": "K7MPX2QD"}))
    desk.work()
    return player


@pytest.mark.parametrize(("language", "help"), [("en", "help"), ("de", "Hilfe"), ("fr", "aide"), ("it", "aiuto")])
def test_who_has_no_game_yet_is_told_how_to_begin(desk: Desk, language: str, help: str) -> None:
    nora = welcomed(desk, "Nora", language)
    letter = desk.newest(nora)
    desk.answer(nora, help, letter)
    answer = desk.newest(nora)

    for each in (letter, answer):
        text = " ".join(each.text.split())
        assert f"new@{DOMAIN}" in text
        assert read_wish(re.split("[”“»]", text[text.index("portobello") :])[0]) == Wish("portobello", ("bob@example.org",), ("greedy",))
    assert Sentences(language, "answer").say("shown-help").upper() not in answer.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "new portobello with carla@example.org and a greedy bot\n\nThanks\nNora"),
        ("de", "Neue Partie Portobello mit carla@example.org und einem Bot, bitte"),
        ("fr", "Nouvelle partie : portobello avec carla@example.org et un bot"),
        ("it", "nuova partita portobello con carla@example.org\ne un bot greedy"),
    ],
)
def test_the_answer_to_our_first_letter_opens_a_game_once(desk: Desk, language: str, text: str) -> None:
    nora = welcomed(desk, "Nora", language)

    assert desk.answer(nora, text, desk.newest(nora)) == "answered"

    (id,) = desk.office.ports.games.all_games()
    assert [(seat.player == nora.id, bool(seat.invited), seat.bot) for seat in desk.game(id).seats] == [
        (True, False, None),
        (False, True, None),
        (False, False, "greedy"),
    ]
    assert f"/games/{id}" in desk.newest(nora).text


def test_two_games_in_one_mail_are_two(desk: Desk) -> None:
    nora = welcomed(desk, "Nora")
    desk.answer(nora, "new portobello with a bot\nnew alturien with two bots", desk.newest(nora))

    assert sorted(desk.game(id).rules.name for id in desk.office.ports.games.all_games()) == ["alturien", "portobello"]


def test_new_alone_or_unclear_opens_nothing_and_tells_how(desk: Desk) -> None:
    nora = welcomed(desk, "Nora")
    letter = desk.newest(nora)
    for text, told in (
        ("new", "write for instance"),
        ("new portobello with a clever bot", "“clever”"),
        ("new to this, sorry", "new to this"),
    ):
        desk.answer(nora, text, letter)

        assert told in " ".join(desk.newest(nora).text.split())
    assert not desk.office.ports.games.all_games()
