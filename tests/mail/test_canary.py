"""The canary writes to itself over real SMTP, answers, and tells how long that took; and nobody sings for it."""

from dataclasses import replace

import pytest

from api.http.app import create_app
from marketpost.mail.canary import send_canary
from marketpost.mail.inbound.own_addresses import is_own_address
from marketpost.mail.outbound.smtp import SmtpTransportPool
from marketpost.store.auth_verdict import AuthVerdict
from tests.mail.desk import DOMAIN, Desk, fresh
from tests.mail.doors import smtp_door


def test_a_letter_goes_round_and_leaves_nothing_behind(desk: Desk) -> None:
    ready = create_app(replace(desk.mailer.settings, canary_every=300)).test_client()
    assert ready.get("/ready").json["canary"] is None
    before = {key for key in desk.mailer.mail_queue.redis.scan_iter() if b":in:" not in key}

    with smtp_door(desk) as port:
        desk.mailer.transport = SmtpTransportPool(f"smtp://127.0.0.1:{port}", DOMAIN)
        send_canary(desk.mailer)
        desk.work()

    rounds = desk.mailer.canary.read()
    assert 0 < rounds.sent < rounds.seen < rounds.back == rounds.sent + rounds.took
    assert ready.get("/ready").json["canary"]["seconds"] == rounds.took / 1000
    told = ready.get("/metrics").text
    assert f"marketpost_canary_seconds {rounds.took / 1000}" in told
    assert "marketpost_canary" not in create_app(desk.mailer.settings).test_client().get("/metrics").text, "only while it is on"
    assert 'marketpost_inbound_total{outcome="canary",verdict="none"} 2.0' in told
    left = {key for key in desk.mailer.mail_queue.redis.scan_iter() if b":in:" not in key}
    assert left - before == {b"canary"}


def test_while_a_letter_is_not_sent_no_other_follows(desk: Desk) -> None:
    assert send_canary(desk.mailer)
    assert send_canary(desk.mailer) is None

    desk.work()

    assert send_canary(desk.mailer), "one that was sent and lost holds up nothing"


@pytest.mark.parametrize("text", ["hello", "1", "1" * 40])
def test_nobody_answers_for_it(desk: Desk, text: str) -> None:
    number = send_canary(desk.mailer)
    desk.work()
    token = desk.mailer.token(f"canary-{number}")

    assert desk.receive(fresh(text, f"canary@{DOMAIN}", "zoe@example.org"), f"canary@{DOMAIN}") == "automatic"
    status = desk.receive(fresh(text, f"play+{token}@{DOMAIN}", "zoe@example.org"), f"play+{token}@{DOMAIN}", verdict=AuthVerdict.FAIL)

    assert status == "stranger"
    assert not desk.mailer.canary.read().back


def test_its_address_takes_mail_only_while_it_sings(desk: Desk) -> None:
    assert not is_own_address(desk.mailer, f"canary@{DOMAIN}")
    send_canary(desk.mailer)
    assert is_own_address(desk.mailer, f"canary@{DOMAIN}")
    desk.clock.forward(days=2)
    assert not is_own_address(desk.mailer, f"canary@{DOMAIN}")
