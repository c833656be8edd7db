"""Give every request an id, which stands in its response, in its problem and in the log lines about it."""

import re
import secrets

from flask import Flask, Response, g, request

HEADER = "X-Request-Id"
FORM = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)


def request_id() -> str:
    """Return the id of this request: the one that a proxy or the caller gave it, if it has the right form, else a new one."""
    if "request_id" not in g:
        given = request.headers.get(HEADER, "")
        g.request_id = given if FORM.fullmatch(given) else new_id()
    return str(g.request_id)


def new_id() -> str:
    """Make an id for a request that has none."""
    return secrets.token_hex(8)


def install(app: Flask) -> None:
    """Send the id in the headers of every response."""
    app.after_request(_tell)


def _tell(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    return response
