"""Bound what the library requests reads of an answer, and keep the last one, for libraries that call it for us and offer neither.

Fault: requests reads and unpacks a whole answer into memory. A server that never ends, or sends a few kilobytes of Brotli that unpack to
gigabytes, would kill the worker, and with it the messages of everybody else.
"""

import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import requests
from requests.adapters import HTTPAdapter

READ_AT_MOST = 65536
"""Bytes of an answer, unpacked, that are read."""
PIECE = 4096


class BoundedBody:
    """The body of an answer as far as it is read; the rest is cut off with its connection."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def stream(self, _size: int, decode_content: bool) -> Iterator[bytes]:
        """Yield the body in pieces, as requests reads it."""
        left = READ_AT_MOST
        try:
            for piece in self.raw.stream(PIECE, decode_content=decode_content):
                yield piece
                left -= len(piece)
                if left <= 0:
                    return
        finally:
            self.raw.close()

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()


class LastAnswer(threading.local):
    """The last answer that this thread got."""

    response: requests.Response | None = None


last_answer = LastAnswer()


class BoundedAdapter(HTTPAdapter):
    """Sends a request, bounds its answer, and keeps it."""

    def send(self, *args: Any, **kwargs: Any) -> requests.Response:
        """Send the request; requests reads the body afterwards."""
        last_answer.response = None
        response = super().send(*args, **kwargs)
        response.raw = BoundedBody(response.raw)
        last_answer.response = response
        return response


class BoundedSession(requests.Session):
    """A session whose answers are bounded, whatever the scheme."""

    def __init__(self) -> None:
        super().__init__()
        for scheme in ("https://", "http://"):
            self.mount(scheme, BoundedAdapter())


@cache
def bound_answers() -> None:
    """Let `requests.post` and its like use bounded sessions in this process: they make a session of their own for each call."""
    requests.sessions.Session = BoundedSession  # type: ignore[misc]
