"""Sessions of operators at `/operate`: short, stored under the hash of their secret, and deleted when an operator signs out."""

import hashlib
import secrets

from marketpost.store.redis_client import RedisClient

SESSION_LIVES = 3600
"""Seconds after which an operator signs in again, whatever they did meanwhile."""


class OperatorSessions:
    """Stores which operator has which session."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def begin(self, operator: str, password_hash: str) -> str:
        """Begin a session and return its secret. It holds as long as the operator has this password."""
        secret = secrets.token_urlsafe(32)
        self.redis.set(_key(secret), f"{operator}:{password_hash}", ex=SESSION_LIVES)
        return secret

    def find(self, secret: str) -> tuple[str, str] | None:
        """Return the operator of a session and the hash of the password it began with; None if it is over."""
        found = self.redis.get(_key(secret)) if secret else None
        if not found:
            return None
        operator, _, known = found.decode().partition(":")
        return operator, known

    def end(self, secret: str) -> None:
        """End a session."""
        self.redis.delete(_key(secret))


def _key(secret: str) -> str:
    return f"{{service}}:operator:{hashlib.sha256(secret.encode(errors='surrogatepass')).hexdigest()}"
