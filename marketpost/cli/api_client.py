"""Call the REST API for the command line: a request is repeated under the same idempotency key until it is answered."""

import functools
import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import click

from marketpost.cli.access import WriteKey, key_for, read
from marketpost.cli.command_language import say, speak
from marketpost.cli.terminal import safe, waiting
from marketpost.rules.words import LANGUAGES

HERE = "http://127.0.0.1:8000"
"""The service on this machine, if none is named."""
PAUSES = (0.5, 1.0, 2.0)
"""Seconds before each further attempt."""
LONGEST_PAUSE = 10.0
"""Seconds up to which a Retry-After is obeyed; above it the command gives up."""
ANSWER_WITHIN = 40.0
"""Seconds until a request without an answer is given up and repeated."""
SOON = 5.0
"""Seconds to wait for the answer who is signed in, which every command asks first."""
MOST_ON_A_PAGE = 200
NOT_NOW = (429, 502, 503, 504)
"""Statuses after which a request is repeated."""
REFUSED, UNREACHABLE = 1, 2
"""Exit codes: refused by the service; not reached, or called wrongly."""
WRITES = ("POST", "PUT", "PATCH", "DELETE")


class Failed(click.ClickException):
    """Ends a command with a sentence from `[terminal]` of the word files.

    The sentence is looked up when it is printed, because only then the reader's language is known.
    """

    exit_code = REFUSED

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.values = values

    def format_message(self) -> str:
        """Return the sentence in the language of the command."""
        return safe(say(self.message, **self.values))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence on standard error."""
        click.echo(say("error", text=self.format_message()), file, err=True)


class Unreachable(Failed):
    """Raised if the service does not answer, or answers with something that is not of this API."""

    exit_code = UNREACHABLE


class WrongCall(Failed):
    """Raised if a command cannot send anything: a wrong argument, a file that cannot be read, or nobody signed in."""

    exit_code = UNREACHABLE


class ServiceProblem(Failed):
    """Raised for a problem document: the service refuses the request."""

    def __init__(self, document: dict[str, Any], as_json: bool = False) -> None:
        super().__init__("refused")
        self.document, self.as_json = document, as_json

    def format_message(self) -> str:
        """Return the service's sentence, with how to sign in if that is missing."""
        said = self.document.get("detail") or self.document.get("title") or say("refused")
        return safe(f"{said} {say('sign-in')}" if self.document.get("status") == 401 else said)

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the problem, as a sentence with its field errors or as JSON."""
        if self.as_json:
            say_json(self.document)
            return
        super().show(file)
        for each in self._untold():
            click.echo(safe(f"  {each['field']}: {each['detail']}"), err=True)

    def _untold(self) -> list[dict[str, str]]:
        """List the field errors that the problem's own sentence does not mention yet."""
        return [each for each in self.document.get("errors", ()) if each["detail"] not in self.document.get("detail", "")]


class Unasked(ServiceProblem):
    """Raised if a request was not judged at all: nobody is signed in, or its words could not be read."""

    exit_code = UNREACHABLE


@dataclass(frozen=True, slots=True)
class ServiceResponse:
    """A response that has been read to its end."""

    status: int
    data: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.data.decode("utf-8", "replace")

    @property
    def document(self) -> dict[str, Any]:
        """The body as a JSON object; `Unreachable` if it is none."""
        try:
            found = json.loads(self.text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Unreachable("stranger")
        return found


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow no redirect: the token must not be sent to another host."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Service:
    """One service, the token for it, and how its answers are shown; sends requests."""

    url: str
    token: str = field(repr=False)
    language: str = "en"
    as_json: bool = False
    player: str = ""
    """The id of the signed-in player; empty if the service could not say it."""

    def get(self, path: str, **headers: str) -> dict[str, Any]:
        """Request a JSON document."""
        return self.ask("GET", path, headers=headers).document

    def text(self, path: str) -> str:
        """Request a plain text."""
        return self.data(path, "text/plain").decode("utf-8", "replace")

    def data(self, path: str, kind: str) -> bytes:
        """Request a body of this media type as bytes."""
        return self.ask("GET", path, headers={"Accept": f"{kind}, application/problem+json"}).data

    def post(self, path: str, body: Mapping[str, Any] | None = None, key: str = "", **headers: str) -> dict[str, Any]:
        """Send a JSON document; a write counts once, see `ask`."""
        return self.ask("POST", path, body or {}, headers, key).document

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None, key: str = ""
    ) -> ServiceResponse:
        """Send a request until it is answered; a write counts once, however often it is sent.

        Fault: the connection or this command may break between sending and the answer. All attempts have one idempotency key, the player's
        own or one stored in a file until the answer comes (`access.key_for`).
        """
        data = None if body is None else json.dumps(body).encode()
        if method not in WRITES or key:
            return self._insist(method, path, data, {**(headers or {}), **({"Idempotency-Key": key} if key else {})})
        with key_for(self.url, self.token, method, path, str(data)) as kept:
            return self._write(method, path, data, dict(headers or {}), kept)

    def _write(self, method: str, path: str, data: bytes | None, headers: dict[str, str], key: WriteKey) -> ServiceResponse:
        """Send a write under a stored key, and mark the key as answered."""
        if key.again:
            click.echo(say("sent-before"), err=True)
        try:
            answer = self._insist(method, path, data, headers | {"Idempotency-Key": key.text})
        except ServiceProblem:
            key.answered = True
            raise
        key.answered = True
        return answer

    def _insist(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> ServiceResponse:
        """Send a request; repeat it after each of `PAUSES` while there is no answer or the service is busy."""
        with waiting(say("waiting", url=self.url)):
            for pause in (*PAUSES, None):
                try:
                    answer = self._once(method, path, data, headers)
                except (OSError, http.client.HTTPException) as error:
                    if pause is None:
                        raise self._away(error) from error
                    time.sleep(pause)
                    continue
                wait = _seconds(answer, pause)
                if answer.status not in NOT_NOW or wait is None:
                    break
                time.sleep(wait)
        return self._good(answer)

    def _once(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> ServiceResponse:
        with self.open(method, path, data, headers) as response:
            return ServiceResponse(response.status, response.read(), response.headers)

    def open(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str], within: float = ANSWER_WITHIN) -> Any:
        """Send one request and return the response, whatever its status; its body has not been read."""
        sent = {"Accept-Language": self.language, "User-Agent": "marketpost", **headers}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if data is not None:
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self.url}/v1/{path}", data, sent, method=method)
        try:
            return urllib.request.build_opener(_NoRedirect).open(request, timeout=within)
        except urllib.error.HTTPError as answer:
            return answer

    def _good(self, answer: ServiceResponse) -> ServiceResponse:
        """Return a successful response; raise what any other one means."""
        if answer.status < 300:
            return answer
        if "problem+json" in answer.headers.get("Content-Type", ""):
            raise (Unasked if answer.status == 401 else ServiceProblem)(answer.document, self.as_json)
        moved = answer.headers.get("Location")
        raise Unreachable("points-elsewhere" if moved else "answers", url=self.url, status=answer.status, text=moved)

    def _away(self, error: Exception) -> Unreachable:
        """Return the error that tells that no connection was made."""
        reason = getattr(error, "reason", error)
        return Unreachable("away-here" if is_local(self.url) else "away", url=self.url, text=str(reason) or type(reason).__name__)

    def pages(self, path: str, most: int) -> dict[str, Any]:
        """Read a list page by page and return it as one page with at most so many items."""
        items: list[Any] = []
        joint, cursor = "&" if "?" in path else "?", ""
        while True:
            page = self.get(f"{path}{joint}limit={min(most - len(items), MOST_ON_A_PAGE)}{cursor}")
            items += page["items"]
            if page["next"] is None or len(items) >= most:
                return {"items": items, "next": page["next"]}
            cursor = f"&cursor={page['next']}"


def _seconds(answer: ServiceResponse, pause: float | None) -> float | None:
    """Compute how long to wait before the next attempt; `None` if there is none or it would take too long."""
    told = answer.headers.get("Retry-After", "")
    if pause is None or not told.isdigit():
        return pause
    return float(told) if float(told) <= LONGEST_PAUSE else None


def is_local(url: str) -> bool:
    """Whether an address leads to this machine."""
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def is_web_address(url: str) -> bool:
    """Whether a text is an http or https address with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def write_file(file: Path, data: bytes) -> None:
    """Write a file; an error of the disk ends the command with one line."""
    try:
        file.write_bytes(data)
    except OSError as error:
        raise Failed("file-wrong", file=file, text=error.strerror or error) from error


def say_json(document: Any) -> None:
    """Print a document as JSON."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def at(url: str | None, language: str | None, as_json: bool, *, signed_in: bool = True) -> Service:
    """Return the service to call: the one named, or the one signed in to last, or the one on this machine; set the language."""
    speak(language)
    kept = read()
    url = (url or kept.url or HERE).rstrip("/")
    if not is_web_address(url):
        raise WrongCall("no-address", text=url, example=HERE)
    known = kept.services.get(url)
    token = os.environ.get("MARKETPOST_TOKEN") or (known.token if known else "")
    if signed_in and not token:
        raise WrongCall("not-signed-in", url=url)
    if not token.isascii() or not token.isprintable():
        raise WrongCall("no-token")
    if not signed_in:
        return Service(url, "", speak(language), as_json)
    me = _me(url, token)
    return Service(url, token, speak(language or me.get("language")), as_json, me.get("id", ""))


def _me(url: str, token: str) -> dict[str, str]:
    """Ask the service for the player's id and language; empty if it does not answer within a few seconds.

    The request is not repeated: the fault that hinders it shows in the command's own request too.
    """
    try:
        with Service(url, token).open("GET", "players/me", None, {}, SOON) as response:
            me = json.loads(response.read())
        return me if response.status < 300 and me["language"] in LANGUAGES else {}
    except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError):
        return {}


def service_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--url`, `--language` and `--json` to a command."""
    for option in (
        click.option("--url", envvar="MARKETPOST_URL", help="The service. Otherwise the one signed in to last, or one on this machine."),
        click.option("--language", type=click.Choice(LANGUAGES), help="Otherwise your own."),
        click.option("--json", "as_json", is_flag=True, help="Print what the service answered, as JSON."),
    ):
        command = option(command)
    return command


def calls_service(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the service options to a command; it gets the signed-in service as its first argument."""

    @functools.wraps(command)
    def run(url: str | None, language: str | None, as_json: bool, **arguments: Any) -> Any:
        return command(at(url, language, as_json), **arguments)

    return service_options(run)


key_option = click.option("--key", default="", help="An idempotency key of your own: what is sent twice with it counts once.")
