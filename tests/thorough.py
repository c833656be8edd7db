"""How often tests repeat what they do at random: once around in `make test`, and THOROUGH times as often in `make fuzz`."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

THOROUGH = int(os.environ.get("THOROUGH", "1"))


def some(every: Sequence[T], one_in: int, number: int = 0) -> Sequence[T]:
    """One in so many of these, others for the next number; all of them in `make fuzz`."""
    return every if THOROUGH > 1 else every[number % one_in :: one_in]
