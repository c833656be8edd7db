"""Faults that only `marketpost doctor` can name: it says what is wrong, and what to do."""

import re
import socket
import socketserver
import threading
from collections.abc import Iterator

import pytest

from marketpost.cli.processes import expect_mailbox
from marketpost.notify.engine import send_letters
from marketpost.store.canary_rounds import CanaryStore
from marketpost.store.delivery_queue import Delivery
from marketpost.store.heartbeat import Part
from tests.mail.servers import free_port
from tests.mail.street import Answers, serving
from tests.running.live import marketpost, until
from tests.service import Service, service, worker
from workers.health_checks import CANARY_LATE, DRAINED_FOR, MOST_REFUSED
from workers.liveness import find_workers
from workers.queue import MAIL, make_queue

FINDING = r"^(ok|note|BAD) +{} +(.*)$"


@pytest.fixture(scope="module")
def idle() -> Iterator[Service]:
    with service(workers=0) as found:
        yield found


def finding(found: Service, about: str, **more: str) -> tuple[str, str]:
    """The mark of a finding, and what it says."""
    told = marketpost(found.settings.data, "doctor", **found.environment | more).stdout
    [said] = re.findall(FINDING.format(about), told, re.MULTILINE)
    mark, says = said
    assert (mark == "BAD") == (about in told.splitlines()[-1])
    return mark, says


def test_a_smart_host_that_refuses_letters_for_good_is_seen(idle: Service) -> None:
    port = free_port()
    with serving(Answers(rcpt="550 we know nobody"), port=port), service(workers=0, SMTP_URL=f"smtp://127.0.0.1:{port}") as found:
        people = [found.person(f"p{number}").id for number in range(MOST_REFUSED + 1)]
        assert finding(found, "refused letters")[0] == "ok"
        now = found.ports.clock()
        found.mailer.deliveries.put([Delivery(f"letter-{id}", id, "bouncing", now, now, values={"reason": "x"}) for id in people])
        send_letters(found.notifier)

        mark, says = finding(found, "refused letters")

    assert (mark, says) == ("BAD", "6 of 6 attempts within an hour or two, the last: 550 we know nobody")


def test_a_mail_server_that_takes_connections_and_never_speaks_is_no_mail_server(idle: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        mark, says = finding(idle, "SMTP_URL", SMTP_URL=f"smtp://127.0.0.1:{silent.getsockname()[1]}")

    assert (mark, "timed out" in says) == ("BAD", True)


@pytest.fixture
def imap_server() -> Iterator[int]:
    """A mailbox that refuses every password; returns its port."""

    class Refuses(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
            for tag, command, *_ in map(bytes.split, self.rfile):
                untagged = {b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n", b"LOGOUT": b"* BYE\r\n"}.get(command, b"")
                self.wfile.write(untagged + tag + (b" OK done\r\n" if untagged else b" NO wrong password\r\n"))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refuses) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_a_mailbox_that_refuses_our_password_is_seen_at_once(idle: Service, imap_server: int) -> None:
    mark, says = finding(idle, "IMAP_URL", IMAP_URL=f"imap://us:wrong@127.0.0.1:{imap_server}/INBOX")

    assert (mark, "wrong password" in says) == ("BAD", True)


def test_a_mailbox_that_is_never_read_is_missed_and_one_that_was_taken_away_is_not(idle: Service) -> None:
    expect_mailbox(idle.ports, is_set=True)
    begun = idle.ports.heartbeat.noted()
    idle.ports.heartbeat.note(Part.MAILBOX, 1)
    expect_mailbox(idle.ports, is_set=True)  # started again and again
    silent = idle.ports.heartbeat.noted()
    expect_mailbox(idle.ports, is_set=False)

    assert (Part.MAILBOX in begun, silent[Part.MAILBOX], Part.MAILBOX in idle.ports.heartbeat.noted()) == (True, 1, False)


def test_dns_that_does_not_answer_is_told(idle: Service) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        more = {"MAIL_DOMAIN": "play.example.org", "DNS_SERVERS": f"127.0.0.1:{silent.getsockname()[1]}"}
        mark, says = finding(idle, "DNS", **more)

    assert (mark, says.startswith("does not answer")) == ("note", True)


def test_a_letter_of_the_canary_that_is_lost_is_told(idle: Service) -> None:
    rounds, now = CanaryStore(idle.ports.games.redis), idle.ports.clock()
    rounds.note(sent=now - 1000, back=now - 500)
    soon = finding(idle, "canary", CANARY_EVERY="300", SMTP_URL="smtp://127.0.0.1:1")
    rounds.note(sent=now, back=now - int(CANARY_LATE * 1000) - 1000)
    late = finding(idle, "canary", CANARY_EVERY="300", SMTP_URL="smtp://127.0.0.1:1")

    assert (soon[0], late[0]) == ("ok", "BAD")


def test_only_limits_that_were_changed_are_listed(idle: Service) -> None:
    assert finding(idle, "limit", LIMITS="requests-player=7") == ("ok", "requests-player 7 per-minute")


def test_what_is_left_of_a_worker_after_its_record_expired_is_no_worker(idle: Service) -> None:
    queue = make_queue(idle.settings)
    queue.redis.hset("rq:worker:gone", "state", "idle")
    queue.redis.sadd(f"rq:workers:{MAIL}", "rq:worker:gone")

    assert find_workers(queue.queues[MAIL]) == ([], [])


def test_a_drain_is_told_and_one_that_somebody_forgot_is_bad(idle: Service) -> None:
    assert finding(idle, "drain") == ("ok", "none: everything is accepted")
    idle.ports.drain.set(idle.ports.clock() - 5000)
    soon = finding(idle, "drain")
    idle.ports.drain.lift()
    idle.ports.drain.set(idle.ports.clock() - int(DRAINED_FOR * 1000) - 1000)
    late = finding(idle, "drain")
    idle.ports.drain.lift()

    assert (soon[0], late[0]) == ("note", "BAD")


def test_a_worker_that_was_started_with_an_old_setting_is_named(idle: Service) -> None:
    old = {**idle.environment, "SMTP_URL": "smtp://old.example.org", "PUBLIC_URL": "https://old.example.org"}
    queue = make_queue(idle.settings).queues[MAIL]
    with worker(old, MAIL) as process:
        until(lambda: find_workers(queue)[0], 30.0)
        mark, says = finding(idle, "settings")

    assert (mark, says) == ("note", f"others have pid {process.pid} on {socket.gethostname()} (mail): PUBLIC_URL, SMTP_URL")
    with worker(idle.environment, MAIL):
        until(lambda: [each for each in find_workers(queue)[0] if each.pid != process.pid], 30.0)
        assert finding(idle, "settings") == ("ok", "all workers have the same")
