"""Chat and push services, each against a server that speaks its protocol: told once, in order, and never into our own network."""

import gzip
import re
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event

import pytest
from apprise.plugins.telegram import NotifyTelegram

from marketpost.notify.channel_message import ChannelMessage, Target, Transports
from marketpost.notify.channels import channels, target_channels
from marketpost.notify.engine import call_targets
from marketpost.notify.target_address import read_networks
from marketpost.notify.targets import add_target, send_test
from marketpost.notify.webhook_client import WebhookClient
from marketpost.play.limits import OverLimit, read_limits
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, LANGUAGES, Words
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.players import Player
from tests.mail.desk import notes
from tests.notify import doubles
from tests.notify.bureau import Bureau, play_until_turn_of, subjects
from tests.notify.doubles import Double, serving
from tests.notify.receivers import OK, Answer, Receiver, drips_its_body, pours, receiver, says

SPOKEN = {
    "ntfy": doubles.ntfy,
    "gotify": doubles.gotify,
    "matrix": doubles.matrix,
    "telegram": doubles.telegram,
    "signal": doubles.signal,
    "discord": doubles.discord,
    "slack": doubles.slack,
}
URLS: dict[str, Callable[[str], str]] = {
    "ntfy": lambda place: f"ntfy://{place}/my-topic",
    "gotify": lambda place: f"gotify://{place}/AppToken.1234567",
    "matrix": lambda place: f"matrix://ours@{place}/!ourRoom",
    "telegram": lambda place: "tgram://123456789:abcdefghijklmnop/987654",
    "signal": lambda place: f"signal://{place}/+4915112345678/+4915112345679",
    "discord": lambda place: f"http://{place}/api/webhooks/1234/abcd",
    "slack": lambda place: f"http://{place}/services/T1/B1/X1",
}
PRIVATE = ("127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "localhost", "2130706433", "printer.local")

HUGE: dict[str, Answer] = {
    "without an end": pours(b"HTTP/1.1 200 OK\r\n\r\n", b"z" * 65536),
    "packed": says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" + gzip.compress(bytes(64 << 20))),
}


@pytest.fixture(params=SPOKEN)
def channel(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def double(channel: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    with serving(Double(SPOKEN[channel])) as found:
        monkeypatch.setattr(NotifyTelegram, "notify_url", f"http://{found.place}/bot")
        yield found


def added(bureau: Bureau, player: Player, channel: str, double: Double) -> ChannelTarget:
    return add_target(bureau.desk.mailer, f"{channel}-1", player.id, channel, URLS[channel](double.place), None)


def send(bureau: Bureau, channel: str, url: str, **settings: str) -> str:
    """One message: why it was not taken."""
    desk = bureau.desk
    chosen = replace(desk.mailer.settings, **settings)
    by = Transports(chosen, desk.clock, WebhookClient(read_networks(chosen.webhook_allow)), desk.street)
    message = ChannelMessage("g1-3-turn-0-t", "turn", "g1", "It is your turn <b>@all</b>", "https://marketpost.example/games/g1")
    return channels()[channel].send(message, Target(url, "", by)).reason


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_each_turn_is_told_in_order_with_a_link_that_names_it(
    bureau: Bureau, ann: Player, ben: Player, channel: str, double: Double, rules: str
) -> None:
    added(bureau, ann, channel, double)
    bureau.desk.table(ann, ben, rules=rules)
    for _ in range(2):
        play_until_turn_of(bureau, ann)
        bureau.work()

    turns = [text for text in double.told if "-turn-" in text]
    assert len(turns) >= 2
    assert all("Zug" in text or "Du musst entscheiden" in text for text in turns)
    marks = [int(re.findall(r"/games/g1#(\d+)-turn-", text)[0]) for text in turns]
    assert marks == sorted(set(marks))
    assert [each.status for each in bureau.desk.mailer.deliveries.of(ann.id, channel=channel)].count("sent") == len(double.told)


def test_a_service_that_fails_is_tried_again_until_it_is_back(
    bureau: Bureau, ann: Player, ben: Player, channel: str, double: Double
) -> None:
    target = added(bureau, ann, channel, double)
    double.failing = 503, {"error": "maintenance"}
    bureau.desk.table(ann, ben)
    bureau.work()
    failed = bureau.again(target)
    double.failing = None
    bureau.pass_time(hours=1)

    assert failed.failures == 1
    assert failed.last_error in ("status 503", "not-taken")
    assert double.told
    assert bureau.again(target).failures == 0


def test_what_players_write_is_no_markup(bureau: Bureau, channel: str, double: Double) -> None:
    """Telegram reads HTML, and refuses a message with a tag that is none."""
    send(bureau, channel, URLS[channel](double.place))

    [text] = double.told
    escaped = dict.fromkeys(("telegram", "slack"), "&lt;b&gt;@all&lt;/b&gt;") | {"discord": r"<b\>@all</b\>"}
    assert escaped.get(channel, "<b>@all</b>") in text


def test_no_redirect_is_followed(bureau: Bureau, honest: Receiver, channel: str, double: Double) -> None:
    double.failing, double.headers = (307, {}), {"Location": honest.url}
    error = send(bureau, channel, URLS[channel](double.place))

    assert error
    assert honest.connections == 0


def test_an_address_in_our_network_is_not_called_whatever_the_name_says(bureau: Bureau, channel: str, double: Double) -> None:
    """The double is on this machine: without leave to call it no request arrives, although its URL was taken before."""
    assert send(bureau, channel, URLS[channel](double.place), webhook_allow="") == "not-allowed"
    assert send(bureau, channel, URLS[channel](f"localhost:{double.port}"), webhook_allow="") == "not-allowed"
    assert double.requests == 0


@pytest.mark.parametrize("host", PRIVATE)
def test_a_private_address_is_refused_when_it_is_typed(channel: str, host: str) -> None:
    if channel != "telegram":
        with pytest.raises(Refused):
            channels()[channel].read_target(URLS[channel](host), [])


@pytest.mark.parametrize(
    "text",
    [
        "", "ntfy", "file:///etc/passwd", "mailto://ann:pw@example.org", "json://example.org/x", "ntfys://ntfy.example.org/",
        "ntfys://ntfy.example.org/topic?attach=file:///etc/passwd", "matrixs://t@example.org/!r?template=/etc/passwd",
        "matrixs://ann:secret@matrix.example.org/!room",
        "tgram://123456789:abcdefghijklmnop/987654?image=yes", "ntfys://ntfy.example.org:22/topic", "ntfys://ntfy.example.org/" + "x" * 500,
    ],
)  # fmt: skip
def test_only_urls_of_the_channel_are_taken_and_without_options(channel: str, text: str) -> None:
    with pytest.raises(Refused):
        channels()[channel].read_target(text, [])


def test_a_public_server_is_taken_and_only_its_name_is_shown(bureau: Bureau, ann: Player) -> None:
    found = add_target(bureau.desk.mailer, "t", ann.id, "ntfy", "ntfys://ann:pw@ntfy.example.org/topic", None)

    assert (found.channel, found.host) == ("ntfy", "ntfy.example.org")


def test_a_server_that_never_ends_its_answer_is_left_in_time(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marketpost.notify.apprise_channel.DEADLINE", 1.0)
    with receiver(drips_its_body) as slow:
        began = time.monotonic()
        error = send(bureau, "ntfy", f"ntfy://127.0.0.1:{slow.port}/topic")

    assert error == "no-answer"
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("answer", HUGE.values(), ids=HUGE)
def test_a_huge_answer_is_not_read_into_memory(bureau: Bureau, answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marketpost.notify.apprise_channel.DEADLINE", 1.0)
    with receiver(answer) as server:
        tracemalloc.start()
        send(bureau, "ntfy", f"ntfy://127.0.0.1:{server.port}/topic")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert most < 16 << 20


def test_a_target_that_is_added_again_is_tested_no_more_often(bureau: Bureau, ann: Player) -> None:
    mailer = bureau.desk.mailer
    mailer.ports.limits.amounts = read_limits("tests-player=2")
    for number in range(2):
        add_target(mailer, f"t{number}", ann.id, "ntfy", "ntfys://ntfy.example.org/topic", None)
        send_test(mailer, ann.id, f"t{number}")
        mailer.targets.delete(ann.id, f"t{number}")
    add_target(mailer, "t2", ann.id, "ntfy", "ntfys://ntfy.example.org/topic", None)

    with pytest.raises(OverLimit):
        send_test(mailer, ann.id, "t2")


def test_a_channel_that_hangs_delays_neither_another_channel_nor_letters(
    bureau: Bureau, ann: Player, ben: Player, honest: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty people whose server hangs until a webhook has been called."""
    monkeypatch.setattr("marketpost.notify.apprise_channel.DEADLINE", 3.0)
    called, in_time, desk = Event(), [], bureau.desk
    with receiver(lambda connection, over: in_time.append(called.wait(10))) as deaf:
        for each in [desk.person(f"reader{number}") for number in range(30)]:
            add_target(desk.mailer, f"t-{each.id}", each.id, "ntfy", f"ntfy://127.0.0.1:{deaf.port}/topic", None)
            send_test(desk.mailer, each.id, f"t-{each.id}")
        honest.answer = lambda connection, over: (called.set(), connection.sendall(OK))[1]
        bureau.hook(ann, honest)
        send_test(desk.mailer, ann.id, "h0")
        desk.note(ben, 1)
        call_targets(desk.notifier, 1.0)
        desk.work()

    assert honest.requests
    assert in_time
    assert all(in_time)
    assert notes(desk, ben) == [1]
    assert desk.mailer.deliveries.waiting("ntfy") == 30, "nothing is lost"


def test_a_chat_that_fails_for_days_is_switched_off_with_a_letter_and_a_test_tries_it_again(
    bureau: Bureau, ann: Player, ben: Player
) -> None:
    with serving(Double(doubles.ntfy)) as server:
        target = added(bureau, ann, "ntfy", server)
        server.failing = 403, {"error": "forbidden"}
        bureau.desk.table(ben, ann)
        for _ in range(4 * 24):
            bureau.pass_time(hours=1)
        off, requests = bureau.again(target), server.requests
        server.failing = None
        send_test(bureau.desk.mailer, ann.id, target.id)
        bureau.work()

    assert off.off
    assert off.last_error == "status 403"
    assert "127.0.0.1" in subjects(bureau, ann)[0]
    assert server.requests == requests + 1
    assert bureau.again(target).off is None
    assert server.told[-1].startswith("Ein Test")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_channel_says_what_to_type(language: str) -> None:
    words = Words(language, COMMON)

    assert all(words.say(f"channels.{name}") for name in target_channels())
    assert words.say("webhooks.not-taken")
