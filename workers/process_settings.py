"""What each worker was started with, kept beside its registration, so that the doctor finds one that has other settings."""

import hashlib
import hmac
from importlib.metadata import version

import msgspec
from rq.worker import BaseWorker

from marketpost.store.connections import typed
from marketpost.store.settings import Settings

FIELD = "settings"
"""Field of a worker's own hash in the queue's Redis; it goes when rq forgets the worker."""
RELEASE = "release"
SHARED = (
    "wait_replicas", "public_url", "mail_domain", "limits", "smtp_url", "trusted_authserv", "mail_relays", "dns_servers",
    "dkim_key", "dkim_selector", "webhook_allow", "reports_to",
)  # fmt: skip
"""The settings that workers use."""
_digests = msgspec.json.Decoder(dict[str, str])


def digests(settings: Settings) -> dict[str, str]:
    """Compute a digest of each shared setting, and name the release. Some hold passwords: only who has the secret key can compare them."""
    key = settings.secret_key.encode()
    values = {name: f"{name} {getattr(settings, name)}".encode() for name in SHARED}
    return {RELEASE: version("marketpost")} | {
        name.upper(): hmac.digest(key, value, hashlib.sha256).hex()[:12] for name, value in values.items()
    }


def register(worker: BaseWorker, settings: Settings) -> None:
    """Store with what this worker was started."""
    worker.connection.hset(worker.key, FIELD, msgspec.json.encode(digests(settings)))


def differing(worker: BaseWorker, own: dict[str, str]) -> list[str]:
    """List what a worker was started with that is different here; nothing of a worker of an earlier release, which does not tell."""
    told = _digests.decode(typed(worker.connection).hget(worker.key, FIELD) or b"{}")
    return sorted(name for name, value in told.items() if own.get(name, value) != value)
