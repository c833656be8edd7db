"""A process that ends with the one that started it."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def _find_prctl() -> Callable[..., int] | None:
    return ctypes.CDLL(None).prctl if sys.platform == "linux" else None


_prctl = _find_prctl()


def die_with(parent: int) -> None:
    """From now on this process is killed when its parent ends. On systems that cannot do so, nothing happens."""
    if _prctl:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
