"""What a mail says is done, or it is told why not; in four languages."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh, reply

COMMANDS = {
    "en": {"help": "help", "board": "board", "rules": "rules", "record": "record", "language": "language fr", "say": "say Well played!"},
    "de": {
        "help": "Hilfe",
        "board": "Brett",
        "rules": "Regeln",
        "record": "Protokoll",
        "language": "Sprache fr",
        "say": "sage Gut gespielt!",
    },
    "fr": {"help": "aide", "board": "plateau", "rules": "règles", "record": "partie", "language": "langue it", "say": "dire Bien joué !"},
    "it": {
        "help": "aiuto",
        "board": "tabellone",
        "rules": "regole",
        "record": "partita",
        "language": "lingua fr",
        "say": "dì Ben giocato!",
    },
}
MORE_COMMANDS = {
    "en": {"preview": "preview", "undo": "undo", "resign": "resign!"},
    "de": {"preview": "Vorschau", "undo": "zurück", "resign": "aufgeben!"},
    "fr": {"preview": "aperçu", "undo": "annuler", "resign": "abandonner !"},
    "it": {"preview": "anteprima", "undo": "annulla", "resign": "abbandono!"},
}


def test_a_line_that_nobody_can_read_stops_the_whole_mail(desk: Desk, playing: Player) -> None:
    version = desk.game().version

    assert desk.answer(playing, f"{desk.good_orders()}\nund dann gewinne ich bestimmt") == "strange"

    assert desk.game().version == version
    assert "und dann gewinne ich bestimmt" in " ".join(desk.newest(playing).text.split())


def test_a_refused_order_is_answered_with_the_line_and_what_would_be_legal(desk: Desk, playing: Player) -> None:
    desk.answer(playing, "Bobby 77")

    assert "77" in desk.newest(playing).text
    assert "Bobby 5" in desk.newest(playing).text
    assert desk.answer(playing, "Bobby 5", desk.newest(playing)) == "submitted"
    assert desk.to_play() != playing


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_kind_words_are_thanked_for_and_move_nothing(desk: Desk, language: str) -> None:
    one, other = desk.person("Ann", language), desk.person("Ben", language)
    desk.table(one, other)
    playing = desk.to_play()
    version = desk.game().version

    assert desk.answer(playing, "Danke schön, das macht Spaß!") == "answered"

    subject = {"en": "Thank you", "de": "Danke für deine Zeilen", "fr": "Merci pour vos lignes", "it": "Grazie del messaggio"}
    letter = desk.newest(playing)
    assert letter.header("Subject").startswith(subject[language])
    assert "obby" in letter.text, "what would be legal"
    assert desk.game().version == version


def test_an_empty_mail_is_answered(desk: Desk, playing: Player) -> None:
    before = len(desk.box(playing))

    assert desk.answer(playing, "Liebe Grüße") == "answered"

    assert len(desk.box(playing)) == before + 1


def test_a_mail_of_which_a_part_was_lost_does_nothing(desk: Desk, playing: Player) -> None:
    """Half of an order may be another order."""
    letter, version = desk.turn_letter(playing), desk.game().version
    half = (
        f"From: {playing.email}\r\nTo: {letter.reply_to}\r\nMessage-ID: <half@example.org>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nBobby 1\r\n'
    )
    before = len(desk.box(playing))

    desk.receive(half.encode(), letter.reply_to)

    assert desk.game().version == version
    assert len(desk.box(playing)) == before + 1


def test_a_forwarded_letter_is_no_order(desk: Desk, playing: Player) -> None:
    """The examples in our own letter are quoted, not written."""
    letter, version = desk.turn_letter(playing), desk.game().version
    forward = EmailMessage(policy=policy.SMTP)
    forward["From"], forward["To"], forward["Subject"] = playing.email, letter.reply_to, f"Fwd: {letter.header('Subject')}"
    forward["Message-ID"] = "<forward@example.org>"
    head = f"---------- Forwarded message ---------\nFrom: Marketpost <play@{DOMAIN}>\nSubject: {letter.header('Subject')}\n"
    forward.set_content(f"{head}To: <{playing.email}>\n\n{letter.text}")

    desk.receive(forward.as_bytes(), letter.reply_to)

    assert desk.game().version == version


def test_a_forwarded_mail_that_shows_no_border_is_asked_about(desk: Desk, playing: Player) -> None:
    letter, version = desk.turn_letter(playing), desk.game().version
    raw = f"From: {playing.email}\r\nMessage-ID: <forward@example.org>\r\nSubject: WG: Zug 7\r\n\r\n{desk.good_orders()}".encode()

    assert desk.receive(raw, letter.reply_to) == "forwarded"

    assert desk.game().version == version
    assert re.search("forwarded|weitergeleitet|transféré|inoltrato", desk.newest(playing).text)


def test_nothing_can_be_put_into_our_headers(desk: Desk, playing: Player) -> None:
    evil = '"x\r\nBcc: victim@elsewhere.test"'
    letter = desk.turn_letter(playing)
    raw = reply(letter, playing.email, "was soll das?")
    raw = raw.replace(f"From: {playing.email}".encode(), f"From: =?utf-8?q?x=0D=0ABcc:_victim@elsewhere.test?= <{playing.email}>".encode())
    raw = raw.replace(b"Subject: ", b"Subject: =?utf-8?q?=0D=0ABcc:_victim@elsewhere.test=0D=0A=0D=0Abody?= ", 1)
    playing.name = evil
    desk.mailer.ports.players.save(playing)

    desk.receive(raw, letter.reply_to)
    raw = fresh("portobello", f"new@{DOMAIN}", playing.email, "x =?utf-8?q?=0D=0ABcc:_victim@elsewhere.test?=")
    desk.receive(raw, f"new@{DOMAIN}")

    assert {each.recipient for each in desk.street.brought} <= {"ann@example.org", "ben@example.org"}
    for each in desk.street.brought:
        message = message_from_bytes(each.mail.raw, policy=policy.default)
        assert message["Bcc"] is None
        assert message["To"].addresses[0].addr_spec == each.recipient


@pytest.mark.parametrize("language", COMMANDS)
def test_every_word_does_the_same_in_every_language(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    version, words = desk.game().version, COMMANDS[language]

    for command in ("help", "board", "rules"):
        desk.answer(one, words[command], desk.newest(one))
        assert len(desk.newest(one).text.splitlines()) > 20, command
    desk.answer(one, words["record"], desk.newest(one))
    assert desk.newest(one).attachments[0].content.startswith(b"marketpost record 1")
    desk.answer(one, words["say"], desk.newest(one))
    assert words["say"].partition(" ")[2] in desk.newest(two).text
    desk.answer(one, words["language"], desk.newest(one))
    assert desk.again(one).language == words["language"][-2:]

    assert desk.game().version == version


@pytest.mark.parametrize("language", MORE_COMMANDS)
def test_preview_moves_nothing_and_undo_and_resign_do_as_they_say(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    words, version = MORE_COMMANDS[language], desk.game().version

    desk.answer(desk.to_play(), f"{words['preview']}\nbobby 5")
    assert desk.game().version == version
    desk.answer(desk.to_play(), "bobby 5")
    desk.answer(one, "4: stall G-C")
    version = desk.game().version
    desk.answer(one, words["undo"], desk.newest(one))
    assert desk.game().version == version + 1
    assert "4:" in desk.game().rules.legal(desk.game().state, 0)
    before = len(desk.box(one))
    desk.answer(one, words["resign"], desk.newest(one))
    assert desk.game().seats[0].bot
    assert len(desk.box(one)) == before + 1


def test_preview_of_a_draw_tells_every_branch_and_shows_nothing(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    while "customer" not in desk.good_orders():
        desk.by_rest(desk.to_play(), desk.good_orders())
    one, version = desk.to_play(), desk.game().version
    desk.work()
    before = desk.good_orders().partition("customer")[0]

    desk.answer(one, f"preview {before}customer")

    told = desk.newest(one).text.casefold()
    assert desk.game().version == version
    assert all(word in told for word in (("bürger", "gehilfe") if one == ann else ("citoyen", "commis")))


@pytest.mark.parametrize(("language", "told"), [
    ("en", "would put the Bobby into district 5"), ("de", "würde den Bobby in Distrikt 5 setzen"),
    ("fr", "placerait le Bobby dans le district 5"), ("it", "metterebbe il Bobby nel distretto 5"),
])  # fmt: skip
def test_a_preview_says_what_would_happen(desk: Desk, language: str, told: str) -> None:
    desk.table(desk.person("Ann", language), desk.person("Ben", language))
    playing = desk.to_play()

    desk.answer(playing, "preview bobby 5")

    assert told in " ".join(desk.newest(playing).text.split())


@pytest.mark.parametrize("words", ["preview", "preview\nbobby 5", "undo", "resign", "help\nboard\nrules\nrecord", "bobby 5"])
def test_what_makes_no_sense_before_the_game_has_begun_is_answered_too(desk: Desk, ann: Player, ben: Player, words: str) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()

    desk.answer(ben, words)

    assert len(desk.box(ben)) == 2
    assert desk.game().status == "open"


def test_orders_after_resigning_are_answered(desk: Desk, playing: Player) -> None:
    before = len(desk.box(playing))

    desk.answer(playing, "resign!\nbobby 5")

    assert len(desk.box(playing)) == before + 1
    assert any(seat.bot for seat in desk.game().seats)


def test_orders_that_are_far_too_long_are_answered(desk: Desk, playing: Player) -> None:
    before, version = len(desk.box(playing)), desk.game().version

    desk.answer(playing, "\n".join(["3: " + "stall A-B; " * 8] * 300))

    assert len(desk.box(playing)) == before + 1
    assert desk.game().version == version


def test_an_invitation_can_be_declined(desk: Desk, ann: Player, ben: Player) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()

    desk.answer(ben, "Non merci")
    assert desk.game().seats[1] in (SeatPlan(invited=ben.id), SeatPlan())
    desk.answer(ben, "Non")

    assert desk.game().seats[1] == SeatPlan()
