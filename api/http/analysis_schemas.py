"""Response schemas of hints, and of luck and skill after a game."""

from marshmallow import Schema, fields

from api.http.fields import values
from marketpost.play.analyses import AnalysisStatus
from marketpost.play.moves.hints import HintStatus

CHANCES = {"description": "Thousandths, one for each seat."}


class MomentResponse(Schema):
    """What one decision, and the chance that followed it, changed."""

    version = fields.Integer(required=True, metadata={"description": "The entry of the log."})
    seat = fields.Integer(required=True)
    turn = fields.Integer(required=True)
    before = fields.List(fields.Integer(), required=True, metadata=CHANCES)
    decided = fields.List(fields.Integer(), required=True, metadata={"description": "How the decision changed the chances to win."})
    drawn = fields.List(fields.Integer(), required=True, metadata={"description": "How draws and rolls changed them."})
    further = fields.List(fields.Integer(), required=True, metadata={"description": "What changed because playouts look further."})
    lost = fields.Integer(required=True, metadata={"description": "What was given away against the best line found, if that is sure."})
    error = fields.Integer(required=True, metadata={"description": "Standard error of `lost`."})
    better = fields.String(required=True, metadata={"description": "That line; empty if none is surely better."})
    orders = fields.String(required=True, metadata={"description": "What was decided, in English."})


class ShareResponse(Schema):
    """Luck and skill of one seat, in thousandths: `luck` + `skill` = `result` - `start`."""

    colour = fields.String(required=True)
    start = fields.Integer(required=True)
    result = fields.Integer(required=True)
    luck = fields.Integer(required=True)
    skill = fields.Integer(required=True)
    own = fields.Integer(required=True, metadata={"description": "The part of `skill` that the seat's own decisions made."})
    lost = fields.Integer(required=True, metadata={"description": "Sum of what the seat's decisions surely gave away."})
    error = fields.Integer(required=True, metadata={"description": "Standard error of `luck` and of `skill`."})


class AnalysisResponse(Schema):
    """Luck and skill of a game. All but `status` is there when it is `ready`."""

    status = fields.String(required=True, metadata={"enum": values(AnalysisStatus)})
    playouts = fields.Integer(metadata={"description": "Of every position; with as many, the analysis comes out the same again."})
    error = fields.Integer(metadata={"description": "Standard error of a chance to win, in thousandths; the median of all positions."})
    dealt = fields.List(fields.Integer(), metadata={"description": "What the deal at the beginning changed; part of `luck`."})
    seats = fields.List(fields.Nested(ShareResponse))
    moments = fields.List(fields.Nested(MomentResponse))
    turning_points = fields.List(fields.Integer(), metadata={"description": "Versions of the moments that changed most."})


class HintResponse(Schema):
    """A hint: what a bot would play in a position, and why."""

    colour = fields.String(required=True)
    position = fields.Integer(required=True, metadata={"description": "The version that made the position."})
    version = fields.Integer(required=True, metadata={"description": "Of its entry in the log."})
    current = fields.Boolean(required=True, metadata={"description": "Whether the position is still the present one."})
    orders = fields.String(required=True, metadata={"description": "Empty if the bot found none."})
    text = fields.String(required=True, metadata={"description": "The orders in your language."})
    why = fields.String(required=True, metadata={"description": "Why, in one sentence in your language."})
    chance = fields.Integer(required=True, metadata={"description": "The chance to win with these orders, in thousandths."})
    other = fields.String(required=True, metadata={"description": "The next best orders; empty if there are none."})
    less = fields.Integer(required=True, metadata={"description": "The chance to win with those."})
    trials = fields.Integer(required=True, metadata={"description": "Trial games for each of the two; 0 if they were not compared."})


class HintsResponse(Schema):
    """The hints of a game."""

    status = fields.String(
        required=True,
        metadata={
            "enum": values(HintStatus),
            "description": "Of my hint in the present position: `ready`, `pending`, `none` if I have not asked, or `not-allowed` now.",
        },
    )
    hint = fields.Nested(HintResponse, required=True, allow_none=True, metadata={"description": "Mine in the present position."})
    items = fields.List(fields.Nested(HintResponse), required=True, metadata={"description": "All that were given to anybody."})
