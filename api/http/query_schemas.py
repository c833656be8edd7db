"""Request schemas: queries and headers."""

import re
from typing import Any

import marshmallow as ma

from api.http.fields import Choice, Kinds, Name, Strict, Text, WrittenFlag, WrittenNumber, fault
from api.http.request_schemas import LINES
from marketpost.play.log.game import GameStatus
from marketpost.play.outbox.account_events import AccountEventKind
from marketpost.play.people.results import RatingPool
from marketpost.rules.svg import THEMES, WIDTH
from marketpost.rules.words import LANGUAGES

MOST_ON_A_PAGE = 200


PLACE = "^[0-9]{1,15}(-[0-9]{1,15})?$"
"""The id of an event of an account."""


ID = "[A-Za-z0-9_-]{1,64}"


class Ids(Text):
    """Some ids, with commas."""

    def __init__(self, most: int, **kwargs: Any) -> None:
        self.most_ids = most
        kwargs["metadata"] = {"pattern": f"^{ID}(,{ID}){{0,{most - 1}}}$"} | kwargs.get("metadata", {})
        super().__init__(most=most * 65, **kwargs)

    def take(self, value: Any) -> Any:
        """Accept a few ids, each once; whether they exist is not checked here."""
        ids = super().take(value).split(",")
        if not all(re.fullmatch(ID, each) for each in ids):
            raise fault("field-text")
        if len(ids) > self.most_ids:
            raise fault("field-count", least=1, most=self.most_ids)
        return list(dict.fromkeys(ids))


class PageQuery(Strict):
    """Which page of a list."""

    cursor = Text(most=200, metadata={"description": "`next` of the page before.", "pattern": "^[A-Za-z0-9_.-]+$"})
    limit = WrittenNumber(least=1, most=MOST_ON_A_PAGE, load_default=50)


class RatingsQuery(PageQuery):
    """Which rating table, and which page of it."""

    pool = Choice(RatingPool, load_default=RatingPool.PEOPLE, metadata={"description": "Who is rated together: people, or bot accounts."})


class PlayersQuery(Strict):
    """Whose name begins like this."""

    name = Name(most=40, required=True, metadata={"description": "A name, or how one of its words begins."})


MOST_STATUSES = 50
"""Players whose status one call tells."""


class StatusQuery(Strict):
    """Of which players."""

    ids = Ids(most=MOST_STATUSES, required=True, metadata={"description": "Ids of players, with commas.", "example": "1f0c,robot-7e6f"})


class ExportQuery(Strict):
    """Which games are exported."""

    ids = Ids(most=MOST_ON_A_PAGE, metadata={"description": "Ids of games, with commas: these, in this order.", "example": "1f0c,8d7e"})
    player = Text(most=64, metadata={"description": "Without `ids`: whose finished games, the newest first. Mine, if left out."})
    limit = WrittenNumber(least=1, most=MOST_ON_A_PAGE, load_default=MOST_ON_A_PAGE)


class GamesQuery(PageQuery):
    """Which games, and which page of them."""

    status = Choice(GameStatus)
    mine = WrittenFlag(load_default=False, metadata={"description": "Only games in which I have a seat, an invitation, or that I host."})
    open = WrittenFlag(load_default=False, metadata={"description": "Only games with a seat for whoever comes."})
    rules = Text(most=40, metadata={"description": "Only games of this ruleset.", "example": "portobello"})
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
    game = Text(most=64, metadata={"description": "Only of this game."})
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
