"""Write the supervisor's log to a terminal, file or pipe without ever waiting for it."""

import os
import select

MOST_WAITING = 256_000
"""Bytes of log that wait in memory for an output that accepts nothing; lines beyond it are dropped and counted."""


class LogOutput:
    """Writes lines to a file descriptor and never blocks.

    Fault: the disk is full, or the reader of the pipe is gone or never reads. A blocking write, or its exception, would stop the supervisor
    and with it the service. So lines wait in memory; those beyond a limit are dropped, counted, and reported later.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._waiting, self._dropped, self._why = descriptor, bytearray(), 0, ""
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    def say(self, line: str) -> None:
        """Write a line now or, if there is no room, later; drop it if too much waits already."""
        data = f"{line}\n".encode(errors="backslashreplace")
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
                del self._waiting[: os.write(self._descriptor, self._waiting[: select.PIPE_BUF])]
            self._why = "nobody read it" if self._waiting else self._why
        except OSError as error:
            self._why = f"it could not be written ({error.strerror})"
