"""What is settled at the table by mail: proposals, seats, links, notes and muting, in four languages."""

import re
from email.message import EmailMessage

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.outbound.render import read_words
from marketpost.mail.strangers import stranger as unknown_at
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.rematch import rematch_id
from marketpost.play.table.seating import join, open_game
from marketpost.play.table.talk import say
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk

languages = pytest.mark.parametrize("language", LANGUAGES)
WORDS = {
    "en": ["yes", "no", "draw", "abandon", "rematch", "cancel", "link", "note", "mute", "unmute"],
    "de": ["ja", "nein", "Remis", "abbrechen", "Revanche", "absagen", "Link", "Notiz", "stumm", "hören"],
    "fr": ["oui", "non", "nulle", "arrêter", "revanche", "supprimer", "lien", "note", "muet", "écouter"],
    "it": ["sì", "no", "patta", "interrompi", "rivincita", "disdici", "link", "nota", "silenzia", "ascolta"],
}
HAND_OVER = {
    "en": "hand over to {who}",
    "de": "übergeben an {who}",
    "fr": "céder ma place à {who}",
    "it": "cedi il posto a {who}",
}


def word(language: str, command: str) -> str:
    return WORDS[language][WORDS["en"].index(command)]


def told(player: Player, key: str, **values: object) -> str:
    return words_of(player).say(f"answers.{key}", **values)


def flat(text: str) -> str:
    return " ".join(text.split())


def is_told(desk: Desk, player: Player, key: str, **values: object) -> bool:
    return flat(told(player, key, **values)) in flat(desk.newest(player).text)


@languages
def test_an_undo_after_the_turn_is_asked_by_mail_and_agreed_by_yes(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    mover = desk.to_play()
    other = two if mover.id == one.id else one
    before = desk.game().state.copy()
    desk.answer(mover, "bobby 5")
    seen = desk.turn_letter(other)

    desk.answer(mover, {"en": "undo", "de": "zurück", "fr": "annuler", "it": "annulla"}[language], desk.newest(mover))

    assert is_told(desk, mover, "asked-undo")
    question = desk.turn_letter(other)
    assert mover.name in question.header("Subject")
    desk.answer(other, word(language, "yes"), question)
    assert is_told(desk, other, "agreed-done")
    assert desk.game().state == before
    assert desk.to_play().id == mover.id
    assert mover.name in desk.turn_letter(mover).text
    version = desk.game().version
    desk.answer(other, "1: end", seen)
    assert desk.game().version == version, "orders to a letter that told what was taken back are not played"


@languages
def test_a_no_ends_a_proposal_and_the_proposer_reads_of_it(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    desk.answer(one, word(language, "draw"))
    assert is_told(desk, one, "asked-draw")

    desk.answer(two, word(language, "no"))

    assert is_told(desk, two, "disagreed")
    assert "Two" in desk.newest(one).text
    assert desk.game().proposal is None


@languages
def test_a_draw_by_mail_ends_in_the_letter_of_the_end_and_that_in_a_rematch(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    desk.answer(one, word(language, "draw"))
    desk.answer(two, word(language, "yes"))
    assert desk.game().how_ended == "draw"
    over = desk.turn_letter(one)
    assert word(language, "rematch") in over.text
    assert over.attachments

    desk.answer(one, word(language, "rematch"), over)
    again = desk.game(rematch_id("g1"))
    assert (again.status, desk.game(again.id).seats[0]) == ("open", SeatPlan(player=one.id))
    desk.answer(two, word(language, "rematch"), next(mail for mail in desk.box(two) if mail.attachments))

    assert desk.game(again.id).status == "running"


@languages
def test_a_game_is_abandoned_when_all_say_so(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    desk.answer(one, word(language, "abandon"))

    desk.answer(two, word(language, "yes"))

    assert desk.game().how_ended == "abandoned"
    assert is_told(desk, two, "agreed-done")
    assert desk.turn_letter(one).header("Subject").startswith(read_words("news", language)["subject"].partition("{")[0])


def test_a_yes_that_was_meant_for_an_older_proposal_agrees_to_nothing(desk: Desk) -> None:
    one, two = desk.person("One"), desk.person("Two")
    desk.table(one, two)
    desk.answer(one, "draw")
    old = desk.turn_letter(two)
    desk.answer(two, "no", old)
    desk.answer(one, "abandon")

    desk.answer(two, "yes", old)

    assert is_told(desk, two, "no-such-yes")
    assert desk.game().status == "running"


@languages
def test_a_seat_is_handed_over_by_mail(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    desk.answer(one, HAND_OVER[language].format(who="cleo@example.org"))
    desk.answer(one, word(language, "yes"), desk.newest(one))
    assert is_told(desk, one, "offered", who="cleo@example.org")
    cleo = desk.mailer.ports.players.at_address("cleo@example.org")
    assert cleo

    desk.answer(cleo, "yes")

    assert desk.game().seats[0].player == cleo.id
    assert "cleo" in desk.newest(two).text
    desk.answer(two, HAND_OVER[language].format(who="bob"), desk.turn_letter(two))
    assert desk.game().seats[1].player == two.id, "there is no bot of that name"
    desk.answer(two, HAND_OVER[language].format(who="bot"), desk.turn_letter(two))
    desk.answer(two, word(language, "yes"), desk.newest(two))
    assert desk.game().seats[1].bot


@languages
def test_a_seat_is_handed_over_to_a_bot_of_a_level_and_letters_name_it(desk: Desk, language: str) -> None:
    level = {"en": "strong", "de": "stark", "fr": "fort", "it": "forte"}[language]
    bot = {"en": "a strong bot", "de": "einen starken Bot", "fr": "un robot fort", "it": "un bot forte"}[language]
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)

    desk.answer(two, HAND_OVER[language].format(who=bot), desk.turn_letter(two))
    desk.answer(two, word(language, "yes"), desk.newest(two))

    assert desk.game().seats[1].bot == "strong"
    assert re.search(rf"(bot|robot).{{0,3}}\b{level}\b", desk.turn_letter(one).text, re.IGNORECASE)


@languages
def test_a_game_started_by_mail_is_called_off_by_mail(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.receive(fresh(f"portobello with {two.email}", f"new@{DOMAIN}", one.email))
    desk.answer(one, word(language, "yes"), desk.newest(one))
    opened = desk.newest(one)
    id = desk.mailer.ports.index.page(f"player:{one.id}", None, 1)[0][1]

    desk.answer(one, word(language, "cancel"), opened)

    assert is_told(desk, one, "cancelled")
    assert desk.game(id).how_ended == "cancelled"
    assert "One" in desk.newest(two).text
    assert len(desk.box(two)) == 2


@languages
def test_a_link_from_a_mail_is_also_an_address_to_sit_down_by(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    open_game(desk.mailer.ports, "g1", one.id, "portobello", [SeatPlan(player=one.id), SeatPlan(invited=two.id), SeatPlan()], {})
    desk.work()
    letter = _asks_about(desk, one)
    desk.answer(one, word(language, "link"), letter)
    address = next(each.strip(".") for each in desk.newest(one).text.split() if each.startswith("join+"))

    assert desk.receive(fresh("I would like to play", address, "cleo@example.org"), address) == "held"
    assert desk.mailer.ports.players.at_address("cleo@example.org") is None
    assert desk.game().seats[2] == SeatPlan(), "a sender's address proves nothing"
    asked = unknown_at("cleo@example.org", language)
    desk.answer(asked, "yes", desk.newest(asked))

    cleo = desk.mailer.ports.players.at_address("cleo@example.org")
    assert cleo
    assert desk.game().seats[2].player == cleo.id
    wrong = f"join+{'a' * 32}@{DOMAIN}"
    assert desk.receive(fresh("Me too", wrong, "dora@example.org"), wrong) == "stranger"


def _asks_about(desk: Desk, player: Player) -> object:
    """A letter about a game that has not begun: the answer to a message of the player's own."""
    say(desk.mailer.ports, desk.game(), "somebody", "hello")
    desk.work()
    return desk.newest(player)


@languages
def test_notes_are_shown_to_their_writer_only(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    desk.answer(one, word(language, "note"))
    assert is_told(desk, one, "noted-nothing")
    desk.answer(one, f"{word(language, 'note')} watch square G")
    desk.answer(one, f"{word(language, 'note')}: and lane AB")

    assert "    watch square G\n    and lane AB" in desk.newest(one).text.replace("\r\n", "\n")
    assert all("square G" not in mail.text for mail in desk.box(two))


@languages
def test_nobody_can_mail_who_muted_them(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    desk.answer(one, word(language, "mute"))
    assert is_told(desk, one, "muted", who="Two")
    before = len(desk.box(one))

    say(desk.mailer.ports, desk.game(), two.id, "Are you there?")
    desk.answer(two, word(language, "draw"))
    open_game(desk.mailer.ports, "g2", two.id, "portobello", [SeatPlan(player=two.id), SeatPlan(invited=one.id)], {})
    desk.work()

    assert len(desk.box(one)) == before
    assert desk.game().proposal, "at the table it stands"
    assert join(desk.mailer.ports, "g2", one.id).status == "running"
    desk.answer(one, f"{word(language, 'unmute')} two")
    assert is_told(desk, one, "unmuted", who="Two")
    say(desk.mailer.ports, desk.game(), two.id, "And now?")
    desk.work()
    assert "And now?" in desk.newest(one).text


def test_whom_to_mute_has_to_be_said_where_there_are_several(desk: Desk) -> None:
    one, two, three = desk.person("One"), desk.person("Two"), desk.person("Three")
    desk.table(one, two, three)
    desk.answer(one, "mute")
    assert "Two" in desk.newest(one).text
    assert not desk.again(one).muted
    desk.answer(one, "mute nobody")
    assert not desk.again(one).muted

    desk.answer(one, "mute green")

    assert desk.again(one).muted == [three.id]


@pytest.mark.parametrize("line", ["hand over", "hand me the salt, please", "draw a customer for me", "cancel my flight", "link to this"])
def test_what_only_begins_like_a_command_is_asked_about(desk: Desk, line: str) -> None:
    one, two = desk.person("One"), desk.person("Two")
    desk.table(one, two)
    version = desk.game().version

    assert desk.answer(one, line) == "strange"

    assert desk.game().version == version


def fresh(text: str, to: str, sender: str) -> bytes:
    """A mail that answers nothing."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, "Hello"
    message["Message-ID"] = f"<{abs(hash((text, to, sender)))}@example.org>"
    message.set_content(text)
    return message.as_bytes()
