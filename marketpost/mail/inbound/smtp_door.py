"""Receive messages from SMTP: authenticate the sender, and limit mail from senders without an account."""

from ipaddress import ip_address

from marketpost.mail.inbound.authentication import SmtpClient, authenticate, sender_of
from marketpost.mail.inbound.own_addresses import is_open_address
from marketpost.mail.inbound.receive import receive
from marketpost.mail.inbound.smtp_listener import MessageRefused
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.limits import Limit, OverLimit, network


def take_from_smtp(mailer: Mailer, raw: bytes, client: SmtpClient, recipients: list[str]) -> None:
    """Store a message with its verdict; MessageRefused has the SMTP reply for one that is not accepted."""
    if all(is_open_address(mailer, each) for each in recipients):
        _bound_strangers(mailer, raw, client)
    receive(mailer, raw, recipients, authenticate(mailer.settings, raw, client))


def _bound_strangers(mailer: Mailer, raw: bytes, client: SmtpClient) -> None:
    """Refuse too much mail from unregistered senders to our public addresses: it fills the store until it is read."""
    player = mailer.ports.players.at_address(sender_of(raw) or "")
    if player and player.confirmed:
        return
    limits = mailer.ports.limits
    try:
        limits.check(Limit.STRANGER_MAIL_BYTES, len(raw))
    except OverLimit as over:
        raise MessageRefused(
            f"552 5.3.4 too big: at most {limits.amounts[over.limit]} bytes from an address that is not registered"
        ) from None
    try:
        limits.spend(Limit.STRANGER_MAILS_SERVICE, "smtp")
        if client.address and ip_address(client.address.partition("%")[0]).is_global:
            limits.spend(Limit.STRANGER_MAILS_ADDRESS, network(client.address))
    except OverLimit as over:
        raise MessageRefused(
            f"451 4.7.1 too many mails from addresses that are not registered ({over.limit}): again in {over.seconds} s"
        ) from None
