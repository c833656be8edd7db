"""Take mails at the SMTP door: check who has sent them, and refuse what is above the limits of players and of strangers."""

from ipaddress import ip_address

from marketpost.mail.inbound.authentication import SmtpClient, authenticate, sender_of
from marketpost.mail.inbound.complaints import names_a_letter
from marketpost.mail.inbound.own_addresses import LocalPart, own_address, owner
from marketpost.mail.inbound.receive import receive
from marketpost.mail.inbound.smtp_listener import MessageRefused
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.limits import Limit, OverLimit, Period, network
from marketpost.rules.words import COMMON, Words
from marketpost.store.auth_verdict import AuthVerdict


def take_from_smtp(mailer: Mailer, raw: bytes, client: SmtpClient, recipients: list[str]) -> None:
    """Store a mail with its verdict. Raises MessageRefused with the SMTP reply for mail that is not taken."""
    try:
        verdict = _admit(mailer, raw, client, recipients)
    except OverLimit as over:
        reply = "552 5.3.4" if over.refusal.values["period"] == Period.EACH else "451 4.7.1"
        raise MessageRefused(f"{reply} {Words('en', COMMON).explain(over.refusal)}") from None
    receive(mailer, raw, recipients, verdict)


def _admit(mailer: Mailer, raw: bytes, client: SmtpClient, recipients: list[str]) -> AuthVerdict:
    """Count a mail, and return its verdict. Raises OverLimit.

    The sender's address may be forged, so mails that have passed are counted apart: a forger uses up nobody's own mails.
    """
    actor = _actor(mailer, raw, recipients)
    if actor is None:
        _bound_strangers(mailer, raw, client)
    verdict = authenticate(mailer.settings, raw, client)
    if actor is not None:
        mailer.ports.limits.spend(Limit.MAILS_PLAYER, f"{actor} {verdict}")
    return verdict


def _actor(mailer: Mailer, raw: bytes, recipients: list[str]) -> str | None:
    """Whom a mail counts for: the letter that it is about, the player whose letter it answers, or its sender; None for strangers."""
    local, token = own_address(mailer, recipients)
    if local == LocalPart.BOUNCE:
        return token
    if local == LocalPart.COMPLAINTS:
        return names_a_letter(mailer, raw)
    player = owner(mailer, token) or mailer.ports.players.at_address(sender_of(raw) or "")
    return player.id if player and player.confirmed else None


def _bound_strangers(mailer: Mailer, raw: bytes, client: SmtpClient) -> None:
    limits = mailer.ports.limits
    limits.check(Limit.STRANGER_MAIL_BYTES, len(raw))
    limits.spend(Limit.STRANGER_MAILS_SERVICE, "smtp")
    if client.address and ip_address(client.address.partition("%")[0]).is_global:
        limits.spend(Limit.STRANGER_MAILS_ADDRESS, network(client.address))
