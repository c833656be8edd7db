"""A typed client of the REST API: `Client` and `AsyncClient` have a method for every call; docs/client.md shows a bot."""

from marketpost.client.async_client import AsyncClient
from marketpost.client.errors import ApiRefused, ApiUnreachable, ClientError
from marketpost.client.sync_client import Client

__all__ = ["ApiRefused", "ApiUnreachable", "AsyncClient", "Client", "ClientError"]
