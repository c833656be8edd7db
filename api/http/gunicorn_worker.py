"""gunicorn's gevent worker, which answers unreadable requests with a problem document like every other error."""

import json
from http import HTTPStatus
from typing import Any

from gunicorn.http import errors  # type: ignore[import-untyped]
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped]

from api.http.request_id import HEADER, new_id
from marketpost.rules.refusal import Refusal
from marketpost.rules.words import COMMON, Words

STATUS = {
    errors.LimitRequestLine: 414,
    errors.ExpectationFailed: 417,
    errors.LimitRequestHeaders: 431,
    errors.UnsupportedTransferCoding: 501,
}
BAD_REQUEST = 400


class ProblemWorker(GeventWorker):  # type: ignore[misc]
    """The stock gevent worker, except that its error page is a problem+json document."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer a request that cannot be parsed."""
        if not isinstance(exc, errors.ParseException):
            super().handle_error(req, client, addr, exc)
            return
        id = new_id()
        self.log.warning("request %s from %s cannot be read: %s", id, (addr or ("",))[0], exc)
        status = next((status for kind, status in STATUS.items() if isinstance(exc, kind)), BAD_REQUEST)
        try:
            write_nonblock(client, _problem(status, id))
        except OSError:
            self.log.debug("request %s: its sender is gone", id)


def _problem(status: int, id: str) -> bytes:
    """Build the whole response, in English because there is no request to take a language from."""
    words = Words("en", COMMON)
    document = {
        "type": "/docs#bad-request",
        "title": words.say(f"api.{BAD_REQUEST}"),
        "status": status,
        "detail": words.explain(Refusal("bad-request")),
        "code": "bad-request",
        "instance": "",
        "request": id,
    }
    body = json.dumps(document).encode()
    lines = ["Connection: close", "Content-Type: application/problem+json", f"{HEADER}: {id}", f"Content-Length: {len(body)}"]
    return "\r\n".join([f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *lines, "", ""]).encode() + body
