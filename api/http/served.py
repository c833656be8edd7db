"""The application as gunicorn serves it: bodies have a time limit, and another process draws the pictures."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Protocol

from flask import Flask
from gevent import Timeout  # type: ignore[import-untyped]
from werkzeug.exceptions import RequestEntityTooLarge, RequestTimeout

from api.http.app import LARGEST_BODY, create_app
from marketpost.pictures.drawing_process import DrawingProcess
from marketpost.store.settings import Settings
from workers.process_log import keep_plain

BEGUN_WITHIN = 10.0
"""Seconds for a body to arrive; long bodies get more, by `SLOWEST`."""
SLOWEST = 4096
"""Bytes per second of the slowest accepted connection."""


class Readable(Protocol):
    """A stream of bytes that WSGI servers give as input."""

    def read(self, size: int = -1, /) -> bytes: ...
    def readline(self, size: int = -1, /) -> bytes: ...


class InTime:
    """A request body with a deadline; if it is missed the request is answered with 408.

    A body without Content-Length must be shorter than `LARGEST_BODY`: werkzeug would cut a longer one there without an error.
    """

    def __init__(self, body: Readable, length: int | None) -> None:
        self.body, self.room = body, LARGEST_BODY if length is None else length + 1
        self.until = monotonic() + BEGUN_WITHIN + self.room / SLOWEST

    def read(self, size: int = -1, /) -> bytes:
        """Read bytes before the deadline."""
        return self._within(self.body.read, size)

    def readline(self, size: int = -1, /) -> bytes:
        """Read a line before the deadline."""
        return self._within(self.body.readline, size)

    def _within(self, read: Callable[[int], bytes], size: int) -> bytes:
        with Timeout(max(0.001, self.until - monotonic()), RequestTimeout()):
            found = read(size)
        self.room -= len(found)
        if self.room <= 0:
            raise RequestEntityTooLarge
        return found


class BodiesInTime:
    """WSGI middleware that gives every request body a deadline."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self.app = app

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or ""
        environ["wsgi.input"] = InTime(environ["wsgi.input"], int(length) if length.isdecimal() and len(length) < 16 else None)
        return self.app(environ, start_response)


def served() -> Flask:
    """Build the application for gunicorn."""
    keep_plain(Settings.read())
    app = create_app(draw=DrawingProcess().draw)
    app.wsgi_app = BodiesInTime(app.wsgi_app)  # type: ignore[method-assign]
    return app
