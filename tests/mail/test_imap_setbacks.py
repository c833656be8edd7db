"""A mail that an IMAP server does not give or mark is set aside after a few attempts; the others go on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from marketpost.mail.inbound import imap_poller, imap_setbacks
from marketpost.mail.inbound.imap_poller import watch
from marketpost.mail.inbound.imap_setbacks import MOST_TRIES
from tests.mail.broken_imap import BrokenImap, broken_imap
from tests.mail.servers import eventually


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap_setbacks, "RETRY_AFTER", 0.001)
    monkeypatch.setattr(imap_poller, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(imap_poller, "EVERY", 0.05)


@contextmanager
def watched(faults: dict[int, str], number: int = 5) -> Iterator[tuple[BrokenImap, list[bytes]]]:
    mails = {uid: f"Subject: mail {uid}\r\n\r\nbobby 5\r\n".encode() for uid in range(1, number + 1)}
    handed: list[bytes] = []
    stop = threading.Event()
    with broken_imap(mails, faults) as server:
        watcher = threading.Thread(target=watch, args=(server.url, lambda raw, sender, to: handed.append(raw), stop), daemon=True)
        watcher.start()
        try:
            yield server, handed
        finally:
            stop.set()
            watcher.join(5)


@pytest.mark.parametrize("fault", ["bad", "drop", "huge"])
def test_one_mail_that_cannot_be_fetched_holds_up_none_behind_it(fault: str, caplog: pytest.LogCaptureFixture) -> None:
    with watched({1: fault}) as (server, handed):
        eventually(lambda: len(handed) == 4 and "UID 1" in caplog.text)
        rounds = server.heard["SEARCH"]
        eventually(lambda: server.heard["SEARCH"] > rounds + 3)

    assert server.seen == {2, 3, 4, 5}
    assert server.heard["FETCH 1"] == (MOST_TRIES * 2 if fault == "huge" else MOST_TRIES)
    [told] = [record.message for record in caplog.records if "UID 1" in record.message]
    assert "cannot be fetched after 5 attempts, and is set aside for a day" in told
    assert "move or delete it" in told


def test_mails_that_cannot_be_marked_are_handed_over_once_and_not_asked_for_without_end(caplog: pytest.LogCaptureFixture) -> None:
    everybody = range(1, 301)
    with watched(dict.fromkeys(everybody, "no"), len(everybody)) as (server, handed):
        eventually(lambda: caplog.text.count("cannot be marked as read") == len(everybody))
        rounds = server.heard["SEARCH"]
        eventually(lambda: server.heard["SEARCH"] > rounds + 3)

    assert len(handed) == len(set(handed)) == len(everybody)
    assert server.heard["STORE"] == MOST_TRIES * len(everybody)
    assert "the mailbox is read-only" in caplog.text
