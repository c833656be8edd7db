"""The service that a command calls, the options that name it, and errors as sentences in the reader's language."""

import functools
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from marketpost.cli.access import read
from marketpost.cli.command_language import Language, say, speak
from marketpost.cli.terminal import safe
from marketpost.rules.words import LANGUAGES

HERE = "http://127.0.0.1:8000"
"""The service on this machine, if none is named."""
SOON = 5.0
"""Seconds to wait for the answer who is signed in, which every command asks first."""
MOST_ON_A_PAGE = 200
REFUSED, UNREACHABLE = 1, 2
"""Exit codes: refused by the service; not reached, or called wrongly."""
if TYPE_CHECKING:
    from marketpost.cli.command_client import CommandClient


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
def client_for(url: str, token: str, language: str, as_json: bool = False) -> "CommandClient":
    """Make the client for a service, which keeps its connections. Loaded here, because most commands of operators need none."""
    from marketpost.cli.command_client import CommandClient

    return CommandClient(url, token, language, as_json)


@dataclass(frozen=True, slots=True)
class Service:
    """One service, the token for it, and how its answers are shown; `client` calls it."""

    url: str
    token: str = field(repr=False)
    language: Language = "en"
    as_json: bool = False
    player: str = ""
    """The id of the signed-in player; empty if the service could not say it."""

    @property
    def client(self) -> "CommandClient":
        """The typed client of this service."""
        return client_for(self.url, self.token, self.language, self.as_json)


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


url_option = click.option(
    "--url", envvar="MARKETPOST_URL", help="The service. Otherwise the one signed in to last, or one on this machine."
)
language_option = click.option("--language", type=click.Choice(LANGUAGES), help="Otherwise your own.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print what the service answered, as JSON.")


def service_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--url`, `--language` and `--json` to a command."""
    return json_option(language_option(url_option(command)))


def calls_service(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the service options to a command; it gets the signed-in service as its first argument."""

    @functools.wraps(command)
    def run(url: str | None, language: str | None, as_json: bool, **arguments: Any) -> Any:
        return command(at(url, language, as_json), **arguments)

    return service_options(run)


key_option = click.option("--key", default="", help="An idempotency key of your own: what is sent twice with it counts once.")
