"""Authenticate inbound messages: decide whether the domain of the sender's address has sent it (SPF, DKIM, DMARC).

The verdict is read from the header of the operator's own mail server if one is trusted, otherwise checked here. A message that cannot be
checked, because DNS does not answer or the sending server is unknown, has no failure.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address, ip_network

import authres  # type: ignore[import-untyped]
import dkim  # type: ignore[import-untyped]
from dkim.util import InvalidTagValueList, parse_tag_value  # type: ignore[import-untyped]
from publicsuffixlist import PublicSuffixList

from marketpost.mail.inbound.dns_lookup import DnsFault, check_spf, dkim_record, txt_records, use_dns_servers
from marketpost.mail.inbound.header_fields import header_fields, header_of
from marketpost.mail.inbound.read_message import parse_message
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.settings import Settings

MOST_SIGNATURES = 3
"""How many signatures of the sender's own domain are checked."""
DMARC_TAG = b"v=DMARC1"
log = logging.getLogger("marketpost.mail")
_dkim_log = logging.getLogger("marketpost.dkim")
_dkim_log.setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class SmtpClient:
    """The other side of an SMTP session: its IP address, HELO and MAIL FROM."""

    address: str
    hello: str
    mail_from: str


def authenticate(settings: Settings, raw: bytes, client: SmtpClient | None = None) -> AuthVerdict:
    """Return the verdict for a message; `client` is the SMTP client, None if it is unknown, as in a mailbox."""
    sender = sender_of(raw)
    if not sender:
        return AuthVerdict.NONE
    domain = sender.rpartition("@")[2]
    if settings.trusted_authserv:
        return _told_by_server(settings.trusted_authserv, raw, domain)
    use_dns_servers(settings.dns_servers)
    outside = client if client and not _is_relay(settings, client) else None
    try:
        return _checked(raw, domain, outside)
    except DnsFault as fault:
        log.info("cannot authenticate a mail, because DNS does not answer: %s", fault)
        return AuthVerdict.NONE


def sender_of(raw: bytes) -> str | None:
    """Return the address in the From field, parsed as it is when the message is acted on."""
    return parse_message(header_of(raw) + b"\n\n").sender


def _is_relay(settings: Settings, client: SmtpClient) -> bool:
    """Whether the client is a mail server of the operator, which hands over what others have sent."""
    if not client.address:  # a socket of this machine
        return True
    address = ip_address(client.address.partition("%")[0])
    if not settings.mail_relays:
        return not address.is_global
    return any(address in ip_network(each.strip()) for each in settings.mail_relays.split(","))


def _told_by_server(server: str, raw: bytes, domain: str) -> AuthVerdict:
    """Return the verdict in the `Authentication-Results` (RFC 8601) of the operator's own server."""
    results = [result for field in _trusted_fields(server, raw) for result in _results(field)]
    passed = {_domain(result) for result in results if result.result == "pass" and result.method in ("dkim", "spf")}
    dmarc = next((result.result for result in results if result.method == "dmarc"), "none")
    if dmarc in ("pass", "fail"):
        return AuthVerdict(dmarc)
    if any(_is_aligned(each, domain) for each in passed):
        return AuthVerdict.PASS
    refused = any(result.method == "spf" and result.result == "fail" and _is_aligned(_domain(result), domain) for result in results)
    return AuthVerdict.FAIL if refused else AuthVerdict.NONE


def _trusted_fields(server: str, raw: bytes) -> Iterator[bytes]:
    """Yield the fields that the server itself wrote: those above its `Received` line, otherwise the topmost alone.

    Fields below may be forged: a sender can write anything into a message, but nothing above what the server adds.
    """
    found = received = False
    for name, field in header_fields(raw):
        received = received or name == "received"
        if received and found:
            return
        if name == "authentication-results" and _server(field) == server.casefold():
            found = True
            yield field


def _server(field: bytes) -> str:
    """Return the name of the server that wrote an `Authentication-Results` field."""
    words = field.partition(b":")[2].replace(b";", b" ; ").split()
    return words[0].decode("utf-8", "replace").strip('"').casefold() if words else ""


def _results(field: bytes) -> list[authres.core.AuthenticationResult]:
    """Parse an `Authentication-Results` field; empty if it is malformed."""
    try:
        header = authres.AuthenticationResultsHeader.parse(" ".join(field.decode("utf-8", "replace").split()))
    except (authres.AuthResError, RecursionError):
        return []
    return list(header.results)


def _domain(result: authres.core.AuthenticationResult) -> str:
    """Return the domain that a result is about."""
    told = {f"{each.type}.{each.name}": each.value or "" for each in result.properties}
    names = ("header.d", "header.i") if result.method == "dkim" else ("smtp.mailfrom", "smtp.mfrom", "smtp.helo")
    return next((told[name].rpartition("@")[2] for name in names if told.get(name)), "")


def _checked(raw: bytes, domain: str, client: SmtpClient | None) -> AuthVerdict:
    """Check signatures and the client, each only if its domain is aligned with the sender's, as DMARC requires.

    Without a client the result of SPF is unknown, so there is no failure then.
    """
    signatures = _signatures(raw)
    if client is None and not any(_is_aligned(each, domain) for each in signatures.values()):
        return AuthVerdict.NONE
    policy = _policy(domain)
    own = [number for number, each in signatures.items() if _is_aligned(each, domain, strict=policy.get(b"adkim") == b"s")]
    if any(_is_good(raw, number) for number in own[:MOST_SIGNATURES]):
        return AuthVerdict.PASS
    if client is None:
        return AuthVerdict.NONE
    asked = client.mail_from.rpartition("@")[2] or client.hello
    is_own = _is_aligned(asked, domain, strict=policy.get(b"aspf") == b"s")
    spf = check_spf(client.address, client.mail_from, client.hello) if is_own else "none"
    if spf == "pass":
        return AuthVerdict.PASS
    return AuthVerdict.FAIL if policy or spf == "fail" else AuthVerdict.NONE


def _signatures(raw: bytes) -> dict[int, str]:
    """Return the domains of the signatures, by their number as dkimpy counts them.

    A signature over the beginning of the body only (`l=`) is left out: anybody could append orders to it.
    """
    try:
        tags = [parse_tag_value(value) for name, value in dkim.DKIM(raw).headers if name.lower() == b"dkim-signature"]
    except (dkim.DKIMException, InvalidTagValueList):
        return {}
    return {number: each.get(b"d", b"").decode("ascii", "replace") for number, each in enumerate(tags) if b"l" not in each}


def _is_good(raw: bytes, number: int) -> bool:
    """Whether this signature fits the message and the key in DNS; raises DnsFault if DNS does not answer."""
    try:
        return bool(dkim.DKIM(raw, logger=_dkim_log).verify(number, dnsfunc=dkim_record))
    except DnsFault:
        raise
    except Exception:  # dkimpy says by exceptions of many kinds that a signature is malformed
        log.info("a DKIM signature is malformed", exc_info=True)
        return False


def _policy(domain: str) -> dict[bytes, bytes]:
    """Return the DMARC record of the domain, or of the organization it belongs to; empty if there is none."""
    for each in dict.fromkeys((domain, _organization(domain))):
        records = [record for record in txt_records(f"_dmarc.{each}") if record.startswith(DMARC_TAG)]
        if len(records) == 1:
            pairs = (tag.partition(b"=") for tag in records[0].split(b";"))
            return {name.strip().lower(): value.strip().lower() for name, _, value in pairs}
    return {}


def _is_aligned(one: str, domain: str, *, strict: bool = False) -> bool:
    """Whether a domain is the sender's or, unless `strict`, belongs to the same organization."""
    one, domain = one.casefold().rstrip("."), domain.casefold().rstrip(".")
    return one == domain if strict or not one else _organization(one) == _organization(domain)


def _organization(domain: str) -> str:
    """Return the registered domain: `mail.example.co.uk` belongs to `example.co.uk`."""
    return _suffixes().privatesuffix(domain.casefold().rstrip(".")) or domain


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
