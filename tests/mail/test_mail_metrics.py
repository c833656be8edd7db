"""What `/metrics` says of mail: what came in, what became of it, what came back, and how long answers took."""

import time

import pytest

from api.http.app import create_app
from marketpost.mail.outbound.attempt import bounced
from marketpost.rules.ruleset import rulesets
from marketpost.store.auth_verdict import AuthVerdict
from tests.mail.desk import DOMAIN, Desk, Street, fresh
from tests.mail.feedback import arf
from tests.mail.test_bounces import BOUNCE


def metrics(desk: Desk) -> dict[str, float]:
    """Every sample by its name and labels."""
    told = create_app(desk.mailer.settings).test_client().get("/metrics").text
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in told.splitlines()) if not name.startswith("#")}


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_messages_are_counted_by_verdict_and_outcome_and_answers_by_time(desk: Desk, rules: str) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"), rules=rules)
    mover = desk.to_play()

    desk.answer(mover, desk.good_orders())
    desk.answer(mover, "board", verdict=AuthVerdict.NONE)
    desk.receive(fresh("hello", f"new@{DOMAIN}", "zoe@example.org"), f"new@{DOMAIN}", verdict=AuthVerdict.FAIL)

    told = metrics(desk)
    assert told['marketpost_inbound_total{outcome="submitted",verdict="pass"}'] == 1
    assert told['marketpost_inbound_total{outcome="answered",verdict="none"}'] == 1
    assert told['marketpost_inbound_total{outcome="stranger",verdict="fail"}'] == 1
    assert told['marketpost_answer_seconds_bucket{le="+Inf"}'] == told["marketpost_answer_seconds_count"] == 2
    assert 0 < told["marketpost_answer_seconds_sum"] < 60


def test_bounces_and_complaints_are_counted_once_for_each_letter(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    [one, two] = [next(each for each in desk.street.brought if each.recipient == name) for name in ("ann@example.org", "ben@example.org")]

    for _ in range(2):
        desk.receive(BOUNCE, one.sender)
    for number in range(2):
        desk.receive(arf(two, number=number), f"complaints@{DOMAIN}")

    told = metrics(desk)
    assert (told["marketpost_bounces_total"], told["marketpost_complaints_total"]) == (1, 1)
    assert told['marketpost_inbound_total{outcome="complaint-ignored",verdict="pass"}'] == 1


def test_an_address_that_is_refused_at_once_is_a_bounce_too(desk: Desk) -> None:
    desk.mailer.transport = Street(desk.clock, outcome=lambda recipient: bounced("550 5.1.1 no such user"))

    desk.note(desk.person("Ann"), 1)
    desk.work()

    assert metrics(desk)["marketpost_bounces_total"] == 1
    assert metrics(desk)['marketpost_deliveries_total{channel="email",kind="webhook-off",outcome="bounced"}'] == 1


def test_the_oldest_letter_that_waits_is_told_by_its_age_until_it_is_sent(desk: Desk) -> None:
    hour = 3600
    ann = desk.person("Ann")
    for number, hours in enumerate((1, 2)):
        desk.note(ann, number, int((time.time() - hours * hour) * 1000))

    assert metrics(desk)['marketpost_delivery_age_seconds{channel="email"}'] >= 2 * hour
    assert metrics(desk)['marketpost_delivery_age_seconds{channel="ntfy"}'] == 0

    desk.clock.now = int(time.time() * 1000)
    desk.work()
    assert metrics(desk)['marketpost_delivery_age_seconds{channel="email"}'] == 0
