"""REST calls for a player's webhooks."""

import secrets
from typing import Any

from flask import Response, request

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, reader, seen_game
from api.http.idempotency import OnRepeat, derived, key
from api.http.pagination import page
from api.http.problems import words
from api.http.request_schemas import WEBHOOK_KINDS, NewWebhook, PageQuery
from api.http.response_schemas import MadeWebhookResponse, WebhookPage
from api.http.serialize import moment
from marketpost.notify.targets import add_target, secret_of
from marketpost.notify.webhook_client import explain
from marketpost.play.table.lobby import takes_part
from marketpost.rules.refusal import Refused
from marketpost.store.channel_targets import ChannelTarget

webhooks = Calls("webhooks", __name__, url_prefix="/v1/webhooks", description="Webhooks")
KIND_OF_CHANNEL = {channel: kind for kind, channel in WEBHOOK_KINDS.items()}
"""The kind of webhook for each channel that has one."""


@webhooks.call("GET", "", access=Permission.PLAY, query=PageQuery, gives={200: WebhookPage})
def list_webhooks(query: dict[str, Any]) -> dict[str, Any]:
    """List my webhooks, oldest first, with how the last calls went"""
    found = page(webhooks_of(reader()), lambda hook: (hook.created, hook.id), query)
    found["items"] = [webhook_shown(hook) for hook in found["items"]]
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
    game = body.get("game")
    if game is not None and not takes_part(seen_game(game), reader()):
        raise Refused("not-your-game")
    hook = add_target(mailer(), _new_id(), reader(), WEBHOOK_KINDS[body["kind"]], body["url"], game)
    return webhook_shown(hook) | {"secret": secret_of(mailer(), hook.id)}


def _new_id() -> str:
    """Return the id of a new webhook.

    With an idempotency key it is derived from the key, and the secret from the id, so that a repeated request gets both again.
    """
    return derived("webhook", request.path, reader(), key())[:16] if key() else secrets.token_hex(8)


@webhooks.call("DELETE", "/<id:webhook>", access=Permission.PLAY, gives={204: None})
def delete_webhook(webhook: str) -> Response:
    """Delete a webhook"""
    if not mailer().targets.delete(reader(), webhook):
        raise Refused("no-such-webhook")
    return Response(status=204)


def webhooks_of(player: str) -> list[ChannelTarget]:
    """List a player's webhooks, oldest first."""
    return [each for each in mailer().targets.of(player) if each.channel in KIND_OF_CHANNEL]


def webhook_shown(hook: ChannelTarget) -> dict[str, Any]:
    """Serialize a webhook without its secret."""
    return {
        "id": hook.id,
        "url": hook.url,
        "kind": KIND_OF_CHANNEL[hook.channel],
        "game": hook.game,
        "created": moment(hook.created),
        "off": _at(hook.off),
        "failures": hook.failures,
        "last_success": _at(hook.last_success),
        "last_error": explain(words(), hook.last_error) if hook.last_error else None,
        "last_error_at": _at(hook.last_error_at),
    }


def _at(milliseconds: int | None) -> str | None:
    return moment(milliseconds) if milliseconds else None
