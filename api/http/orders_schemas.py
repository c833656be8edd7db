"""Response schemas of what orders would do: legal steps, previews, tried lines, standing orders and orders ahead."""

from marshmallow import Schema, fields

from api.http.response_schemas import CODE, EVENTS
from api.http.ruleset_schemas import ref


class ScoreChangeResponse(Schema):
    """A score before and after."""

    before = fields.String(required=True)
    after = fields.String(required=True)
    change = fields.Integer(required=True, allow_none=True)


class CautionResponse(Schema):
    """A warning about standing orders."""

    code = fields.String(required=True)
    detail = fields.String(required=True)
    values = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class StandingResponse(Schema):
    """Standing orders with warnings."""

    orders = fields.String(required=True, metadata={"description": "As they were understood, one a line; empty if there are none."})
    warnings = fields.List(
        fields.Nested(CautionResponse),
        required=True,
        metadata={"description": "Effects that are probably unwanted; the orders count all the same."},
    )


class AheadBranchResponse(Schema):
    """How a branch of orders ahead fared in samples of what the others may play until the turn."""

    text = fields.String(required=True, metadata={"description": "The branch, as it was understood."})
    held = fields.Integer(required=True, metadata={"description": "Samples in which its conditions held."})
    legal = fields.Integer(required=True, metadata={"description": "Samples of these in which its orders were legal."})
    refusal = fields.String(metadata={"description": "Why they were not legal in one of the others."})
    detail = fields.String(metadata={"description": "The same in a sentence."})


class AheadResponse(Schema):
    """Orders ahead."""

    orders = fields.String(required=True, metadata={"description": "As they were understood, one branch a line; empty if there are none."})
    samples = fields.Integer(
        required=True, metadata={"description": "How often the others' turns were played through, when they were left."}
    )
    branches = fields.List(fields.Nested(AheadBranchResponse), required=True)
    conditions = fields.List(fields.String(), required=True, metadata={"description": "The conditions that this game knows."})


class RefusalResponse(Schema):
    """Why orders are refused."""

    code = fields.Raw(required=True, metadata=CODE)
    step = fields.Integer(required=True)
    detail = fields.String(required=True)


class BranchResponse(Schema):
    """What orders would do for one outcome of chance."""

    outcomes = fields.List(fields.String(), required=True, metadata={"description": "The outcomes of chance in this branch."})
    probability = fields.Float(required=True, metadata={"description": "How likely it is; over all branches 1."})
    refusal = fields.Nested(RefusalResponse, required=True, allow_none=True)
    scores = fields.Dict(keys=fields.String(), values=fields.Nested(ScoreChangeResponse), required=True)
    events = fields.Raw(required=True, metadata=EVENTS)
    position = fields.Raw(required=True, metadata=ref("Position"))
    board = fields.String(required=True, metadata={"description": "The board after it, as text."})


class PreviewResponse(Schema):
    """What orders would do, for each outcome of chance."""

    version = fields.Integer(required=True)
    complete = fields.Boolean(required=True, metadata={"description": "Whether all branches of chance are here."})
    branches = fields.List(fields.Nested(BranchResponse), required=True)


class TriedMoveResponse(Schema):
    """A move of a tried line."""

    colour = fields.String(required=True)
    orders = fields.String(required=True)
    outcomes = fields.List(fields.String(), required=True, metadata={"description": "The outcomes of chance that were chosen for it."})
    events = fields.Raw(required=True, metadata=EVENTS)
    refusal = fields.Nested(RefusalResponse, required=True, allow_none=True)


class OpenOutcomeResponse(Schema):
    """An outcome of chance that may come next."""

    outcome = fields.String(required=True)
    probability = fields.Float(required=True, metadata={"description": "How likely it is; over all outcomes 1."})


class LineResponse(Schema):
    """A tried line, and the position after it."""

    version = fields.Integer(required=True, metadata={"description": "The version of the game that the line begins after."})
    moves = fields.List(fields.Nested(TriedMoveResponse), required=True, metadata={"description": "Up to a refused one, or an open draw."})
    open = fields.List(
        fields.Nested(OpenOutcomeResponse), required=True, metadata={"description": "Where a draw is open: what it may bring."}
    )
    decides = fields.List(fields.String(), required=True)
    steps = fields.List(fields.String(), required=True, metadata={"description": "The legal steps of the first of those, as orders."})
    scores = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    winners = fields.List(fields.String(), required=True)
    position = fields.Raw(required=True, metadata=ref("Position"))
    board = fields.String(required=True, metadata={"description": "The board after the line, as text."})


class LegalResponse(Schema):
    """All legal steps."""

    version = fields.Integer(required=True)
    colour = fields.String(required=True, allow_none=True)
    decides = fields.List(fields.String(), required=True)
    steps = fields.List(fields.String(), required=True, metadata={"description": "As orders."})
    choices = fields.Raw(
        required=True, metadata={"type": "array", "items": ref("Choice"), "description": "The same as data, with places and costs."}
    )
