"""Settings of the service, read from environment variables."""

import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can set."""

    redis_url: str
    """Redis of the games: must be durable. `redis://`, `rediss://`, `unix://`, `redis+sentinel://`, `redis+cluster://`."""
    queue_redis_url: str
    """Redis of the queue, rate limits and metrics: may be lost at any time."""
    wait_replicas: int = 0
    """Number of replicas that must have a move, game or message on their disks before it is acknowledged."""
    data: Path = Path("data")
    public_url: str = "http://127.0.0.1:8000"
    mail_domain: str = "localhost"
    secret_key: str = field(default="", repr=False)
    """Signs links and derives ids; the same on every machine of one service."""
    limits: str = ""
    """Limits that differ from the default, such as `requests-player=1200, codes-recipient=10`; `off` for none."""
    log_format: str = "text"
    """`json` for one JSON object a line, `text` for sentences."""
    log_level: str = "warning"
    """The least serious lines that are logged: `info`, `warning` or `error`."""
    proxies: int = 0
    """Number of own proxies before the API that add the client's address to `X-Forwarded-For`."""

    smtp_url: str = field(default="", repr=False)
    """Mail server that sends the letters; without it they go to the local mailbox."""
    mail_listen: str = "127.0.0.1:2525"
    """Address to listen on for inbound SMTP; `lmtp://HOST:PORT` for LMTP, `off` for none."""
    imap_url: str = field(default="", repr=False)
    """Mailbox to poll for inbound messages."""
    inbound_secret: str = field(default="", repr=False)
    """Secret that a mail provider must send to `POST /v1/inbound`."""
    trusted_authserv: str = ""
    """Name that our own mail server writes into `Authentication-Results`; its checks of SPF, DKIM and DMARC are then used."""
    mail_relays: str = ""
    """Networks of our own mail servers, whose mail is not checked by SPF; by default all private networks."""
    dns_servers: str = ""
    """DNS server for SPF, DKIM and DMARC, such as `127.0.0.1:5353`; by default that of the system."""
    dkim_key: str = field(default="", repr=False)
    """Private key in PEM that signs letters, or the name of a file with it."""
    dkim_selector: str = "marketpost"
    canary_every: int = 0
    """Seconds between two letters of the service to itself; 0 for none."""
    webhook_allow: str = ""
    """Private networks that webhooks may call, such as `127.0.0.1/32, 10.1.0.0/16`; by default only public addresses."""

    reports_to: str = ""
    """Mail addresses and URLs, separated by commas, that are notified when a player reports another."""
    operators: str = field(default="", repr=False)
    """Who may sign in at `/operate`: names with the hashes of their passwords, such as `ann:HASH, bob:HASH`; the page is off without."""

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Read the settings from environment variables."""
        data = Path(environment.get("DATA_DIR", "data"))
        games = environment.get("REDIS_URL") or f"unix://{(data / 'games.sock').resolve()}"
        queue = environment.get("QUEUE_REDIS_URL") or environment.get("REDIS_URL") or f"unix://{(data / 'queue.sock').resolve()}"
        return cls(
            redis_url=games,
            queue_redis_url=queue,
            wait_replicas=int(environment.get("WAIT_REPLICAS") or 0),
            data=data,
            public_url=(environment.get("PUBLIC_URL") or "http://127.0.0.1:8000").rstrip("/"),
            mail_domain=environment.get("MAIL_DOMAIN") or "localhost",
            secret_key=environment.get("SECRET_KEY") or _stored_secret(data),
            limits=environment.get("LIMITS", ""),
            log_format=environment.get("LOG_FORMAT") or "text",
            log_level=environment.get("LOG_LEVEL") or "warning",
            proxies=int(environment.get("PROXIES") or 0),
            smtp_url=environment.get("SMTP_URL", ""),
            mail_listen=environment.get("MAIL_LISTEN") or "127.0.0.1:2525",
            imap_url=environment.get("IMAP_URL", ""),
            inbound_secret=environment.get("INBOUND_SECRET", ""),
            trusted_authserv=environment.get("TRUSTED_AUTHSERV", ""),
            mail_relays=environment.get("MAIL_RELAYS", ""),
            dns_servers=environment.get("DNS_SERVERS", ""),
            dkim_key=environment.get("DKIM_KEY", ""),
            dkim_selector=environment.get("DKIM_SELECTOR") or "marketpost",
            canary_every=int(environment.get("CANARY_EVERY") or 0),
            webhook_allow=environment.get("WEBHOOK_ALLOW", ""),
            reports_to=environment.get("REPORTS_TO", ""),
            operators=environment.get("OPERATORS", ""),
        )

    @property
    def embedded(self) -> bool:
        """Whether the games are in the embedded Redis, which is started with the service."""
        return self.redis_url.startswith("unix://") and self.redis_url.endswith("/games.sock")


def _stored_secret(data: Path) -> str:
    """Read the secret key from the data folder, where it is written at the first start without `SECRET_KEY`."""
    path = data / "secret-key"
    if not path.exists():
        data.mkdir(parents=True, exist_ok=True)
        _write_once(path, secrets.token_hex(32))
    return path.read_text().strip()


def _write_once(path: Path, text: str) -> None:
    """Write a file completely or not at all.

    Race: two processes start at once. `os.link` fails for the second, and the file of the first stays.
    """
    with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
        file.write(text)
        file.flush()
        with suppress(FileExistsError):
            os.link(file.name, path)
