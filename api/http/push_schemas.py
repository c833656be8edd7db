"""Schemas for notifications of browsers (Web Push)."""

import marshmallow as ma
from marshmallow import Schema, fields

from api.http.fields import MESSAGES, Strict, Text
from api.http.response_schemas import AT, Moment

KEY = {"pattern": "^[A-Za-z0-9_-]+={0,2}$"}


class NewPushKeys(Strict):
    """The keys of a browser's subscription."""

    p256dh = Text(most=100, required=True, metadata=KEY)
    auth = Text(most=40, required=True, metadata=KEY)


class NewPushSubscription(Strict):
    """A browser's subscription, as `PushSubscription.toJSON()` returns it."""

    endpoint = Text(most=1000, required=True, metadata={"format": "uri", "example": "https://push.example.org/send/abc"})
    expiration_time = ma.fields.Raw(data_key="expirationTime", allow_none=True, metadata={"type": "number", "description": "Not used."})
    keys = ma.fields.Nested(NewPushKeys, required=True, error_messages=MESSAGES)


class PushKeyResponse(Schema):
    """The public key of the service."""

    key = fields.String(required=True, metadata={"description": "A point of the curve P-256 in base64url: the `applicationServerKey`."})


class PushSubscriptionResponse(Schema):
    """A browser that is notified."""

    id = fields.String(required=True)
    host = fields.String(required=True, metadata={"description": "The push service of the browser."})
    created = Moment(required=True, metadata=AT)
