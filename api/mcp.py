"""The tools for agents over HTTP (Model Context Protocol, streamable HTTP): requests are passed on to the process of the tools.

The token is checked here as for every call, and again, with its scopes and limits, by the calls that a tool makes.
"""

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPException
from ipaddress import ip_address

from flask import Blueprint, Response, request

from api.http.auth import Permission, declared
from api.http.context import inside, ports, reader
from api.http.problems import MEDIA_TYPE
from api.http.request_id import request_id
from api.http.request_limits import leave_queue
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.rules.refusal import Refused

log = logging.getLogger("marketpost.api")
mcp = Blueprint("mcp", __name__)
PASSED_ON = ("Authorization", "Accept", "Accept-Language", "Content-Type")
REFUSED = -32000
"""The code of JSON-RPC for an error that the protocol does not name."""


def call_tools() -> Response:
    """Answer one message of an agent; each request stands for itself, so that any process can answer it.

    Refused to guests: the calls of a tool come from this machine, so that they would count on no network address of the guest.
    """
    not_for_guests(ports(), reader())
    leave_queue()  # it only waits from here on
    try:
        answered = inside().mcp.call(_own_url(), request.get_data(), _headers(dict(request.headers)))
    except (OSError, HTTPException) as error:
        log.warning("request %(request)s: the tools for agents do not answer: %(why)s", {"request": request_id(), "why": error})
        raise Refused("tools-away") from error
    return Response(answered.body, answered.status, _headers(answered.headers))


def _own_url() -> str:
    """Return the address at which this service answers on this machine."""
    host, port = request.environ["SERVER_NAME"], request.environ["SERVER_PORT"]
    with suppress(ValueError):  # a name
        address = ip_address(host)
        local = "::1" if address.version == 6 else "127.0.0.1"
        host = local if address.is_unspecified else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that are passed on."""
    return {name: value for name, value in headers.items() if name.title() in PASSED_ON or name.lower().startswith("mcp-")}


def _as_rpc_error(response: Response) -> Response:
    """Write a problem as an error of the protocol: clients show nothing of any other body of a refusal."""
    if response.mimetype == MEDIA_TYPE:
        problem = json.loads(response.get_data())
        error = {"code": REFUSED, "message": f"{problem['code']}: {problem['detail']}", "data": problem}
        response.set_data(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}))
        response.mimetype = "application/json"
    return response


mcp.after_request(_as_rpc_error)
mcp.add_url_rule("/mcp", view_func=declared(call_tools, Permission.READ), methods=["POST"])
