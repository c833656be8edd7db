"""Count requests: those without a token and those of guests on their network address, those of players on the player."""

from flask import Flask, Response, g, request

from api.http.auth import SAFE
from api.http.context import ports
from marketpost.play.limits import Limit, network
from marketpost.play.people.guest_rights import is_guest
from marketpost.store.rate_counters import RateUse

SIGNING_IN = ("players.register_player", "tokens.sign_in_player", "pages.send_a_code", "pages.enter_code")
NOTHING_STORED = ("look.preview_orders", "pages.preview_orders", "post.take_mail")
"""Writes that store nothing, or mail, which has limits of its own."""
OVERHEAD = 1000
"""Bytes that a request costs beside its body: an entry in a log, an outcome, a key."""
NOT_COUNTED = ("service.health", "service.ready", "service.metrics")


def install(app: Flask) -> None:
    app.before_request(_count)
    app.after_request(_tell)


def client() -> str:
    """The actor at the other end of the connection; behind proxies of our own (`PROXIES`), the one that they tell."""
    return network(request.remote_addr)


def _count() -> None:
    """Race: many tokens at one address. Guests count on their address too, so that more tokens are no more requests."""
    g.guest = None
    if request.endpoint in NOT_COUNTED:
        return
    g.guest = g.token.player if g.token and is_guest(ports(), g.token.player) else None
    uses = charge(1, Limit.REQUESTS_ADDRESS, Limit.REQUESTS_GUEST, Limit.REQUESTS_PLAYER)
    if g.guest:
        ports().guests.seen(g.guest, ports().clock())
    if request.endpoint in SIGNING_IN and request.method == "POST":
        uses.append(ports().limits.spend(Limit.SIGN_INS_ADDRESS, client()))
    if request.method not in SAFE and request.endpoint not in NOTHING_STORED:
        charge_bytes(OVERHEAD + (request.content_length or 0))
    g.rate = min((use for use in uses if use), key=lambda use: use.left, default=None)


def charge_bytes(size: int) -> None:
    """Count what is stored because of this request."""
    charge(size, Limit.BYTES_ADDRESS, Limit.BYTES_GUEST, Limit.BYTES_PLAYER)


def charge(amount: int, of_address: Limit, of_guest: Limit, of_player: Limit) -> list[RateUse | None]:
    """Count so much on whoever asks; what is left to them."""
    return [ports().limits.spend(limit, actor, amount) for limit, actor in who_pays(of_address, of_guest, of_player)]


def who_pays(of_address: Limit, of_guest: Limit, of_player: Limit) -> list[tuple[Limit, str]]:
    """A player pays alone. A visitor's network address pays; a guest's too, or many guests would have many budgets."""
    if g.token and not g.guest:
        return [(of_player, g.token.player)]
    return [(of_address, client()), *([(of_guest, g.guest)] if g.guest else [])]


def _tell(response: Response) -> Response:
    if rate := g.get("rate"):
        response.headers["RateLimit-Limit"] = str(rate.most)
        response.headers["RateLimit-Remaining"] = str(rate.left)
        response.headers["RateLimit-Reset"] = str(rate.seconds)
    return response
