"""The path of version 1.0 for channels that are called by URL: the resource of `api/channels.py` with the field names of then."""

from typing import Any

from flask import Response

from api.channels import channel_shown, delete_channel, made
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, reader
from api.http.idempotency import OnRepeat
from api.http.notification_schemas import MadeWebhookResponse, WebhookPage
from api.http.pagination import page
from api.http.query_schemas import PageQuery
from api.http.request_schemas import WEBHOOK_KINDS, NewWebhook

webhooks = Calls("webhooks", __name__, url_prefix="/v1/webhooks", description="Webhooks, as version 1.0 called them")
KIND_OF_CHANNEL = {channel: kind for kind, channel in WEBHOOK_KINDS.items()}
"""The kind of webhook for each channel that has one."""


@webhooks.call("GET", "", access=Permission.PLAY, query=PageQuery, gives={200: WebhookPage}, deprecated=True)
def list_webhooks(query: dict[str, Any]) -> dict[str, Any]:
    """List my channels that are called by URL; use `GET /v1/players/me/channels`"""
    hooks = [each for each in mailer().targets.of(reader()) if each.channel in KIND_OF_CHANNEL]
    found = page(hooks, lambda hook: (hook.created, hook.id), query)
    found["items"] = [_webhook_shown(hook.url, channel_shown(hook)) for hook in found["items"]]
    return found


@webhooks.call(
    "POST",
    "",
    access=Permission.PLAY,
    body=NewWebhook,
    gives={201: MadeWebhookResponse},
    problems=(404, 410),
    on_repeat=OnRepeat.AGAIN,
    deprecated=True,
)
def make_webhook(body: dict[str, Any]) -> dict[str, Any]:
    """Add a channel that is called by URL; use `POST /v1/players/me/channels`

    `url` is its `target`; the kinds `plain`, `discord` and `slack` are its channels `webhook`, `discord` and `slack`.
    """
    return _webhook_shown(body["url"], made(WEBHOOK_KINDS[body["kind"]], body["url"], body.get("game")))


@webhooks.call("DELETE", "/<id:webhook>", access=Permission.PLAY, gives={204: None}, deprecated=True)
def delete_webhook(webhook: str) -> Response:
    """Remove a channel; use `DELETE /v1/players/me/channels/{target}`"""
    return delete_channel(webhook)


def _webhook_shown(url: str, channel: dict[str, Any]) -> dict[str, Any]:
    """Serialize a channel with the field names of version 1.0."""
    shown = {name: value for name, value in channel.items() if name not in ("channel", "host")}
    return shown | {"url": url, "kind": KIND_OF_CHANNEL[channel["channel"]]}
