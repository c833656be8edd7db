"""Where chance comes from: sealed in a secret, or told by a record."""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from marketpost.rules.refusal import Refused

T = TypeVar("T")


class Chance(Protocol):
    """One outcome at a time, from what is possible, given in sorted order."""

    def pick(self, options: Sequence[T]) -> T: ...


class Sealed:
    """Every outcome follows from the secret, the game and the number of the draw, so that anyone can check it afterwards."""

    def __init__(self, secret: bytes, game: str, drawn: int = 0) -> None:
        self._secret, self._game, self._drawn = secret, game, drawn

    def pick(self, options: Sequence[T]) -> T:
        index = uniform(self._secret, f"{self._game}|{self._drawn}", len(options))
        self._drawn += 1
        return options[index]


def uniform(secret: bytes, label: str, size: int) -> int:
    """A number below `size`. Words that would favour the small numbers are thrown away, not wrapped round."""
    fair = (1 << 64) - (1 << 64) % size
    attempt = 0
    while True:
        digest = hmac.digest(secret, f"{label}|{attempt}".encode(), hashlib.sha256)
        for start in range(0, 32, 8):
            word = int.from_bytes(digest[start : start + 8], "big")
            if word < fair:
                return word % size
        attempt += 1


def seal(secret: bytes) -> str:
    """What is published before the game, so that the secret cannot be changed afterwards."""
    return hashlib.sha256(secret).hexdigest()


class RecordedChance:
    """Chance as a record tells it. What could not have happened makes the record wrong."""

    def __init__(self, outcomes: Iterable[str]) -> None:
        self._outcomes = list(outcomes)

    def pick(self, options: Sequence[T]) -> T:
        if not self._outcomes:
            raise Refused("outcome-missing", options=sorted({str(each) for each in options}))
        told = self._outcomes.pop(0)
        for option in options:
            if str(option) == told:
                return option
        raise Refused("outcome-impossible", outcome=told, options=sorted({str(each) for each in options}))

    @property
    def left(self) -> list[str]:
        return self._outcomes
