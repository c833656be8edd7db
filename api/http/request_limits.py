"""Count requests: those without a token and those of guests on their network address, those of players on the player."""

from flask import Flask, Response, g, request

from api.http.context import ports
from marketpost.play.limits import Limit, network

SIGNING_IN = ("players.register_player", "tokens.sign_in_player", "pages.send_a_code", "pages.enter_code")
NOT_COUNTED = ("service.health", "service.ready", "service.metrics")


def install(app: Flask) -> None:
    app.before_request(_count)
    app.after_request(_tell)


def client() -> str:
    """The actor at the other end of the connection; behind proxies of our own (`PROXIES`), the one that they tell."""
    return network(request.remote_addr)


def _count() -> None:
    """Race: many tokens at one address. Guests count on their address too, so that more tokens are no more requests."""
    if request.endpoint in NOT_COUNTED:
        return
    limits, uses = ports().limits, []
    player = ports().players.find(g.token.player) if g.get("token") else None
    if player is None or not player.email:
        uses.append(limits.spend(Limit.REQUESTS_ADDRESS, client()))
    if player:
        uses.append(limits.spend(Limit.REQUESTS_PLAYER if player.email else Limit.REQUESTS_GUEST, player.id))
    if request.endpoint in SIGNING_IN and request.method == "POST":
        uses.append(limits.spend(Limit.SIGN_INS_ADDRESS, client()))
    g.rate = min((use for use in uses if use), key=lambda use: use.left, default=None)


def _tell(response: Response) -> Response:
    if rate := g.get("rate"):
        response.headers["RateLimit-Limit"] = str(rate.most)
        response.headers["RateLimit-Remaining"] = str(rate.left)
        response.headers["RateLimit-Reset"] = str(rate.seconds)
    return response
