"""A clock that nobody sets: the time since this machine was started."""

import time
from pathlib import Path
from typing import NamedTuple

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class SteadyTime(NamedTuple):
    """A moment that can be compared with others of the same machine since the same start; with none if `machine` is empty."""

    machine: str = ""
    at: int = 0
    """Milliseconds since the start, with those in which the machine slept."""


def steady_time() -> SteadyTime:
    """Read the steady clock. All processes of a machine read the same; where there is none (it needs Linux), nothing is compared."""
    try:
        return SteadyTime(BOOT_ID.read_text().strip(), time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000)
    except (OSError, AttributeError):
        return SteadyTime()
