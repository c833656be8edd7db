"""REST calls that sign in with a mailed code and sign out."""

from secrets import token_hex
from typing import Any

from flask import Response, request

from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.context import mailer, ports, reader
from api.http.idempotency import OnRepeat, derived, key
from api.http.request_limits import client
from api.http.request_schemas import SignIn
from api.http.response_schemas import CodeSentResponse, TokenResponse
from api.http.serialize import moment
from marketpost.mail.outbound.sign_in_codes import send_code
from marketpost.play.people.registration import sign_in
from marketpost.store.players import CodeAsker

tokens = Calls("tokens", __name__, url_prefix="/v1/tokens", description="Signing in")


@tokens.call(
    "POST",
    "",
    access=Permission.OPEN,
    body=SignIn,
    gives={201: TokenResponse, 202: CodeSentResponse},
    problems=(403,),
    on_repeat=OnRepeat.AGAIN,
)
def sign_in_player(body: dict[str, Any]) -> Any:
    """Sign in

    With an address alone a mail with a code is sent, if somebody is registered there. With the code, too, the answer is a token.
    A code serves whoever asked for it: from the same network address, or from anywhere with the `request` of the first answer.
    Only the operator can make a token with the scope `admin`.
    """
    if "code" not in body:
        asker = CodeAsker(token_hex(16), client())
        send_code(mailer(), body["email"], asker)
        return answer({"email": body["email"], "request": asker.request}, 202)
    scopes = tuple(dict.fromkeys(body.get("scopes", ["read", "play"])))
    asker = CodeAsker(body.get("request", ""), client())
    secret, token = sign_in(ports(), body["email"], body["code"], body.get("label", ""), scopes, _secret(body), asker)
    return {
        "id": token.id,
        "token": secret,
        "player": token.player,
        "label": token.label,
        "scopes": list(token.scopes),
        "expires": moment(token.expires),
    }


@tokens.call("DELETE", "", access=Permission.READ, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def sign_out_player() -> Response:
    """Sign out

    The token that this call is made with is worth nothing afterwards.
    """
    ports().players.drop_token(request.headers["Authorization"].partition(" ")[2].strip(), reader())
    return Response(status=204)


def _secret(body: dict[str, Any]) -> str:
    """Return the secret of a new token.

    With an idempotency key it is derived from the request: a repeated request gets the same token although only its hash is stored.
    """
    return f"mp_{derived('token', key(), body['email'].casefold(), body['code'].strip().upper())}" if key() else ""
