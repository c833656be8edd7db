"""Faults that only `marketpost doctor` can name: it says what is wrong, and what to do."""

import re
import socket
from collections.abc import Iterator

import pytest

from marketpost.notify.engine import send_letters
from marketpost.store.delivery_queue import Delivery
from tests.mail.servers import free_port
from tests.mail.street import Answers, serving
from tests.running.live import marketpost, until
from tests.service import Service, service, worker
from workers.health_checks import DRAINED_FOR, MOST_REFUSED
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
