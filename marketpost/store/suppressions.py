"""The suppression list: addresses to which no letters are sent, because their owner complained or the operator decided so."""

import hashlib
from enum import StrEnum

import msgspec

from marketpost.store.redis_client import RedisClient

SUPPRESSIONS = "suppressions"


class SuppressionCause(StrEnum):
    """Who put an address on the list. The values are stored; the one that suppresses most comes first."""

    OPERATOR = "operator"
    COMPLAINT = "complaint"
    """A mail provider told us that the owner marked a letter as spam."""


class Suppression(msgspec.Struct, frozen=True):
    """An address on the list."""

    address: str
    """Empty once the player who owned it was erased: the hash under which this is stored still suppresses it."""
    at: int
    cause: SuppressionCause


_suppression = msgspec.json.Decoder(Suppression)


class Suppressions:
    """Stores suppressed addresses by their hash, each cause apart, so that lifting one leaves the other."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis

    def add(self, address: str, cause: SuppressionCause, at: int) -> bool:
        """Suppress an address; False if it is suppressed for this cause already."""
        entry = msgspec.json.encode(Suppression(address, at, cause))
        return bool(self.redis.hsetnx(SUPPRESSIONS, _field(address, cause), entry))

    def lift(self, address: str, *causes: SuppressionCause) -> bool:
        """Take an address off the list, for all causes unless some are named; False if it was not on it."""
        return bool(self.redis.hdel(SUPPRESSIONS, *(_field(address, cause) for cause in causes or SuppressionCause)))

    def find(self, address: str) -> Suppression | None:
        """Return the entry of an address, that of the operator before a complaint; None if it is not suppressed."""
        found = self.redis.hmget(SUPPRESSIONS, [_field(address, cause) for cause in SuppressionCause])
        return next((_suppression.decode(each) for each in found if each), None)

    def all(self) -> list[Suppression]:
        """List all entries, oldest first."""
        found = (_suppression.decode(each) for each in self.redis.hgetall(SUPPRESSIONS).values())
        return sorted(found, key=lambda each: (each.at, each.address))

    def erase(self, address: str) -> None:
        """Delete an address from its entries. They stay, under its hash: whoever complained gets no letters after an erasure either."""
        for cause in SuppressionCause:
            if found := self.redis.hget(SUPPRESSIONS, _field(address, cause)):
                nameless = msgspec.structs.replace(_suppression.decode(found), address="")
                self.redis.hset(SUPPRESSIONS, _field(address, cause), msgspec.json.encode(nameless))


def _field(address: str, cause: SuppressionCause) -> str:
    return f"{cause} {hashlib.sha256(address.strip().casefold().encode(errors='surrogatepass')).hexdigest()}"
