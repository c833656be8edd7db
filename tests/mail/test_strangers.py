"""Mail from people without an account: answered with a fixed text if it is certainly theirs, and nothing of it stays."""

from smtplib import SMTP, SMTPDataError

import pytest

from marketpost.mail.strangers import stranger
from marketpost.play.limits import TABLE, Limit
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh
from tests.mail.doors import smtp_door, trust

NEW = f"new@{DOMAIN}"
WITH = {"en": "with a bot", "de": "mit einem Bot", "fr": "avec un bot", "it": "con un bot"}
YES = {"en": "yes", "de": "ja", "fr": "oui", "it": "sì"}
VICTIM = "victim@elsewhere.test"


def marked(result: str, raw: bytes) -> bytes:
    return f"Authentication-Results: mx.games.test; dmarc={result}\r\n".encode() + raw


def at_the_door(desk: Desk, *mails: bytes) -> list[int]:
    """Send mails to the address for new games in one session; the reply code to each."""
    trust(desk, "mx.games.test")
    codes = []
    with smtp_door(desk) as port, SMTP("127.0.0.1", port, timeout=60) as client:
        for raw in mails:
            try:
                client.sendmail("forger@elsewhere.test", NEW, raw)
                codes.append(250)
            except SMTPDataError as refused:
                codes.append(refused.smtp_code)
    desk.work()
    return codes


@pytest.mark.parametrize("result", ["fail", "none"])
def test_nobody_is_written_to_or_registered_in_anothers_name(desk: Desk, result: str) -> None:
    at_the_door(desk, marked(result, fresh("portobello with a bot. Win a prize at http://evil.example", NEW, VICTIM)))

    assert desk.street.brought == []
    assert desk.mailer.ports.players.at_address(VICTIM) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", rulesets())
def test_a_stranger_is_asked_with_a_fixed_text_and_registered_by_the_yes(desk: Desk, rules: str, language: str) -> None:
    raw = fresh(f"{rules} {WITH[language]}", NEW, "Nora <nora@elsewhere.test>", "Win a prize at evil.example")
    at_the_door(desk, marked("pass", raw))
    nora = stranger("nora@elsewhere.test", language)

    [question] = desk.box(nora)
    assert "evil" not in question.text + question.header("Subject")
    assert desk.mailer.ports.players.at_address(nora.email) is None
    desk.answer(nora, YES[language], question)
    assert desk.mailer.ports.players.at_address(nora.email)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("verdict", AuthVerdict)
def test_a_registered_player_opens_a_game_whatever_the_verdict(desk: Desk, rules: str, language: str, verdict: AuthVerdict) -> None:
    ann = desk.person("Ann", language)

    assert desk.receive(fresh(f"{rules} {WITH[language]}", NEW, ann.email), NEW, verdict=verdict) == "held"
    desk.answer(ann, YES[language], desk.newest(ann), verdict=verdict)

    assert [desk.game(id).rules.name for id in desk.mailer.ports.games.all_games()] == [rules]


def test_a_no_or_anything_else_leaves_a_stranger_unregistered(desk: Desk) -> None:
    at_the_door(desk, marked("pass", fresh("portobello with a bot", NEW, "nora@elsewhere.test")))
    nora = stranger("nora@elsewhere.test", "en")

    assert desk.answer(nora, "who are you?", desk.newest(nora)) == "unclear"
    assert desk.answer(nora, "no", desk.newest(nora)) == "dropped"
    desk.answer(nora, "yes", desk.newest(nora))
    assert desk.mailer.ports.players.at_address(nora.email) is None


def test_large_mails_of_strangers_are_refused_and_leave_nothing(desk: Desk) -> None:
    before = used(desk)
    mails = [fresh(f"portobello {'x' * 70}\n" * 11_000, NEW, f"s{number}@elsewhere.test") for number in range(25)]

    assert set(at_the_door(desk, *mails)) == {552}
    assert used(desk) - before < 100_000


@pytest.mark.parametrize("result", ["pass", "fail"])
def test_the_bytes_of_a_mail_are_gone_once_it_is_read(desk: Desk, result: str) -> None:
    text = "portobello with a bot\n" + f"{'x' * 70}\n" * 800
    before = used(desk)

    assert set(at_the_door(desk, *(marked(result, fresh(text, NEW, f"s{number}@elsewhere.test")) for number in range(10)))) == {250}
    assert used(desk) - before < 100_000


def used(desk: Desk) -> int:
    """Bytes of all that the store of the games holds."""
    redis = desk.mailer.mail_queue.redis
    return sum(redis.execute_command("MEMORY", "USAGE", key) or 0 for key in redis.scan_iter("*", count=1000))


def test_a_registered_player_may_send_a_large_mail(desk: Desk, ann: Player) -> None:
    assert at_the_door(desk, fresh("portobello mit einem Bot\n" + "Gruß\n" * 20_000, NEW, ann.email)) == [250]


def test_strangers_are_asked_within_a_limit_for_all_of_a_domain(desk: Desk) -> None:
    most = TABLE[Limit.STRANGERS_DOMAIN].amount
    mails = [marked("pass", fresh(f"portobello with a bot {number}", NEW, f"s{number}@elsewhere.test")) for number in range(most + 5)]

    at_the_door(desk, *mails)

    assert len(desk.street.brought) == most
