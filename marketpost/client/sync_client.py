"""The client for programs that wait for each answer."""

import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, TypeVar

import httpx
from httpx_sse import EventSource

from marketpost.client.errors import ApiUnreachable
from marketpost.client.exchange import (
    CONNECT_AGAIN,
    EVENT_STREAM,
    PAUSES,
    SILENT_FOR,
    STREAM_PAUSES,
    ApiCall,
    away,
    check,
    check_stream,
    is_last,
    parse,
    parse_lines,
    pause_before_next,
    settings,
)
from marketpost.client.paging import PageOf, cursor_of
from marketpost.client.sync_calls import SyncCalls

T = TypeVar("T")


class Client(SyncCalls):
    """Calls a service: `with Client("https://play.example.org", token) as client: client.list_games(my_turn=True)`.

    Calls are repeated until they are answered; writes have an idempotency key and count once. `ApiRefused` says why a call was refused.
    """

    def __init__(self, url: str, token: str = "", language: str = "en") -> None:
        self.http = httpx.Client(**settings(url, token, language))

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def send(self, call: ApiCall) -> httpx.Response:
        """Send a call until it is answered, at most four times; raise `ApiRefused` or `ApiUnreachable`."""
        call = call.keyed()
        for pause in (*PAUSES, None):
            try:
                response = self.http.request(call.method, call.path, **call.arguments())
            except httpx.TransportError as error:
                if pause is None:
                    raise away(error, call.key) from error
                time.sleep(pause)
                continue
            wait = pause_before_next(response, pause)
            if wait is None:
                break
            time.sleep(wait)
        return check(response, call.key)

    def pages(self, call: Callable[..., PageOf[T]], *arguments: Any, **query: Any) -> Iterator[T]:
        """Iterate over all items of a list: `client.pages(client.list_games, mine=True)`."""
        while True:
            page = call(*arguments, **query)
            yield from page["items"]
            if page["next"] is None:
                return
            query[cursor_of(call)] = page["next"]

    def _json(self, call: ApiCall) -> Any:
        return parse(self.send(call))

    def _text(self, call: ApiCall) -> str:
        return self.send(call).text

    def _bytes(self, call: ApiCall) -> bytes:
        return self.send(call).content

    def _nothing(self, call: ApiCall) -> None:
        self.send(call)

    def _lines(self, call: ApiCall) -> Iterator[Any]:
        """Yield the JSON document of each line."""
        yield from parse_lines(self.send(call))

    def _events(self, path: str, query: Mapping[str, Any], last: str | None) -> Iterator[Any]:
        """Yield the events of a stream; after a break connect again behind the last one."""
        attempts = iter(STREAM_PAUSES)
        while True:
            pause = CONNECT_AGAIN
            try:
                for id, document in self._connected(path, query, last):
                    last, attempts = id or last, iter(STREAM_PAUSES)
                    if document is not None:
                        yield document
                        if is_last(document):
                            return
            except (httpx.TransportError, ApiUnreachable) as error:
                if not (again := next(attempts, None)):
                    raise away(error) from error
                pause = again
            time.sleep(pause)

    def _connected(self, path: str, query: Mapping[str, Any], last: str | None) -> Iterator[tuple[str, Any]]:
        """Yield the ids and documents of one connection."""
        call = ApiCall("GET", path, query, headers={"Last-Event-ID": last}, accept=EVENT_STREAM)
        with self.http.stream("GET", path, timeout=SILENT_FOR, **call.arguments()) as response:
            if not response.is_success:
                response.read()
                check_stream(response)
            for event in EventSource(response).iter_sse():
                yield event.id, event.json() if event.data else None
