"""Mail domains that defer letters: how often in a row, and until when no letter to them is tried."""

from collections.abc import Collection

import msgspec

from marketpost.store.redis_client import RedisClient

LIVES = 24 * 3600
"""Seconds for which a deferral is remembered."""


class ProviderDeferrals(msgspec.Struct, frozen=True):
    """Deferrals of one domain without a success in between."""

    count: int
    since: int
    until: int


_deferrals = msgspec.json.Decoder(ProviderDeferrals)


class ProviderPace:
    """Stores which domains defer. Two workers may count the same moment once: the pause is a courtesy, nothing depends on its length."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    @staticmethod
    def key(domain: str) -> str:
        """Name the key of a domain."""
        return f"{{mail}}:pace:{domain}"

    def read(self, domains: Collection[str]) -> dict[str, ProviderDeferrals]:
        """Read the deferrals of these domains; those that accept letters are left out."""
        asked = sorted(set(domains))
        found = self.redis.mget([self.key(domain) for domain in asked]) if asked else []
        return {domain: _deferrals.decode(row) for domain, row in zip(asked, found, strict=True) if row}

    def defer(self, domain: str, deferrals: ProviderDeferrals) -> None:
        """Store a deferral."""
        self.redis.set(self.key(domain), msgspec.json.encode(deferrals), ex=LIVES)

    def accept(self, domain: str) -> None:
        """Forget the deferrals of a domain that has accepted a letter."""
        self.redis.delete(self.key(domain))
