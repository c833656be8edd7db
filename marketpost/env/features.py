"""Turn a position of any ruleset into a vector of fixed length."""

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SIZE = 1024
"""Numbers in an observation."""


def vector(view: Any) -> NDArray[np.float32]:
    """Compute the features of a view by the hashing trick.

    Each leaf of the document adds to the place that the hash of its path names, so a ruleset needs to declare nothing. Two leaves may share
    a place; with a few hundred leaves that is rare.
    """
    features = np.zeros(SIZE, dtype=np.float32)
    for name, value in _leaves("", view):
        features[crc32(name.encode()) % SIZE] += value
    return features


def _leaves(path: str, part: Any) -> Iterator[tuple[str, float]]:
    match part:
        case None:
            return
        case bool() | int() | float():
            yield path, float(part)
        case str():
            yield f"{path}={part}", 1.0
        case dict():
            for name, value in part.items():
                yield from _leaves(f"{path}/{name}", value)
        case _:
            for number, value in enumerate(part):
                yield from _leaves(f"{path}/{number}", value)
