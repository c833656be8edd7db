"""Response schemas of rules and boards."""

from marshmallow import Schema, fields

from api.http.response_schemas import page_of
from api.http.ruleset_schemas import ref


class BoardNameResponse(Schema):
    """The name of a board and its ruleset."""

    name = fields.String(required=True)
    rules = fields.String(required=True)


class BoardResponse(BoardNameResponse):
    """A whole board."""

    document = fields.Raw(required=True, metadata=ref("Board"))


class RulesSectionResponse(Schema):
    """A section of the rules."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    statements = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "By a key that is the same in every language and for every option."},
    )


class GameRulesResponse(Schema):
    """The rules of a game."""

    name = fields.String(required=True)
    title = fields.String(required=True, metadata={"description": "What the game is called in this language."})
    language = fields.String(required=True)
    players = fields.List(fields.Integer(), required=True)
    colours = fields.List(fields.String(), required=True)
    editions = fields.List(fields.String(), required=True, metadata={"description": "The usual one first."})
    edition_names = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    edition_options = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.String()),
        required=True,
        metadata={"description": "The options of each edition, which are the defaults in its games."},
    )
    options = fields.Dict(keys=fields.String(), values=fields.List(fields.String()), required=True)
    option_texts = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.String()),
        required=True,
        metadata={"description": "What each value of each option means."},
    )
    boards = fields.List(fields.String(), required=True)
    bots = fields.List(fields.String(), required=True)
    edition = fields.String(required=True, allow_none=True, metadata={"description": "The edition of these rules."})
    chosen = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": "The options of these rules."}
    )
    variant = fields.String(required=True, metadata={"description": "Which of these are unusual; empty if none is."})
    summary = fields.List(fields.String(), required=True, metadata={"description": "The rules in short."})
    sections = fields.List(fields.Nested(RulesSectionResponse), required=True, metadata={"description": "The whole rules."})
    orders = fields.String(required=True, metadata={"description": "How orders are written."})
    order_words = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        required=True,
        metadata={"description": "What each word of orders may be called in this language; other languages are understood, too."},
    )


class RulesResponse(GameRulesResponse):
    """The rules of a ruleset, with all refusals."""

    refusals = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


BoardPage = page_of(BoardNameResponse)
