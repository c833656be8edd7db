"""One call to somebody we do not trust."""

import ssl
import threading
import time
from ipaddress import ip_network

import pytest

from marketpost.notify.webhook_client import WebhookClient, explain
from marketpost.rules.words import COMMON, LANGUAGES, Words
from tests.mail.servers import Certificates, free_port, make_certificates
from tests.notify.receivers import HOSTILE, OK, never_answers, receiver, says, status

HERE = [ip_network("127.0.0.1/32")]
SHORT = WebhookClient(HERE, deadline=1.5)
FAR_TOO_LONG = 20.0
BODY = b'{"event": "turn"}'


def test_a_call_that_is_taken_brings_the_body_and_the_headers() -> None:
    with receiver(says(OK)) as honest:
        error = WebhookClient(HERE).post(honest.url, BODY).reason

    [(headers, body)] = honest.requests
    assert error == ""
    assert body == BODY
    assert headers["Host"] == f"127.0.0.1:{honest.port}"
    assert headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("how", HOSTILE)
def test_whatever_a_receiver_does_the_call_fails_and_ends(how: str) -> None:
    threads = threading.active_count()
    with receiver(HOSTILE[how]) as hostile:
        began = time.monotonic()
        error = SHORT.post(hostile.url, BODY).reason
        took = time.monotonic() - began

        assert all(explain(Words(language, COMMON), error) for language in LANGUAGES)
        assert error
        assert took < FAR_TOO_LONG
        assert hostile.connections == 1, "nothing is tried twice, and no redirect is followed"
    assert threading.active_count() <= threads + 2, "nobody is left waiting"


def test_a_redirect_is_not_followed() -> None:
    with receiver(says(OK)) as inner, receiver(status(307, f"Location: {inner.url}")) as outer:
        assert SHORT.post(outer.url, BODY).reason == "redirect 307"

    assert inner.connections == 0


def test_a_receiver_that_takes_no_connection_is_told_apart() -> None:
    assert SHORT.post(f"http://127.0.0.1:{free_port()}/", BODY).reason == "refused"
    assert SHORT.post("http://no-such-host.invalid/", BODY).reason in ("unknown-name", "unreachable")


def test_a_body_that_nobody_reads_does_not_hold_us_up() -> None:
    with receiver(never_answers) as deaf:
        assert SHORT.post(deaf.url, b"z" * 10_000_000).reason


# TLS


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """For localhost, by a CA of our own."""
    return make_certificates(tmp_path_factory.mktemp("certificates"))


def served_with(certificates: Certificates) -> tuple[ssl.SSLContext, list[str | None]]:
    """And the names that were asked for."""
    names: list[str | None] = []
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.load_cert_chain(certificates.certificate, certificates.key)
    found.sni_callback = lambda _, name, __: names.append(name)
    return found, names


def trusting(certificates: Certificates) -> WebhookClient:
    """And all names lead here."""
    return WebhookClient(HERE, lambda host, port: ["127.0.0.1"], 5.0, ssl.create_default_context(cafile=str(certificates.ca)))


def test_a_good_certificate_for_the_name_in_the_url_is_taken(certificates: Certificates) -> None:
    tls, names = served_with(certificates)
    with receiver(says(OK), tls) as secured:
        assert trusting(certificates).post(f"https://localhost:{secured.port}/", BODY).reason == ""

    assert names == ["localhost"]
    assert [body for _, body in secured.requests] == [BODY]


def test_a_certificate_for_another_name_is_not_taken(certificates: Certificates) -> None:
    tls, names = served_with(certificates)
    with receiver(says(OK), tls) as secured:
        error = trusting(certificates).post(f"https://bots.example.org:{secured.port}/", BODY).reason

    assert error.startswith("certificate Hostname mismatch")
    assert names == ["bots.example.org"]
    assert secured.requests == []


def test_a_certificate_by_somebody_unknown_is_not_taken(certificates: Certificates) -> None:
    tls, _ = served_with(certificates)
    with receiver(says(OK), tls) as secured:
        error = WebhookClient(HERE).post(f"https://127.0.0.1:{secured.port}/", BODY).reason

    assert error.startswith("certificate ")
    assert secured.requests == []


@pytest.mark.parametrize("how", ["no HTTP", "garbage", "never answers", "resets"])
def test_a_receiver_that_speaks_no_tls_is_left(how: str) -> None:
    with receiver(HOSTILE[how]) as hostile:
        assert SHORT.post(hostile.url.replace("http:", "https:"), BODY).reason in (
            "no-tls", "no-answer", "broken-off",
        )  # fmt: skip
