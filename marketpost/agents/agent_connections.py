"""Find the client that a tool calls the service with: one for a player's own server, one for each token over HTTP."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import httpx

from marketpost.client import AsyncClient

UNLIMITED = httpx.Limits(max_connections=None, max_keepalive_connections=20)
"""Waits hold a connection each; the service limits them by player."""


class Connections(Protocol):
    """Gives a tool the client of whoever calls it."""

    def client_for(self, headers: Mapping[str, str] | None) -> AsyncClient:
        """Return the client for a request with these headers."""
        ...


@dataclass(frozen=True, slots=True)
class OwnConnection:
    """The client of the one player on whose machine this server runs."""

    client: AsyncClient

    def client_for(self, headers: Mapping[str, str] | None) -> AsyncClient:
        """Return the player's client."""
        return self.client


class TokenConnections:
    """Clients with the token of each request, on shared connections: the service checks the token, its scopes and its limits."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._transport = httpx.AsyncHTTPTransport(limits=UNLIMITED)

    def client_for(self, headers: Mapping[str, str] | None) -> AsyncClient:
        """Return a client with the bearer token and the language of these headers."""
        found = headers or {}
        token = found.get("authorization", "").partition(" ")[2].strip()
        return AsyncClient(self._url, token, found.get("accept-language", "en"), transport=self._transport)
