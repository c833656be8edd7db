"""Whose store this is: the service that wrote to it first, known by its secret key and its mail domain."""

import hashlib

from marketpost.store.redis_client import RedisClient
from marketpost.store.settings import Settings

OWNER = "{service}:owner"


class OwnedByAnother(Exception):
    """Raised where a service finds the store of another one; `domain` is the mail domain of its owner."""

    def __init__(self, domain: str) -> None:
        super().__init__(
            f"this Redis belongs to the service of {domain}, which has another SECRET_KEY or MAIL_DOMAIN. Set the same ones here, "
            "or another REDIS_URL; if they were changed on purpose, run `marketpost adopt` once"
        )


def claim(redis: RedisClient, settings: Settings) -> None:
    """Write down that the store is ours, or refuse to use it if it is another service's.

    Race: two services may start on one empty store. SET with NX lets one of them write; the other reads what it wrote.
    """
    if not redis.set(OWNER, _name(settings), nx=True):
        check(redis, settings)


def check(redis: RedisClient, settings: Settings) -> None:
    """Raise `OwnedByAnother` if the store belongs to another service; a store without an owner is anybody's."""
    owner = (redis.get(OWNER) or b"").decode()
    if owner and owner != _name(settings):
        raise OwnedByAnother(owner.partition(" ")[2])


def adopt(redis: RedisClient, settings: Settings) -> None:
    """Take the store over, after its service was given another key or mail domain on purpose."""
    redis.set(OWNER, _name(settings))


def _name(settings: Settings) -> str:
    """Name a service. The key is secret: only a digest of it is written."""
    digest = hashlib.sha256(f"owner|{settings.secret_key}".encode()).hexdigest()
    return f"{digest[:32]} {settings.mail_domain}"
