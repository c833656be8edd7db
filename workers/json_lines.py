"""Format log lines as JSON, for machines that collect logs."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec


class JsonLines(logging.Formatter):
    """Formats a line as one JSON object: when, how serious, by whom, the sentence, and the values that the sentence names.

    A sentence such as `game %(game)s: move %(move)s was applied` gives the fields `game` and `move`, by which a move can be followed from
    the request to the letter.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "logger": record.name, "pid": record.process}
        line |= {"message": record.getMessage()} | named_values(record)
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def named_values(record: logging.LogRecord) -> dict[str, Any]:
    """Return the values that the sentence of a line names; `PlainLines` keeps those of a line that it has shortened."""
    kept = getattr(record, "named", None) or record.args
    return dict(kept) if isinstance(kept, Mapping) else {}
