"""Response schemas of what players have played: profiles, ratings and the search by name."""

from marshmallow import Schema, fields

from api.http.response_schemas import AT, Moment, page_of


class RatingResponse(Schema):
    """A rating."""

    points = fields.Float(required=True, metadata={"description": "`mu - 3 * sigma`: what somebody can do almost surely."})
    mu = fields.Float(required=True)
    sigma = fields.Float(required=True)
    games = fields.Integer(required=True)
    won = fields.Integer(required=True)


class RatedPlayerResponse(RatingResponse):
    """A row of the rating table."""

    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class PlayedByManyResponse(Schema):
    """A player's results in games of one ruleset with so many players."""

    players = fields.Integer(required=True)
    finished = fields.Integer(required=True)
    won = fields.Integer(required=True)


class OpponentResponse(Schema):
    """A player's results against another."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    games = fields.Integer(required=True)
    before = fields.Integer(required=True, metadata={"description": "Games in which this player was placed before the opponent."})
    behind = fields.Integer(required=True, metadata={"description": "Games in which this player was placed behind the opponent."})


class FoundPlayerResponse(Schema):
    """A player found by name."""

    id = fields.String(required=True)
    name = fields.String(required=True)


class FoundPlayersResponse(Schema):
    """Players found by name."""

    items = fields.List(fields.Nested(FoundPlayerResponse), required=True)


class PlayerStatusResponse(Schema):
    """When a player was here last, and how many games they have."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True, metadata={"description": "Whether this is a bot account."})
    seen = Moment(
        required=True,
        allow_none=True,
        metadata=AT | {"description": "The hour in which they, or a program of theirs, called last; null if they only write mails."},
    )
    playing = fields.Integer(required=True, metadata={"description": "Their running games that you may see."})
    deciding = fields.Integer(required=True, metadata={"description": "How many of these wait for them."})


class PlayerStatusesResponse(Schema):
    """The status of several players."""

    items = fields.List(fields.Nested(PlayerStatusResponse), required=True)


class RatingStepResponse(Schema):
    """A rating after a game."""

    game = fields.String(required=True)
    at = Moment(required=True, metadata=AT)
    points = fields.Float(required=True)


class RatingCurveResponse(Schema):
    """A player's ratings over time, oldest first."""

    items = fields.List(fields.Nested(RatingStepResponse), required=True)


class PlayedResponse(Schema):
    """A player's results in one ruleset."""

    rules = fields.String(required=True)
    finished = fields.Integer(required=True)
    won = fields.Integer(required=True)
    by_players = fields.List(fields.Nested(PlayedByManyResponse), required=True)
    rating = fields.Nested(RatingResponse, required=True, allow_none=True)


class CareerResponse(Schema):
    """The public profile of a player."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True, metadata={"description": "Whether this is a bot account, which is rated among bots."})
    since = Moment(required=True, metadata=AT)
    played = fields.List(fields.Nested(PlayedResponse), required=True, metadata={"description": "Games played to the end."})
    pace = fields.Float(
        required=True, allow_none=True, metadata={"description": "The median time of the newest 200 decisions, in seconds."}
    )
    decisions = fields.Integer(required=True, metadata={"description": "Decisions in finished games."})
    late = fields.Integer(required=True, metadata={"description": "How often the time for one was up."})
    opponents = fields.List(
        fields.Nested(OpponentResponse), required=True, metadata={"description": "At most 30, those with most games first."}
    )


RatingPage = page_of(RatedPlayerResponse)
