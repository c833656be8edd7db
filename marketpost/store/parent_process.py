"""Ends a child process together with its parent."""

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
    """Let the system kill this process when its parent ends; does nothing where the system is not Linux.

    Race: the parent may end before the request is made. Its id is compared afterwards, and this process exits if it has changed.
    """
    if _prctl:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
