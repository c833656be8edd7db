"""`marketpost mailbox`: read and answer the mails that stay on this machine because no mail server is set."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import click

from marketpost.cli.store_access import redis_must_answer
from marketpost.cli.terminal import safe
from marketpost.mail.inbound.receive import receive
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.connections import connect
from marketpost.store.local_mailbox import LocalMailbox, MailboxLine, MailboxMessage, write_reply
from marketpost.store.settings import Settings
from workers.notifier import make_mailer
from workers.queue import make_queue

Receive: TypeAlias = Callable[[bytes, list[str]], None]
"""Receives a reply: the bytes of a mail, and the addresses it was sent to."""
SHOWN = ("From", "To", "Reply-To", "Date", "Subject")
"""The headers that are printed."""


def mailbox_command(open_mailbox: Callable[[], LocalMailbox], receive: Receive) -> click.Command:
    """Build the command from a function that opens the mailbox and one that receives replies."""

    @click.command()
    @click.argument("address", required=False)
    @click.argument("number", required=False, type=click.IntRange(1))
    @click.option("--reply", is_flag=True, help="Answer it: the text comes from standard input, or from your editor.")
    @click.option("--raw", is_flag=True, help="Show it as it would have been sent.")
    @click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Write its pictures and attachments to this folder.")
    def mailbox(address: str | None, number: int | None, reply: bool, raw: bool, save: Path | None) -> None:
        """Read and answer the mails that stay on this machine because no mail server is set.

        Without ADDRESS: who has mail. With ADDRESS: the list, newest last. With NUMBER: that mail.
        """
        if number is None and (reply or raw or save):
            raise click.UsageError("--reply, --raw and --save need the NUMBER of a mail")
        store = open_mailbox()
        if address is None:
            _show_addresses(store)
        elif number is None:
            _show_list(store, address)
        elif reply:
            _answer(_find(store, address, number), address, receive)
        else:
            _show(store, address, number, raw, save)

    return mailbox


def _show_addresses(store: LocalMailbox) -> None:
    found = store.addresses()
    for address, mails, unread in found:
        click.echo(f"{mails:5}  {f'{unread} new' if unread else '':8}  {address}")
    if not found:
        click.echo("No mail yet.")


def _show_list(store: LocalMailbox, address: str) -> None:
    lines = store.list(address)
    for line in lines:
        click.echo(f"{line.number:5} {' ' if line.read else '*'} {_when(line)}  {safe(line.head.subject)}")
    if not lines:
        click.echo(f"No mail for {address} yet.")


def _when(line: MailboxLine) -> str:
    return datetime.fromtimestamp(line.head.at / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def _find(store: LocalMailbox, address: str, number: int) -> MailboxMessage:
    mail = store.read(address, number)
    if mail is None:
        raise click.ClickException(f"{address} has no mail {number}")
    return mail


def _show(store: LocalMailbox, address: str, number: int, raw: bool, save: Path | None) -> None:
    mail = _find(store, address, number)
    store.mark_read(address, number)
    if raw:
        click.echo(mail.raw, nl=False)
        return
    for name in SHOWN:
        if value := mail.header(name):
            click.echo(f"{name}: {safe(value)}")
    click.echo(f"\n{safe(mail.text)}")
    for attachment in mail.attachments:
        click.echo(f"Attached: {safe(attachment.name)} ({len(attachment.content)} bytes)")
    if save:
        _save(mail, save)


def _save(mail: MailboxMessage, folder: Path) -> None:
    """Write pictures and attachments under their own names; never outside the folder, never over an existing file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for attachment in (*mail.pictures, *mail.attachments):
            path = folder / (Path(attachment.name.replace("\\", "/")).name or "attachment")
            with open(path, "xb") as file:
                file.write(attachment.content)
            click.echo(f"saved {path}")
    except FileExistsError as error:
        raise click.ClickException(f"{error.filename} is there already") from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}") from error


def _answer(mail: MailboxMessage, address: str, receive: Receive) -> None:
    """Send an answer to a mail, from standard input or the editor."""
    text = _written()
    if not text.strip():
        raise click.ClickException("nothing to send: the answer is empty")
    if not mail.reply_to:
        raise click.ClickException("this mail cannot be answered: it has no sender")
    receive(write_reply(mail, address, text), [mail.reply_to])
    click.echo(f"Answered to {mail.reply_to}")


def _written() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.read()
    return click.edit("", extension=".txt") or ""


def _open() -> LocalMailbox:
    redis_must_answer()
    return LocalMailbox(connect(Settings.read().redis_url))


def _receive(raw: bytes, recipients: list[str]) -> None:
    """Pass a reply on to the service, as a message whose sender is authenticated."""
    settings = Settings.read()
    receive(make_mailer(settings, make_queue(settings)), raw, recipients, AuthVerdict.PASS)


mailbox = mailbox_command(_open, _receive)
