"""What became of a mail, said in one of three ways: one that somebody has refused for good is never tried again."""

from dataclasses import dataclass
from typing import Literal

REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mail: the next server answers for it, or try again later, or it is refused for good."""

    kind: Literal["delivered", "later", "never"]
    reason: str = ""


def delivered() -> Fate:
    return Fate("delivered")


def later(reason: str) -> Fate:
    return Fate("later", clean(reason))


def never(reason: str) -> Fate:
    return Fate("never", clean(reason))


def clean(reason: str) -> str:
    """One short line without anything that could harm a log or a page."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in reason).split())
    return line if len(line) <= REASON_LENGTH else line[: REASON_LENGTH - 1] + "…"
