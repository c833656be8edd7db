"""Parse the URL of a mail server: host, port, login and TLS."""

import contextlib
import ipaddress
import ssl
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

STARTTLS = ("require", "if-offered", "no")


class BadUrl(ValueError):
    """Raised for a wrong URL of a mail server; its text never contains the password."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server, parsed from a URL: `smtp://user:p%40ss@host:587?starttls=require&ca=/etc/our-ca.pem`."""

    scheme: str
    host: str
    """A name, an IP address, or for LMTP the path of a socket."""
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    starttls: str = "no"
    ca: str | None = None
    path: str = ""
    more: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, url: str, ports: dict[str, int], options: tuple[str, ...] = ()) -> "MailServer":
        """Parse a URL; `BadUrl` says what is wrong."""
        parts = _taken_apart(url.strip())
        if parts.scheme not in ports:
            raise BadUrl(f"a mail server's URL begins with {' or '.join(f'{scheme}://' for scheme in ports)}")
        asked = dict(parse_qsl(parts.query, keep_blank_values=True))
        if unknown := set(asked) - {"starttls", "ca", *options}:
            raise BadUrl(f"a mail server's URL has no option {', '.join(sorted(unknown))}")
        host = unquote(parts.hostname or "") or (parts.path if parts.scheme == "lmtp" else "")
        if not host or parts.fragment:
            raise BadUrl("a mail server's URL needs a host; in names and passwords write %23 for #, %2F for /, %40 for @")
        user = unquote(parts.username or "")
        starttls = asked.get("starttls") or _usual_starttls(parts.scheme, host, user)
        if starttls not in STARTTLS:
            raise BadUrl(f"starttls is one of {', '.join(STARTTLS)}")
        more = {name: value for name, value in asked.items() if name in options}
        return cls(
            parts.scheme, host, _port(parts, ports), user, unquote(parts.password or ""), starttls, asked.get("ca"), parts.path, more
        )

    def tls(self) -> ssl.SSLContext:
        """Make a TLS context with the server's own certificate authority, if one is named."""
        return ssl.create_default_context(cafile=self.ca)


def _taken_apart(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        raise BadUrl("the host in a mail server's URL cannot be read") from None


def _port(parts: SplitResult, ports: dict[str, int]) -> int:
    try:
        return parts.port or ports[parts.scheme]
    except ValueError:
        raise BadUrl("the port in a mail server's URL is a number up to 65535") from None


def _usual_starttls(scheme: str, host: str, user: str) -> str:
    """Choose STARTTLS if the URL does not: a password is sent only encrypted; this machine needs no certificate."""
    if scheme.endswith("s") or is_loopback(host) or host.startswith("/"):
        return "no"
    return "require" if user else "if-offered"


def is_loopback(host: str) -> bool:
    """Whether the host is this machine."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.casefold().rstrip(".") == "localhost" or host.casefold().endswith(".localhost")


def is_private(public_url: str, smtp_url: str | None, proxies: int = 0) -> bool:
    """Whether this service may show its mailbox: it sends no mail, and is reachable on this machine only."""
    return not smtp_url and not proxies and is_loopback(urlsplit(public_url).hostname or "")
