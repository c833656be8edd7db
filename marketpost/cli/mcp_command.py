"""`marketpost mcp`: the tools for agents on standard input and output, for a program that starts them itself."""

import click

from marketpost.agents.agent_connections import OwnConnection
from marketpost.agents.server import make_server
from marketpost.cli.api_client import at, language_option, url_option
from marketpost.client import AsyncClient


@click.command()
@url_option
@language_option
def mcp(url: str | None, language: str | None) -> None:
    """Serve the tools for agents on standard input and output (Model Context Protocol).

    It plays as whoever is signed in here (`marketpost login`), or with the token in MARKETPOST_TOKEN.
    """
    service = at(url, language, as_json=False)
    make_server(OwnConnection(AsyncClient(service.url, service.token, service.language))).run("stdio")
