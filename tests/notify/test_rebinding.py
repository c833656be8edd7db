"""No channel is led into our network: not by a name that changes its address, nor by a redirect, nor by a file that names another server.

The name server and the receivers are real ones on this machine. 127.0.0.1 stands for the open internet, 127.0.0.2 for our network.
"""

import gc
import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, cycle
from socket import create_connection, create_server
from threading import Event, Thread
from typing import Any

import dns.resolver
import pytest

from marketpost.notify.channels import target_channels
from tests.mail.dns_server import Fickle, dns_server
from tests.mail.servers import make_certificates
from tests.notify.bureau import Bureau
from tests.notify.doubles import Double, Reply, serving
from tests.notify.receivers import OK, Receiver, says
from tests.notify.test_chat_channels import SPOKEN, URLS, send
from tests.notify.test_webpush import PushedBrowser

NAME = "rooms.example.org"
OPEN, OURS = ["127.0.0.1"], ["127.0.0.2"]
TURNS: dict[str, Callable[[], Iterator[list[str]]]] = {
    "ours": lambda: cycle([OURS]),
    "open when it is checked, ours when it is called": lambda: cycle([OPEN, OURS]),
    "ours, then open": lambda: cycle([OURS, OPEN]),
    "both at once": lambda: cycle([OPEN + OURS]),
    "open for the first request": lambda: chain([OPEN], cycle([OURS])),
}
HAVE_HOSTS = [each for each in target_channels() if each != "telegram"]


def taken(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    double.told.append("taken")
    return 200, {}


def url_of(channel: str, place: str) -> str:
    if channel == "webpush":
        keys = json.loads(PushedBrowser(Receiver(0, says(OK))).subscription)["keys"]
        return f"http://{place}/push#p256dh={keys['p256dh']}&auth={keys['auth']}"
    return URLS[channel](place) if channel in URLS else f"http://{place}/hook"


@contextmanager
def inner_network(port: int) -> Iterator[list[str]]:
    """A receiver in our network at the same port, and who has connected to it."""
    connected, is_over = list[str](), Event()
    with create_server((OURS[0], port)) as listener:

        def listen() -> None:
            while not is_over.is_set():
                connection, (host, _) = listener.accept()
                with connection:
                    connected.append(host)

        thread = Thread(target=listen)
        thread.start()
        try:
            yield connected
        finally:
            is_over.set()
            create_connection((OURS[0], port)).close()
            thread.join()
            connected.pop()


@contextmanager
def name_server(answers: Iterator[list[str]]) -> Iterator[None]:
    """All names of this process are looked up there."""
    with dns_server({(NAME, "A"): Fickle(answers)}) as port:
        found = dns.resolver.Resolver(configure=False)
        found.nameservers, found.port, found.timeout, found.lifetime = ["127.0.0.1"], port, 60.0, 60.0
        dns.resolver.override_system_resolver(found)
        try:
            yield
        finally:
            dns.resolver.restore_system_resolver()


@pytest.mark.parametrize("turns", TURNS.values(), ids=TURNS)
@pytest.mark.parametrize("channel", HAVE_HOSTS)
def test_a_name_that_changes_its_address_leads_nowhere(bureau: Bureau, channel: str, turns: Callable[[], Iterator[list[str]]]) -> None:
    with serving(Double(SPOKEN.get(channel, taken))) as double, inner_network(double.port) as connected, name_server(turns()):
        url = url_of(channel, f"{NAME}:{double.port}")
        reasons = [send(bureau, channel, url) for _ in range(3)]

    assert connected == []
    assert reasons.count("") == len(double.told)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("channel", HAVE_HOSTS)
def test_a_redirect_leads_nowhere(bureau: Bureau, channel: str, status: int) -> None:
    with serving(Double(taken, failing=(status, {}))) as double, inner_network(double.port) as connected:
        double.headers = {"Location": f"http://{OURS[0]}:{double.port}/"}
        reason = send(bureau, channel, url_of(channel, double.place))

    assert reason
    assert connected == []


def test_a_matrix_server_that_names_another_one_leads_nowhere(
    bureau: Bureau, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificates = make_certificates(tmp_path_factory.mktemp("certificates"))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificates.certificate, certificates.key)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificates.ca))

    def named(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
        return 200, {"m.homeserver": {"base_url": f"https://{OURS[0]}:{double.port}"}}

    with serving(Double(named), tls) as double, inner_network(double.port) as connected:
        reason = send(bureau, "matrix", f"matrixs://token@{double.place}/!ourRoom")

    assert double.paths[0] == "/.well-known/matrix/client"
    assert reason == "not-allowed"
    assert connected == []


def test_an_apprise_service_calls_nobody_when_it_is_dropped(bureau: Bureau) -> None:
    """Apprise ends a session when Python collects the object that began it, after a failure in any thread and without a guard."""
    answers = [OPEN]

    def moving(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
        answers[0] = OURS
        return 200, {"access_token": "ours", "user_id": "@ann:here", "device_id": "D", "room_id": "!ourRoom"}

    with serving(Double(moving)) as double, inner_network(double.port) as connected, name_server(iter(lambda: answers[0], None)):
        assert send(bureau, "matrix", URLS["matrix"](f"{NAME}:{double.port}")) == "not-allowed"
        gc.collect()

    assert len(double.paths) == 1
    assert connected == []
