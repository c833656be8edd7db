"""A process that calls the targets of a store: `python -m tests.notify.calling_worker DATA NOW TELEGRAM_URL`."""

import sys
from dataclasses import replace
from pathlib import Path

from apprise.plugins.telegram import NotifyTelegram

from marketpost.notify.engine import call_targets
from marketpost.store.connections import connect
from tests.mail.desk import Clock, mailer_elsewhere
from workers.notifier import make_notifier
from workers.queue import WorkQueue

NOWHERE = "smtp://127.0.0.1:9"


def call_what_is_due(data: Path, now: int) -> None:
    mailer = mailer_elsewhere(data, NOWHERE, Clock(now))
    mailer.settings = replace(mailer.settings, webhook_allow="127.0.0.1/32")
    call_targets(make_notifier(mailer, WorkQueue(connect(mailer.settings.queue_redis_url))), 10.0)


if __name__ == "__main__":
    NotifyTelegram.notify_url = sys.argv[3]
    call_what_is_due(Path(sys.argv[1]), int(sys.argv[2]))
