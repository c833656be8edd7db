"""The typed client as commands use it: the keys of unanswered writes are stored in files, and errors become sentences."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import click
import httpx

from marketpost.cli.access import WriteKey, key_for
from marketpost.cli.api_client import MOST_ON_A_PAGE, ServiceProblem, Unasked, Unreachable, is_local
from marketpost.cli.command_language import say
from marketpost.cli.terminal import waiting
from marketpost.client import ApiRefused, ApiUnreachable, Client
from marketpost.client.exchange import WRITES, ApiCall
from marketpost.client.paging import PageOf, cursor_of

T = TypeVar("T")


class CommandClient(Client):
    """Calls a service for a command. What goes wrong ends the command with a sentence in the reader's language."""

    def __init__(self, url: str, token: str, language: str, as_json: bool = False) -> None:
        super().__init__(url, token, language)
        self.url, self.token, self.as_json = url, token, as_json

    def send(self, call: ApiCall) -> httpx.Response:
        """Send a call until it is answered; a write counts once, however often it is sent.

        Fault: the connection or this command may break between sending and the answer. All attempts have one idempotency key, the player's
        own or one stored in a file until the answer comes (`access.key_for`).
        """
        if call.method not in WRITES or call.key:
            return self._answered(call)
        with key_for(self.url, self.token, call.method, call.path, json.dumps(call.body)) as kept:
            return self._write(call, kept)

    def _write(self, call: ApiCall, key: WriteKey) -> httpx.Response:
        """Send a write under a stored key, and mark the key as answered."""
        if key.again:
            click.echo(say("sent-before"), err=True)
        try:
            answer = self._answered(replace(call, key=key.text))
        except ServiceProblem:
            key.answered = True
            raise
        key.answered = True
        return answer

    def _answered(self, call: ApiCall) -> httpx.Response:
        with waiting(say("waiting", url=self.url)), self._explained():
            return super().send(call)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except ApiRefused as refused:
            raise (Unasked if refused.status == 401 else ServiceProblem)(dict(refused.document), self.as_json) from refused
        except ApiUnreachable as error:
            raise self._away(error) from error

    def _away(self, error: ApiUnreachable) -> Unreachable:
        """Return the error that tells what came in place of an answer."""
        if error.status:
            where = error.location
            return Unreachable("points-elsewhere" if where else "answers", url=self.url, status=error.status, text=where)
        return Unreachable("away-here" if is_local(self.url) else "away", url=self.url, text=str(error.__cause__ or error))

    def _json(self, call: ApiCall) -> Any:
        """Return the JSON object of a response; `Unreachable` for anything else."""
        answer = self.send(call)
        try:
            found = answer.json()
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Unreachable("stranger")
        return found

    def up_to(self, most: int, call: Callable[..., PageOf[T]], *arguments: Any, **query: Any) -> PageOf[T]:
        """Read a list page by page and return it as one page with at most so many items."""
        items: list[T] = []
        while True:
            page = call(*arguments, limit=min(most - len(items), MOST_ON_A_PAGE), **query)
            items += page["items"]
            if page["next"] is None or len(items) >= most:
                return {"items": items, "next": page["next"]}
            query[cursor_of(call)] = page["next"]
