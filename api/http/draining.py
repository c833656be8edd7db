"""Refuse what would change something while the service drains."""

from flask import g, request

from api.http.auth import SAFE, Permission
from api.http.context import ports
from marketpost.rules.refusal import Refused

GOES_ON = (None, Permission.OPEN, Permission.LOOPBACK, Permission.ADMIN, Permission.OPERATOR)
"""Who may call what is not refused: sign-in, mail from a provider, and the operator."""


def refuse() -> None:
    """Refuse a request that may change something."""
    if request.method not in SAFE and g.access not in GOES_ON and ports().drain.is_set():
        raise Refused("draining")
