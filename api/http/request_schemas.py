"""Request schemas: bodies, queries and headers."""

from datetime import timedelta
from typing import Any

import marshmallow as ma

from api.http.fields import (
    MESSAGES,
    BoardField,
    BoardOrName,
    Choice,
    Day,
    Duration,
    Email,
    Flag,
    Kinds,
    Listed,
    Name,
    Number,
    OptionsField,
    PersonName,
    QuietHours,
    Seat,
    StepsField,
    Strict,
    Text,
    WrittenFlag,
    WrittenNumber,
    fault,
)
from api.http.ruleset_schemas import ref
from marketpost.notify.channels import target_channels
from marketpost.notify.target_address import LONGEST_URL
from marketpost.play.clock.vacation import DAYS_A_YEAR
from marketpost.play.log.actions import AtZero, LinkKind, ProposalKind, TimeControl
from marketpost.play.log.game import GameStatus
from marketpost.play.moves.standing_orders import LONGEST as LONGEST_STANDING
from marketpost.play.moves.submit import LONGEST_ORDERS
from marketpost.play.outbox.account_events import AccountEventKind
from marketpost.play.people.reporting import LONGEST_REPORT
from marketpost.play.table.notes import LONGEST as LONGEST_NOTES
from marketpost.play.table.talk import LONGEST
from marketpost.rules.svg import THEMES, WIDTH
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import LetterLength, MailPreference

MOST_ON_A_PAGE = 200
LONGEST_RECORD = 100_000
LINES = "\n\r\t"
PLACE = "^[0-9]{1,15}(-[0-9]{1,15})?$"
"""The id of an event of an account."""
OPTIONS_HOW = (
    "Set by hand over the edition; `GET /v1/rules/{ruleset}` says what each can be and means. "
    "Where a game has the option `setup`, `manual` is the printed way: the players set the table by hand. "
    "`auto`, by chance, is our default, so that play begins at once."
)


class Nothing(Strict):
    """An empty body."""

    may_be_left_out = True


WORD_HOW = "A word of my own for chance: up to 40 letters, digits and hyphens. The server draws one, if left out. See docs/chance.md."


class Word(Strict):
    """A word for chance."""

    word = Text(most=40, required=True, metadata={"description": WORD_HOW, "example": "lucky-7"})


class Rematch(Strict):
    """A rematch, with a word for chance."""

    may_be_left_out = True
    word = Text(most=40, metadata={"description": WORD_HOW, "example": "lucky-7"})


class Join(Rematch):
    """Joining a game, with the key of a link and a word for chance."""

    key = Text(most=64, metadata={"description": "The key of a link to a seat, where I was not invited by name."})


class NewProposal(Strict):
    """A proposal to undo, draw or abandon."""

    what = Choice(ProposalKind, required=True)


class NewLink(Strict):
    """A link to a seat or to view a game."""

    what = Choice(LinkKind, required=True, metadata={"description": "To take a free seat, or only to view the game."})


class Bots(Strict):
    """Which bot takes the seats that are left."""

    bot = Text(most=40, metadata={"description": "The usual one, if left out.", "example": "greedy"})


class SeatNumber(Strict):
    """A seat of a game."""

    seat = ma.fields.Integer(strict=True, required=True, validate=ma.validate.Range(0, 9), metadata={"description": "Its number, from 0."})


class Heir(Strict):
    """Who takes a seat over: exactly one of the fields."""

    email = Email()
    player = Text(most=40)
    bot = Text(most=40, metadata={"example": "greedy"})

    @ma.validates_schema
    def _one(self, data: dict[str, Any], **kwargs: Any) -> None:
        if len(data) != 1:
            raise fault("seat-one-key", keys=list(self.fields))


class Notes(Strict):
    """A player's notes on a game."""

    text = Text(least=0, most=LONGEST_NOTES, signs=LINES, required=True)


class Muted(Strict):
    """The player to mute."""

    player = Text(most=40, required=True)


class NewReport(Strict):
    """A report to the operator."""

    player = Text(most=40, required=True)
    text = Text(most=LONGEST_REPORT, signs=LINES, required=True, metadata={"description": "What they did."})
    game = Text(most=64, metadata={"description": "Where it happened.", "pattern": "^[0-9A-Za-z_-]{1,64}$"})


class NewAddress(Strict):
    """A further mail address, or the code that confirms it."""

    email = Email(required=True)
    code = Text(most=20, metadata={"description": "As it came by mail. Without it, one is sent."})


class NewPlayer(Strict):
    """A registration."""

    email = Email(required=True)
    name = PersonName(required=True)
    language = Choice(LANGUAGES, load_default="en")
    timezone = Text(most=60, load_default="UTC", metadata={"example": "Europe/Berlin"})


class Vacation(Strict):
    """The days of a vacation."""

    first = Day(data_key="from", required=True)
    last = Day(data_key="to", required=True)


class ChangedPlayer(Strict):
    """Changes to the player's profile."""

    email = Email()
    name = PersonName()
    language = Choice(LANGUAGES)
    timezone = Text(most=60, metadata={"example": "Europe/Berlin"})
    mail = Choice(
        MailPreference,
        metadata={"description": "Every letter, one a day, none as long as a webhook works, or none but answers. Games may differ."},
    )
    digest_hour = Number(most=23, metadata={"description": "When the one a day is sent, in my timezone."})
    json = Flag(metadata={"description": "Whether letters that ask for a decision bring it as `application/json` too."})
    vacation = ma.fields.Nested(
        Vacation,
        allow_none=True,
        error_messages=MESSAGES,
        metadata={"description": f"Days on which my clocks stand, {DAYS_A_YEAR} a year at most; `null` ends it."},
    )
    letters = Choice(
        LetterLength,
        metadata={"description": "Whether letters explain the game and its orders: all, none, or (`auto`) the first ones of each ruleset."},
    )
    replay = Flag(metadata={"description": "With the letter at the end of a game: the game as a page that steps through it."})


class SignIn(Strict):
    """A request for a sign-in code, or for a token with that code."""

    email = Email(required=True)
    code = Text(most=20, metadata={"description": "As it came by mail. Without it, one is sent."})
    request = Text(most=64, metadata={"description": "As told with the request for the code; else only from the same network."})
    label = Name(most=60, metadata={"description": "What the token is for."})
    scopes = Listed(Choice(("read", "play")), most=2, metadata={"description": "Both, if left out."})

    @ma.validates_schema
    def _label_needs_code(self, data: dict[str, Any], **kwargs: Any) -> None:
        if "code" not in data and data.keys() & {"label", "scopes"}:
            raise fault("code-missing")


class NewClock(Strict):
    """The time control of a new game; unused time is saved up to `bank`."""

    per_decision = Duration(least=timedelta(minutes=1), most=timedelta(days=60), required=True)
    bank = Duration(least=timedelta(0), most=timedelta(days=180), load_default=0)
    weekends = Flag(load_default=True, metadata={"description": "Whether Saturday and Sunday count, in the player's timezone."})
    quiet = QuietHours()
    at_zero = Choice(
        AtZero,
        load_default=AtZero.BOT_PLAYS,
        metadata={"description": "A bot plays the turn, or takes the seat until the player comes back, or the player is out."},
    )

    @ma.post_load
    def _clock(self, data: dict[str, Any], **kwargs: Any) -> TimeControl:
        return TimeControl(**data)


class NewGame(Strict):
    """A new game."""

    rules = Text(required=True, most=40, metadata=ref("Ruleset"))
    seats = Listed(Seat(), required=True, most=8)
    board = BoardOrName()
    edition = Text(most=20, metadata=ref("Edition"))
    options = OptionsField(load_default=dict, description=OPTIONS_HOW)
    order = Choice(
        ("given", "random"),
        load_default="given",
        metadata={"description": "Whether the seats stay as given or chance seats everybody when the game begins."},
    )
    join_later = Flag(
        load_default=False,
        metadata={"description": "Keep my seat until I join, with a word for chance that nobody knows before `seal` is published."},
    )
    public = Flag(load_default=False)
    clock = ma.fields.Nested(NewClock, error_messages=MESSAGES, metadata={"description": "No time limit, if left out."})


class Orders(Strict):
    """Orders: exactly one of the fields."""

    orders = Text(least=0, most=LONGEST_ORDERS, signs=LINES, metadata={"example": "3: stall A-B; stall A-B; customer C"})
    steps = StepsField()

    @ma.validates_schema
    def _one(self, data: dict[str, Any], **kwargs: Any) -> None:
        if len(data) != 1:
            raise fault("orders-or-steps")


class StandingOrders(Strict):
    """Standing orders."""

    orders = Text(
        most=LONGEST_STANDING, signs=LINES, required=True, metadata={"example": "when robbed: sell house c1, then house f4; thief >f4"}
    )


class NewRecord(Strict):
    """A record to check or to import."""

    record = Text(most=LONGEST_RECORD, signs=LINES, required=True, metadata={"description": "The text of a record."})
    board = BoardField(metadata={"description": "The board, where it is not one of ours."})
    play_on = Flag(load_default=False, metadata={"description": "Import it as a game, instead of only checking it."})
    seats = Listed(Seat(), most=8, metadata={"description": "Who plays on; you in all seats if left out."})
    public = Flag(load_default=False)


class NewMessage(Strict):
    """Something said at the table."""

    text = Text(most=LONGEST, signs=LINES, required=True)


WEBHOOK_KINDS = {"plain": "webhook", "discord": "discord", "slack": "slack"}
"""The channel of each kind of webhook."""


class NewWebhook(Strict):
    """A webhook to register."""

    url = Text(most=LONGEST_URL, required=True, metadata={"format": "uri", "example": "https://bots.example.org/marketpost"})
    kind = Choice(
        tuple(WEBHOOK_KINDS), load_default="plain", metadata={"description": "What is sent: the position, or a message for a chat room."}
    )
    game = Text(most=64, metadata={"description": "Only for this game; left out, for all of mine.", "pattern": "^[0-9A-Za-z_-]{1,64}$"})


class NewChannel(Strict):
    """A place to be told of games, beside letters."""

    channel = Choice(tuple(target_channels()), required=True)
    target = Text(most=LONGEST_URL, required=True, metadata={"example": "ntfys://ntfy.sh/my-topic"})
    game = Text(most=64, metadata={"description": "Only for this game; left out, for all of mine.", "pattern": "^[0-9A-Za-z_-]{1,64}$"})


class ChosenNotices(Strict):
    """A player's notification preference for one game."""

    choice = Choice((*MailPreference, "default"), required=True)


class PageQuery(Strict):
    """Which page of a list."""

    cursor = Text(most=200, metadata={"description": "`next` of the page before.", "pattern": "^[A-Za-z0-9_.-]+$"})
    limit = WrittenNumber(least=1, most=MOST_ON_A_PAGE, load_default=50)


class GamesQuery(PageQuery):
    """Which games, and which page of them."""

    status = Choice(GameStatus)
    mine = WrittenFlag(load_default=False, metadata={"description": "Only games in which I have a seat, an invitation, or that I host."})
    open = WrittenFlag(load_default=False, metadata={"description": "Only games with a seat for whoever comes."})
    my_turn = WrittenFlag(load_default=False, metadata={"description": "Only running games that wait for a decision of mine."})
    sort = Choice(
        ("created", "deadline"),
        load_default="created",
        metadata={"description": "The newest first; or of my own that are not over, those due first, games without a clock last."},
    )


class ViewQuery(Strict):
    """The key of a link to view a game."""

    key = Text(most=64, metadata={"description": "The key of a link to view the game; no token is needed then."})


class LegalQuery(Strict):
    """Orders after which the legal steps are asked for."""

    orders = Text(most=2000, signs=LINES, metadata={"description": "Steps already written: what may follow them?"})


class EventsQuery(ViewQuery):
    """Which entries of a log."""

    after = WrittenNumber(load_default=0, metadata={"description": "The version after which to begin."})
    limit = WrittenNumber(least=1, most=MOST_ON_A_PAGE, load_default=100)


class AccountEventsQuery(Strict):
    """Which events of an account."""

    events = Kinds(AccountEventKind, metadata={"description": "Only these kinds, with commas.", "example": "turn,over"})
    game = Text(most=64, metadata={"description": "Only of this game.", "pattern": "^[0-9A-Za-z_-]{1,64}$"})
    after = Text(most=32, metadata={"description": "The event after which to begin; `0` for all that are kept.", "pattern": PLACE})
    limit = WrittenNumber(least=1, most=MOST_ON_A_PAGE, load_default=100)


class BoardQuery(ViewQuery):
    """Which board, and how it is drawn."""

    at = WrittenNumber(least=1, metadata={"description": "The version after which the board is shown."})
    style = Choice(("map", "linear"), load_default="map", metadata={"description": "`linear`: sentences, for a screen reader."})
    language = Choice(LANGUAGES)
    theme = Choice(THEMES, metadata={"description": "Of a picture."})
    width = WrittenNumber(
        least=120,
        most=2400,
        load_default=WIDTH,
        metadata={"description": "Of a PNG, in pixels; the nearest of a few widths is drawn."},
    )


class RulesQuery(Strict):
    """Rules with which edition, options and language."""

    language = Choice(LANGUAGES)
    edition = Text(most=20, metadata={"description": "One of the ruleset’s editions; the usual one, if left out."})
    options = Text(
        most=400, metadata={"description": "Options set by hand over the edition, with commas.", "example": "lord=action,customers=queue"}
    )


class GameRulesQuery(ViewQuery):
    """Rules in which language."""

    language = Choice(LANGUAGES)


class MoveHeaders(ma.Schema):
    """Headers of submitted orders."""

    if_match = ma.fields.String(
        data_key="If-Match",
        metadata={"pattern": r'^(\*|"[0-9]{1,9}")$', "description": 'The version the orders were written for, such as `"17"`.'},
    )
    prefer = ma.fields.String(
        data_key="Prefer", metadata={"description": "`wait=10`: answer with the outcome, within so many seconds, 30 at most."}
    )


class GameHeaders(ma.Schema):
    """Headers of a request for a game."""

    if_none_match = ma.fields.String(data_key="If-None-Match", metadata={"description": 'The version known already, such as `"17"`.'})


class BoardHeaders(ma.Schema):
    """Headers of a request for a board."""

    if_none_match = ma.fields.String(data_key="If-None-Match", metadata={"description": "The ETag of the board known already."})


class EventsHeaders(ma.Schema):
    """Headers of a request for an event stream."""

    last_event_id = ma.fields.String(
        data_key="Last-Event-ID", metadata={"pattern": "^[0-9]{1,9}$", "description": "For `text/event-stream`: the last version seen."}
    )


class AccountEventsHeaders(ma.Schema):
    """Headers of a request for the events of an account."""

    last_event_id = ma.fields.String(
        data_key="Last-Event-ID", metadata={"pattern": PLACE, "description": "The event after which to begin; goes before `after`."}
    )
