"""Servers that speak the protocols of chat and push services, on this machine."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from werkzeug import Request, Response
from werkzeug.serving import make_server

Reply: TypeAlias = tuple[int, dict[str, Any]]


@dataclass
class Double:
    """A server with what was told to it; `reply` decides what a request gets."""

    reply: "Callable[[Double, str, str, dict[str, str], Any], Reply]"
    told: list[str] = field(default_factory=list)
    requests: int = 0
    failing: Reply | None = None
    """What every request gets instead, as long as it is set."""
    location: str = ""
    """Where it redirects to."""
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
    """https://spec.matrix.org/latest/client-server-api/"""
    call = unquote(path).removeprefix("/_matrix/client/v3")
    if call == "/login":
        is_ours = body["type"] == "m.login.password" and body["password"] == "secret"
        return (200, {"access_token": "ours", "user_id": "@ann:here", "device_id": "D"}) if is_ours else (403, {"errcode": "M_FORBIDDEN"})
    if headers.get("Authorization") != "Bearer ours":
        return 401, {"errcode": "M_UNKNOWN_TOKEN", "error": "Unknown token"}
    if method == "PUT" and re.fullmatch(r"/rooms/!room:here/send/m\.room\.message/[^/]+", call):
        double.told.append(body["body"])
        return 200, {"event_id": f"${len(double.told)}"}
    return 200, {"room_id": "!room:here", "user_id": "@ann:here", "device_id": "D"}


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


@contextmanager
def serving(double: Double) -> Iterator[Double]:
    @Request.application
    def app(request: Request) -> Response:
        double.requests += 1
        body = json.loads(request.get_data() or b"null")
        path = quote(request.path, safe="/:!")
        status, answer = double.failing or double.reply(double, request.method, path, dict(request.headers), body)
        if double.told and double.answering:
            double.answering.wait(30)
        headers = {"Location": double.location} if double.location else {}
        return Response(json.dumps(answer), status, headers, mimetype="application/json")

    with make_server("127.0.0.1", 0, app, threaded=True) as server:
        double.port = server.server_port
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield double
        finally:
            server.shutdown()
