"""Count requests and stored bytes: of players by player, of everybody else by network address."""

from flask import g, request
from flask.globals import app_ctx

from api.http.auth import SAFE, Permission
from api.http.context import inside, ports
from marketpost.play.limits import Limit, network
from marketpost.store.rate_counters import RateUse

SIGNING_IN = ("players.register_player", "tokens.sign_in_player", "pages.send_a_code", "pages.enter_code")
"""Endpoints that count as attempts to sign in."""
NOTHING_STORED = (
    "views.preview_orders",
    "pages.preview_orders",
    "views.try_moves",
    "pages.show_what_if",
    "inbound.receive_mail",
    "mcp.call_tools",
)
"""Endpoints whose requests store nothing, mail, which has limits of its own, or calls of tools, which count the calls they make."""
GOES_AHEAD = (*SIGNING_IN, "inbound.receive_mail")
"""Endpoints that take no place in the queue of guests and visitors: by them people come in, and mail."""
OVERHEAD = 1000
"""Bytes that a request costs beside its body: an entry in a log, an outcome, a key."""
NOT_COUNTED = ("service.health", "service.ready", "service.metrics")
"""Endpoints that are never counted."""


def client() -> str:
    """Return the network address of the client; behind our own proxies (`PROXIES`), the one they report."""
    return network(request.remote_addr)


def count() -> None:
    """Count this request against the limits of its sender, and refuse it if one is used up.

    A guest also counts on the network address: otherwise many guests at one address would have many budgets.
    """
    found, endpoint, method = app_ctx.g, request.endpoint, request.method
    found.guest = found.payer = None
    if endpoint in NOT_COUNTED:
        return
    sender = found.caller.player if found.token else None
    if sender and sender.is_guest:
        found.guest = sender.id
    elif found.token:
        found.payer = sender.owner if sender and sender.owner else found.token.player
    _join_queue(endpoint, is_person=found.payer is not None)
    uses = charge_calls(1)
    if found.guest:
        ports().guests.seen(found.guest, ports().clock())
    if endpoint in SIGNING_IN and method == "POST":
        uses.append(ports().limits.spend(Limit.SIGN_INS_ADDRESS, client()))
    if method not in SAFE and endpoint not in NOTHING_STORED:
        charge_bytes(OVERHEAD + _body_size())
    found.rate = min((use for use in uses if use), key=lambda use: use.left, default=None)


def _join_queue(endpoint: str | None, *, is_person: bool) -> None:
    """Take a place at the gate: guests and visitors wait for it, a person does not."""
    gate = inside().gate
    if not is_person and (endpoint in GOES_AHEAD or g.access == Permission.OPERATOR):
        return
    request.get_data()  # first: a client that sends slowly holds no place
    if is_person:
        gate.enter_person()
        g.leave_gate = gate.leave_person
    else:
        gate.enter()
        g.leave_gate = gate.leave


def stand_back() -> None:
    """Let people's requests go first, in the middle of a long computation; a person who asked for it stands back, too."""
    gate = inside().gate
    if g.get("leave_gate") == gate.leave_person:
        leave_queue()
    gate.stand_back()


def leave_queue(error: BaseException | None = None) -> None:
    """Let the next request begin: this one ends, or only waits from here on."""
    if leave := g.pop("leave_gate", None):
        leave()


def _body_size() -> int:
    """Return the length of the body; a body in chunks tells none, and is read to know it."""
    told = request.content_length
    return len(request.get_data()) if told is None else told


def charge_calls(count: int) -> list[RateUse | None]:
    """Count calls; a request that does the work of several counts as so many."""
    return charge(count, Limit.REQUESTS_ADDRESS, Limit.REQUESTS_GUEST, Limit.REQUESTS_PLAYER)


def charge_bytes(size: int) -> None:
    """Count the bytes that this request stores."""
    charge(size, Limit.BYTES_ADDRESS, Limit.BYTES_GUEST, Limit.BYTES_PLAYER)


def charge(amount: int, of_address: Limit, of_guest: Limit, of_player: Limit) -> list[RateUse | None]:
    """Count an amount against the sender's limits; return what is left of each."""
    limits = ports().limits
    return [limits.spend(limit, actor, amount) for limit, actor in who_pays(of_address, of_guest, of_player)]


def who_pays(of_address: Limit, of_guest: Limit, of_player: Limit) -> list[tuple[Limit, str]]:
    """List the limits of the sender: a player's own, which their bots share; for others that of the address, and of the guest."""
    if payer := g.payer:
        return [(of_player, payer)]
    return [(of_address, client()), *([(of_guest, g.guest)] if g.guest else [])]


def told() -> list[tuple[str, str]]:
    """Return the headers that say how many requests are left."""
    rate: RateUse | None = g.get("rate")
    if rate is None:
        return []
    return [("RateLimit-Limit", f"{rate.most}"), ("RateLimit-Remaining", f"{rate.left}"), ("RateLimit-Reset", f"{rate.seconds}")]
