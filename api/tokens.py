"""REST calls that sign in with a mailed code, list tokens and revoke them."""

from secrets import token_hex
from typing import Any

from flask import Response, request

from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.context import mailer, ports, reader, token
from api.http.idempotency import OnRepeat, derived, key
from api.http.pagination import page
from api.http.people_schemas import CodeSentResponse, OwnTokenPage, TokenResponse
from api.http.query_schemas import PageQuery
from api.http.request_limits import client
from api.http.request_schemas import SignIn
from api.http.serialize import moment
from marketpost.mail.outbound.sign_in_codes import send_code
from marketpost.notify.targets import end_session
from marketpost.play.people.registration import sign_in
from marketpost.rules.refusal import Refused
from marketpost.store.credentials import CodeAsker, Token

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

    With an address alone, a code is mailed if somebody is registered there. With the code, too, the response is a token. A code works only
    for whoever requested it: from the same network address, or from anywhere with the `request` of the first response. Only the operator
    can make a token with the scope `admin`.
    """
    if "code" not in body:
        asker = CodeAsker(token_hex(16), client())
        send_code(mailer(), body["email"], asker)
        return answer({"email": body["email"], "request": asker.request}, 202)
    scopes = tuple(dict.fromkeys(body.get("scopes", ["read", "play"])))
    asker = CodeAsker(body.get("request", ""), client())
    secret, made = sign_in(ports(), body["email"], body["code"], body.get("label", ""), scopes, _secret(body), asker)
    return new_token_shown(secret, made)


def new_token_shown(secret: str, made: Token) -> dict[str, Any]:
    """Serialize a new token with its secret."""
    return {
        "id": made.id,
        "token": secret,
        "player": made.player,
        "label": made.label,
        "scopes": list(made.scopes),
        "expires": moment(made.expires),
    }


@tokens.call("GET", "", access=Permission.READ, query=PageQuery, gives={200: OwnTokenPage})
def list_tokens(query: dict[str, Any]) -> dict[str, Any]:
    """List my tokens, oldest first: programs and browsers that are signed in as me

    Without their secrets, of which only hashes are stored.
    """
    found = page(ports().credentials.tokens_of(reader()), lambda each: (each.created, each.id), query)
    found["items"] = [token_shown(each, token()) for each in found["items"]]
    return found


def token_shown(one: Token, current: Token) -> dict[str, Any]:
    """Serialize a token without its secret; `current` is the token of the request."""
    return {
        "id": one.id,
        "label": one.label,
        "scopes": list(one.scopes),
        "created": moment(one.created),
        "expires": moment(one.expires),
        "used": moment(one.used) if one.used else None,
        "current": one.id == current.id,
    }


@tokens.call("DELETE", "/<id:token_id>", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def revoke_token(token_id: str) -> Response:
    """Revoke one of my tokens

    Whoever has it is signed out, and the browser that subscribed with it is notified no more.
    """
    if not ports().credentials.revoke_token(reader(), token_id):
        raise Refused("no-such-token")
    end_session(mailer(), reader(), token_id)
    return Response(status=204)


@tokens.call("DELETE", "", access=Permission.READ, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def sign_out_player() -> Response:
    """Sign out

    Revokes the token that this call is made with.
    """
    ports().credentials.drop_token(request.headers["Authorization"].partition(" ")[2].strip(), reader())
    end_session(mailer(), reader(), token().id)
    return Response(status=204)


def _secret(body: dict[str, Any]) -> str:
    """Return the secret of a new token.

    With an idempotency key it is derived from the request: a repeated request gets the same token although only its hash is stored.
    """
    return f"mp_{derived('token', key(), body['email'].casefold(), body['code'].strip().upper())}" if key() else ""
