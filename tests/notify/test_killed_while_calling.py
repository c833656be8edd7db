"""A worker killed with -9 before, while and after it sends by every channel: nothing is lost, and what comes twice is the same."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from socket import socket
from threading import Event
from typing import Any, TypeAlias

import pytest
from apprise.plugins.telegram import NotifyTelegram

from api.push import CHANNEL, subscribe
from marketpost.notify.channels import target_channels
from marketpost.notify.engine import call_targets
from marketpost.store.players import Player
from tests.mail.servers import ROOT, eventually
from tests.notify.bureau import Bureau
from tests.notify.doubles import Double, serving
from tests.notify.receivers import OK, receiver
from tests.notify.test_chat_channels import SPOKEN, added
from tests.notify.test_webpush import PushedBrowser, signed_in

Told: TypeAlias = dict[str, Callable[[], list[Any]]]
"""For each channel, what its counterpart was told."""


@contextmanager
def counterparts(bureau: Bureau, player: Player, answering: Event) -> Iterator[Told]:
    """One for each channel, a target of the player's. Each takes a message at once, and answers when it may."""

    def answer(connection: socket, over: Event) -> None:
        answering.wait(30)
        with suppress(OSError):
            connection.sendall(OK)

    told: Told = {}
    with ExitStack() as stack:
        for channel in target_channels():
            if channel in SPOKEN:
                double = stack.enter_context(serving(Double(SPOKEN[channel], answering=answering)))
                if channel == "telegram":
                    stack.enter_context(pytest.MonkeyPatch.context()).setattr(NotifyTelegram, "notify_url", f"http://{double.place}/bot")
                added(bureau, player, channel, double)
                told[channel] = lambda double=double: list(double.told)
                continue
            service = stack.enter_context(receiver(answer))
            if channel == CHANNEL:
                browser = PushedBrowser(service)
                subscribe(bureau.desk.mailer, signed_in(bureau, player)[1], browser.subscription)
                told[channel] = browser.shown
            else:
                bureau.hook(player, service, channel)
                told[channel] = lambda service=service: [body for _, body in service.requests]
        yield told


@pytest.mark.parametrize(("moment", "times"), [("before", 1), ("during", 2), ("after", 2)])
def test_a_killed_worker_loses_nothing_and_what_comes_twice_is_the_same(
    bureau: Bureau, ann: Player, ben: Player, moment: str, times: int
) -> None:
    """By every channel; only when the call was made and not recorded is it made again."""
    desk, answering = bureau.desk, Event()
    with counterparts(bureau, ann, answering) as told:
        desk.table(ann, ben)
        due = {channel: desk.mailer.deliveries.waiting(channel) for channel in told}
        command = [sys.executable, "-m", "tests.notify.calling_worker", str(desk.mailer.settings.data), str(desk.clock.now)]
        with subprocess.Popen([*command, NotifyTelegram.notify_url, moment], cwd=ROOT, stdout=subprocess.PIPE) as worker:
            if moment == "during":
                eventually(lambda: all(heard() for heard in told.values()))
            else:
                answering.set()
                assert worker.stdout
                assert [worker.stdout.readline() for _ in told] == [b"here\n"] * len(told)
            os.kill(worker.pid, signal.SIGKILL)
        answering.set()
        first = {channel: heard() for channel, heard in told.items()}
        desk.leases_end()
        call_targets(desk.notifier, 60.0)
        found = {channel: heard() for channel, heard in told.items()}

    assert worker.returncode == -signal.SIGKILL
    assert set(found) == set(target_channels())
    for channel, messages in found.items():
        assert len(first[channel]) == times - 1, channel
        assert messages[:times] == messages[:1] * times, f"{channel}: the same message once more"
        assert len(messages) == len(set(map(str, messages))) + times - 1 == due[channel] + times - 1, f"{channel}: and every other once"
        assert desk.mailer.deliveries.waiting(channel) == 0
