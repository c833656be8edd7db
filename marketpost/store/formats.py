"""Formats of stored documents. Each has a number; a document of an older format is upcast, step by step, whenever it is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
FIRST = 1


class UnknownFormat(ValueError):
    """Raised for a document that a newer version of Marketpost, or another program, has written."""


@dataclass(frozen=True, slots=True)
class Formats(Generic[T]):
    """All formats of one kind of document: `steps[0]` makes one of format 2 from one of format 1, and so on."""

    steps: tuple[Callable[[T], T], ...] = ()

    @property
    def newest(self) -> int:
        """Number of the format that is written."""
        return FIRST + len(self.steps)

    def upcast(self, number: int, document: T) -> T:
        """Convert a document of any known format to the newest."""
        if not FIRST <= number <= self.newest:
            raise UnknownFormat(f"format {number}; this version knows {FIRST} to {self.newest}")
        for step in self.steps[number - FIRST :]:
            document = step(document)
        return document
