"""Servers that speak the protocols of chat and push services, on this machine."""

import json
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from werkzeug import Request, Response
from werkzeug.serving import make_server

Reply: TypeAlias = tuple[int, Any]


@dataclass
class Double:
    """A server with what was told to it; `reply` decides what a request gets."""

    reply: "Callable[[Double, str, str, dict[str, str], Any], Reply]"
    told: list[str] = field(default_factory=list)
    requests: int = 0
    failing: Reply | None = None
    """What every request gets instead, as long as it is set."""
    headers: dict[str, str] = field(default_factory=dict)
    """Of every answer, such as where it redirects to."""
    paths: list[str] = field(default_factory=list)
    """The requests that came."""
    port: int = 0
    answering: threading.Event | None = None
    """What was told is answered when this is set; at once if there is none."""

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"


def ntfy(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    """https://docs.ntfy.sh/publish/#publish-as-json"""
    if (method, path) != ("POST", "/") or "topic" not in body:
        return 404, {"code": 40401, "http": 404, "error": "page not found"}
    if body["topic"] == "closed":
        return 403, {"code": 40301, "http": 403, "error": "forbidden"}
    double.told.append(body["message"])
    return 200, {"id": f"m{len(double.told)}", "event": "message", "topic": body["topic"], "message": body["message"]}


def matrix(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    """https://spec.matrix.org/latest/client-server-api/

    As Synapse answers, with a room of version 12, whose id has no server.
    """
    call = unquote(path).removeprefix("/_matrix/client/v3")
    if headers.get("Authorization") != "Bearer ours":
        return 401, {"errcode": "M_UNKNOWN_TOKEN", "error": "Unknown token"}
    if method == "PUT" and re.fullmatch(r"/rooms/!ourRoom/send/m\.room\.message/[^/]+", call):
        double.told.append(body["body"])
        return 200, {"event_id": f"${len(double.told)}"}
    if call in ("/join/!ourRoom", "/rooms/!ourRoom/join"):
        return 200, {"room_id": "!ourRoom"}
    if call == "/joined_rooms":
        return 200, {"joined_rooms": ["!ourRoom"]}
    if call == "/account/whoami":
        return 200, {"user_id": "@ann:here", "device_id": "D"}
    return 403, {"errcode": "M_FORBIDDEN", "error": "You are not in this room"}


def telegram(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    """https://core.telegram.org/bots/api#sendmessage"""
    if not re.fullmatch(r"/bot123456789:\w+/sendMessage", path):
        return 404, {"ok": False, "error_code": 404, "description": "Not Found"}
    if str(body["chat_id"]) != "987654":
        return 400, {"ok": False, "error_code": 400, "description": "Bad Request: chat not found"}
    double.told.append(body["text"])
    return 200, {"ok": True, "result": {"message_id": len(double.told), "chat": {"id": 987654}, "text": body["text"]}}


def signal(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    """https://bbernhard.github.io/signal-cli-rest-api/"""
    if (method, path) != ("POST", "/v2/send"):
        return 404, {"error": "not found"}
    double.told.append(body["message"])
    return 201, {"timestamp": "1772445600000"}


def gotify(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    """https://gotify.net/api-docs#/message/createMessage"""
    if (method, path) != ("POST", "/message"):
        return 404, {"error": "Not Found", "errorCode": 404, "errorDescription": "page not found"}
    if headers.get("X-Gotify-Key") != "AppToken.1234567":
        return 401, {"error": "Unauthorized", "errorCode": 401, "errorDescription": "you need to provide a valid access token"}
    double.told.append(body["message"])
    return 200, {"id": len(double.told), "appid": 1, "message": body["message"], "title": "Marketpost", "priority": body["priority"]}


def discord(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    """https://discord.com/developers/docs/resources/webhook#execute-webhook"""
    if (method, path) != ("POST", "/api/webhooks/1234/abcd"):
        return 404, {"message": "Unknown Webhook", "code": 10015}
    if not 0 < len(body["content"]) <= 2000:
        return 400, {"content": ["Must be between 1 and 2000 in length."]}
    double.told.append(body["content"])
    return 204, {}


def slack(double: Double, method: str, path: str, headers: dict[str, str], body: Any) -> Reply:
    """https://api.slack.com/messaging/webhooks"""
    if (method, path) != ("POST", "/services/T1/B1/X1"):
        return 404, "no_service"
    if not body.get("text"):
        return 400, "no_text"
    double.told.append(body["text"])
    return 200, "ok"


@contextmanager
def serving(double: Double, tls: ssl.SSLContext | None = None) -> Iterator[Double]:
    @Request.application
    def app(request: Request) -> Response:
        double.requests += 1
        double.paths.append(request.path)
        body = json.loads(request.get_data() or b"null") if request.is_json else request.get_data()
        path = quote(request.path, safe="/:!")
        status, answer = double.failing or double.reply(double, request.method, path, dict(request.headers), body)
        if double.told and double.answering:
            double.answering.wait(30)
        return Response(json.dumps(answer), status, double.headers, mimetype="application/json")

    with make_server("127.0.0.1", 0, app, threaded=True, ssl_context=tls) as server:
        double.port = server.server_port
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield double
        finally:
            server.shutdown()
