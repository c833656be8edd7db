"""Write the log of a process to a terminal, file or pipe without ever waiting for it."""

import errno
import logging
import os
import select
import sys

MOST_WAITING = 256_000
"""Bytes of log that wait in memory for an output that accepts nothing; lines beyond it are dropped and counted."""

STANDARD_ERROR, AT_THE_END = 2, -1


class LogOutput:
    """Writes lines to a file descriptor and never blocks.

    Fault: the disk is full, or the reader of the pipe is gone or never reads. A blocking write, or its exception, would stop the process,
    and the supervisor's would stop the service. So lines wait in memory; those beyond a limit are dropped, counted, and reported later.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._waiting, self._dropped, self._why = descriptor, bytearray(), 0, ""
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    def say(self, line: str) -> None:
        """Write a line."""
        self.write(f"{line}\n")

    def write(self, lines: str) -> None:
        """Write whole lines now or, if there is no room, later; drop them if too much waits already."""
        data = lines.encode(errors="backslashreplace")
        self.flush()
        if len(self._waiting) + len(data) > MOST_WAITING:
            self._dropped += 1
            return
        self._waiting += data
        self.flush()

    def flush(self) -> None:
        """Write as much of what waits as there is room for, and then how many lines were dropped."""
        self._write()
        if self._dropped and not self._waiting:
            told = f"{self._dropped} lines of this log were dropped, because {self._why}; the service went on meanwhile"
            self._waiting, self._dropped = bytearray(told.encode() + b"\n"), 0
            self._write()

    def _write(self) -> None:
        """Write pieces of at most PIPE_BUF bytes: a pipe that is ready accepts one of them whole."""
        try:
            while self._waiting and self._room.poll(0):
                del self._waiting[: _write_at_once(self._descriptor, self._waiting[: select.PIPE_BUF])]
        except BlockingIOError:
            pass
        except OSError as error:
            self._why = f"it could not be written ({error.strerror})"
            return
        self._why = "nobody read it" if self._waiting else self._why


def log_handler() -> logging.Handler:
    """Make a handler that writes to standard error and never blocks."""
    return logging.StreamHandler(LogOutput(STANDARD_ERROR))


def _write_at_once(descriptor: int, data: bytearray) -> int:
    """Write what there is room for; BlockingIOError if there is none.

    Race: several processes may log to one pipe, and another one may fill it after it was found ready. Files and terminals know no such
    write; on them only the disk or the line is waited for.
    """
    if sys.platform == "linux":
        try:
            return os.pwritev(descriptor, [data], AT_THE_END, os.RWF_NOWAIT)
        except OSError as error:
            if error.errno != errno.EOPNOTSUPP:
                raise
    return os.write(descriptor, data)
