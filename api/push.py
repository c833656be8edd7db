"""REST calls for notifications of browsers (Web Push)."""

from typing import Any

import msgspec
from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import inside, mailer, reader, token
from api.http.idempotency import OnRepeat
from api.http.push_schemas import NewPushSubscription, PushKeyResponse, PushSubscriptionResponse
from api.http.serialize import moment
from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.push_subscription import PushSubscription, subscription_id
from marketpost.notify.targets import add_target
from marketpost.notify.vapid_key import public_key
from marketpost.rules.refusal import Refused
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.credentials import Token

push = Calls("push", __name__, url_prefix="/v1/push", description="Notifications of browsers")
CHANNEL = "webpush"


@push.call("GET", "/key", access=Permission.OPEN, gives={200: PushKeyResponse})
def show_push_key() -> dict[str, Any]:
    """Show the key that a browser subscribes with, its `applicationServerKey`"""
    return {"key": public_key(inside().settings)}


@push.call(
    "POST",
    "/subscriptions",
    access=Permission.PLAY,
    body=NewPushSubscription,
    gives={201: PushSubscriptionResponse},
    on_repeat=OnRepeat.AGAIN,
)
def add_subscription(body: dict[str, Any]) -> dict[str, Any]:
    """Notify a browser of my games, also while no page of the service is open

    The body is what `PushManager.subscribe` of the browser returns. The same browser again is the same subscription. The push service is
    checked as the URL of a webhook is. A subscription that its push service does not know any more is deleted, and it ends with the token
    that this call is made with.
    """
    made = subscribe(mailer(), token(), msgspec.json.encode(body).decode())
    return {"id": made.id, "host": made.host, "created": moment(made.created)}


@push.call("DELETE", "/subscriptions/<id:subscription>", access=Permission.PLAY, gives={204: None}, problems=(404,))
def delete_subscription(subscription: str) -> Response:
    """Notify a browser no more"""
    target = mailer().targets.find(reader(), subscription)
    if target is None or target.channel != CHANNEL:
        raise Refused("no-such-target")
    mailer().targets.delete(reader(), subscription)
    return Response(status=204)


def subscribe(mailer: Mailer, session: Token, text: str) -> ChannelTarget:
    """Add a browser's subscription, given as JSON. It ends with the session, and a later one of the same browser takes it over."""
    try:
        endpoint = msgspec.json.decode(text, type=PushSubscription).endpoint
    except msgspec.DecodeError as error:
        raise Refused("bad-subscription") from error
    made = add_target(mailer, subscription_id(endpoint), session.player, CHANNEL, text, None, session.id)
    if made.session != session.id:
        made.session = session.id
        mailer.targets.update(made)
    return made


def unsubscribe(mailer: Mailer, player: str, endpoint: str) -> None:
    """Delete a browser's subscription; nothing happens if there is none."""
    mailer.targets.delete(player, subscription_id(endpoint))
