"""Show an operator the whole way of a game, a move or a mail, with times."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import click
from msgspec import DecodeError

from marketpost.cli.store_access import ports, says_if_redis_is_away
from marketpost.cli.terminal import safe
from marketpost.mail.trace import TraceLine, find_move, trace_game, trace_mail
from marketpost.play.log.entries import Tampered
from marketpost.play.ports import Ports
from marketpost.store.delivery_queue import DeliveryQueue
from marketpost.store.mail_queue import MailQueue

OWN_MESSAGE_ID = re.compile(r"<?[\w-]+\.\d+\.[\w-]+\.([\w-]+)@[\w.-]+>?")
"""The Message-ID of a letter of ours; its last part is the letter."""
MOVE = re.compile(r"[0-9a-f]{12}")


@click.command()
@click.argument("id", metavar="GAME|MOVE|MAIL")
@click.argument("move", default="")
@says_if_redis_is_away
def trace(id: str, move: str) -> None:
    """Show the way of a game, of a MOVE in it, or of a mail: what was accepted, decided, written and delivered, and when.

    The first word is the id of a game, of a move, or of an inbound message, as the log names them, or the Message-ID of a mail, ours or a
    player's.
    A move is found sooner after the id of its game.
    """
    try:
        lines = _lines(ports(), id, move)
    except Tampered as damaged:
        raise click.ClickException(f"{damaged}; `marketpost verify {damaged.game}` says more") from damaged
    except DecodeError as error:
        raise click.ClickException(safe(f"what is stored of {id} cannot be read: {error}")) from error
    if not lines:
        raise click.ClickException(safe(f"nothing is stored of {id}{f' and {move}' if move else ''}"))
    for line in _told(lines):
        click.echo(safe(line))


def _lines(inside: Ports, id: str, move: str) -> list[TraceLine]:
    """Find out what the id stands for, and its way."""
    deliveries = DeliveryQueue(inside.games.redis)
    if game := inside.game(id):
        return trace_game(inside, deliveries, game, move)
    letter = OWN_MESSAGE_ID.fullmatch(id)
    mail_queue = MailQueue(inside.games.redis)
    lines = trace_mail(inside, mail_queue, deliveries, letter.group(1) if letter else mail_queue.named(id) or id)
    if not lines and MOVE.fullmatch(id) and (game := find_move(inside, id)):
        return trace_game(inside, deliveries, game, id)
    return lines


def _told(lines: list[TraceLine]) -> Iterator[str]:
    """Write each line with its time, and the seconds since the one before."""
    before = lines[0].at
    for at, what in lines:
        yield f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}.{at % 1000:03d} {(at - before) / 1000:+9.3f} s  {what}"
        before = at
