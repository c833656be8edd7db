"""The session of an operator: a cookie of its own, which no other site's link or form sends along."""

from typing import Any

from flask import g, request
from werkzeug.wrappers import Response

from api.http.context import inside, ports
from marketpost.play.people.operators import operator_with, read_operators
from marketpost.rules.refusal import Refused
from marketpost.store.operator_sessions import SESSION_LIVES, OperatorSessions


def operator() -> str | None:
    """Return the name of the operator who is signed in in this browser; None if nobody is, or if their password has changed since."""
    if "operator" not in g:
        found = _sessions().find(session_secret())
        g.operator = found[0] if found and _operators().get(found[0]) == found[1] else None
    name: str | None = g.operator
    return name


def must_be_operator() -> str:
    """Return the name of the operator who is signed in; refused if nobody is."""
    name = operator()
    if name is None:
        raise Refused("operator-missing")
    return name


def session_secret() -> str:
    """Return the secret of the operator's session; empty without one."""
    return request.cookies.get(_cookie_name(), "")


def begin_operating(response: Response, password: str) -> str | None:
    """Sign in with a password: the response gets the cookie. Returns the name of the operator; None if nobody has this password."""
    name = operator_with(_operators(), password)
    if name:
        response.set_cookie(_cookie_name(), _sessions().begin(name, _operators()[name]), max_age=SESSION_LIVES, **_narrow())
    return name


def end_operating(response: Response) -> None:
    """Sign out: the session is deleted, so that a copied cookie is useless."""
    _sessions().end(session_secret())
    response.delete_cookie(_cookie_name(), **_narrow())


def _operators() -> dict[str, str]:
    return read_operators(inside().settings.operators)


def _sessions() -> OperatorSessions:
    return OperatorSessions(ports().games.redis)


def _is_encrypted() -> bool:
    return inside().settings.public_url.startswith("https:")


def _cookie_name() -> str:
    """Return the name of the cookie. Over TLS it has the `__Host-` prefix, so that no other host of the domain can set it."""
    return "__Host-operator" if _is_encrypted() else "operator"


def _narrow() -> dict[str, Any]:
    return {"path": "/", "httponly": True, "samesite": "Strict", "secure": _is_encrypted()}
