"""REST calls for tournaments."""

import secrets
from typing import Any

from flask import request, url_for

from api.games import check_board
from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.competition_schemas import CompetitionPage, CompetitionResponse, NewCompetition
from api.http.context import ports, reader, speak
from api.http.idempotency import action_id, derived, key
from api.http.pagination import page
from api.http.query_schemas import PageQuery
from api.http.serialize import moment
from marketpost.play.compete.competition import Competition, Round
from marketpost.play.compete.competition_actions import CompetitionPlan
from marketpost.play.compete.entering import all_competitions, announce, cancel_competition, competition_of, enter, withdraw
from marketpost.play.compete.entrant_names import entrant_names
from marketpost.play.compete.plan_request import competition_clock, read_date
from marketpost.play.compete.standings import standings
from marketpost.rules.ruleset import ruleset
from marketpost.store.competition_logs import CompetitionLogs

competitions = Calls("competitions", __name__, url_prefix="/v1/competitions", description="Tournaments")
LOCATION = {"Location": "Where the tournament is."}


@competitions.call("GET", "", access=Permission.READ, query=PageQuery, gives={200: CompetitionPage})
def list_competitions(query: dict[str, Any]) -> dict[str, Any]:
    """List tournaments: those that can be entered, those that run, those that are over"""
    found = all_competitions(ports())
    known = {each.id: number for number, each in enumerate(found)}
    shown = page(found, lambda each: (float(known[each.id]), each.id), query)
    return shown | {"items": [summary(each) for each in shown["items"]]}


@competitions.call(
    "POST", "", access=Permission.PLAY, body=NewCompetition, gives={201: CompetitionResponse}, tells=LOCATION, problems=(429,)
)
def announce_competition(body: dict[str, Any]) -> Any:
    """Announce a tournament

    Players enter until `starts`; then the first round is paired and its tables are opened. Who is out of time is out of the game, and
    is not paired again. The tables are public games. Invited players enter by answering a mail.
    """
    made = announce_as_asked(new_id(), reader(), body)
    return answer(detail(made, reader()), 201, {"Location": url_for("competitions.show_competition", competition=made.id)})


def announce_as_asked(id: str, host: str, body: dict[str, Any]) -> Competition:
    """Announce the tournament that a request body describes."""
    rules = ruleset(body["rules"])
    speak(rules)
    check_board(rules, body.get("board"))
    plan = CompetitionPlan(
        body["name"],
        body["format"],
        rules.name,
        body["seats"],
        competition_clock(body.get("clock")),
        read_date(body["starts"].isoformat()),
        body.get("board"),
        body.get("edition"),
        {name: str(value) for name, value in body["options"].items()},
        body["rounds"],
        body["every"],
    )
    return announce(ports(), id, host, plan, body["invite"])


def new_id() -> str:
    """Return the id of a new tournament. With an idempotency key it is derived from the key, so that a repeated request finds it."""
    return CompetitionLogs.PREFIX + (derived("competition", request.path, reader(), key())[:12] if key() else secrets.token_hex(6))


@competitions.call("GET", "/<id:competition>", access=Permission.READ, gives={200: CompetitionResponse})
def show_competition(competition: str) -> dict[str, Any]:
    """Show a tournament: its rounds, tables and standings"""
    return detail(competition_of(ports(), competition), reader())


@competitions.call("POST", "/<id:competition>/join", access=Permission.PLAY, gives={200: CompetitionResponse}, problems=(409,))
def enter_competition(competition: str) -> dict[str, Any]:
    """Enter a tournament that has not begun"""
    return detail(enter(ports(), competition, reader(), action_id()), reader())


@competitions.call("POST", "/<id:competition>/leave", access=Permission.PLAY, gives={200: CompetitionResponse}, problems=(409,))
def leave_competition(competition: str) -> dict[str, Any]:
    """Take no further part in a tournament

    A table that I sit at goes on.
    """
    return detail(withdraw(ports(), competition, reader(), action_id()), reader())


@competitions.call("POST", "/<id:competition>/cancel", access=Permission.PLAY, gives={200: CompetitionResponse})
def call_off_competition(competition: str) -> dict[str, Any]:
    """Cancel a tournament of mine; tables that run go on as games of their own"""
    return detail(cancel_competition(ports(), competition, reader(), action_id()), reader())


def summary(competition: Competition) -> dict[str, Any]:
    """Serialize a tournament for a list."""
    plan = competition.plan
    return {
        "id": competition.id,
        "name": plan.name,
        "format": plan.format,
        "rules": plan.rules,
        "seats": plan.seats,
        "status": competition.status,
        "ended": competition.ended and competition.ended.how,
        "host": competition.host,
        "starts": moment(plan.starts),
        "players": len(competition.entrants),
        "round": len(competition.rounds),
        "version": competition.version,
    }


def detail(competition: Competition, reader: str) -> dict[str, Any]:
    """Serialize a tournament with its rounds and standings."""
    names = entrant_names(ports(), competition, reader)
    lines = standings(competition)
    return summary(competition) | {
        "edition": competition.plan.edition,
        "options": competition.plan.options,
        "per_decision": competition.plan.clock.per_decision // 1000,
        "entered": reader in competition.active,
        "seal": competition.seal,
        "secret": competition.secret,
        "standings": [
            {
                "place": line.place,
                "player": line.player,
                "name": names.get(line.player),
                "points": round(line.points, 4),
                "opponents": round(line.opponents, 4),
                "wins": line.wins,
                "played": line.played,
                "forfeits": line.forfeits,
                "round": line.round,
                "withdrawn": line.withdrawn,
                "division": line.division,
            }
            for line in lines
        ],
        "rounds": [_round(competition, each, names) for each in competition.rounds],
    }


def _round(competition: Competition, now: Round, names: dict[str, str]) -> dict[str, Any]:
    tables = []
    for number, table in enumerate(now.tables):
        ended = now.ended.get(number)
        tables.append(
            {
                "game": competition.table_id(now.number, number),
                "players": table.players,
                "names": [names.get(player) for player in table.players],
                "colours": table.colours,
                "division": table.division,
                "places": ended and ended.places,
                "scores": ended and ended.scores,
                "forfeits": ended.forfeits if ended else (),
            }
        )
    return {"number": now.number, "began": moment(now.began), "tables": tables, "byes": now.byes}
