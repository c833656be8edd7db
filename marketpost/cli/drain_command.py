"""`marketpost drain` and `resume`: let the service finish what waits before it is stopped."""

import getpass
import time

import click

from marketpost.cli.store_access import says_if_redis_is_away, settings
from marketpost.cli.terminal import many
from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.channels import target_channels
from marketpost.play.keeping.service_drain import begin_drain, end_drain
from marketpost.store.delivery_queue import EMAIL
from workers.notifier import make_mailer
from workers.queue import make_queue

LOOK_AGAIN = 0.5


@click.command()
@click.option("--within", default=120, show_default=True, type=click.IntRange(0, 86400), help="Seconds to wait; status 1 afterwards.")
@says_if_redis_is_away
def drain(within: int) -> None:
    """Accept nothing new, and wait until all moves are judged and all letters that are due are sent.

    Whoever sends something is told to try again (503 with Retry-After); pages can be read, and mail goes on, because it is stored.
    To let a single process finish, send it SIGTERM.
    """
    found = settings()
    mailer = make_mailer(found, make_queue(found))
    begin_drain(mailer.ports, getpass.getuser())
    end, told = time.monotonic() + within, ""
    while waits := _what_waits(mailer):
        if waits != told:
            click.echo(f"waiting for {waits}", err=True)
            told = waits
        if time.monotonic() >= end:
            raise click.ClickException(f"after {within} s {waits} still wait. It goes on; `marketpost resume` accepts everything again")
        time.sleep(LOOK_AGAIN)
    click.echo("nothing waits any more; `marketpost resume` accepts everything again")


def _what_waits(mailer: Mailer) -> str:
    """Describe what is not finished yet; empty if nothing waits."""
    counts = {
        many(len(mailer.ports.games.unfinished()), "game"): " with work",
        many(mailer.mail_queue.unread(), "inbound message"): "",
        many(mailer.deliveries.due(mailer.ports.clock(), EMAIL, *target_channels()), "delivery", "deliveries"): "",
    }
    return ", ".join(f"{count}{what}" for count, what in counts.items() if not count.startswith("0 "))


@click.command()
@says_if_redis_is_away
def resume() -> None:
    """Accept everything again after `drain`."""
    found = settings()
    ports = make_mailer(found, make_queue(found)).ports
    click.echo("everything is accepted again" if end_drain(ports, getpass.getuser()) else "the service did not drain")
