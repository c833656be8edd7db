"""`marketpost doctor`: list the settings, check what answers and what is durable, and advise where something is wrong."""

import http.client
import os
import platform
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
import msgspec
from redis import RedisError

from marketpost.cli.dns_doctor import examine_dns
from marketpost.cli.settings_check import settings_must_be_readable, unreadable
from marketpost.cli.store_access import UNSET, read_settings, shown
from marketpost.mail.inbound.dns_lookup import DnsFault, lookup, use_dns_servers
from marketpost.mail.inbound.imap_poller import FAILURES, try_mailbox
from marketpost.mail.outbound.attempt import clean
from marketpost.notify.target_address import Networks, read_networks
from marketpost.play.limits import TABLE, USUAL, Limit, read_limits
from marketpost.play.people.operators import read_operators
from marketpost.store.connections import connect
from marketpost.store.embedded_redis import BUNDLED, FOR_REAL_GAMES, CannotStart, is_bundled, lock_holder
from marketpost.store.settings import Settings
from workers.health_checks import ENDS_REDIS, NOT_BEFORE, Finding, of_both, of_disk, of_owner, of_queue, of_store, of_work
from workers.queue import make_ports, make_queue

OLDEST_PYTHON = (3, 11)
GREETS = {"smtp", "lmtp", "imap"}
"""Protocols in which the server speaks first; with TLS from the first byte it does not."""
NO_DOMAIN = "localhost"
LONGEST_PROBLEM = 10_000
MAIL_PORTS = {"smtp": 25, "smtps": 465, "imap": 143, "imaps": 993}


def _checked_addresses(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what is no IP address."""
    try:
        return tuple(str(ip_address(each)) for each in given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _dns_settings() -> Settings:
    """Read the settings; no store is needed."""
    settings_must_be_readable()
    return Settings.read({"SECRET_KEY": UNSET, **os.environ})


@click.command()
@click.option("--dns", is_flag=True, help="Check instead what the DNS says about mail, and print the records to publish.")
@click.option(
    "--sends-from",
    multiple=True,
    metavar="ADDRESS",
    callback=_checked_addresses,
    help="With --dns: the IP address from which letters reach other servers, if it is not that of the smart host.",
)
def doctor(dns: bool, sends_from: tuple[str, ...]) -> None:
    """Say what is set, what answers, what is durable, and what to do where something is wrong."""
    given = {name for name in DEFAULTS if os.environ.get(name)}
    found = list(examine_dns(_dns_settings(), sends_from) if dns else _examined(given))
    for finding in found:
        click.echo(f"{finding.mark:<5}{finding.about:<17}{finding.says}")
        if finding.advice:
            click.echo(f"{'':<22}→ {finding.advice}")
        if finding.paste:
            click.echo(finding.paste)
    grave = [finding for finding in found if finding.mark == "BAD"]
    click.echo(f"\n{len(grave)} to be mended: {', '.join(finding.about for finding in grave)}." if grave else "\nAll is well.")
    sys.exit(1 if grave else 0)


def _examined(given: set[str]) -> Iterator[Finding]:
    """Examine everything; of a setting that cannot be read, report that and go on as if it were not set.

    The addresses of Redis are the exception: without them another store would be examined than the one that is meant.
    """
    wrong = {name: Finding(name, "set, but cannot be read", f"it {fault}") for name, fault in unreadable().items()}
    for finding in examine(read_settings(wrong.keys() - {"REDIS_URL", "QUEUE_REDIS_URL"}), given):
        yield wrong.get(finding.about, finding)


def examine(found: Settings, given: set[str]) -> Iterator[Finding]:
    """List the findings about the settings and everything they lead to; what needs Redis only if Redis answers."""
    yield from _plain_settings(found, given)
    yield from _mail(found, given)
    yield _webhook_allow(read_networks(found.webhook_allow))
    yield Finding("REPORTS_TO", f"{found.reports_to or 'default: reports are only listed'}")
    yield Finding(
        "OPERATORS", f"{', '.join(read_operators(found.operators))} (set)" if found.operators else "default: there is no page /operate"
    )
    yield _python()
    yield _clock()
    yield time_zones()
    games, jobs = _server("REDIS_URL", found.redis_url, given), _server("QUEUE_REDIS_URL", found.queue_redis_url, given)
    yield games
    yield jobs
    yield _public_url(found, given)
    if found.embedded and is_bundled(found.data):
        yield Finding("server", f"{BUNDLED}, good for trying it out", FOR_REAL_GAMES, grave=False)
    if not games.advice:
        yield from of_store(store := connect(found.redis_url, answer_within=3.0))
        yield of_owner(store, found)
        yield of_disk(found)
    if not jobs.advice:
        yield from of_queue(found, make_queue(found))
    if not games.advice and not jobs.advice:
        work_queue = make_queue(found)
        ports = make_ports(found, work_queue)
        yield from of_work(ports)
        yield from of_both(found, ports, work_queue)


def _plain_settings(found: Settings, given: set[str]) -> Iterator[Finding]:
    yield Finding("WAIT_REPLICAS", f"{found.wait_replicas} ({_origin('WAIT_REPLICAS', given)})")
    yield Finding("DATA_DIR", f"{found.data.resolve()} ({_origin('DATA_DIR', given)})")
    yield Finding("MAIL_DOMAIN", f"{found.mail_domain} ({_origin('MAIL_DOMAIN', given)})")
    yield _secret_key(found, given)
    yield Finding("LOG_FORMAT", f"{found.log_format} ({_origin('LOG_FORMAT', given)})")
    yield Finding("LOG_LEVEL", f"{found.log_level} ({_origin('LOG_LEVEL', given)})")
    yield Finding("LIMITS", f"{found.limits or 'the usual ones'} ({_origin('LIMITS', given)})")
    yield from _limits(read_limits(found.limits))
    yield Finding("PROXIES", f"{found.proxies} ({_origin('PROXIES', given)})")


def _mail(found: Settings, given: set[str]) -> Iterator[Finding]:
    yield _mail_server("SMTP_URL", found.smtp_url, "mails stay in the local mailbox")
    yield _mailbox(found.imap_url)
    yield Finding("MAIL_LISTEN", f"{found.mail_listen} ({_origin('MAIL_LISTEN', given)})")
    yield Finding("INBOUND_SECRET", "set" if found.inbound_secret else "default: no mail provider may hand over mail")
    yield Finding("TRUSTED_AUTHSERV", f"{found.trusted_authserv} (set)" if found.trusted_authserv else "default: we check mail ourselves")
    yield Finding("MAIL_RELAYS", f"{found.mail_relays} (set)" if found.mail_relays else "default: what is not on the open internet")
    yield Finding("DNS_SERVERS", f"{found.dns_servers} (set)" if found.dns_servers else "default: those of this machine")
    if not found.trusted_authserv and found.mail_domain != NO_DOMAIN:
        yield _dns(found)
    yield _canary(found, given)
    yield Finding("DKIM_KEY", "set" if found.dkim_key else "default: mails are not signed")
    yield Finding("DKIM_SELECTOR", f"{found.dkim_selector} ({_origin('DKIM_SELECTOR', given)})")


def _canary(found: Settings, given: set[str]) -> Finding:
    says = f"{found.canary_every} ({_origin('CANARY_EVERY', given)})"
    advice = "set SMTP_URL: letters that stay in the local mailbox test nothing" if found.canary_every and not found.smtp_url else ""
    return Finding("CANARY_EVERY", says, advice, grave=False)


def _limits(amounts: Mapping[Limit, int]) -> Iterator[Finding]:
    """List how much of each resource one actor may use, where it is not the usual amount."""
    for limit, amount in amounts.items():
        if amount != USUAL[limit]:
            yield Finding("limit", f"{limit} {amount} {TABLE[limit].period}")


def _webhook_allow(allowed: Networks) -> Finding:
    if not allowed:
        return Finding("WEBHOOK_ALLOW", "default: webhooks lead to the open internet only")
    advice = "make sure that every player may reach what is there"
    return Finding("WEBHOOK_ALLOW", f"webhooks may also lead to {', '.join(map(str, allowed))} (set)", advice, grave=False)


def _mail_server(name: str, url: str, without: str) -> Finding:
    """Check whether the mail server of a setting takes a connection and greets us."""
    if not url:
        return Finding(name, f"default: {without}")
    parts = urlsplit(url)
    try:
        port = parts.port or MAIL_PORTS.get(parts.scheme, 25)
        with socket.create_connection((parts.hostname or "", port), timeout=3.0) as connection:
            says_nothing = parts.scheme in GREETS and not connection.recv(1)
    except (OSError, ValueError) as error:
        return Finding(name, f"{shown(url)} (set) does not answer: {error}", f"check {name}, and that this server lets this machine in")
    if says_nothing:
        return Finding(name, f"{shown(url)} (set) hangs up at once", f"check that {name} leads to a mail server that lets this machine in")
    return Finding(name, f"{shown(url)} (set) answers")


def _mailbox(url: str) -> Finding:
    """Check whether the mailbox can be opened with our password."""
    answers = _mail_server("IMAP_URL", url, "no mailbox is polled")
    if not url or answers.advice:
        return answers
    try:
        try_mailbox(url)
    except FAILURES as error:
        says = f"{shown(url)} (set) answers and lets nobody read: {clean(str(error))}"
        return Finding("IMAP_URL", says, "check the user, the password and the folder in IMAP_URL")
    return answers


def _dns(found: Settings) -> Finding:
    """Check whether the DNS answers at all; `doctor --dns` looks at what it says."""
    use_dns_servers(found.dns_servers)
    try:
        lookup(found.mail_domain, "MX")
    except DnsFault as fault:
        advice = "check DNS_SERVERS, or the name servers of this machine: of no mail is known who has sent it, and its verdict is `none`"
        return Finding("DNS", f"does not answer: {fault}", advice, grave=False)
    return Finding("DNS", "answers")


def _origin(name: str, given: set[str]) -> str:
    return "set" if name in given else "default"


def _secret_key(found: Settings, given: set[str]) -> Finding:
    if "SECRET_KEY" in given:
        return Finding("SECRET_KEY", "set")
    kept = found.data / "secret-key"
    says = f"default: {'stored' if kept.exists() else 'will be made'} in {kept}"
    advice = "" if found.embedded else "set SECRET_KEY if the service runs on more than one machine: it must be the same on all"
    return Finding("SECRET_KEY", says, advice, grave=False)


def _python() -> Finding:
    advice = "" if sys.version_info >= OLDEST_PYTHON else "install Python 3.11 or newer"
    return Finding("python", platform.python_version(), advice)


def _clock() -> Finding:
    now = datetime.now(UTC)
    return Finding("clock", now.strftime("%Y-%m-%d %H:%M:%S UTC"), "" if now > NOT_BEFORE else "set the clock of this machine")


def time_zones() -> Finding:
    """Check that there is a time-zone database: without it moves in games with a clock wait."""
    try:
        ZoneInfo("Europe/London")
    except (ZoneInfoNotFoundError, OSError) as error:
        return Finding("time zones", f"cannot be read: {error}", "`pip install tzdata`, then restart the workers")
    return Finding("time zones", "known")


def _server(name: str, url: str, given: set[str]) -> Finding:
    """Check whether a Redis answers, and how fast."""
    origin = _origin(name, given)
    if name == "QUEUE_REDIS_URL" and "cluster" in url.partition("://")[0]:
        return Finding(name, f"{shown(url)} ({origin})", "rq does not work on a Cluster: set QUEUE_REDIS_URL to a single Redis")
    began = time.monotonic()
    try:
        connect(url, answer_within=3.0).ping()
    except (RedisError, ValueError, CannotStart) as error:
        return Finding(name, f"{shown(url)} ({origin}) does not answer: {error}", _how_to_start(name, url, given))
    return Finding(name, f"{shown(url)} ({origin}) answers in {(time.monotonic() - began) * 1000:.1f} ms")


def _how_to_start(name: str, url: str, given: set[str]) -> str:
    if name in given or not url.startswith("unix:"):
        return f"check {name}, and that this Redis runs and lets this machine in; {ENDS_REDIS}"
    return f"start the service with `marketpost up`; or set {name}; or set DATA_DIR to the folder that the service uses"


def _public_url(found: Settings, given: set[str]) -> Finding:
    """Check whether the service is ready at its public address, or where a service on this machine really listens."""
    here = lock_holder(found.data)
    url = found.public_url if "PUBLIC_URL" in given or not here else here[1]
    says = f"{url} ({'set' if 'PUBLIC_URL' in given else f'service with pid {here[0]}' if here else 'default'})"
    status, code = _ask(url + "/ready")
    if status == 200:
        return Finding("PUBLIC_URL", f"{says} is ready")
    if code:
        return Finding("PUBLIC_URL", f"{says} answers and is not ready: {code}", "the lines below say why", grave=code != "draining")
    said = f"answers {status} to /ready" if status else "does not answer"
    return Finding("PUBLIC_URL", f"{says} {said}", "start the service (`marketpost up` or `marketpost api`), or correct PUBLIC_URL")


def _ask(url: str) -> tuple[int, str]:
    """Request an address and return the status, and the code of our problem; 0 without an answer."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        connection = kind(parts.netloc, timeout=3.0)
        connection.request("GET", parts.path)
        answer = connection.getresponse()
        return answer.status, _code(answer.read(LONGEST_PROBLEM))
    except (OSError, ValueError, http.client.HTTPException):
        return 0, ""


def _code(body: bytes) -> str:
    """Read the code of a problem; empty if it is none of ours."""
    try:
        return str(msgspec.json.decode(body, type=dict[str, Any]).get("code", ""))
    except msgspec.DecodeError:
        return ""


DEFAULTS = {
    "REDIS_URL": "embedded",
    "QUEUE_REDIS_URL": "`REDIS_URL`, else embedded",
    "WAIT_REPLICAS": "0",
    "DATA_DIR": "data",
    "PUBLIC_URL": "http://127.0.0.1:8000",
    "MAIL_DOMAIN": "localhost",
    "SECRET_KEY": "made at the first start, stored in `DATA_DIR`",
    "LIMITS": "the usual ones",
    "LOG_FORMAT": "text",
    "LOG_LEVEL": "warning",
    "PROXIES": "0",
    "SMTP_URL": "the local mailbox",
    "MAIL_LISTEN": "127.0.0.1:2525",
    "IMAP_URL": "none",
    "INBOUND_SECRET": "none",
    "TRUSTED_AUTHSERV": "none",
    "MAIL_RELAYS": "what is not on the open internet",
    "DNS_SERVERS": "those of the machine",
    "DKIM_KEY": "mails are not signed",
    "DKIM_SELECTOR": "marketpost",
    "CANARY_EVERY": "0",
    "WEBHOOK_ALLOW": "none",
    "REPORTS_TO": "none",
    "OPERATORS": "none",
}
"""Every setting, and what holds if it is not set."""
