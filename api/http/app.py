"""Build the WSGI application. Connections are made here, never at import."""

from dataclasses import replace
from threading import BoundedSemaphore

from flask import Flask, Response, request
from flask_smorest import Api  # type: ignore[import-untyped]
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter

from api import event_stream as stream
from api.account_events import MOST_ACCOUNT_STREAMS, account_events
from api.addresses import addresses
from api.agreements import table
from api.blocks import blocks, reports
from api.boards import boards, rules
from api.bots import bots
from api.channels import channels
from api.competitions import competitions
from api.exports import exports
from api.feeds import feeds
from api.games import games
from api.health import service
from api.hints import hints
from api.http import auth, draining, openapi, problems, request_id, request_limits
from api.http import idempotency as keys
from api.http.context import NAME, Draw, Inside
from api.http.guest_gate import GuestGate
from api.http.mcp_process import McpProcess
from api.http.problems import Problem
from api.http.strict_json import StrictJSON
from api.http.wakeups import Wakeups
from api.inbound_mail import inbound
from api.mcp import mcp
from api.messages import messages
from api.moves import moves
from api.orders_ahead import ahead
from api.players import players
from api.positions import views
from api.preferences import notices
from api.profiles import profiles, tables
from api.push import push
from api.records import records
from api.searches import searches
from api.standing_orders import standing
from api.tokens import tokens
from api.webhooks import webhooks
from marketpost.pictures.png import png
from marketpost.rules.refusal import Refusal
from marketpost.store.idempotent_responses import StoredResponses
from marketpost.store.settings import Settings
from marketpost.web import site
from workers.notifier import make_mailer
from workers.queue import make_ports, make_queue

RESOURCES = (
    players, addresses, exports, feeds, profiles, tables, tokens, bots, blocks, reports,
    competitions, searches, games, table, moves, views, hints, standing, ahead, messages, notices, channels, webhooks, push,
    account_events, records, boards, rules, inbound, service,
)  # fmt: skip
"""The resources, in the order of the API documentation."""


class Id(BaseConverter):
    """Path converter for ids and names; any other text is a page that does not exist."""

    regex = "[0-9A-Za-z_-]{1,64}"


LARGEST_BODY = 128 * 1024
"""Bytes of a request body at most."""
QUEUE_ANSWERS_WITHIN = 2.0
"""Seconds for an answer of the queue's Redis: a request can do without it."""
SAFETY = (
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cache-Control", "private, no-cache"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)
"""Headers of responses that have no other ones of these names: no sniffing, no framing, no caching by others."""


def create_app(settings: Settings | None = None, draw: Draw = png) -> Flask:
    """Build the application; `draw` makes a PNG from an SVG without blocking other requests."""
    settings = settings or Settings.read()
    app = Flask("marketpost", static_folder=None)
    app.json = StrictJSON(app)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, PROPAGATE_EXCEPTIONS=False)
    app.url_map.converters["id"] = Id
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.extensions[NAME] = connected(settings, draw)
    openapi.configure(app)
    api = Api(app)
    openapi.keep_references(api)
    api.register_converter(Id, lambda converter: {"type": "string", "pattern": f"^{Id.regex}$"})
    for resource in RESOURCES:
        api.register_blueprint(resource)
    app.register_blueprint(mcp)
    site.install(app, settings)
    install(app)
    openapi.install(app, api)
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies)  # type: ignore[method-assign]
    return app


def connected(settings: Settings, draw: Draw) -> Inside:
    """Connect to the stores and assemble the services that requests use."""
    work_queue = make_queue(settings, answer_within=QUEUE_ANSWERS_WITHIN)
    ports = make_ports(settings, work_queue)
    patient = make_ports(settings, work_queue, answer_within=stream.ANSWER_WITHIN)
    redis = ports.games.redis
    mailer = make_mailer(settings, work_queue, ports)
    return Inside(
        settings,
        work_queue,
        ports,
        patient,
        StoredResponses(redis),
        mailer,
        BoundedSemaphore(stream.MOST_STREAMS),
        BoundedSemaphore(MOST_ACCOUNT_STREAMS),
        Wakeups(patient.streams),
        GuestGate(),
        McpProcess(),
        replace(ports, enqueue=work_queue.enqueue_behind_people),
        draw,
    )


def install(app: Flask) -> None:
    """Register what runs around every request: body check, identity, limits, access, idempotency, in this order."""
    auth.check_all_declared(app)
    problems.register(app)
    app.before_request(_before)
    app.after_request(_after)
    app.teardown_request(request_limits.leave_queue)


def _before() -> Response | None:
    request_id.begin()
    _whole()
    _plain()
    auth.identify()
    request_limits.count()
    auth.authorize()
    draining.refuse()
    return keys.claim()


def _after(response: Response) -> Response:
    keys.store_response(response)
    request_limits.leave_queue()
    told = {name.lower() for name, _ in response.headers}
    for name, value in (*SAFETY, *request_limits.told(), *request_id.told(response)):
        if name.lower() not in told:
            response.headers.add(name, value)
    return response


def _whole() -> None:
    """Refuse a body that is shorter than its Content-Length.

    Fault: a client may break off in the middle. gunicorn marks its input as terminated, and werkzeug then takes any end for the end of the
    body; without that mark werkzeug compares it with the length.
    """
    if request.content_length is not None:
        request.environ.pop("wsgi.input_terminated", None)


def _plain() -> None:
    """Refuse a compressed body; parsed as it is, it would be reported as malformed JSON."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Problem(Refusal("wrong-encoding"), headers={"Accept-Encoding": "identity"})
