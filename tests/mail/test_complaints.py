"""Whoever marks a letter as spam gets no more, until they say otherwise; and nobody can say it for them."""

import re
from smtplib import SMTP

import pytest

from marketpost.mail.outbound.sign_in_codes import send_code
from marketpost.play.people.erasure import erase
from marketpost.play.people.preferences import undo_complaint
from marketpost.play.people.registration import register
from marketpost.play.table.talk import say
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.credentials import CodeAsker
from marketpost.store.players import Player
from marketpost.store.suppressions import SuppressionCause
from tests.mail.desk import DOMAIN, Brought, Desk, fresh
from tests.mail.doors import smtp_door
from tests.mail.feedback import FORMS, arf, redacted

TO = f"complaints@{DOMAIN}"


def letter_to(desk: Desk, player: Player) -> Brought:
    return [each for each in desk.street.brought if each.recipient == player.email][-1]


def gets_letters(desk: Desk, player: Player) -> bool:
    """Whether a letter comes when somebody else says something at the table."""
    other = next(id for id in desk.game().people if id != player.id)
    before = len(desk.box(player))
    desk.clock.forward(hours=2)
    say(desk.mailer.ports, desk.game(), other, f"Hello at {desk.clock()}")
    desk.work()
    return len(desk.box(player)) > before


@pytest.mark.parametrize("form", FORMS)
def test_a_complaint_stops_letters_at_once(desk: Desk, playing: Player, form: str) -> None:
    assert gets_letters(desk, playing)

    assert desk.receive(FORMS[form](letter_to(desk, playing), "abuse", 1), TO) == "complaint"

    assert not gets_letters(desk, playing)
    assert desk.mailer.deliveries.of(playing.id)[0].reason == "the owner of the address has marked a letter as spam"


@pytest.mark.parametrize("feedback", ["not-spam", "auth-failure", "dkim"])
def test_other_reports_stop_nothing(desk: Desk, playing: Player, feedback: str) -> None:
    assert desk.receive(arf(letter_to(desk, playing), feedback), TO) == "complaint-ignored"
    assert gets_letters(desk, playing)


def test_a_reply_address_seen_in_a_quote_makes_no_complaint(desk: Desk, playing: Player) -> None:
    brought = letter_to(desk, playing)
    token = brought.mail.reply_to.removeprefix("play+").partition("@")[0]
    own = brought.sender.removeprefix("bounce+").partition("@")[0]
    forged = arf(brought).replace(own.encode(), token.encode())

    assert desk.receive(forged, TO) == "complaint-ignored"
    assert desk.receive(arf(brought), f"new@{DOMAIN}", f"play@{DOMAIN}") == "automatic"
    assert gets_letters(desk, playing)


def test_a_letter_is_complained_about_once(desk: Desk, playing: Player) -> None:
    brought = letter_to(desk, playing)
    desk.receive(arf(brought), TO)
    desk.mailer.ports.suppressions.lift(playing.email)

    assert desk.receive(arf(brought, number=2), TO) == "complaint-ignored"
    assert gets_letters(desk, playing)


def test_a_long_report_comes_in_by_smtp_and_a_strangers_does_not(desk: Desk, playing: Player) -> None:
    report = redacted(letter_to(desk, playing)) + (b"x" * 70 + b"\r\n") * 1000
    with smtp_door(desk) as port, SMTP("127.0.0.1", port, timeout=60) as client:
        client.sendmail("fbl@provider.example", TO, report)
        desk.work()
        assert not gets_letters(desk, playing)
        with pytest.raises(Exception, match=r"5\.3\.4"):
            client.sendmail("fbl@provider.example", TO, report)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_whoever_complained_and_plays_on_is_answered_and_told_how_to_undo_it(desk: Desk, language: str, rules: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two, rules=rules)
    player = desk.to_play()
    desk.receive(arf(letter_to(desk, player)), TO)
    before = len(desk.box(player))

    assert desk.answer(player, desk.good_orders(language)) == "submitted"
    receipts = desk.box(player)[before:]
    assert [each.header("Auto-Submitted") for each in receipts].count("auto-replied") == 1
    told = next(each for each in receipts if "/settings" in each.text)

    [word] = re.findall(r"[“„«]\s*([\w\s]+?)\s*[”“»]", told.text)
    assert desk.answer(player, word, to=told) == "answered"
    assert gets_letters(desk, player)


def test_sign_in_codes_are_sent_in_spite_of_a_complaint_but_not_against_the_operator(desk: Desk, playing: Player) -> None:
    suppressions = desk.mailer.ports.suppressions
    for cause, sent in ((SuppressionCause.COMPLAINT, 1), (SuppressionCause.OPERATOR, 0)):
        suppressions.add(playing.email.upper(), cause, desk.clock())
        before = len(desk.box(playing))
        send_code(desk.mailer, playing.email, CodeAsker(network="192.0.2.1"))
        desk.work()
        assert len(desk.box(playing)) - before == sent

    suppressions.lift(playing.email, SuppressionCause.COMPLAINT)
    assert not gets_letters(desk, playing)


def test_a_stranger_who_complains_is_left_alone(desk: Desk) -> None:
    desk.receive(fresh("portobello with ann@example.org", f"new@{DOMAIN}", "zoe@example.org"), f"new@{DOMAIN}")
    [asked] = [each for each in desk.street.brought if each.recipient == "zoe@example.org"]

    assert desk.receive(arf(asked), TO) == "complaint"

    assert desk.mailer.ports.suppressions.find("zoe@example.org")


def test_erasing_removes_the_address_and_keeps_the_silence(desk: Desk, playing: Player) -> None:
    desk.receive(arf(letter_to(desk, playing)), TO)

    erase(desk.mailer.ports, playing.id)

    [left] = desk.mailer.ports.suppressions.all()
    assert left.address == ""
    register(desk.mailer.ports, playing.email, "Anew")
    assert desk.mailer.ports.suppressions.find(playing.email)


def test_a_complaint_stops_letters_to_the_address_that_it_names(desk: Desk, playing: Player) -> None:
    before = letter_to(desk, playing)
    desk.mailer.ports.players.change(playing, lambda known: {"email": "new@example.org", "addresses": [known.email]})

    assert desk.receive(arf(before), TO) == "complaint"

    assert [each.address for each in desk.mailer.ports.suppressions.all()] == [before.recipient]
    assert gets_letters(desk, playing)
    undo_complaint(desk.mailer.ports, playing)
    assert not desk.mailer.ports.suppressions.all()
