"""Check that a webhook's URL leads to the public internet and to no address that only our network can reach."""

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import urlsplit

from marketpost.rules.refusal import Refused

LONGEST_URL = 500
FORM = re.compile(r"https?://[A-Za-z0-9.\-:\[\]]+(/[!-~]*)?(\?[!-~]*)?")
"""The form of an accepted URL: visible ASCII, no user or password, and a plain host."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)*\.?")
LOWEST_FREE_PORT = 1024
WEB_PORTS = {"http": 80, "https": 443}
PUBLIC = IPv6Network("2000::/3")
"""All IPv6 addresses in use on the internet; outside are, among others, IPv4 addresses written as IPv6, and NAT64."""
CLOSED = tuple(
    map(
        ip_network,
        (  # beside what `is_global` knows, which differs from one Python to the next
            "192.0.0.0/24",  # between a network and its provider
            "192.88.99.0/24",  # relays of 6to4
            "2002::/16",  # 6to4: an IPv4 address inside
            "2001::/23",  # Teredo and others, likewise
            "3fff::/20",  # for documentation
            "168.63.129.16/32",  # a cloud's own service, though it looks public
        ),
    )
)
"""Networks that are refused beside those that `is_global` knows, which differ between versions of Python."""

Address: TypeAlias = IPv4Address | IPv6Address
Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""Looks up all addresses of a host and port."""


class AddressNotAllowed(OSError):
    """Raised for an address that a webhook may not lead to."""


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """The parts of a webhook's URL."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == WEB_PORTS[self.scheme] else f"{host}:{self.port}"


def read_networks(text: str) -> Networks:
    """Parse a list such as `127.0.0.1/32, fd00::/8`; raises ValueError naming the part that is no network."""
    return [ip_network(each.strip()) for each in text.split(",") if each.strip()]


def read_url(url: str, allowed: Networks = ()) -> WebhookTarget:
    """Parse a webhook's URL, and refuse one that is not allowed as written; the name's addresses are checked at every call."""
    target = _take_apart(url)
    if target.port not in WEB_PORTS.values() and target.port < LOWEST_FREE_PORT:
        raise Refused("webhook-port", port=target.port)
    literal = _literal(target.host)
    if (literal and not is_open(literal, allowed)) or (not literal and _is_local_name(target.host) and not allowed):
        raise Refused("webhook-private", host=target.host)
    return target


def _take_apart(url: str) -> WebhookTarget:
    """Split a URL into its parts; refused if it has another form."""
    if len(url) > LONGEST_URL or not FORM.fullmatch(url) or "\\" in url or "#" in url:
        raise Refused("webhook-url")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or WEB_PORTS[parts.scheme]
    except ValueError as error:
        raise Refused("webhook-url") from error
    if not _literal(host) and ("[" in parts.netloc or not NAME.fullmatch(host)):
        raise Refused("webhook-url")
    return WebhookTarget(parts.scheme, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def _literal(host: str) -> Address | None:
    """Return the IP address that a host is, in any spelling that the system accepts: 127.1, 0x7f.1, 017700000001, 2130706433."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host.rstrip(".")))
    except (OSError, UnicodeEncodeError):
        return None


def _is_local_name(host: str) -> bool:
    """Whether no public name server knows this name."""
    name = host.rstrip(".")
    return "." not in name or name.endswith((".localhost", ".local", ".internal", ".lan", ".home.arpa"))


def is_open(address: Address, allowed: Networks = ()) -> bool:
    """Whether the address is on the public internet, or in a network that the operator allows."""
    if any(address in network for network in allowed):
        return True
    if isinstance(address, IPv6Address) and (address not in PUBLIC or address.scope_id):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved and not any(address in net for net in CLOSED)


def resolve(host: str, port: int) -> list[str]:
    """Look up all addresses of a host."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def open_addresses(target: WebhookTarget, resolve: Resolve, allowed: Networks) -> list[str]:
    """Look up the addresses to connect to; raise if one of them is not allowed, because an attacker may mix both kinds."""
    found = list(dict.fromkeys(resolve(target.host, target.port)))
    for each in found:
        if not is_open(ip_address(each), allowed):
            raise AddressNotAllowed(f"{target.host} is at an address that may not be called")
    return found
