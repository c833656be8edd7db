"""The client for programs that do other things while they wait."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any, TypeVar

import httpx
from httpx_sse import EventSource

from marketpost.client.async_calls import AsyncCalls
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

T = TypeVar("T")


class AsyncClient(AsyncCalls):
    """Calls a service: `async with AsyncClient("https://play.example.org", token) as client: await client.list_games(my_turn=True)`.

    Calls are repeated until they are answered; writes have an idempotency key and count once. `ApiRefused` says why a call was refused.
    """

    def __init__(self, url: str, token: str = "", language: str = "en", transport: httpx.AsyncBaseTransport | None = None) -> None:
        """Make a client; several may share the connections of one `transport`."""
        self.http = httpx.AsyncClient(**settings(url, token, language), transport=transport)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def send(self, call: ApiCall) -> httpx.Response:
        """Send a call until it is answered, at most four times; raise `ApiRefused` or `ApiUnreachable`."""
        call = call.keyed()
        for pause in (*PAUSES, None):
            try:
                response = await self.http.request(call.method, call.path, **call.arguments())
            except httpx.TransportError as error:
                if pause is None:
                    raise away(error, call.key) from error
                await asyncio.sleep(pause)
                continue
            wait = pause_before_next(response, pause)
            if wait is None:
                break
            await asyncio.sleep(wait)
        return check(response, call.key)

    async def pages(self, call: Callable[..., Awaitable[PageOf[T]]], *arguments: Any, **query: Any) -> AsyncIterator[T]:
        """Iterate over all items of a list: `async for game in client.pages(client.list_games, mine=True)`."""
        while True:
            page = await call(*arguments, **query)
            for item in page["items"]:
                yield item
            if page["next"] is None:
                return
            query[cursor_of(call)] = page["next"]

    async def _json(self, call: ApiCall) -> Any:
        return parse(await self.send(call))

    async def _text(self, call: ApiCall) -> str:
        return (await self.send(call)).text

    async def _bytes(self, call: ApiCall) -> bytes:
        return (await self.send(call)).content

    async def _nothing(self, call: ApiCall) -> None:
        await self.send(call)

    async def _lines(self, call: ApiCall) -> AsyncGenerator[Any, None]:
        """Yield the JSON document of each line."""
        for document in parse_lines(await self.send(call)):
            yield document

    async def _events(self, path: str, query: Mapping[str, Any], last: str | None) -> AsyncGenerator[Any, None]:
        """Yield the events of a stream; after a break connect again behind the last one."""
        attempts = iter(STREAM_PAUSES)
        while True:
            pause = CONNECT_AGAIN
            try:
                async with aclosing(self._connected(path, query, last)) as connected:
                    async for id, document in connected:
                        last, attempts = id or last, iter(STREAM_PAUSES)
                        if document is not None:
                            yield document
                            if is_last(document):
                                return
            except (httpx.TransportError, ApiUnreachable) as error:
                if not (again := next(attempts, None)):
                    raise away(error) from error
                pause = again
            await asyncio.sleep(pause)

    async def _connected(self, path: str, query: Mapping[str, Any], last: str | None) -> AsyncGenerator[tuple[str, Any], None]:
        """Yield the ids and documents of one connection."""
        call = ApiCall("GET", path, query, headers={"Last-Event-ID": last}, accept=EVENT_STREAM)
        request = self.http.build_request("GET", path, timeout=SILENT_FOR, **call.arguments())
        async with aclosing(await self.http.send(request, stream=True)) as response:
            if not response.is_success:
                await response.aread()
                check_stream(response)
            async with aclosing(EventSource(response).aiter_sse()) as events:
                async for event in events:
                    yield event.id, event.json() if event.data else None
