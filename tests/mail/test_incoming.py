"""What becomes of a mail: whose it is, what it does, and the one answer it gets."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from mail.incoming import MOST_TRIES, knows, read_waiting, receive
from mail.post import DEAD_AFTER, send_due, write
from mail.render import Sentences
from play.log import SeatPlan
from play.open import open_game
from play.talk import said
from play.wish import Wish, read_wish
from store.mailbox import Mail
from store.people import Player
from store.post import Mail as Waiting
from store.settings import Settings
from tests.mail.hostile import Trial, hostile_mails
from tests.mail.office import DOMAIN, Desk, open_desk, reply, with_headers

MAILS = Path(__file__).parent.parent / "mails"
STRANGER = "mallory@elsewhere.test"
UNKNOWN = f"play+{'a' * 32}@{DOMAIN}"
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
    "en": {"preview": "preview", "undo": "undo", "resign": "resign"},
    "de": {"preview": "Vorschau", "undo": "zurück", "resign": "aufgeben"},
    "fr": {"preview": "aperçu", "undo": "annuler", "resign": "abandonner"},
    "it": {"preview": "anteprima", "undo": "annulla", "resign": "abbandono"},
}


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann", "de")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben", "fr")


@pytest.fixture
def playing(desk: Desk, ann: Player, ben: Player) -> Player:
    """Whose turn it is, in a game between the two that has just begun."""
    desk.table(ann, ben)
    return desk.to_play()


def fresh(text: str, to: str, sender: str, subject: str = "Hello") -> bytes:
    """A mail that answers nothing."""
    message = EmailMessage(policy=policy.SMTP)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Message-ID"] = f"<{abs(hash((text, to, sender, subject)))}@example.org>"
    message.set_content(text)
    return message.as_bytes()


# Whose mail is it?


def test_a_reply_from_the_players_own_address_is_a_move(desk: Desk, playing: Player) -> None:
    before = len(desk.box(playing))

    assert desk.answer(playing, f"Hallo,\n\n{desk.good_orders()}\n\nGruß\n{playing.name}") == "submitted"

    assert desk.to_play() != playing
    assert len(desk.box(playing)) == before + 1


def test_a_reply_from_another_address_is_held_and_the_player_is_asked_at_the_own_one(desk: Desk, playing: Player) -> None:
    version, orders = desk.game().version, desk.good_orders()

    assert desk.answer(playing, orders, sender="at-work@firm.test") == "held"

    assert desk.game().version == version
    assert "at-work@firm.test" in desk.newest(playing).text
    assert {each.recipient for each in desk.street.brought} <= {"ann@example.org", "ben@example.org"}


def test_yes_plays_a_held_mail_once(desk: Desk, playing: Player) -> None:
    desk.answer(playing, desk.good_orders(), sender="at-work@firm.test")
    question = desk.newest(playing)

    assert desk.answer(playing, f"Ja!\n\n{playing.name}", question) == "submitted"

    assert desk.to_play() != playing
    version = desk.game().version
    assert desk.answer(playing, "ja", question) == "no-such-yes"
    assert desk.game().version == version


def test_no_drops_a_held_mail_for_good(desk: Desk, playing: Player) -> None:
    version = desk.game().version
    letter = desk.turn_letter(playing)
    raw = reply(letter, "at-work@firm.test", desk.good_orders())
    desk.receive(raw, letter.reply_to)
    question = desk.newest(playing)

    assert desk.answer(playing, "nein", question) == "dropped"
    desk.receive(raw, letter.reply_to)
    assert desk.answer(playing, "ja", question) == "no-such-yes"

    assert desk.game().version == version


def test_a_yes_with_doubts_plays_nothing(desk: Desk, playing: Player) -> None:
    version = desk.game().version
    desk.answer(playing, desk.good_orders(), sender="at-work@firm.test")
    before = len(desk.box(playing))

    desk.answer(playing, "ja\nhoppla, das war ich doch gar nicht", desk.newest(playing))

    assert desk.game().version == version
    assert len(desk.box(playing)) == before + 1


def test_only_the_player_can_say_yes(desk: Desk, playing: Player) -> None:
    version = desk.game().version
    desk.answer(playing, desk.good_orders(), sender=STRANGER)
    question = desk.newest(playing)

    assert desk.answer(playing, "yes", question, sender=STRANGER) == "held"

    assert desk.game().version == version
    assert desk.answer(playing, "yes", desk.newest(playing)) == "submitted", "asked about the yes, the player says yes to it"
    assert desk.game().version > version


def test_whose_turn_is_over_is_told_so(desk: Desk, playing: Player) -> None:
    letter, orders = desk.turn_letter(playing), desk.good_orders()
    desk.by_rest(playing, orders)
    version = desk.game().version

    assert desk.answer(playing, orders, letter) == "answered"

    assert desk.game().version == version
    assert re.search("Zug ist vorbei|tour est (fini|terminé|passé)", " ".join(desk.newest(playing).text.split()))


def test_a_stranger_with_a_made_up_token_hears_nothing(desk: Desk, playing: Player) -> None:
    before = desk.street.tried

    assert desk.receive(fresh("3: stall A-B", UNKNOWN, STRANGER), UNKNOWN) == "stranger"

    assert desk.street.tried == before
    assert desk.office.ports.people.player_of(STRANGER) is None


def test_a_player_with_a_made_up_token_is_told(desk: Desk, ann: Player) -> None:
    assert desk.receive(fresh("3: stall A-B", UNKNOWN, ann.email), UNKNOWN) == "token-unknown"

    assert "Adresse" in desk.newest(ann).text


def test_somebody_elses_token_moves_nothing(desk: Desk, ann: Player, ben: Player, playing: Player) -> None:
    other, version = (ann if playing == ben else ben), desk.game().version
    before = len(desk.box(other))

    assert desk.answer(playing, desk.good_orders(), sender=other.email) == "held"

    assert desk.game().version == version
    assert len(desk.box(other)) == before
    assert other.email in desk.newest(playing).text


def test_the_door_knows_our_addresses_only(desk: Desk, playing: Player) -> None:
    bounce = desk.street.brought[0].sender
    known = [desk.turn_letter(playing).reply_to, desk.turn_letter(playing).reply_to.upper(), bounce, f"new@{DOMAIN}"]
    unknown = [UNKNOWN, f"play@{DOMAIN}", f"play+@{DOMAIN}", bounce.replace(DOMAIN, "elsewhere.test"), f"postmaster@{DOMAIN}", ""]

    assert [knows(desk.office, each) for each in known] == [True] * len(known)
    assert [knows(desk.office, each) for each in unknown] == [False] * len(unknown)


# Once


def test_the_same_mail_by_two_doors_is_one_move_and_one_answer(desk: Desk, playing: Player) -> None:
    letter = desk.turn_letter(playing)
    raw = reply(letter, playing.email, desk.good_orders())
    before = len(desk.box(playing))

    assert desk.receive(raw, letter.reply_to) == "submitted"
    version = desk.game().version
    assert desk.receive(b"Received: from imap.test; Mon, 2 Mar 2026 10:00:00 +0000\r\n" + raw, letter.reply_to) == "seen"
    assert desk.receive(raw, letter.reply_to, "somebody@elsewhere.test") == "submitted"

    assert desk.game().version == version
    assert len(desk.box(playing)) == before + 1


def test_an_undo_sent_twice_takes_back_once(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    desk.by_rest(desk.to_play(), "bobby 5")
    desk.by_rest(ann, "4: stall G-C")
    desk.by_rest(ann, "stall CG")
    desk.work()
    letter = desk.newest(ann)
    raw = reply(letter, ann.email, "zurück")

    for _ in range(3):
        desk.receive(raw, letter.reply_to)

    assert "stall G-C" not in desk.game().rules.legal(desk.game().state, 0), "the first stall still stands"
    assert desk.game().version == 6


def test_a_mail_that_was_read_half_way_is_read_again_and_done_once(desk: Desk, playing: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    letter = desk.turn_letter(playing)
    receive(desk.office, reply(letter, playing.email, f"sage Hallo\n{desk.good_orders()}"), [letter.reply_to])
    with monkeypatch.context() as broken:
        broken.setattr(desk.office.post, "read", lambda *given, **more: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            read_waiting(desk.office)
    before = len(desk.box(playing))

    desk.work()

    assert desk.to_play() != playing
    assert len(said(desk.office.ports, "g1")) == 1
    assert len(desk.box(playing)) == before + 1


# What no person wrote


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"List_Id": "<chess.lists.test>"},
        {"Return_Path": "<>"},
        {"Subject": "Automatische Antwort: Du bist am Zug"},
        {"Subject": "Réponse automatique : À vous de jouer"},
    ],
)
def test_an_automatic_mail_moves_nothing_and_gets_no_answer(desk: Desk, playing: Player, header: dict[str, str]) -> None:
    version, before = desk.game().version, desk.street.tried

    letter = desk.turn_letter(playing)
    assert desk.receive(with_headers(reply(letter, playing.email, desk.good_orders()), **header), letter.reply_to) == "automatic"

    assert (desk.game().version, desk.street.tried) == (version, before)


@pytest.mark.parametrize("name", ["abwesenheit", "read_receipt", "calendar_reply", "list", "bounce_failed", "bounce_delayed"])
def test_receipts_calendars_and_the_like_are_passed_over(desk: Desk, playing: Player, name: str) -> None:
    version, before = desk.game().version, desk.street.tried
    raw = re.sub(rb"(?m)^From:.*", f"From: {playing.email}".encode(), (MAILS / f"{name}.eml").read_bytes(), count=1)

    desk.receive(raw, desk.turn_letter(playing).reply_to)

    assert (desk.game().version, desk.street.tried) == (version, before)
    assert desk.again(playing).bounces == 0


def test_a_bounce_to_the_address_of_the_letter_is_counted_once(desk: Desk, playing: Player) -> None:
    letter = next(each for each in desk.street.brought if each.recipient == playing.email)
    raw = (MAILS / "bounce_failed.eml").read_bytes()

    assert desk.receive(raw, letter.sender) == "bounce"
    assert desk.receive(raw, letter.sender) == "bounce"

    assert desk.again(playing).bounces == 1


@pytest.mark.parametrize("where", ["reply", "unknown", "new"])
def test_a_forged_bounce_is_not_counted(desk: Desk, playing: Player, where: str) -> None:
    address = {"reply": desk.turn_letter(playing).reply_to, "unknown": f"bounce+{'b' * 32}@{DOMAIN}", "new": f"new@{DOMAIN}"}[where]
    before = desk.street.tried

    assert desk.receive((MAILS / "bounce_failed.eml").read_bytes(), address) == "bounce-ignored"

    assert desk.again(playing).bounces == 0
    assert desk.street.tried == before


def test_a_mail_that_is_only_late_is_no_bounce(desk: Desk, playing: Player) -> None:
    letter = next(each for each in desk.street.brought if each.recipient == playing.email)

    assert desk.receive((MAILS / "bounce_delayed.eml").read_bytes(), letter.sender) == "bounce-ignored"

    assert desk.again(playing).bounces == 0


def test_two_automatic_answerers_fall_silent_after_one(desk: Desk, ann: Player) -> None:
    """Ann's programme answers everything; the first mail of hers that is marked as such ends it."""
    desk.receive(fresh("Bin im Urlaub, bitte nicht stören", UNKNOWN, ann.email), UNKNOWN)
    for _ in range(5):
        letter = desk.newest(ann)
        assert letter.header("Auto-Submitted") == "auto-replied"
        desk.answer(ann, "Bin im Urlaub", letter, Auto_Submitted="auto-replied", Subject=f"Auto: {letter.header('Subject')}")

    assert len(desk.box(ann)) == 1


def test_our_own_letters_would_not_be_answered_by_us(desk: Desk, playing: Player) -> None:
    before = desk.street.tried
    for letter in desk.box(playing):
        assert desk.receive(letter.raw, letter.reply_to) == "automatic"

    assert desk.street.tried == before


# What it says


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
    desk.office.ports.people.save(playing)

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


@pytest.mark.parametrize("words", ["preview", "preview\nbobby 5", "undo", "resign", "help\nboard\nrules\nrecord", "bobby 5"])
def test_what_makes_no_sense_before_the_game_has_begun_is_answered_too(desk: Desk, ann: Player, ben: Player, words: str) -> None:
    open_game(desk.office.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()

    desk.answer(ben, words)

    assert len(desk.box(ben)) == 2
    assert desk.game().status == "open"


def test_orders_after_resigning_are_answered(desk: Desk, playing: Player) -> None:
    before = len(desk.box(playing))

    desk.answer(playing, "resign\nbobby 5")

    assert len(desk.box(playing)) == before + 1
    assert any(seat.bot for seat in desk.game().seats)


def test_orders_that_are_far_too_long_are_answered(desk: Desk, playing: Player) -> None:
    before, version = len(desk.box(playing)), desk.game().version

    desk.answer(playing, "\n".join(["3: " + "stall A-B; " * 8] * 300))

    assert len(desk.box(playing)) == before + 1
    assert desk.game().version == version


def test_an_invitation_can_be_declined(desk: Desk, ann: Player, ben: Player) -> None:
    open_game(desk.office.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()

    desk.answer(ben, "Non merci")
    assert desk.game().seats[1] in (SeatPlan(invited=ben.id), SeatPlan())
    desk.answer(ben, "Non")

    assert desk.game().seats[1] == SeatPlan()


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


# Alive again


def test_who_writes_to_us_has_an_address_that_works(desk: Desk, playing: Player) -> None:
    """Three letters came back, then the player freed some room and wrote."""
    playing.bounces = 3
    desk.office.ports.people.save(playing)

    desk.answer(playing, desk.good_orders())

    assert desk.again(playing).bounces == 0
    assert isinstance(desk.newest(playing), Mail)
    assert desk.to_play() != playing
    assert not send_due(desk.office)


# The worst


def test_a_few_hundred_hostile_mails_do_no_harm(settings: Settings) -> None:
    trial = Trial(open_desk(settings))

    for hostile in hostile_mails(trial, 400, seed=7, biggest=2_000_000):
        trial.run(hostile)

    assert not trial.failures, trial.report()


def test_headers_can_be_changed_without_harm() -> None:
    assert with_headers(b"From: a@b.c\r\nSubject: x\r\n\r\nhello\r\n", Subject="y") == b"From: a@b.c\r\nSubject: y\r\n\r\nhello\r\n"


def test_whoever_writes_from_an_address_that_seemed_dead_learns_why_no_letters_came(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    letter = desk.newest(ann)
    ann.bounces = DEAD_AFTER
    desk.office.ports.people.save(ann)

    desk.answer(ann, "help", letter)

    subjects = [each.header("Subject") for each in desk.box(ann)]
    assert "Unsere Mails an dich kamen zurück" in subjects
    found = desk.office.ports.people.find(ann.id)
    assert found
    assert found.bounces == 0


def test_a_line_that_cannot_be_read_is_answered_with_what_would_be_legal(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    before = desk.game().version

    desk.answer(player, "3: Quatsch A-B", desk.newest(player))

    text = desk.box(player)[-1].text
    assert "Quatsch A-B" in text
    assert re.search(r"^ {4}\S", text, re.MULTILINE)
    assert desk.game().version == before


def test_a_mail_that_breaks_us_is_answered_in_the_end(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    before, letters = desk.game().version, len(desk.box(player))
    id = receive(desk.office, reply(desk.newest(player), player.email, desk.good_orders()), [desk.newest(player).reply_to])
    inbound = desk.office.post.inbound(id)
    assert inbound
    inbound.tries = MOST_TRIES
    desk.office.post.begin(inbound)

    desk.work()

    assert desk.game().version == before
    assert len(desk.box(player)) == letters + 1
