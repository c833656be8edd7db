"""`marketpost canary`: send one letter to ourselves and wait for its answer."""

import time

import click

from marketpost.cli.store_access import says_if_redis_is_away, settings
from marketpost.mail.canary import send_canary
from marketpost.mail.outbound.mailer import Mailer
from marketpost.store.settings import Settings
from workers.notifier import make_mailer
from workers.queue import make_queue

LOOK_AGAIN = 0.1


@click.command()
@click.option("--within", default=60, show_default=True, type=click.IntRange(1, 3600), help="Seconds to wait for the answer.")
@says_if_redis_is_away
def canary(within: int) -> None:
    """Send a letter through the mail server to ourselves, answer it, and say how long that took; status 1 if it does not come back.

    With CANARY_EVERY the sweeper does the same all the time, and /metrics and /ready tell it.
    """
    settings()
    found = Settings.read()
    if not found.smtp_url:
        raise click.ClickException("SMTP_URL is not set: letters stay in the local mailbox")
    mailer = make_mailer(found, make_queue(found))
    number = send_canary(mailer)
    if number is None:
        raise click.ClickException("the canary's last letter still waits to be sent; `marketpost doctor` says more")
    if not _came_back(mailer, number, within):
        raise click.ClickException(f"nothing came back within {within} s: {_how_far(mailer, number)}")
    click.echo(f"the letter came back after {mailer.canary.read().took / 1000:.1f} s")


def _came_back(mailer: Mailer, number: int, within: int) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if mailer.canary.read().back >= number:
            return True
        time.sleep(LOOK_AGAIN)
    return False


def _how_far(mailer: Mailer, number: int) -> str:
    """Say where the letter is, as far as that is known."""
    if mailer.canary.read().seen >= number:
        return "the letter came in, but not its answer"
    letter = mailer.deliveries.find(f"canary-{number}")
    if letter and letter.done is None:
        return f"the letter is not sent: {letter.reason or 'no mail worker has taken it'}"
    return "the mail server took the letter, but it did not come in here"
