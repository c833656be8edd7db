"""REST call by which a mail provider hands over inbound messages."""

import hmac
from typing import Any

from flask import request

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import inside
from api.http.idempotency import OnRepeat
from api.http.response_schemas import ReceivedResponse
from marketpost.mail.inbound.authentication import authenticate
from marketpost.mail.inbound.receive import receive
from marketpost.rules.refusal import Refused

inbound = Calls("inbound", __name__, url_prefix="/v1", description="Mail")
LARGEST_MAIL = 1_000_000
HEADER = "X-Inbound-Secret"
MAIL = {"required": True, "content": {"message/rfc822": {"schema": {"type": "string", "format": "binary"}}}}
SHOWN = [
    {"in": "header", "name": HEADER, "required": False, "schema": {"type": "string"}, "description": "`INBOUND_SECRET` of the service."}
]


@inbound.call(
    "POST", "/inbound", access=Permission.OPEN, gives={202: ReceivedResponse}, problems=(403, 404, 413, 415), on_repeat=OnRepeat.OWN
)
@inbound.doc(requestBody=MAIL, parameters=SHOWN)  # type: ignore[untyped-decorator]
def receive_mail() -> dict[str, Any]:
    """Hand over an inbound mail

    Raw, as it came. It is stored before this call answers; a mail that is sent twice is acted on once.
    """
    request.max_content_length = LARGEST_MAIL
    _check_secret()
    if request.mimetype != "message/rfc822":
        raise Refused("wrong-media-type", wanted="message/rfc822")
    raw = request.get_data()
    return {"id": receive(inside().mailer, raw, [], authenticate(inside().settings, raw))}


def _check_secret() -> None:
    """Refuse the call unless it has the secret; without a configured secret the call does not exist."""
    secret = inside().settings.inbound_secret
    if not secret:
        raise Refused("no-such-page")
    if not hmac.compare_digest(secret.encode(), request.headers.get(HEADER, "").encode("latin-1", "replace")):
        raise Refused("wrong-secret")
