"""What may be sent, in bodies, queries and headers."""

from typing import Any

import marshmallow as ma

from api.fields import Board, BoardOrName, Choice, Email, Flag, Listed, Name, Options, Seat, Strict, Text, WrittenFlag, WrittenNumber, fault
from play.standing import LONGEST as LONGEST_STANDING
from play.submit import LONGEST_ORDERS
from play.talk import LONGEST
from rules.svg import THEMES, WIDTH
from rules.words import LANGUAGES

MOST_ON_A_PAGE = 200
LONGEST_RECORD = 100_000
LINES = "\n\r\t"


class Nothing(Strict):
    may_be_left_out = True


class NewPlayer(Strict):
    email = Email(required=True)
    name = Name(required=True)
    language = Choice(LANGUAGES, load_default="en")
    timezone = Text(most=60, load_default="UTC", metadata={"example": "Europe/Berlin"})


class ChangedPlayer(Strict):
    name = Name()
    language = Choice(LANGUAGES)
    timezone = Text(most=60, metadata={"example": "Europe/Berlin"})
    mail = Choice(("every", "digest", "none"), metadata={"description": "Every letter, one a day, or none but answers."})
    replay = Flag(metadata={"description": "With the letter at the end of a game: the game as a page that steps through it."})


class SignIn(Strict):
    email = Email(required=True)
    code = Text(most=20, metadata={"description": "As it came by mail. Without it, one is sent."})
    label = Name(most=60, metadata={"description": "What the token is for."})
    scopes = Listed(Choice(("read", "play")), most=2, metadata={"description": "Both, if left out."})

    @ma.validates_schema
    def _label_needs_code(self, data: dict[str, Any], **kwargs: Any) -> None:  # noqa: ARG002 marshmallow's
        if "code" not in data and data.keys() & {"label", "scopes"}:
            raise fault("code-missing")


class NewGame(Strict):
    rules = Text(required=True, most=40, metadata={"example": "portobello"})
    seats = Listed(Seat(), required=True, most=8)
    board = BoardOrName()
    edition = Text(most=20)
    options = Options(load_default=dict)
    order = Choice(("given", "random"), load_default="given", metadata={"description": "Whether the seats stay as given or are shuffled."})
    public = Flag(load_default=False)


class Orders(Strict):
    orders = Text(least=0, most=LONGEST_ORDERS, signs=LINES, required=True, metadata={"example": "3: stall A-B; stall A-B; customer C"})


class StandingOrders(Strict):
    orders = Text(
        most=LONGEST_STANDING, signs=LINES, required=True, metadata={"example": "when robbed: sell house c1, then prestige; thief >f4"}
    )


class NewRecord(Strict):
    record = Text(most=LONGEST_RECORD, signs=LINES, required=True, metadata={"description": "The text of a record."})
    board = Board(metadata={"description": "The board, where it is not one of ours."})
    play_on = Flag(load_default=False, metadata={"description": "Import it as a game, instead of only checking it."})
    seats = Listed(Seat(), most=8, metadata={"description": "Who plays on; you in all seats if left out."})
    public = Flag(load_default=False)


class NewMessage(Strict):
    text = Text(most=LONGEST, signs=LINES, required=True)


class Page(Strict):
    cursor = Text(most=200, metadata={"description": "`next` of the page before.", "pattern": "^[A-Za-z0-9_-]+$"})
    limit = WrittenNumber(least=1, most=MOST_ON_A_PAGE, load_default=50)


class GamesWanted(Page):
    status = Choice(("open", "running", "over"))
    mine = WrittenFlag(load_default=False, metadata={"description": "Only games in which I have a seat, an invitation or the house."})
    open = WrittenFlag(load_default=False, metadata={"description": "Only games with a seat for whoever comes."})


class LegalWanted(Strict):
    orders = Text(most=2000, signs=LINES, metadata={"description": "Steps already written: what may follow them?"})


class EventsWanted(Strict):
    after = WrittenNumber(load_default=0, metadata={"description": "The version after which to begin."})
    limit = WrittenNumber(least=1, most=MOST_ON_A_PAGE, load_default=100)


class BoardWanted(Strict):
    at = WrittenNumber(least=1, metadata={"description": "The version after which to look at the board."})
    style = Choice(("map", "linear"), load_default="map", metadata={"description": "`linear`: sentences, for a screen reader."})
    language = Choice(LANGUAGES)
    theme = Choice(THEMES, metadata={"description": "Of a picture."})
    width = WrittenNumber(least=120, most=2400, load_default=WIDTH, metadata={"description": "Of a PNG, in pixels."})


class LanguageWanted(Strict):
    language = Choice(LANGUAGES)


class MoveHeaders(ma.Schema):
    if_match = ma.fields.String(
        data_key="If-Match",
        metadata={"pattern": r'^(\*|"[0-9]{1,9}")$', "description": 'The version the orders were written for, such as `"17"`.'},
    )
    prefer = ma.fields.String(
        data_key="Prefer", metadata={"description": "`wait=10`: answer with the outcome, within so many seconds, 30 at most."}
    )


class GameHeaders(ma.Schema):
    if_none_match = ma.fields.String(data_key="If-None-Match", metadata={"description": 'The version known already, such as `"17"`.'})


class BoardHeaders(ma.Schema):
    if_none_match = ma.fields.String(data_key="If-None-Match", metadata={"description": "The board known already."})


class EventsHeaders(ma.Schema):
    last_event_id = ma.fields.String(
        data_key="Last-Event-ID", metadata={"pattern": "^[0-9]{1,9}$", "description": "For `text/event-stream`: the last version seen."}
    )
