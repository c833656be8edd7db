"""Look up the DNS records that SPF, DKIM and DMARC need, within a time limit.

dkimpy and pyspf are given these lookups, so that all use the same servers and share one cache.
"""

from functools import cache
from ipaddress import ip_address
from typing import Any

import dns.exception
import dns.rdatatype
import dns.resolver
import spf  # type: ignore[import-untyped]

LOOKUP_WITHIN = 2.0
"""Seconds for one lookup."""
SPF_WITHIN = 4.0
"""Seconds for all lookups of SPF, which may be ten and more."""
CACHED = 5000
"""Records in the cache."""


class DnsFault(Exception):
    """Raised if DNS does not answer, which says nothing about the domain."""


def use_dns_servers(servers: str) -> None:
    """Use these servers from now on, such as `127.0.0.1:5353, 10.0.0.2`; without any, those of the machine."""
    dns.resolver.default_resolver = _resolver(servers)


@cache
def _resolver(servers: str) -> dns.resolver.Resolver | None:
    """Make a resolver; None if the machine has no DNS, which dnspython then reports at every lookup."""
    found = read_dns_servers(servers)
    try:
        resolver = dns.resolver.Resolver(configure=not found)
    except dns.resolver.NoResolverConfiguration:
        return None
    resolver.cache = dns.resolver.LRUCache(CACHED)
    if found:
        resolver.nameservers = [*found]
        resolver.nameserver_ports = found
    return resolver


def read_dns_servers(servers: str) -> dict[str, int]:
    """Parse `DNS_SERVERS` into ports by address; the ValueError says which part is no IP address or port."""
    return dict(_read_server(each.strip()) for each in servers.split(",") if each.strip())


def _read_server(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":") if ("." in text and ":" in text) or "]:" in text else (text, "", "53")
    return str(ip_address(host.strip("[]"))), int(port)


def txt_records(name: str) -> list[bytes]:
    """Return the TXT records of a name; raises DnsFault if DNS does not say whether there are any."""
    return [b"".join(strings) for _, strings in _lookup(name, "TXT", LOOKUP_WITHIN)]


def lookup(name: str, kind: str) -> list[Any]:
    """Return the records of a name and kind: addresses, names, or preference and host; raises DnsFault if DNS does not answer."""
    return [value for _, value in _lookup(name, kind, LOOKUP_WITHIN)]


def dkim_record(name: bytes, timeout: float = LOOKUP_WITHIN) -> bytes | None:
    """Return the record with a DKIM key, in the form dkimpy expects."""
    return next(iter(txt_records(name.decode("ascii"))), None)


def check_spf(address: str, mail_from: str, hello: str) -> str:
    """Return the result of SPF for a client with this HELO and MAIL FROM; raises DnsFault if DNS does not answer."""
    result, _ = spf.check2(address, mail_from, hello, timeout=LOOKUP_WITHIN, querytime=SPF_WITHIN)
    if result == "temperror":
        raise DnsFault
    return str(result)


def _lookup(name: str, kind: str, within: float) -> list[tuple[tuple[str, str], Any]]:
    """Return records in the form of pyspf: the name and the kind, then the value."""
    try:
        found = dns.resolver.resolve(name, kind, lifetime=within, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return []
    except (dns.exception.DNSException, OSError, UnicodeError) as error:
        raise DnsFault(str(error)) from error
    return [((name, kind), _told(record)) for record in found.rrset or ()]


def _told(record: Any) -> Any:
    """Return the value of a record in the form of pyspf."""
    match record.rdtype:
        case dns.rdatatype.TXT:
            return record.strings
        case dns.rdatatype.MX:
            return record.preference, record.exchange
        case dns.rdatatype.PTR:
            return record.target.to_text(omit_final_dot=True)
        case _:
            return record.address


def _lookup_for_spf(name: str, kind: str, strict: bool, within: float) -> list[tuple[tuple[str, str], Any]]:
    """Look up records for pyspf; a fault of DNS becomes its own temporary error."""
    try:
        return _lookup(name, kind, within)
    except DnsFault as fault:
        raise spf.TempError(str(fault)) from fault


spf.DNSLookup = _lookup_for_spf  # its own uses a function of dnspython that is deprecated
