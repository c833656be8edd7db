"""Schemas of channels, and of what is sent to players' programs: events of an account and the bodies of webhook calls."""

from typing import Any

from marshmallow import Schema, fields

from api.http.fields import values
from api.http.response_schemas import AT, POSITION, Moment, ProposalResponse, page_of
from api.http.ruleset_schemas import ref
from marketpost.notify.channels import target_channels
from marketpost.play.log.game import GameStatus
from marketpost.play.outbox.account_events import AccountEventKind
from marketpost.play.outbox.notices import NoticeKind
from marketpost.store.players import MailPreference

EVENTS_OF_WEBHOOKS = [str(kind) for kind in NoticeKind if kind not in (NoticeKind.BOT, NoticeKind.ANSWER, NoticeKind.MOVED)]


class TargetResponse(Schema):
    """Where messages to a player go beside letters, with how the last ones went."""

    id = fields.String(required=True)
    game = fields.String(required=True, allow_none=True)
    created = Moment(required=True, metadata=AT)
    off = Moment(required=True, allow_none=True, metadata=AT | {"description": "Since when it is switched off, because it kept failing."})
    failures = fields.Integer(required=True, metadata={"description": "In a row, up to now."})
    last_success = Moment(required=True, allow_none=True, metadata=AT)
    last_error = fields.String(required=True, allow_none=True)
    last_error_at = Moment(required=True, allow_none=True, metadata=AT)


class WebhookResponse(TargetResponse):
    """A webhook, with how its last calls went."""

    url = fields.String(required=True)
    kind = fields.String(required=True, metadata={"enum": ["plain", "discord", "slack"]})


class MadeWebhookResponse(WebhookResponse):
    """A new webhook, with its secret."""

    secret = fields.String(required=True, metadata={"description": "Signs the calls. Shown this once."})


class NoticesResponse(Schema):
    """A player's notification preference for one game, and its effect."""

    choice = fields.String(required=True, metadata={"enum": [*values(MailPreference), "default"]})
    letters = fields.String(required=True, metadata={"enum": ["every", "digest", "none"], "description": "The effect now."})
    webhooks = fields.Boolean(required=True, metadata={"description": "Whether webhooks are called for this game, if there are any."})


class SituationResponse(Schema):
    """A game for a program that decides for a player."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    rules = fields.String(required=True)
    status = fields.String(required=True, metadata={"enum": values(GameStatus)})
    you = fields.String(required=True, allow_none=True, metadata={"description": "Your colour."})
    decides = fields.List(fields.String(), required=True, metadata={"description": "The colours that are to decide now."})
    steps = fields.List(fields.String(), required=True, metadata={"description": "Every legal step of yours, as an order."})
    position = fields.Raw(required=True, metadata=POSITION)
    scores = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    winners = fields.List(fields.String(), required=True)
    proposal = fields.Nested(ProposalResponse, required=True, allow_none=True)


class WebhookCallResponse(Schema):
    """The body of a call to a webhook."""

    id = fields.String(required=True, metadata={"description": "The same when the call is repeated."})
    event = fields.String(required=True, metadata={"enum": EVENTS_OF_WEBHOOKS})
    text = fields.String(required=True, metadata={"description": "A sentence in the player's language."})
    link = fields.String(required=True)
    game = fields.Nested(SituationResponse, required=True)


class AccountEventResponse(Schema):
    """Something that happened in a game of mine."""

    id = fields.String(required=True, metadata={"description": "For `Last-Event-ID`."})
    event = fields.String(required=True, metadata={"enum": values(AccountEventKind)})
    at = Moment(required=True, metadata=AT)
    game = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True, allow_none=True, metadata={"description": "The version of the game."})
    seat = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The number of the seat that moved; otherwise of mine, if I have one."}
    )
    message = fields.String(required=True, allow_none=True, metadata={"description": "The id of what was said."})


AccountEventPage = page_of(
    AccountEventResponse, fields.String(required=True, allow_none=True, metadata={"description": "`after` of the next page."})
)


def webhook_calls(spec: Any) -> dict[str, Any]:
    """Document the calls that the service makes to webhooks; what other channels get is up to their providers."""
    spec.components.schema(WebhookCallResponse.__name__, schema=WebhookCallResponse)
    call = {
        "summary": "A call to a webhook",
        "description": "Signed in the header `Marketpost-Signature`; see `POST /v1/players/me/channels`.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": ref(WebhookCallResponse.__name__)}}},
        "responses": {"2XX": {"description": "The call has arrived; anything else is repeated."}},
    }
    return {"event": {"post": call}}


class ChannelResponse(TargetResponse):
    """Where a player is told of games beside letters, with how the last messages went."""

    channel = fields.String(required=True, metadata={"enum": target_channels()})
    host = fields.String(required=True, metadata={"description": "Of the target; the rest may be a secret."})


class MadeChannelResponse(ChannelResponse):
    """A new target, with its secret."""

    secret = fields.String(required=True, metadata={"description": "Signs the calls of a webhook. Shown this once."})


ChannelPage = page_of(ChannelResponse)
WebhookPage = page_of(WebhookResponse)
