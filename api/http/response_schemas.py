"""Response schemas of games and everything around them."""

from typing import Any

from marshmallow import Schema, fields

from api.http.fields import values
from api.http.ruleset_schemas import ref
from marketpost.play.log.actions import AtZero, Ending, HintRule, ProposalKind
from marketpost.play.log.game import GameStatus
from marketpost.play.moves.submit import OutcomeStatus

Moment = fields.String
"""A time in UTC, such as `2026-05-01T12:00:00.000Z`."""
AT = {"format": "date-time"}
BOARD_OR_NONE = {"oneOf": [ref("Board"), {"type": "null"}]}
POSITION = {"oneOf": [ref("Position"), {"type": "null"}]}
EVENTS = {"type": "array", "items": ref("Event")}
CODE = ref("RefusalCode")


class SeatResponse(Schema):
    """A seat and who has it."""

    colour = fields.String(required=True)
    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.String(required=True, allow_none=True, metadata={"description": "The built-in bot that has the seat."})
    bot_account = fields.Boolean(required=True, metadata={"description": "Whether the player is a bot account: a program of somebody's."})
    invited = fields.Boolean(required=True)
    open = fields.Boolean(required=True)
    offered = fields.Boolean(required=True, metadata={"description": "To somebody who may take it over."})
    was = fields.String(required=True, allow_none=True, metadata={"description": "The player whose time was up and whose seat a bot has."})
    may_return = fields.Boolean(required=True, metadata={"description": "Whether that player may take it again."})
    word = fields.String(required=True, allow_none=True, metadata={"description": "What this seat has contributed to chance."})
    word_drawn = fields.Boolean(required=True, metadata={"description": "Whether the server has drawn that word."})


class ProposalResponse(Schema):
    """An open proposal."""

    number = fields.Integer(required=True)
    what = fields.String(required=True, metadata={"enum": values(ProposalKind)})
    colour = fields.String(required=True, metadata={"description": "Who proposes it."})
    back_to = fields.Integer(required=True, allow_none=True, metadata={"description": "For an undo: the version it goes back to."})
    asked = fields.List(fields.String(), required=True, metadata={"description": "The colours that have not answered yet."})


class TimeResponse(Schema):
    """The clock of one seat."""

    colour = fields.String(required=True)
    by = Moment(required=True, allow_none=True, metadata=AT | {"description": "Decide by then; null while nobody waits for this seat."})
    bank = fields.Integer(required=True, metadata={"description": "Seconds saved earlier; while a decision waits, they are in its time."})


class ClockResponse(Schema):
    """The time control of a game and the clocks of its seats."""

    per_decision = fields.Integer(required=True, metadata={"description": "Seconds of playing time."})
    bank = fields.Integer(required=True, metadata={"description": "Seconds that can be saved at most."})
    weekends = fields.Boolean(required=True)
    quiet = fields.String(required=True, allow_none=True)
    at_zero = fields.String(required=True, metadata={"enum": values(AtZero)})
    times = fields.List(fields.Nested(TimeResponse), required=True)


class GameSummaryResponse(Schema):
    """A game as lists show it."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True, metadata={"description": "What its host calls it."})
    version = fields.Integer(required=True)
    status = fields.String(required=True, metadata={"enum": values(GameStatus)})
    rules = fields.String(required=True)
    board = fields.String(required=True)
    edition = fields.String(required=True, allow_none=True)
    options = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    public = fields.Boolean(required=True)
    imported = fields.Boolean(required=True)
    host = fields.String(required=True)
    seats = fields.List(fields.Nested(SeatResponse), required=True)
    decides = fields.List(fields.String(), required=True, metadata={"description": "The colours that are to decide now."})
    scores = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    winners = fields.List(fields.String(), required=True)
    ended = fields.String(
        required=True,
        allow_none=True,
        metadata={"enum": [*values(Ending), None], "description": "How, once it is over."},
    )
    proposal = fields.Nested(ProposalResponse, required=True, allow_none=True)
    clock = fields.Nested(ClockResponse, required=True, allow_none=True)
    created = Moment(required=True, metadata=AT)
    changed = Moment(required=True, metadata=AT)


class ExportedGameResponse(GameSummaryResponse):
    """A game of an export."""

    record = fields.String(required=True, metadata={"description": "The game as a record, which anyone can replay."})


class ReceivedResponse(Schema):
    """A received mail."""

    id = fields.String(required=True, metadata={"description": "The same bytes always have the same id."})


class LegalShortResponse(Schema):
    """The number of legal steps, and some of them."""

    count = fields.Integer(required=True)
    some = fields.List(fields.String(), required=True)


class GameResponse(GameSummaryResponse):
    """A game with its position, as the reader may see it."""

    you = fields.String(required=True, allow_none=True, metadata={"description": "Your colour."})
    position = fields.Raw(
        required=True, metadata={"description": "The position as you may see it; null before the game begins."} | POSITION
    )
    legal = fields.Nested(LegalShortResponse, required=True)
    board_data = fields.Raw(
        required=True, metadata={"description": "A board typed in by hand; ours are at `/v1/boards/{name}`."} | BOARD_OR_NONE
    )
    seal = fields.String(required=True, metadata={"description": "The commitment: the SHA-256 of the secret that all chance comes from."})
    scheme = fields.Integer(required=True, metadata={"description": "Of chance: 1 from the secret alone, 2 from it and the words."})
    secret = fields.String(required=True, allow_none=True, metadata={"description": "Revealed when the game is over."})
    hints = fields.String(required=True, metadata={"enum": values(HintRule), "description": "Who may ask for hints."})


class LinkResponse(Schema):
    """An invite link."""

    number = fields.Integer(required=True)
    what = fields.String(required=True, metadata={"enum": ["seat", "look"]})
    player = fields.String(required=True, metadata={"description": "Who made it."})
    key = fields.String(required=True)
    url = fields.String(required=True)
    address = fields.String(required=True, allow_none=True, metadata={"description": "Where a mail takes a free seat."})


class NotesResponse(Schema):
    """A player's notes on a game."""

    text = fields.String(required=True)


class AcceptedResponse(Schema):
    """Orders that were stored and wait for a worker."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True, metadata={"enum": ["queued"]})


class MoveResponse(Schema):
    """Orders and their outcome."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True, metadata={"enum": values(OutcomeStatus)})
    at = Moment(required=True, metadata=AT)
    version = fields.Integer(required=True, allow_none=True, metadata={"description": "The version it made, if it changed anything."})
    events = fields.Raw(required=True, metadata=EVENTS | {"description": "What followed from it."})
    code = fields.Raw(required=True, metadata={"oneOf": [CODE, {"type": "null"}]})
    step = fields.Integer(required=True, allow_none=True)
    detail = fields.String(required=True, allow_none=True)
    dropped = fields.List(fields.String(), required=True)
    legal = fields.List(fields.String(), required=True, metadata={"description": "Some of what would have been legal, if it was refused."})
    legal_count = fields.Integer(required=True, metadata={"description": "How many steps would have been legal."})


class AskedResponse(Schema):
    """A deadline that an entry of the log sets."""

    seat = fields.Integer(required=True)
    by = Moment(required=True, allow_none=True, metadata=AT)
    bank = fields.Integer(required=True, metadata={"description": "Seconds."})


class EntryResponse(Schema):
    """An entry of the log."""

    version = fields.Integer(required=True)
    at = Moment(required=True, metadata=AT)
    by = fields.String(required=True, allow_none=True)
    kind = fields.String(required=True)
    action = fields.Raw(
        required=True, metadata=ref("Action") | {"description": "For a move, the orders as written and the events that followed."}
    )
    rules = fields.String(required=True)
    asked = fields.List(fields.Nested(AskedResponse), required=True, metadata={"description": "The deadlines that this entry sets."})
    before = fields.String(required=True, metadata={"description": "The hash of the entry before."})
    hash = fields.String(required=True)
    entry = fields.String(required=True, metadata={"description": "The entry as it is stored; `hash` is its SHA-256."})


class RecordResponse(Schema):
    """The result of checking a record."""

    rules = fields.String(required=True)
    board = fields.String(required=True)
    edition = fields.String(required=True, allow_none=True)
    status = fields.String(required=True, metadata={"enum": ["running", "over"]})
    turns = fields.Integer(required=True)
    colours = fields.List(fields.String(), required=True)
    scores = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    winners = fields.List(fields.String(), required=True)


class MessageResponse(Schema):
    """Something said at the table."""

    id = fields.String(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    at = Moment(required=True, metadata=AT)
    text = fields.String(required=True)


class HealthResponse(Schema):
    """The state of the service."""

    status = fields.String(required=True)


class CanaryResponse(Schema):
    """The last round of the canary: a letter of the service to itself, and its answer."""

    sent = Moment(required=True, metadata=AT)
    back = Moment(required=True, allow_none=True, metadata=AT | {"description": "When an answer last came in."})
    seconds = fields.Float(required=True, allow_none=True, metadata={"description": "How long that took."})


class ReadyResponse(HealthResponse):
    """The state of the service, and of mail if the canary is on."""

    canary = fields.Nested(CanaryResponse, required=True, allow_none=True)


class NamedFaultResponse(Schema):
    """A fault in one field of a request."""

    field = fields.String(required=True)
    code = fields.Raw(required=True, metadata=CODE)
    detail = fields.String(required=True)


class ProblemResponse(Schema):
    """A problem document (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata={"description": "A sentence in the language of `Accept-Language`."})
    code = fields.Raw(required=True, metadata=CODE)
    instance = fields.String(required=True)
    request = fields.String(required=True, metadata={"description": "The id of the request, also in `X-Request-Id` and in our log."})
    step = fields.Integer(metadata={"description": "Which of the orders was refused, or which line of a record."})
    legal = fields.List(fields.String(), metadata={"description": "Some of what would have been legal there."})
    legal_count = fields.Integer(metadata={"description": "How many steps would have been legal; `GET …/legal` lists all."})
    dropped = fields.List(fields.String(), metadata={"description": "Steps that were not played although earlier ones stand."})
    move = fields.String(metadata={"description": "The move that was refused."})
    version = fields.Integer(metadata={"description": "The version of the game now, or the one the move made."})
    errors = fields.List(fields.Nested(NamedFaultResponse), metadata={"description": "All that is wrong."})


def page_of(item: type[Schema], next_page: fields.Field[Any] | None = None, **more: fields.Field[Any]) -> type[Schema]:
    """Build the schema of a page of a list: its items, the cursor of the next page, and further fields."""
    name = item.__name__.replace("Response", "Page")
    cursor = next_page or fields.String(required=True, allow_none=True, metadata={"description": "`cursor` of the next page."})
    return type(name, (Schema,), {**more, "items": fields.List(fields.Nested(item), required=True), "next": cursor})


EventPage = page_of(
    EntryResponse,
    fields.Integer(required=True, allow_none=True, metadata={"description": "`after` of the next page."}),
    game=fields.String(required=True, metadata={"description": "Its id, by which its draws can be checked."}),
)
GamePage = page_of(GameSummaryResponse)
MessagePage = page_of(MessageResponse)
LinkPage = page_of(LinkResponse)
