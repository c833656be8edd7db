"""A process that calls the targets of a store: `python -m tests.notify.calling_worker DATA NOW TELEGRAM_URL MOMENT`.

At the moment `before` or `after` a call it stands still in that thread, and says so: it waits to be killed.
"""

import sys
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

from apprise.plugins.telegram import NotifyTelegram

from marketpost.notify import engine
from marketpost.notify.engine import call_targets
from marketpost.store.connections import connect
from tests.mail.desk import Clock, mailer_elsewhere
from workers.notifier import make_notifier
from workers.queue import WorkQueue

NOWHERE = "smtp://127.0.0.1:9"
STEPS = {"before": "secret_of", "after": "record_call"}
"""The step of the engine next to the call, on either side."""


def call_what_is_due(data: Path, now: int) -> None:
    mailer = mailer_elsewhere(data, NOWHERE, Clock(now))
    mailer.settings = replace(mailer.settings, webhook_allow="127.0.0.1/32")
    call_targets(make_notifier(mailer, WorkQueue(connect(mailer.settings.queue_redis_url))), 10.0)


def stand_still(*_: Any) -> None:
    sys.stdout.write("here\n")
    sys.stdout.flush()
    Event().wait()


if __name__ == "__main__":
    NotifyTelegram.notify_url = sys.argv[3]
    if step := STEPS.get(sys.argv[4]):
        setattr(engine, step, stand_still)
    call_what_is_due(Path(sys.argv[1]), int(sys.argv[2]))
