"""However requests come in, slowly, in pieces or never to their end, nobody else waits for that."""

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from api.http.app import LARGEST_BODY
from marketpost.rules.words import LANGUAGES
from tests.running.live import until
from tests.service import PATIENCE, Person, Service, service

APP = "import api.http.served as s; s.BEGUN_WITHIN, s.SLOWEST = {}, {}; served = s.served"
"""The application, with less patience or more."""
LONG_ENOUGH = 300.0
"""Seconds in which a test is over."""
HEAD = b"POST /v1/players HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
NEW = b'{"email": "ann@example.org", "name": "Ann"}'
HALVES = {
    "nothing": b"",
    "a word": b"GET",
    "a head without its end": b"GET / HTTP/1.1\r\nHost: here\r\n",
    "a head alone": HEAD + b"Content-Length: 43\r\n\r\n",
    "a length behind zeros": HEAD + b"Content-Length: 00000000000000000000043\r\n\r\n",
    "half a body": HEAD + b"Content-Length: 43\r\n\r\n" + NEW[:20],
    "no chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
    "half a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n2b\r\n{\r\n\r\n",
    "a chunk behind zeros": HEAD + b"Transfer-Encoding: chunked\r\n\r\n00000000000000000002b\r\n{\r\n\r\n",
    "chunks without an end": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
}


@pytest.fixture(scope="module")
def house() -> Iterator[Service]:
    with service() as found:
        yield found


@contextmanager
def api(house: Service, folder: Path, patience: float = LONG_ENOUGH) -> Iterator[tuple[str, int]]:
    """One process, as `marketpost api` starts it, which waits so many seconds for the head and for the body of a request."""
    (folder / "patient.py").write_text(APP.format(patience, LARGEST_BODY))
    with socket.create_server(("127.0.0.1", 0), backlog=512) as door:
        options = ["--config", "python:api.http.gunicorn_settings", "--bind", f"fd://{door.fileno()}", "--keep-alive", f"{patience:.0f}"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *options, "--pythonpath", str(folder), "patient:served()"],
            env=house.environment,
            pass_fds=(door.fileno(),),
        )
        try:
            yield door.getsockname()
        finally:
            process.terminate()
            process.wait()


def call(address: tuple[str, int], sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(address, timeout=PATIENCE)
    connection.sendall(sent)
    return connection


def answered(connection: socket.socket) -> tuple[int, bytes]:
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    with answer:
        return answer.status, answer.read()


def is_up(address: tuple[str, int]) -> bool:
    with call(address, b"GET /health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n") as connection:
        return answered(connection)[0] == 200


def waits(connection: socket.socket) -> bool:
    """Still open, and nothing was said."""
    connection.setblocking(False)
    try:
        connection.recv(1)
    except BlockingIOError:
        return True
    return False


@pytest.fixture(scope="module")
def impatient(house: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    with api(house, tmp_path_factory.mktemp("app"), patience=1) as address:
        until(lambda: is_up(address))
        yield address


@pytest.fixture(scope="module")
def address(house: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    with api(house, tmp_path_factory.mktemp("app")) as found:
        yield found


def test_three_hundred_half_sent_requests_hold_nobody_up(address: tuple[str, int]) -> None:
    with ExitStack() as held:
        halves = [held.enter_context(call(address, half)) for _ in range(28) for half in HALVES.values()]

        assert all(is_up(address) for _ in range(20))
        assert all(waits(connection) for connection in halves)


def asking(person: Person, path: str, accept: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {person.token}\r\nAccept: {accept}\r\n\r\n".encode()


def test_half_sent_requests_and_open_event_streams_hold_nobody_up(house: Service, address: tuple[str, int]) -> None:
    ann = house.person("ann")
    follow = asking(ann, f"/v1/games/{house.against_bot(ann)}/events", "text/event-stream")
    with ExitStack() as held:
        halves = [held.enter_context(call(address, HALVES["half a body"])) for _ in range(300)]
        streams = [held.enter_context(call(address, follow)) for _ in range(500)]

        assert {stream.recv(12) for stream in streams} == {b"HTTP/1.1 200"}
        assert all(is_up(address) for _ in range(20))
        assert all(waits(connection) for connection in halves)


def test_large_pictures_hold_nobody_up(house: Service, address: tuple[str, int]) -> None:
    ann = house.person("ann")
    board = f"/v1/games/{house.against_bot(ann)}/board"
    with ExitStack() as held:
        kinds = [f"width=1040&language={language}&theme={theme}" for language in LANGUAGES for theme in ("light", "dark")]
        drawn = [held.enter_context(call(address, asking(ann, f"{board}?{kind}", "image/png"))) for kind in kinds]

        assert is_up(address)
        assert sum(waits(connection) for connection in drawn) > 3, "they are still being drawn"
        for connection in drawn:
            connection.settimeout(PATIENCE)
        assert {answered(connection)[0] for connection in drawn} == {200}


def test_whoever_was_answered_and_does_not_close_holds_nobody_up(address: tuple[str, int]) -> None:
    with ExitStack() as held:
        lingering = [
            held.enter_context(call(address, b"GET /health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")) for _ in range(60)
        ]

        assert is_up(address)
        assert {answered(connection)[0] for connection in lingering} == {200}


def test_more_connections_than_there_is_room_for_leave_room_for_who_sends_something(address: tuple[str, int]) -> None:
    with ExitStack() as held:
        for _ in range(600):
            held.enter_context(call(address, b"GET"))

        assert is_up(address)


@pytest.mark.parametrize("half", [half for half in HALVES.values() if HEAD in half])
def test_a_request_whose_body_does_not_come_to_its_end_is_told_so(impatient: tuple[str, int], half: bytes) -> None:
    with call(impatient, half) as connection:
        assert answered(connection)[0] == 408


@pytest.mark.parametrize("half", [half for half in HALVES.values() if HEAD not in half])
def test_who_does_not_come_to_the_end_of_a_head_is_let_go_without_a_word(impatient: tuple[str, int], half: bytes) -> None:
    with call(impatient, half) as connection:
        assert connection.recv(1) == b""


def test_a_request_may_come_byte_by_byte(address: tuple[str, int]) -> None:
    with call(address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in HEAD + b"Content-Length: 43\r\n\r\n" + NEW:
            connection.send(bytes([byte]))

        assert answered(connection)[0] == 201


def test_a_body_may_come_in_chunks_with_words_of_their_own_at_its_end(address: tuple[str, int]) -> None:
    chunks = b"".join(b"%x;of=it\r\n%b\r\n" % (len(part), part) for part in (NEW[:7], NEW[7:8], NEW[8:]))

    with call(address, HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks) as connection:
        connection.sendall(b"0\r\nSum: 1\r\n\r\n")

        assert answered(connection)[0] == 201


def test_requests_sent_at_once_are_answered_one_by_one(address: tuple[str, int]) -> None:
    with call(address, 3 * (HEAD + b"Content-Length: 43\r\n\r\n" + NEW)) as connection, connection.makefile("rb") as answers:
        seen = answers.read(1)
        while seen.count(b"HTTP/1.1 201") < 3:
            seen += answers.read(1)


def test_who_asks_whether_to_go_on_is_told_to(address: tuple[str, int]) -> None:
    with call(address, HEAD + b"Content-Length: 43\r\nExpect: 100-continue\r\n\r\n") as connection:
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(NEW)

        assert answered(connection)[0] == 201


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: %d\r\n\r\n" % (LARGEST_BODY + 1),
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b" % (2 * LARGEST_BODY, b"x" * (LARGEST_BODY + 1)),
    ],
)
def test_what_is_too_large_is_refused_before_it_came(address: tuple[str, int], body: bytes) -> None:
    with call(address, HEAD + body) as connection:
        assert answered(connection)[0] == 413


def test_a_head_that_is_too_large_is_refused(address: tuple[str, int]) -> None:
    with call(address, b"GET / HTTP/1.1\r\nHost: " + b"x" * 70_000 + b"\r\n\r\n") as connection:
        assert answered(connection)[0] == 431


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\nHost: here\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno header at all\r\n\r\n", 400),
        (b"GET /" + b"x" * 5_000 + b" HTTP/1.1\r\nHost: here\r\n\r\n", 414),
        (HEAD + b"Transfer-Encoding: zip\r\n\r\n", 501),
    ],
)
def test_what_is_no_http_is_answered_like_every_other_mistake(address: tuple[str, int], sent: bytes, status: int) -> None:
    with call(address, sent) as connection:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        problem = json.loads(answer.read())

    assert (answer.status, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert problem["code"] == "bad-request"
    assert problem["request"] == answer.headers["X-Request-Id"]


def test_a_mail_larger_than_any_other_body_is_taken_in(address: tuple[str, int]) -> None:
    mail = b"From: ann@example.org\r\nTo: play@localhost\r\nMessage-ID: <large@example.org>\r\n\r\n" + b"Hello\r\n" * 100_000
    head = b"POST /v1/inbound HTTP/1.1\r\nHost: here\r\nContent-Type: message/rfc822\r\nX-Inbound-Secret: between us\r\n"

    with call(address, head + b"Content-Length: %d\r\n\r\n" % len(mail) + mail) as connection:
        assert answered(connection)[0] == 202
