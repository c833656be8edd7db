"""Request and response schemas of tournaments."""

from datetime import timedelta

import marshmallow as ma
from marshmallow import fields

from api.http.fields import (
    MESSAGES,
    BoardOrName,
    Choice,
    Day,
    Duration,
    Email,
    Listed,
    Number,
    OptionsField,
    PersonName,
    Strict,
    Text,
    values,
)
from api.http.request_schemas import OPTIONS_HOW, NewClock
from api.http.response_schemas import AT, Moment, page_of
from marketpost.play.compete.competition import CompetitionStatus
from marketpost.play.compete.competition_actions import CompetitionEnding, CompetitionFormat
from marketpost.play.compete.entering import MOST_ROUNDS

FORMAT_HOW = (
    "`round-robin`: everybody meets everybody; `swiss`: equals meet; `knock-out`: the better half of each table goes on; `league`: "
    "divisions of up to eight, in each season two go up and two down; `duplicate`: the same draws at every table of a round, whose tables "
    "only their own players may see until all are over."
)


class NewCompetition(Strict):
    """A tournament to announce."""

    name = PersonName(required=True)
    format = Choice(CompetitionFormat, required=True, metadata={"description": FORMAT_HOW})
    rules = Text(required=True, most=40, metadata={"example": "portobello"})
    seats = Number(least=2, most=6, required=True, metadata={"description": "At a table; some have fewer, if the players do not divide."})
    starts = Day(required=True)
    rounds = Number(
        least=0,
        most=MOST_ROUNDS,
        load_default=0,
        metadata={
            "description": "Of a Swiss tournament or of duplicate tables, or seasons of a league; 0 for as many as needed, or without end."
        },
    )
    every = Duration(least=timedelta(0), most=timedelta(days=60), load_default=0)
    clock = fields.Nested(NewClock, error_messages=MESSAGES, metadata={"description": "Three days for each decision, if left out."})
    board = BoardOrName()
    edition = Text(most=20)
    options = OptionsField(load_default=dict, description=OPTIONS_HOW)
    invite = Listed(Email(), least=0, most=30, load_default=list, metadata={"description": "They enter by answering a mail with yes."})


class RankResponse(ma.Schema):
    """A line of the standings."""

    place = fields.Integer(required=True, metadata={"description": "Equal players share a place."})
    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    points = fields.Float(required=True, metadata={"description": "For each table the share of the others who were beaten."})
    opponents = fields.Float(required=True, metadata={"description": "Mean points of the opponents: the first tie-break."})
    wins = fields.Integer(required=True, metadata={"description": "Tables won: the second tie-break."})
    played = fields.Integer(required=True)
    forfeits = fields.Integer(required=True)
    round = fields.Integer(required=True, metadata={"description": "The last one that the player had a table in."})
    withdrawn = fields.Boolean(required=True)
    division = fields.Integer(required=True, metadata={"description": "Of a league, from 1 on; 0 otherwise."})


class RoundTableResponse(ma.Schema):
    """A table of a round."""

    game = fields.String(required=True)
    players = fields.List(fields.String(), required=True, metadata={"description": "In the order of their seats."})
    names = fields.List(fields.String(allow_none=True), required=True)
    colours = fields.List(fields.String(), required=True)
    places = fields.List(fields.Integer(), required=True, allow_none=True, metadata={"description": "None while it is played."})
    scores = fields.List(fields.String(), required=True, allow_none=True)
    division = fields.Integer(required=True, metadata={"description": "Of a league, from 1 on; 0 otherwise."})
    forfeits = fields.List(fields.Integer(), required=True, metadata={"description": "Seats that were given up."})


class RoundResponse(ma.Schema):
    """A round of a tournament."""

    number = fields.Integer(required=True)
    began = Moment(required=True, metadata=AT)
    tables = fields.List(fields.Nested(RoundTableResponse), required=True)
    byes = fields.List(fields.String(), required=True, metadata={"description": "Players without a table; it counts as won."})


class CompetitionSummaryResponse(ma.Schema):
    """A tournament as lists show it."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    format = fields.String(required=True, metadata={"enum": values(CompetitionFormat)})
    rules = fields.String(required=True)
    seats = fields.Integer(required=True)
    status = fields.String(required=True, metadata={"enum": values(CompetitionStatus)})
    ended = fields.String(required=True, allow_none=True, metadata={"enum": [*values(CompetitionEnding), None]})
    host = fields.String(required=True)
    starts = Moment(required=True, metadata=AT)
    players = fields.Integer(required=True)
    round = fields.Integer(required=True, metadata={"description": "0 before the first."})
    version = fields.Integer(required=True)


class CompetitionResponse(CompetitionSummaryResponse):
    """A tournament with its rounds and standings."""

    edition = fields.String(required=True, allow_none=True)
    options = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    per_decision = fields.Integer(required=True, metadata={"description": "Seconds of playing time."})
    entered = fields.Boolean(required=True, metadata={"description": "Whether I take part."})
    seal = fields.String(required=True, metadata={"description": "SHA-256 of the secret that lots come from."})
    secret = fields.String(required=True, allow_none=True, metadata={"description": "None until it is over."})
    standings = fields.List(fields.Nested(RankResponse), required=True)
    rounds = fields.List(fields.Nested(RoundResponse), required=True)


CompetitionPage = page_of(CompetitionSummaryResponse)
