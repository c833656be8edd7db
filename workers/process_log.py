"""The log of a worker, a sweeper, a mail listener or the API: plain lines for what is wrong outside of it, and never a flood."""

import logging
import time
from zoneinfo import ZoneInfoNotFoundError

import msgspec
from redis import RedisError

from marketpost.store.settings import Settings
from workers.json_lines import JsonLines, named_values
from workers.log_output import log_handler

WINDOW = 60.0
"""Seconds in which lines of one kind are counted."""
MOST_ALIKE = 5
"""Lines of one kind that are logged in a window; the rest is counted, and told with the next that is."""
OUTSIDE = (RedisError, OSError, MemoryError, ZoneInfoNotFoundError, msgspec.DecodeError)
"""Exceptions that come from around the process or from what was stored: a traceback of our own code would tell the operator nothing."""
RQ = "rq."
TOLD_BY_US = ("found an unhandled exception, quitting", "Moved to FailedJobRegistry")
"""Parts of lines of rq that are left out: a worker says itself what it waits for, and a job that was broken off is enqueued again."""


class PlainLines(logging.Filter):
    """Says in one line what came from outside, and lets only a few lines of each kind through.

    Fault: without file descriptors or without the store, every job fails in the same way, hundreds of times in a second.
    """

    def __init__(self) -> None:
        super().__init__()
        self._began: dict[tuple[str, str], float] = {}
        self._seen: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Decide whether a line is logged, and shorten it."""
        if record.levelno < logging.WARNING:
            return True
        error = record.exc_info[1] if record.exc_info else None
        record.named = named_values(record)
        kind = (record.name, f"{record.msg} {type(error).__name__}")
        if record.name.startswith(RQ) and not _shorten(record):
            return False
        if isinstance(error, OUTSIDE):
            record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}: {error}", ()
            record.exc_info = None
        return self._is_due(record, kind)

    def _is_due(self, record: logging.LogRecord, kind: tuple[str, str]) -> bool:
        now = time.monotonic()
        if now - self._began.get(kind, -WINDOW) >= WINDOW:
            left_out = self._seen.pop(kind, 0) - MOST_ALIKE
            self._began[kind] = now
            if left_out > 0:
                record.msg, record.args = f"{record.getMessage()} ({left_out} more lines like this one were left out before)", ()
        self._seen[kind] = self._seen.get(kind, 0) + 1
        return self._seen[kind] <= MOST_ALIKE


def _shorten(record: logging.LogRecord) -> bool:
    """Shorten a line of rq, which puts the traceback of a job into it; False if it is left out."""
    said = record.getMessage()
    if any(part in said for part in TOLD_BY_US):
        return False
    if "\n" in said.strip():
        first, *_, last = said.strip().splitlines()
        record.msg, record.args = f"{first}: {last.rstrip('.')}. Jobs hold nothing; the sweeper enqueues their work again", ()
    return True


def log_plainly(found: Settings) -> None:
    """Log what happens in this process to standard error."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[log_handler()])
    keep_plain(found)


def keep_plain(found: Settings) -> None:
    """Let plain lines through only, and few warnings of each kind, where this process logs to, as it is set."""
    logging.getLogger("marketpost").setLevel(found.log_level.upper())
    for handler in logging.getLogger().handlers:
        handler.addFilter(PlainLines())
        if found.log_format == "json":
            handler.setFormatter(JsonLines())
