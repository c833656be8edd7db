"""Limits at every door: what is above one is refused with a sentence that says which it is and when it ends."""

from contextlib import suppress
from io import BytesIO
from smtplib import SMTP, SMTPDataError

import pytest
from redis import Redis

from marketpost.play.limits import Limits, OverLimit, read_limits
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.people.guests import new_guest
from marketpost.play.ports import Ports
from marketpost.play.table.opening import open_table
from marketpost.rules.words import COMMON, LANGUAGES, Words
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.game_index import GameIndex
from marketpost.store.mail_queue import NOBODY_LIVES
from marketpost.store.players import Player
from marketpost.store.rate_counters import RateCounters
from tests.mail.desk import DOMAIN, Desk, fresh
from tests.mail.doors import smtp_door, trust
from tests.service import Service, service

NEW = f"new@{DOMAIN}"
WITH = {"en": "with a bot", "de": "mit einem Bot", "fr": "avec un bot", "it": "con un bot"}
YES = {"en": "yes", "de": "ja", "fr": "oui", "it": "sì"}


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


def limit(desk: Desk, text: str) -> None:
    desk.mailer.ports.limits = Limits(read_limits(text), RateCounters(desk.mailer.mail_queue.redis), "a secret")


def marked(result: str, raw: bytes) -> bytes:
    return f"Authentication-Results: mx.games.test; dmarc={result}\r\n".encode() + raw


def hand_over(desk: Desk, to: str, *mails: bytes) -> list[str]:
    """Send mails in one session; the reply to each that was not taken."""
    trust(desk, "mx.games.test")
    refused = []
    with smtp_door(desk) as port, SMTP("127.0.0.1", port, timeout=30) as client:
        for raw in mails:
            try:
                client.sendmail("forger@elsewhere.test", to, raw)
            except SMTPDataError as error:
                refused.append(f"{error.smtp_code} {error.smtp_error.decode()}")
    return refused


def test_mails_in_a_players_name_are_bounded_and_the_answer_says_by_what(desk: Desk, ann: Player) -> None:
    limit(desk, "mails-player=3")

    refused = hand_over(desk, NEW, *(marked("fail", fresh(f"portobello {number}", NEW, ann.email)) for number in range(5)))

    assert len(refused) == 2
    assert refused[0].startswith("451 4.7.1 You have reached a limit")
    assert "in the name of one player, at most 3 an hour. Try again in" in refused[0]


def test_a_forger_does_not_use_up_the_mails_of_the_owner(desk: Desk, ann: Player) -> None:
    limit(desk, "mails-player=1")
    hand_over(desk, NEW, *(marked("fail", fresh(f"portobello {number}", NEW, ann.email)) for number in range(3)))

    assert hand_over(desk, NEW, marked("pass", fresh("portobello with a bot", NEW, ann.email))) == []


def test_replies_to_one_player_are_bounded_whoever_seems_to_send_them(desk: Desk, ann: Player) -> None:
    desk.receive(fresh("portobello with a bot", NEW, ann.email), NEW)
    limit(desk, "mails-player=3")
    own = desk.newest(ann).header("Reply-To").strip("<>")

    refused = hand_over(desk, own, *(fresh(f"portobello {number}", own, f"s{number}@elsewhere.test") for number in range(5)))

    assert [reply[:3] for reply in refused] == ["451", "451"]


def test_strangers_mails_are_bounded_and_the_answer_says_by_what(desk: Desk) -> None:
    limit(desk, "stranger-mails-service=2, stranger-mail-bytes=9000")
    mails = [fresh(f"portobello {number}", NEW, f"s{number}@elsewhere.test") for number in range(3)]

    [often] = hand_over(desk, NEW, *mails)
    [large] = hand_over(desk, NEW, fresh("portobello\n" * 1000, NEW, "s@elsewhere.test"))

    assert often.startswith("451 4.7.1 You have reached a limit of this service: mails of people without an account, at most 2 an hour.")
    assert "Try again in" in often
    assert large.startswith("552 5.3.4 This is more than the service allows: bytes of a mail")


@pytest.mark.parametrize("sender", ["ann", "stranger"])
def test_nothing_of_forged_requests_outlives_the_day(desk: Desk, ann: Player, sender: str) -> None:
    email = ann.email if sender == "ann" else "s@elsewhere.test"
    redis = desk.mailer.mail_queue.redis
    limit(desk, "held-recipient=1")
    desk.receive(fresh("portobello with a bot", NEW, email, "0"), NEW, verdict=AuthVerdict.FAIL)
    known = set(redis.scan_iter("*"))

    for number in range(1, 9):
        desk.receive(fresh("portobello with a bot", NEW, email, f"{number}"), NEW, verdict=AuthVerdict.FAIL)

    left = {key: redis.ttl(key) for key in set(redis.scan_iter("*")) - known if not key.startswith((b"LIMITS", b"metrics:"))}
    assert len(left) >= 8
    assert {key for key, lives in left.items() if not 0 < lives <= NOBODY_LIVES} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_by_mail_a_letter_says_which_limit_it_is(desk: Desk, language: str) -> None:
    ann = desk.person("Ann", language)
    limit(desk, "opened-player=0")

    desk.receive(fresh(f"portobello {WITH[language]}", NEW, ann.email), NEW)
    desk.answer(ann, YES[language], desk.newest(ann))

    told = " ".join(desk.newest(ann).text.split())
    assert Words(language, COMMON).translate("limit-opened-player") in told
    assert " 0 " in told


def test_games_that_are_opened_at_the_same_moment_are_counted(ports: Ports, redis: Redis) -> None:
    """The second request comes while the first has been counted and is not listed yet."""
    second: list[str] = []

    class Slow(GameIndex):
        def unfinished_of(self, player: str) -> list[str]:
            found = super().unfinished_of(player)
            if not second:
                second.append("")
                with suppress(OverLimit):
                    second[0] = against_bot("g2").id
            return found

    ports.limits = Limits(read_limits("games-player=3"), RateCounters(redis), "a secret")
    ports.index = Slow(ports.index.redis)
    guest = new_guest(ports, "Eve", "en")

    def against_bot(id: str) -> Game:
        return open_table(ports, id, guest.id, "portobello", [SeatPlan(player=guest.id), SeatPlan(bot="greedy")], {})

    assert against_bot("g1").id == "g1"
    assert second == [""]


def test_a_body_in_chunks_costs_what_was_read() -> None:
    with service(workers=0, LIMITS="bytes-address=21000") as house:
        answers = [_in_chunks(house, b'{"email": "' + b"x" * 9000) for _ in range(4)]

    assert answers == [400, 400, 429, 429]


def _in_chunks(house: Service, body: bytes) -> int:
    environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    sent = house.app.test_client().post(
        "/v1/players", input_stream=BytesIO(body), content_type="application/json", environ_overrides=environ
    )
    return sent.status_code


def test_previews_leave_nothing_whatever_keys_they_have(house: Service) -> None:
    ann = house.person("ann")
    game = house.against_bot(ann)
    redis = house.ports.games.redis
    before = set(redis.scan_iter("answer:*"))

    for number in range(5):
        ann.post(f"/v1/games/{game}/preview", {"orders": "pass"}, headers={"Idempotency-Key": f"{number}"})

    assert set(redis.scan_iter("answer:*")) == before
