"""Call the REST API for the command line, by the Python client; its errors become sentences in the reader's language."""

import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from marketpost.cli.access import WriteKey, key_for, read
from marketpost.cli.command_language import say, speak
from marketpost.cli.terminal import safe, waiting
from marketpost.rules.words import LANGUAGES

HERE = "http://127.0.0.1:8000"
"""The service on this machine, if none is named."""
SOON = 5.0
"""Seconds to wait for the answer who is signed in, which every command asks first."""
MOST_ON_A_PAGE = 200
REFUSED, UNREACHABLE = 1, 2
"""Exit codes: refused by the service; not reached, or called wrongly."""
WRITES = ("POST", "PUT", "PATCH", "DELETE")
if TYPE_CHECKING:
    import httpx

    from marketpost.client import ApiUnreachable, Client


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


@functools.cache
def client_for(url: str, token: str, language: str) -> "Client":
    """Make the client for a service, which keeps its connections. Loaded here, because most commands of operators need none."""
    from marketpost.client import Client

    return Client(url, token, language)


@dataclass(frozen=True, slots=True)
class Service:
    """One service, the token for it, and how its answers are shown; sends requests."""

    url: str
    token: str = field(repr=False)
    language: str = "en"
    as_json: bool = False
    player: str = ""
    """The id of the signed-in player; empty if the service could not say it."""

    @property
    def client(self) -> "Client":
        """The Python client of this service."""
        return client_for(self.url, self.token, self.language)

    def get(self, path: str, **headers: str) -> dict[str, Any]:
        """Request a JSON document."""
        return self.ask("GET", path, headers=headers)

    def text(self, path: str) -> str:
        """Request a plain text."""
        return self.data(path, "text/plain").decode("utf-8", "replace")

    def data(self, path: str, kind: str) -> bytes:
        """Request a body of this media type as bytes."""
        return self._send("GET", path, None, {}, "", kind).content

    def post(self, path: str, body: Mapping[str, Any] | None = None, key: str = "", **headers: str) -> dict[str, Any]:
        """Send a JSON document; a write counts once, see `ask`."""
        return self.ask("POST", path, body or {}, headers, key)

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None, key: str = ""
    ) -> dict[str, Any]:
        """Send a request until it is answered, and return its document; a write counts once, however often it is sent.

        Fault: the connection or this command may break between sending and the answer. All attempts have one idempotency key, the player's
        own or one stored in a file until the answer comes (`access.key_for`).
        """
        if method not in WRITES or key:
            return self._document(self._send(method, path, body, headers or {}, key))
        sent = None if body is None else json.dumps(body).encode()
        with key_for(self.url, self.token, method, path, str(sent)) as kept:
            return self._write(method, path, body, headers or {}, kept)

    def _write(self, method: str, path: str, body: Any, headers: Mapping[str, str], key: WriteKey) -> dict[str, Any]:
        """Send a write under a stored key, and mark the key as answered."""
        if key.again:
            click.echo(say("sent-before"), err=True)
        try:
            answer = self._send(method, path, body, headers, key.text)
        except ServiceProblem:
            key.answered = True
            raise
        key.answered = True
        return self._document(answer)

    def _send(
        self, method: str, path: str, body: Any, headers: Mapping[str, str], key: str, kind: str = "application/json"
    ) -> "httpx.Response":
        """Send a request by the client; what it raises ends the command with a sentence."""
        from marketpost.client.exchange import ApiCall

        way = f"/v1/{path}".replace("..", "%2E%2E")  # a game called `..` must not lead to another path
        with waiting(say("waiting", url=self.url)), self._explained():
            return self.client.send(ApiCall(method, way, body=body, headers=headers, accept=kind, key=key or None))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from marketpost.client import ApiRefused, ApiUnreachable

        try:
            yield
        except ApiRefused as refused:
            raise (Unasked if refused.status == 401 else ServiceProblem)(dict(refused.document), self.as_json) from refused
        except ApiUnreachable as error:
            raise self._away(error) from error

    def _away(self, error: "ApiUnreachable") -> Unreachable:
        """Return the error that tells what came in place of an answer."""
        if error.status:
            where = error.location
            return Unreachable("points-elsewhere" if where else "answers", url=self.url, status=error.status, text=where)
        return Unreachable("away-here" if is_local(self.url) else "away", url=self.url, text=str(error.__cause__ or error))

    def _document(self, answer: "httpx.Response") -> dict[str, Any]:
        """Return the JSON object of a response, an empty one if it has none; `Unreachable` for anything else."""
        if not answer.content:
            return {}
        try:
            found = answer.json()
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Unreachable("stranger")
        return found

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
    from httpx import HTTPError

    try:
        response = client_for(url, token, "en").http.get("/v1/players/me", timeout=SOON)
        me = response.json()
        return me if response.is_success and me["language"] in LANGUAGES else {}
    except (HTTPError, ValueError, TypeError, KeyError):
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
