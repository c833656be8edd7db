"""Programs that play as bots on this machine: they read a game as a line of JSON and answer with a line of orders."""

import shlex
import subprocess
from contextlib import suppress
from threading import Timer
from types import TracebackType
from typing import Any

import msgspec

LONGEST_ANSWER = 10_000
"""Characters of an answer that are read; no orders are nearly as long."""
GOODBYE = 1.0
"""Seconds that a program has to end after the last line."""


class ProgramFailed(Exception):
    """Raised if a program gives no orders: it has ended, or has taken too long."""


class BotProgram:
    """A running program that decides for one seat in one game."""

    def __init__(self, command: str, seconds: float) -> None:
        self._seconds = seconds
        self._process = subprocess.Popen(  # noqa: S603  # whoever runs the league names the program
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __enter__(self) -> "BotProgram":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with suppress(subprocess.TimeoutExpired, BrokenPipeError):
            self._process.communicate(timeout=GOODBYE)
        self._process.kill()
        self._process.wait()

    def orders(self, situation: dict[str, Any]) -> str:
        """Show the program a game in which it must decide, and read its orders.

        Fault: a program may never answer. A timer kills it, which ends the read.
        """
        self.tell(situation)
        timer = Timer(self._seconds, self._process.kill)
        timer.start()
        try:
            line = self._process.stdout.readline(LONGEST_ANSWER) if self._process.stdout else ""
        except UnicodeDecodeError as error:
            raise ProgramFailed from error
        finally:
            timer.cancel()
        if not line.strip():
            raise ProgramFailed
        return line.strip()

    def tell(self, situation: dict[str, Any]) -> None:
        """Write a game as one line of JSON; a program that has ended is not told."""
        with suppress(BrokenPipeError):
            print(msgspec.json.encode(situation).decode(), file=self._process.stdin, flush=True)
