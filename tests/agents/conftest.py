"""The service behind a real port, and agents that reach it with a stock client of the Model Context Protocol."""

import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from api.http.context import inside
from tests.served import served
from tests.service import Service

COMMAND = str(Path(sys.executable).with_name("marketpost"))
Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="session")
def url(house: Service) -> Iterator[str]:
    with served(house.app) as found, closing(inside(house.app).mcp):
        yield found


@asynccontextmanager
async def over_stdio(url: str, token: str) -> AsyncIterator[Client]:
    """As a program on a player's machine that starts `marketpost mcp` itself."""
    command = StdioServerParameters(command=COMMAND, args=["mcp", "--url", url], env={"MARKETPOST_TOKEN": token})
    async with Client(command) as client:
        yield client


@asynccontextmanager
async def over_http(url: str, token: str) -> AsyncIterator[Client]:
    """As a program anywhere that knows the address and has a token."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield client


@pytest.fixture(params=[over_stdio, over_http], ids=["stdio", "http"])
def connect(request: pytest.FixtureRequest) -> Connect:
    found: Connect = request.param
    return found
