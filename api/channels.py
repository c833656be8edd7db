"""REST calls for the channels by which a player hears of games beside letters: chat rooms, phones and programs."""

import secrets
from typing import Any

from flask import Response, request

from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.context import mailer, reader, seen_game
from api.http.idempotency import OnRepeat, derived, key
from api.http.notification_schemas import ChannelPage, MadeChannelResponse
from api.http.pagination import page
from api.http.people_schemas import NotificationResponse
from api.http.problems import words
from api.http.query_schemas import PageQuery
from api.http.request_schemas import NewChannel
from api.http.serialize import moment
from api.players import notification
from marketpost.notify.targets import add_target, secret_of, send_test
from marketpost.notify.webhook_client import explain
from marketpost.play.table.lobby import takes_part
from marketpost.rules.refusal import Refused
from marketpost.store.channel_targets import ChannelTarget

channels = Calls("channels", __name__, url_prefix="/v1/players/me/channels", description="Channels")


@channels.call("GET", "", access=Permission.READ, query=PageQuery, gives={200: ChannelPage})
def list_channels(query: dict[str, Any]) -> dict[str, Any]:
    """List where I am told of my games beside letters, oldest first, with how the last messages went

    Of a target only the host is shown, because the rest may be a secret.
    """
    found = page(mailer().targets.of(reader()), lambda target: (target.created, target.id), query)
    found["items"] = [channel_shown(target) for target in found["items"]]
    return found


@channels.call(
    "POST", "", access=Permission.PLAY, body=NewChannel, gives={201: MadeChannelResponse}, problems=(404, 410), on_repeat=OnRepeat.AGAIN
)
def add_channel(body: dict[str, Any]) -> dict[str, Any]:
    """Add a place where I am told of my games, or of one of them

    `ntfy` takes `ntfys://ntfy.sh/topic`, `gotify` `gotifys://host/token`, `matrix` `matrixs://token@host/!room:host`, `telegram`
    `tgram://bot-token/chat`, `signal` `signals://host/from/to`, each without options behind a `?`; `discord`, `slack` and `webhook` take a
    URL. Addresses that are not on the open internet are refused. A message that failed is sent again with growing pauses, and not before
    the time that a `Retry-After` asks for, up to an hour; after three days of failure, or at once if Discord, Slack or Telegram says that
    the room, chat or bot is gone, the target is switched off and a letter says so.

    A `webhook` gets a `POST` for each event: `turn`, `started`, `over`, `invited`, `declined` (an invitation of mine), `said`, `proposed`
    (an undo, a draw, to abandon the game, or a seat offered to me), `news` (what was done at the table, such as a game called off),
    `reminder` and `timed-out`. It brings `id` (the same when it is sent again), `event`, `text`, `link` and `game`: the position as I may
    see it, with every legal step in `steps` and a `proposal` that waits for answers. Anything but a 2xx within 10 seconds is a failure;
    redirects are not followed.

    Each such call is signed: `Marketpost-Signature: t=1772445600,v1=…`, where `v1` is the HMAC-SHA-256, in hex, of `t`, a full stop and
    the body, with the `secret` as the key. Compare it in constant time, and refuse a `t` that is minutes old.
    """
    return made(body["channel"], body["target"], body.get("game"))


def made(channel: str, text: str, game: str | None) -> dict[str, Any]:
    """Add a target of the reader and serialize it with its secret."""
    if game is not None and not takes_part(seen_game(game), reader()):
        raise Refused("not-your-game")
    target = add_target(mailer(), _new_id(), reader(), channel, text, game)
    return channel_shown(target) | {"secret": secret_of(mailer(), target.id)}


def _new_id() -> str:
    """Return the id of a new target.

    With an idempotency key it is derived from the key, and the secret from the id, so that a repeated request gets both again.
    """
    return derived("webhook", request.path, reader(), key())[:16] if key() else secrets.token_hex(8)


@channels.call("DELETE", "/<id:target>", access=Permission.PLAY, gives={204: None})
def delete_channel(target: str) -> Response:
    """Remove a target"""
    if not mailer().targets.delete(reader(), target):
        raise Refused("no-such-target")
    return Response(status=204)


@channels.call("POST", "/<id:target>/test", access=Permission.PLAY, gives={202: NotificationResponse}, on_repeat=OnRepeat.AGAIN)
def test_channel(target: str) -> Response:
    """Send a test message to a target, once a minute at most

    What became of it is in `GET /v1/players/me/notifications`. A target that was switched off is tried again.
    """
    return answer(notification(send_test(mailer(), reader(), target)), 202)


def channel_shown(target: ChannelTarget) -> dict[str, Any]:
    """Serialize a target without its secrets."""
    return {
        "id": target.id,
        "channel": target.channel,
        "host": target.host,
        "game": target.game,
        "created": moment(target.created),
        "off": _at(target.off),
        "failures": target.failures,
        "last_success": _at(target.last_success),
        "last_error": explain(words(), target.last_error) if target.last_error else None,
        "last_error_at": _at(target.last_error_at),
    }


def _at(milliseconds: int | None) -> str | None:
    return moment(milliseconds) if milliseconds else None
