"""Requests, and what their responses mean; shared by both clients, which only differ in how they wait."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote

import httpx

from marketpost.client.errors import ApiRefused, ApiUnreachable

PAUSES = (0.5, 1.0, 2.0)
"""Seconds before each further attempt."""
LONGEST_PAUSE = 65.0
"""Seconds up to which a `Retry-After` is obeyed, as of a limit by the minute; above it the call gives up."""
ANSWER_WITHIN = 40.0
"""Seconds until a request without an answer is given up and repeated."""
SILENT_FOR = 45.0
"""Seconds without a line, not even a comment, after which a stream is taken for dead and opened again."""
STREAM_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
"""Seconds before each further attempt to open a stream: a service that is away for a minute is waited for."""
CONNECT_AGAIN = 0.5
"""Seconds before a stream that has ended is opened again."""
NOT_NOW = (429, 502, 503, 504)
"""Statuses after which a request is repeated."""
WRITES = ("POST", "PUT", "PATCH", "DELETE")
PROBLEM = "application/problem+json"
EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One call of the API. All attempts of a write have the same idempotency key, so that it counts once."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    accept: str = "application/json"
    key: str | None = None

    def keyed(self) -> "ApiCall":
        """Return the call with an idempotency key, if it is a write without one."""
        return self if self.key or self.method not in WRITES else replace(self, key=secrets.token_hex(16))

    def arguments(self) -> dict[str, Any]:
        """Return the arguments with which httpx sends the call."""
        headers = {"Accept": f"{self.accept}, {PROBLEM}", "Idempotency-Key": self.key, **self.headers}
        sent: dict[str, Any] = {"headers": {name: value for name, value in headers.items() if value is not None}}
        if query := {name: _written(value) for name, value in self.query.items() if value is not None}:
            sent["params"] = query  # httpx would take nothing for an empty query, in place of one in the path
        if isinstance(self.body, bytes):
            return sent | {"content": self.body}
        return sent if self.body is None else sent | {"json": self.body}


def segment(text: str) -> str:
    """Write an id as one segment of a path; also one with a slash or dots, which would lead to another path."""
    return quote(text, safe="").replace(".", "%2E")


def _written(value: Any) -> str:
    """Write a value of a query: booleans as JSON does, several words with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def settings(url: str, token: str, language: str) -> dict[str, Any]:
    """Return what both clients of httpx are made with. No redirect is followed: the token must not be sent to another host."""
    headers = {"Accept-Language": language, "User-Agent": f"marketpost/{_version()}"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return {"base_url": url.rstrip("/"), "headers": headers, "timeout": ANSWER_WITHIN, "follow_redirects": False}


def _version() -> str:
    try:
        return version("marketpost")
    except PackageNotFoundError:
        return "unknown"


def pause_before_next(response: httpx.Response, pause: float | None) -> float | None:
    """Compute the seconds before the next attempt; `None` if this response stands."""
    if response.status_code not in NOT_NOW or pause is None:
        return None
    told = response.headers.get("Retry-After", "")
    if not told.isdigit():
        return pause
    return float(told) if float(told) <= LONGEST_PAUSE else None


def check_stream(response: httpx.Response) -> None:
    """Raise what a stream that was not opened means; a service that is busy or starts again may answer later."""
    if response.status_code in NOT_NOW:
        raise ApiUnreachable(f"{response.url} answers with {response.status_code}", status=response.status_code)
    check(response)


def check(response: httpx.Response, key: str | None = None) -> httpx.Response:
    """Return a successful response that has been read; raise what any other one means."""
    if response.is_success:
        return response
    document = parse(response) if PROBLEM in response.headers.get("Content-Type", "") else None
    if isinstance(document, dict):
        raise ApiRefused(document, response.status_code)
    where = response.headers.get("Location")
    told = f"{response.url} answers with {response.status_code}" + (f" and points to {where}" if where else "")
    raise ApiUnreachable(told, status=response.status_code, key=key, location=where)


def parse(response: httpx.Response) -> Any:
    """Parse a JSON document."""
    try:
        return response.json()
    except ValueError as error:
        raise ApiUnreachable(f"{response.url} answers with something that is no JSON", status=response.status_code) from error


def parse_lines(response: httpx.Response) -> list[Any]:
    """Parse lines of JSON documents."""
    try:
        return [json.loads(line) for line in response.content.splitlines()]
    except ValueError as error:
        raise ApiUnreachable(f"{response.url} answers with something that is no JSON", status=response.status_code) from error


def away(error: Exception, key: str | None = None) -> ApiUnreachable:
    """Return the error that tells that there was no answer."""
    return ApiUnreachable(f"no answer: {str(error) or type(error).__name__}", key=key)


def is_last(document: Any) -> bool:
    """Whether a stream ends with this document: the last entry of a log reveals the secret of its chance."""
    return bool(document.get("kind") == "revealed")
