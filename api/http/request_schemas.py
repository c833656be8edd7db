"""Request schemas: bodies."""

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
    fault,
)
from api.http.ruleset_schemas import ref
from marketpost.notify.channels import target_channels
from marketpost.notify.target_address import LONGEST_URL
from marketpost.play.clock.vacation import DAYS_A_YEAR
from marketpost.play.log.actions import AtZero, HintRule, LinkKind, ProposalKind, TimeControl
from marketpost.play.moves.orders_ahead import LONGEST as LONGEST_AHEAD
from marketpost.play.moves.standing_orders import LONGEST as LONGEST_STANDING
from marketpost.play.moves.submit import LONGEST_ORDERS
from marketpost.play.moves.what_if import LONGEST_LINE
from marketpost.play.people.reporting import LONGEST_REPORT
from marketpost.play.table.notes import LONGEST as LONGEST_NOTES
from marketpost.play.table.talk import LONGEST
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import LetterLength, MailPreference

LONGEST_RECORD = 100_000
LINES = "\n\r\t"
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


class Renamed(Strict):
    """The name of a game."""

    name = PersonName(required=True, allow_none=True, metadata={"description": "`null` takes it away."})


class Withdrawal(Strict):
    """The invitation to withdraw."""

    seat = ma.fields.Integer(strict=True, required=True, validate=ma.validate.Range(0, 9), metadata={"description": "Its number, from 0."})
    email = Email(metadata={"description": "The address to invite to the seat instead."})


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
    hidden = Flag(metadata={"description": "Whether others find me on no list and no page of players; at my tables they see my name."})
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


class NewBot(Strict):
    """A bot account to create."""

    name = Name(required=True)


class NewBotToken(Strict):
    """A token to create for a bot."""

    label = Name(most=60, metadata={"description": "What the token is for."})
    scopes = Listed(Choice(("read", "play")), most=2, metadata={"description": "Both, if left out."})


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
    name = PersonName(metadata={"description": "What lists and pages call the game."})
    hints = Choice(
        HintRule,
        load_default=HintRule.AGAINST_BOTS,
        metadata={"description": "Who may ask for hints: everybody, nobody, or whoever plays against built-in bots alone."},
    )
    clock = ma.fields.Nested(NewClock, error_messages=MESSAGES, metadata={"description": "No time limit, if left out."})


class Orders(Strict):
    """Orders: exactly one of the fields."""

    orders = Text(least=0, most=LONGEST_ORDERS, signs=LINES, metadata={"example": "3: stall A-B; stall A-B; customer C"})
    steps = StepsField()

    @ma.validates_schema
    def _one(self, data: dict[str, Any], **kwargs: Any) -> None:
        if len(data) != 1:
            raise fault("orders-or-steps")


class SupposedLine(Strict):
    """A line of moves to try."""

    version = Number(most=1_000_000, metadata={"description": "From the position after this version; the present one, if left out."})
    line = Text(
        least=0,
        most=LONGEST_LINE,
        signs=LINES,
        required=True,
        metadata={
            "description": "One move a line: orders, and behind `=>` the outcomes of chance in them, with commas.",
            "example": "3: customer A => clerk\nstall A-B",
        },
    )


class StandingOrders(Strict):
    """Standing orders."""

    orders = Text(
        most=LONGEST_STANDING, signs=LINES, required=True, metadata={"example": "when robbed: sell house c1, then house f4; thief >f4"}
    )


class NewOrdersAhead(Strict):
    """Orders ahead."""

    orders = Text(
        most=LONGEST_AHEAD,
        signs=LINES,
        required=True,
        metadata={"example": "if red builds in AB: 3: stall B-C; customer D\nelse: 2: stall A-B; stall AB"},
    )


class NewRecord(Strict):
    """A record to check or to import."""

    record = Text(most=LONGEST_RECORD, signs=LINES, required=True, metadata={"description": "The text of a record."})
    board = BoardField()
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
