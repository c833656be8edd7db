"""Choices as one long number: each takes as much of a range as it is likely, so that the likely ones cost little. Whole numbers only."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")
LOW, BYTE = 40, 8
FULL = 1 << LOW + BYTE


class Writer:
    def __init__(self) -> None:
        self.start, self.size, self.out = 0, FULL - 1, bytearray()

    def choose(self, shares: Mapping[T, int], rest: int, choice: T | None) -> T | None:
        """One of those that have a share, or none of them, which has the rest."""
        total = sum(shares.values()) + rest
        if choice is None or choice not in shares:
            self._take(0, rest, total)
            return None
        below = rest
        for each, share in shares.items():
            if each == choice:
                break
            below += share
        self._take(below, shares[choice], total)
        return choice

    def even(self, total: int, number: int | None) -> int:
        """A number below the total, all of them as likely."""
        self._take(number or 0, 1, total)
        return number or 0

    def _take(self, below: int, share: int, total: int) -> None:
        each = self.size // total
        self.start, self.size = self.start + each * below, each * share
        while self.size < 1 << LOW:
            self._shift()
            self.size <<= BYTE

    def _shift(self) -> None:
        if self.start >= FULL:
            place = len(self.out) - 1
            while self.out[place] == 255:
                self.out[place] = 0
                place -= 1
            self.out[place] += 1
        self.out.append(self.start >> LOW & 255)
        self.start = (self.start & (1 << LOW) - 1) << BYTE

    def end(self) -> bytes:
        """The number in what is left of the range that ends in the most zeros; they need not be written."""
        last, zeros = self.start + self.size - 1, LOW
        while last >> zeros << zeros < self.start:
            zeros -= 1
        self.start = last >> zeros << zeros
        for _ in range(0, LOW + BYTE, BYTE):
            self._shift()
        return bytes(self.out).rstrip(b"\0")


class Reader:
    def __init__(self, data: bytes) -> None:
        self.size, self.at, self.bytes = FULL - 1, 0, iter(data)
        for _ in range(0, LOW + BYTE, BYTE):
            self._shift()

    def choose(self, shares: Mapping[T, int], rest: int, choice: T | None) -> T | None:
        each = self.size // (sum(shares.values()) + rest)
        at, below = self.at // each, rest
        if at < rest:
            return self._take(each, 0, rest, None)
        for found, share in shares.items():
            if at < below + share:
                return self._take(each, below, share, found)
            below += share
        raise ValueError

    def even(self, total: int, number: int | None) -> int:
        each = self.size // total
        return self._take(each, self.at // each, 1, self.at // each)

    def _take(self, each: int, below: int, share: int, choice: T) -> T:
        self.at, self.size = self.at - each * below, each * share
        while self.size < 1 << LOW:
            self._shift()
            self.size <<= BYTE
        return choice

    def _shift(self) -> None:
        self.at = self.at << BYTE | next(self.bytes, 0)
