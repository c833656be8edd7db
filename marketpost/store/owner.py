"""The service that a store belongs to: the first that wrote to it, identified by its secret key and its mail domain."""

import hashlib

from marketpost.store.packed_entries import MARK, PACKED
from marketpost.store.redis_client import RedisClient
from marketpost.store.settings import Settings

OWNER = "{service}:owner"


class OwnedByAnother(Exception):
    """Raised where the store belongs to another service; names the mail domain of its owner."""

    def __init__(self, domain: str) -> None:
        super().__init__(
            f"this Redis belongs to the service of {domain}, which has another SECRET_KEY or MAIL_DOMAIN. Set the same ones here, "
            "or another REDIS_URL; if they were changed on purpose, run `marketpost adopt` once"
        )


def claim(redis: RedisClient, settings: Settings) -> None:
    """Record this service as the owner of the store; raises `OwnedByAnother` if there is another. A new store may pack its entries.

    Race: two services start on one empty store. SET with NX lets one of them write; the other reads what it wrote.
    """
    if redis.set(OWNER, _name(settings), nx=True):
        redis.set(MARK, PACKED)
    else:
        check(redis, settings)


def check(redis: RedisClient, settings: Settings) -> None:
    """Raise `OwnedByAnother` if the store belongs to another service. A store without an owner passes."""
    owner = (redis.get(OWNER) or b"").decode()
    if owner and owner != _name(settings):
        raise OwnedByAnother(owner.partition(" ")[2])


def adopt(redis: RedisClient, settings: Settings) -> None:
    """Record this service as the owner of the store, whoever owned it: its key or mail domain was changed on purpose.

    All processes were stopped for that, so none of release 1.0 goes on with it: from now on entries are packed.
    """
    redis.set(OWNER, _name(settings))
    redis.set(MARK, PACKED)


def _name(settings: Settings) -> str:
    """Write what identifies a service: a digest of its secret key, and its mail domain."""
    digest = hashlib.sha256(f"owner|{settings.secret_key}".encode()).hexdigest()
    return f"{digest[:32]} {settings.mail_domain}"
