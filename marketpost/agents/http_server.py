"""Serve the tools for agents over HTTP on a socket that is handed over: the API starts it and passes requests on.

`python -m marketpost.agents.http_server URL DESCRIPTOR`; the tools call the service at URL with the token of each request.
"""

import os
import socket
import sys
import threading

import uvicorn

from marketpost.agents.agent_connections import TokenConnections
from marketpost.agents.server import make_server


def main(service: str, descriptor: int) -> None:
    """Answer requests until the process that started this one ends."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    app = make_server(TokenConnections(service)).streamable_http_app(stateless_http=True, json_response=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[socket.socket(fileno=descriptor)])


def _end_with_parent() -> None:
    """End at once when standard input ends. Waits are cut, and agents ask again."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
