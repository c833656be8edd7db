"""Check that every setting can be read, before any process is started."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import click

from marketpost.cli.api_client import is_web_address
from marketpost.mail.inbound import imap_poller as imap
from marketpost.mail.inbound.dns_lookup import read_dns_servers
from marketpost.mail.inbound.smtp_listener import ListenAddress
from marketpost.mail.outbound import smtp
from marketpost.mail.outbound.message import TOKEN, read_private
from marketpost.mail.outbound.operator_reports import read_places
from marketpost.mail.outbound.smtp_server_url import MailServer
from marketpost.notify.target_address import read_networks
from marketpost.play.limits import read_limits
from marketpost.play.people.operators import read_operators
from marketpost.store.connections import check_url


class BadSetting(click.ClickException):
    """Ends a command because a setting is wrong."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class CheckedSetting:
    """How a setting is checked, and what it should look like."""

    read: Callable[[str], object]
    """Parse the setting; the ValueError says what is wrong and contains no password."""
    looks: str
    """A description of a right value."""


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{text!r} is no number")
    return int(text)


def _redis(url: str) -> None:
    try:
        check_url(url)
    except ValueError:
        raise ValueError("the address has another form") from None


def _web_address(text: str) -> None:
    if not is_web_address(text):
        raise ValueError(f"{text!r} has another form")


def _domain(text: str) -> None:
    if not TOKEN.fullmatch(text):
        raise ValueError(f"{text!r} has another form")


def _door(text: str) -> None:
    if text != "off":
        ListenAddress.parse(text)


def _one_of(*words: str) -> Callable[[str], None]:
    def read(text: str) -> None:
        if text not in words:
            raise ValueError(f"{text!r} is none of them")

    return read


REDIS = "redis://HOST:6379, or another of the addresses that docs/operate.md names"
SETTINGS = {
    "REDIS_URL": CheckedSetting(_redis, REDIS),
    "QUEUE_REDIS_URL": CheckedSetting(_redis, REDIS),
    "WAIT_REPLICAS": CheckedSetting(_number, "a number such as 1"),
    "PUBLIC_URL": CheckedSetting(_web_address, "an address such as https://games.example.org"),
    "MAIL_DOMAIN": CheckedSetting(_domain, "a name such as games.example.org"),
    "LIMITS": CheckedSetting(read_limits, "limits such as requests-player=1200, codes-recipient=10; or off"),
    "LOG_FORMAT": CheckedSetting(_one_of("text", "json"), "text or json"),
    "LOG_LEVEL": CheckedSetting(_one_of("info", "warning", "error"), "info, warning or error"),
    "PROXIES": CheckedSetting(_number, "a number such as 1"),
    "SMTP_URL": CheckedSetting(lambda url: MailServer.parse(url, smtp.PORTS), "an address such as smtp://USER:PASSWORD@HOST:587"),
    "MAIL_LISTEN": CheckedSetting(_door, "HOST:PORT, or lmtp://HOST:PORT, or off"),
    "IMAP_URL": CheckedSetting(imap.read_url, "an address such as imaps://USER:PASSWORD@HOST/INBOX"),
    "TRUSTED_AUTHSERV": CheckedSetting(_domain, "a name such as mx.example.org"),
    "MAIL_RELAYS": CheckedSetting(read_networks, "networks such as 127.0.0.1/32, 10.1.0.0/16"),
    "DNS_SERVERS": CheckedSetting(read_dns_servers, "IP addresses such as 127.0.0.1:5353, 10.0.0.2"),
    "DKIM_KEY": CheckedSetting(read_private, "a private key in PEM, or the name of a file with one"),
    "CANARY_EVERY": CheckedSetting(_number, "a number of seconds such as 300"),
    "WEBHOOK_ALLOW": CheckedSetting(read_networks, "networks such as 127.0.0.1/32, 10.1.0.0/16"),
    "REPORTS_TO": CheckedSetting(read_places, "addresses such as admin@example.org, https://hooks.example.org/reports"),
    "OPERATORS": CheckedSetting(read_operators, "what `marketpost operator NAME` prints, such as ann:HASH, bob:HASH"),
}
"""Every setting that can have a wrong value."""


def unreadable(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """List the settings with wrong values, each with what is wrong."""
    said = {name: _fault(setting, environment.get(name, "")) for name, setting in SETTINGS.items()}
    return {name: fault for name, fault in said.items() if fault}


def _fault(setting: CheckedSetting, text: str) -> str:
    """Say what is wrong with a value; nothing for an empty one, which counts as not set."""
    if not text:
        return ""
    try:
        setting.read(text)
    except ValueError as error:
        return f"should be {setting.looks}: {error}"
    return ""


def settings_must_be_readable() -> None:
    """End the command with one line if a setting is wrong."""
    for name, fault in unreadable().items():
        raise BadSetting(f"{name} {fault}")
