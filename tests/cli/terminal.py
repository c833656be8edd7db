"""A terminal for tests: a real pseudo-terminal with a command in it, and what its screen shows."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from typing import Any

import pyte

PATIENCE = 120.0


class Terminal:
    """Runs a command as if somebody sat before it."""

    def __init__(self, command: list[str], environment: dict[str, str], columns: int = 80, lines: int = 24) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.bytes = b""
        self._stream = pyte.ByteStream(self.screen)
        self._master, slave = pty.openpty()
        self.resize(columns, lines)
        self.process = subprocess.Popen(
            command,
            env={"TERM": "xterm-256color", "LANG": "C.UTF-8", **environment, "COLUMNS": "", "LINES": ""},
            preexec_fn=lambda: os.login_tty(slave),
            close_fds=True,
        )
        os.close(slave)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.resize(lines, columns)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def until(self, seen: str | Callable[[str], Any]) -> None:
        """Until the screen shows it."""
        end = time.monotonic() + PATIENCE
        while not (seen in self.text if isinstance(seen, str) else seen(self.text)):
            assert time.monotonic() < end, f"never seen: {seen}\n{self.text}"
            self._look()

    def ends(self) -> int:
        end = time.monotonic() + PATIENCE
        while self._look() or self.process.poll() is None:
            assert time.monotonic() < end, f"does not end:\n{self.text}"
        return self.process.returncode

    def attributes(self) -> list[Any]:
        return termios.tcgetattr(self._master)

    def _look(self) -> bool:
        """Whether something came."""
        ready, _, _ = select.select([self._master], [], [], 0.05)
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:  # the other end is closed
            return False
        self.bytes += data
        self._stream.feed(data)
        return bool(data)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
