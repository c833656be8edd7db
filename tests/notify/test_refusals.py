"""Services that refuse as their makers document it: a target that is gone is switched off and told of, a busy one is left alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from apprise.plugins.telegram import NotifyTelegram

from marketpost.notify.targets import send_test
from marketpost.store.players import Player
from tests.notify.bureau import Bureau, play_until_turn_of, subjects
from tests.notify.doubles import Double, serving
from tests.notify.test_chat_channels import SPOKEN, added

GONE = [
    ("discord", 404, {"message": "Unknown Webhook", "code": 10015}),
    ("discord", 401, {"message": "Invalid Webhook Token", "code": 50027}),
    ("slack", 404, "no_service"),
    ("slack", 404, "channel_not_found"),
    ("slack", 410, "channel_is_archived"),
    ("telegram", 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}),
    ("telegram", 403, {"ok": False, "error_code": 403, "description": "Forbidden: bot was blocked by the user"}),
    ("telegram", 404, {"ok": False, "error_code": 404, "description": "Not Found"}),
]
BUSY = [
    ("discord", {"message": "You are being rate limited.", "retry_after": 64.57, "global": False}, {"Retry-After": "65"}, 65),
    ("slack", {"ok": False, "error": "rate_limited"}, {"Retry-After": "30"}, 30),
    (
        "telegram",
        {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 40", "parameters": {"retry_after": 40}},
        {},
        40,
    ),
    ("matrix", {"errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests", "retry_after_ms": 20_000}, {"Retry-After": "20"}, 20),
    ("ntfy", {"code": 42901, "http": 429, "error": "limit reached: too many requests"}, {}, 2),
    ("signal", {"error": "Rate limit"}, {"Retry-After": "99999"}, 3600),
]


@contextmanager
def service(channel: str) -> Iterator[Double]:
    with serving(Double(SPOKEN[channel])) as found, pytest.MonkeyPatch.context() as patch:
        patch.setattr(NotifyTelegram, "notify_url", f"http://{found.place}/bot")
        yield found


@pytest.mark.parametrize(("channel", "status", "answer"), GONE, ids=[f"{channel} {status}" for channel, status, _ in GONE])
def test_a_target_that_is_gone_is_switched_off_at_once_and_its_owner_is_told(
    bureau: Bureau, ann: Player, ben: Player, channel: str, status: int, answer: Any
) -> None:
    with service(channel) as double:
        target = added(bureau, ann, channel, double)
        double.failing = status, answer
        bureau.desk.table(ben, ann)
        play_until_turn_of(bureau, ann)
        bureau.work()
        made = double.requests
        bureau.pass_time(hours=1)

        off = bureau.again(target)
        assert off.off
        assert double.requests == made == 1, "and is left alone"
        assert [subject for subject in subjects(bureau, ann) if "abgeschaltet" in subject] == [
            f"Nachrichten an {off.host} sind abgeschaltet"
        ]
        assert any(f"Die Antwort war {status}." in mail.text for mail in bureau.desk.box(ann))
        history = bureau.desk.mailer.deliveries.of(ann.id, channel=channel)
        assert [each.reason for each in history if each.status == "refused"] == [f"status {status}"]
        play_until_turn_of(bureau, ann)
        bureau.work()
        assert subjects(bureau, ann)[-1].startswith("Du bist am Zug"), "letters come again"

        double.failing = None
        send_test(bureau.desk.mailer, ann.id, target.id)
        bureau.work()
        assert bureau.again(target).off is None
        assert double.told


@pytest.mark.parametrize(("channel", "answer", "headers", "asked"), BUSY, ids=[channel for channel, *_ in BUSY])
def test_a_service_that_asks_to_be_left_alone_is_left_alone_for_as_long(
    bureau: Bureau, ann: Player, ben: Player, channel: str, answer: Any, headers: dict[str, str], asked: int
) -> None:
    with service(channel) as double:
        target = added(bureau, ann, channel, double)
        double.failing, double.headers = (429, answer), headers
        bureau.desk.table(ann, ben)
        bureau.work()
        busy, made = bureau.again(target), double.requests
        assert busy.last_error_at
        assert busy.again - busy.last_error_at >= 1000 * asked
        double.failing, double.headers = None, {}
        bureau.work()
        assert double.requests == made, "not asked before"

        bureau.desk.clock.now = busy.again
        bureau.pass_time(minutes=5)
        assert double.told
        healed = bureau.again(target)
        assert (healed.off, healed.failures) == (None, 0)
