"""Schemas of what is sent to players' programs: the bodies of webhook calls."""

from typing import Any

from marshmallow import Schema, fields

from api.http.fields import values
from api.http.response_schemas import POSITION, ProposalResponse
from marketpost.play.log.game import GameStatus
from marketpost.play.outbox.notices import NoticeKind

EVENTS_OF_WEBHOOKS = [str(kind) for kind in NoticeKind if kind not in (NoticeKind.BOT, NoticeKind.ANSWER)]


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
    """The body of a call to a `plain` webhook."""

    id = fields.String(required=True, metadata={"description": "The same when the call is repeated."})
    event = fields.String(required=True, metadata={"enum": EVENTS_OF_WEBHOOKS})
    text = fields.String(required=True, metadata={"description": "A sentence in the player's language."})
    link = fields.String(required=True)
    game = fields.Nested(SituationResponse, required=True)


class MentionsResponse(Schema):
    """Whom a message of Discord mentions: nobody."""

    parse = fields.List(fields.String(), required=True)


class DiscordCallResponse(Schema):
    """The body of a call to a webhook of Discord."""

    content = fields.String(required=True)
    allowed_mentions = fields.Nested(MentionsResponse, required=True)


class SlackCallResponse(Schema):
    """The body of a call to a webhook of Slack."""

    text = fields.String(required=True)


BODIES = {"plain": WebhookCallResponse, "discord": DiscordCallResponse, "slack": SlackCallResponse}
"""The body of a call for each kind of webhook."""


def webhook_calls(spec: Any) -> dict[str, Any]:
    """Document the calls that the service makes, one for each kind of webhook."""
    return {kind: {"post": _call(spec, kind, body)} for kind, body in BODIES.items()}


def _call(spec: Any, kind: str, body: type[Schema]) -> dict[str, Any]:
    spec.components.schema(body.__name__, schema=body)
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
    return {
        "summary": f"A call to a webhook of the kind `{kind}`",
        "description": "Signed in the header `Marketpost-Signature`; see `POST /v1/webhooks`.",
        "requestBody": {"required": True, "content": content},
        "responses": {"2XX": {"description": "The call has arrived; anything else is repeated."}},
    }
