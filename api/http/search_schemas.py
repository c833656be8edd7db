"""Request and response schemas of searches for a game."""

from datetime import timedelta

import marshmallow as ma
from marshmallow import fields

from api.http.fields import Choice, Duration, Number, Strict, Text
from api.http.response_schemas import AT, Moment
from marketpost.play.table.search_request import USUAL_PLAYERS, Strength

LOWEST, HIGHEST = -100, 100
RANGE_HOW = "The others' rating; a player without one counts as 0."


class NewSearch(Strict):
    """A game to search for."""

    rules = Text(required=True, most=40, metadata={"example": "portobello"})
    players = Number(least=2, most=6, metadata={"description": f"{USUAL_PLAYERS} if left out, or as many as the game takes."})
    per_decision = Duration(least=timedelta(minutes=1), most=timedelta(days=60))
    strength = Choice(
        Strength, load_default=Strength.ANY, metadata={"description": "`similar`: a rating that differs from mine by 5 points at most."}
    )
    least = Number(least=LOWEST, most=HIGHEST, metadata={"description": f"{RANGE_HOW} At least so much."})
    most = Number(least=LOWEST, most=HIGHEST, metadata={"description": f"{RANGE_HOW} At most so much."})


class SearchResponse(ma.Schema):
    """A search that waits."""

    id = fields.String(required=True)
    rules = fields.String(required=True)
    players = fields.Integer(required=True)
    per_decision = fields.Integer(required=True, metadata={"description": "Seconds for each decision."})
    least = fields.Float(required=True, allow_none=True, metadata={"description": "None for any."})
    most = fields.Float(required=True, allow_none=True, metadata={"description": "None for any."})
    since = Moment(required=True, metadata=AT)
    opens_by = Moment(required=True, metadata={**AT, "description": "A table opens then at the latest, with bots if need be."})


class SearchListResponse(ma.Schema):
    """My searches."""

    items = fields.List(fields.Nested(SearchResponse), required=True)
