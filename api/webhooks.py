"""REST calls for a player's webhooks."""

from typing import Any

from flask import Response

from api.channels import channel_shown, made
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, reader
from api.http.idempotency import OnRepeat
from api.http.pagination import page
from api.http.request_schemas import WEBHOOK_KINDS, NewWebhook, PageQuery
from api.http.response_schemas import MadeWebhookResponse, WebhookPage
from marketpost.rules.refusal import Refused
from marketpost.store.channel_targets import ChannelTarget

webhooks = Calls("webhooks", __name__, url_prefix="/v1/webhooks", description="Webhooks")
KIND_OF_CHANNEL = {channel: kind for kind, channel in WEBHOOK_KINDS.items()}
"""The kind of webhook for each channel that has one."""


@webhooks.call("GET", "", access=Permission.PLAY, query=PageQuery, gives={200: WebhookPage})
def list_webhooks(query: dict[str, Any]) -> dict[str, Any]:
    """List my webhooks, oldest first, with how the last calls went"""
    found = page(webhooks_of(reader()), lambda hook: (hook.created, hook.id), query)
    found["items"] = [webhook_shown(hook.url, channel_shown(hook)) for hook in found["items"]]
    return found


@webhooks.call(
    "POST", "", access=Permission.PLAY, body=NewWebhook, gives={201: MadeWebhookResponse}, problems=(404, 410), on_repeat=OnRepeat.AGAIN
)
def make_webhook(body: dict[str, Any]) -> dict[str, Any]:
    """Register a webhook for my games, or for one of them

    The URL gets a `POST` for each event: `turn`, `started`, `over`, `invited`, `declined` (an invitation of mine), `said`, `proposed` (an
    undo, a draw, to abandon the game, or a seat offered to me), `news` (what was done at the table, such as a game called off), `reminder`
    and `timed-out`. A `plain` one brings `id` (the same when it is sent again), `event`, `text`, `link` and `game`: the position as I may
    see it, with every legal step in `steps` and a `proposal` that waits for answers; `discord` and `slack` bring what those expect.

    Each call is signed: `Marketpost-Signature: t=1772445600,v1=…`, where `v1` is the HMAC-SHA-256, in hex, of `t`, a full stop and the
    body, with the `secret` as the key. Compare it in constant time, and refuse a `t` that is minutes old.

    Anything but a 2xx within 10 seconds is a failure; redirects are not followed. A call that failed is repeated with growing pauses;
    after three days of failure the webhook is switched off and a letter says so. Addresses that are not on the open internet are refused.
    """
    return webhook_shown(body["url"], made(WEBHOOK_KINDS[body["kind"]], body["url"], body.get("game")))


@webhooks.call("DELETE", "/<id:webhook>", access=Permission.PLAY, gives={204: None})
def delete_webhook(webhook: str) -> Response:
    """Delete a webhook"""
    if not mailer().targets.delete(reader(), webhook):
        raise Refused("no-such-webhook")
    return Response(status=204)


def webhooks_of(player: str) -> list[ChannelTarget]:
    """List a player's webhooks, oldest first."""
    return [each for each in mailer().targets.of(player) if each.channel in KIND_OF_CHANNEL]


def webhook_shown(url: str, channel: dict[str, Any]) -> dict[str, Any]:
    """Serialize a channel as the webhook that it is."""
    shown = {name: value for name, value in channel.items() if name not in ("channel", "host")}
    return shown | {"url": url, "kind": KIND_OF_CHANNEL[channel["channel"]]}
