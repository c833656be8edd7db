"""Where chance comes from: a committed secret mixed with words of the players, or a record. docs/chance.md says what that promises."""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Protocol, TypeVar

from marketpost.rules.refusal import Refused

T = TypeVar("T")
SCHEME = 2
"""Of new games. In scheme 1 all chance comes from the secret alone; a log that names no scheme is of that one."""
DUPLICATE_SCHEME = 3
"""Of duplicate tables: all of a round have the same secret, nobody contributes words, and the secret is public when the last is over."""
LARGEST_WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
"""The golden ratio as a part of all words of 64 bits."""
WORD = re.compile(r"[\w-]{1,40}")
"""What a player may contribute: no blanks, and nothing that a mail program would make a link of."""


class Domain(StrEnum):
    """What an outcome is for. Outcomes of different domains tell nothing about each other."""

    SEATS = "seats"
    DEAL = "deal"
    """What chance does when the game begins."""
    DRAW = "draw"
    """What it does afterwards."""
    BOT = "bot"


class Chance(Protocol):
    """One outcome at a time, from what is possible, given in sorted order."""

    def pick(self, options: Sequence[T]) -> T: ...


class Sealed:
    """Every outcome follows from the secret, a label and the number of the draw, so that anyone can check it afterwards."""

    def __init__(self, secret: bytes, label: str, drawn: int = 0) -> None:
        self._secret, self._label, self._drawn = secret, label, drawn

    def pick(self, options: Sequence[T]) -> T:
        index = uniform(self._secret, f"{self._label}|{self._drawn}", len(options))
        self._drawn += 1
        return options[index]


class Dice:
    """Chance for trial games that nobody checks, faster than `Sealed`: a linear congruential generator with Knuth's constants.

    Dice of one seed with the numbers 0, 1, 2 … show each first outcome about equally often: they begin multiples of the golden ratio apart.
    """

    def __init__(self, seed: int, number: int = 0) -> None:
        self._word = uniform(bytes(32), f"dice|{seed}", 1 << 64) + number * GOLDEN & LARGEST_WORD

    def pick(self, options: Sequence[T]) -> T:
        word = self._word
        self._word = word * 6364136223846793005 + 1442695040888963407 & LARGEST_WORD
        return options[(word >> 32) * len(options) >> 32]


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


def mix(secret: bytes, game: str, words: Iterable[str]) -> bytes:
    """The key of all chance in a game of scheme 2: from the secret and the words of all seats.

    Sorted, so that whoever writes the log gains nothing by the order in which words come in.
    """
    return hmac.digest(secret, "\n".join(["chance 2", game, *sorted(words)]).encode(), hashlib.sha256)


def duplicate_key(secret: bytes, competition: str) -> bytes:
    """The key of all chance at the duplicate tables of a round: the same at each, because neither the game nor its players are in it."""
    return hmac.digest(secret, f"chance 3\n{competition}".encode(), hashlib.sha256)


def round_secret(secret: bytes, competition: str, number: int) -> bytes:
    """The secret of a round of duplicate tables. It follows from that of the competition, which was committed to before anybody entered."""
    return hmac.digest(secret, f"round\n{competition}\n{number}".encode(), hashlib.sha256)


def drawn_word(secret: bytes, game: str, seat: int) -> str:
    """The word of a seat whose player brings none. It follows from the secret, so that it was fixed before anybody else's."""
    return hmac.digest(secret, f"word\n{game}\n{seat}".encode(), hashlib.sha256).hex()[:16]


def read_word(text: str) -> str:
    """A player's word as it is written to the log."""
    word = unicodedata.normalize("NFC", text.strip())
    if not WORD.fullmatch(word):
        raise Refused("word-unfit")
    return word


def shuffle(chance: Chance, seats: Iterable[int]) -> tuple[int, ...]:
    """The seats in the order in which chance draws them."""
    left, order = list(seats), list[int]()
    while left:
        order.append(chance.pick(left))
        left.remove(order[-1])
    return tuple(order)


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
