"""Response schemas about people: profiles, tokens, notifications, blocks and reports."""

from marshmallow import Schema, fields

from api.http.fields import values
from api.http.response_schemas import AT, Moment, page_of
from marketpost.store.players import LetterLength, MailPreference


class RegisteredResponse(Schema):
    """A registration."""

    email = fields.String(required=True)
    name = fields.String(required=True)
    language = fields.String(required=True)
    timezone = fields.String(required=True)


class CodeSentResponse(Schema):
    """A sign-in code was mailed, if the address is registered."""

    email = fields.String(required=True)
    request = fields.String(required=True, metadata={"description": "To be sent with the code, if that comes from another network."})


class TokenResponse(Schema):
    """A new token, with its secret."""

    id = fields.String(required=True)
    token = fields.String(required=True, metadata={"description": "Shown this once; only its hash is stored."})
    player = fields.String(required=True)
    label = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    expires = Moment(required=True, metadata=AT)


class OwnTokenResponse(Schema):
    """A token of the player, without its secret."""

    id = fields.String(required=True)
    label = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created = Moment(required=True, metadata=AT)
    expires = Moment(required=True, metadata=AT)
    used = Moment(required=True, allow_none=True, metadata=AT | {"description": "The hour of its last use."})
    current = fields.Boolean(required=True, metadata={"description": "Whether this call is made with it."})


class BotResponse(Schema):
    """A bot account of the player."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    created = Moment(required=True, metadata=AT)
    tokens = fields.Integer(required=True, metadata={"description": "How many valid tokens it has."})


class VacationResponse(Schema):
    """The days of a vacation."""

    first = fields.String(data_key="from", required=True, metadata={"format": "date"})
    last = fields.String(data_key="to", required=True, metadata={"format": "date", "description": "The last day of it."})


class PlayerResponse(Schema):
    """The player's own profile."""

    id = fields.String(required=True)
    email = fields.String(required=True)
    owner = fields.String(required=True, allow_none=True, metadata={"description": "Of a bot account: the player whom it belongs to."})
    addresses = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Further addresses that I have confirmed: I may write and sign in from them."},
    )
    name = fields.String(required=True)
    language = fields.String(required=True)
    timezone = fields.String(required=True)
    mail = fields.String(required=True, metadata={"enum": values(MailPreference)})
    digest_hour = fields.Integer(required=True)
    json = fields.Boolean(required=True)
    bounces = fields.Integer(required=True, metadata={"description": "How many letters in a row came back; after three, none is sent."})
    complaint = Moment(
        required=True,
        allow_none=True,
        metadata=AT | {"description": "When a provider told that I marked a letter as spam; none is sent since, until I undo it."},
    )
    replay = fields.Boolean(required=True)
    hidden = fields.Boolean(required=True, metadata={"description": "Whether others find me on no list and no page of players."})
    letters = fields.String(required=True, metadata={"enum": values(LetterLength)})
    learnt = fields.List(
        fields.String(), required=True, metadata={"description": "Rulesets that letters explain no more, unless `letters` is `full`."}
    )
    feeds = fields.Boolean(required=True, metadata={"description": "Whether my feeds are switched on."})
    confirmed = fields.Boolean(required=True)
    muted = fields.List(fields.String(), required=True, metadata={"description": "Players whose words are not mailed to me."})
    blocked = fields.List(
        fields.String(), required=True, metadata={"description": "Players who are never seated with me and whose words I am not shown."}
    )
    created = Moment(required=True, metadata=AT)
    vacation = fields.Nested(VacationResponse, required=True, allow_none=True)
    vacation_days_left = fields.Dict(
        keys=fields.String(), values=fields.Integer(), required=True, metadata={"description": "By year: this one and the next."}
    )


class NotificationResponse(Schema):
    """A letter or another message to the player, with its delivery status."""

    id = fields.String(required=True)
    letter = fields.String(required=True, metadata={"description": "What it is about: the kind of letter that tells it."})
    channel = fields.String(required=True, metadata={"description": "`email`, or the channel of the target."})
    target = fields.String(required=True, allow_none=True, metadata={"description": "Id of the target; none for letters."})
    game = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True, allow_none=True)
    at = Moment(required=True, metadata=AT)
    status = fields.String(
        required=True, metadata={"description": "`waiting`, `sent`, `superseded`, `not-wanted`, `held-back`, `refused` or `given-up`."}
    )
    reason = fields.String(required=True, metadata={"description": "Why it was not sent, or not yet."})
    done = Moment(required=True, allow_none=True, metadata=AT)


class AddressResponse(Schema):
    """A further mail address of the player."""

    email = fields.String(required=True)
    confirmed = fields.Boolean(required=True, metadata={"description": "Whether it is mine; otherwise a code was mailed there."})


class FeedsResponse(Schema):
    """The secret URLs of the player's feeds."""

    atom = fields.String(required=True, allow_none=True, metadata={"format": "uri"})
    calendar = fields.String(required=True, allow_none=True, metadata={"format": "uri"})


class BlockedResponse(Schema):
    """A player who is blocked."""

    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class ReportResponse(Schema):
    """A report to the operator."""

    id = fields.String(required=True)
    player = fields.String(required=True)
    game = fields.String(required=True, allow_none=True)
    text = fields.String(required=True)
    at = Moment(required=True, metadata=AT)


NotificationPage = page_of(NotificationResponse)
OwnTokenPage = page_of(OwnTokenResponse)
BotPage = page_of(BotResponse)
BlockedPage = page_of(BlockedResponse)
