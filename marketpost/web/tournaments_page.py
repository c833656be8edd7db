"""Pages of tournaments: the list, one tournament, and the form that announces one."""

import re
import secrets
from datetime import UTC, datetime
from typing import Any

import marshmallow as ma
from babel.dates import format_date
from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.competitions import announce_as_asked
from api.http.competition_schemas import NewCompetition
from api.http.context import ports
from api.http.idempotency import derived
from api.http.request_parser import flat
from marketpost.mail.outbound.letters import pace
from marketpost.mail.outbound.letters.times import locale
from marketpost.play.compete.competition import Competition, CompetitionStatus
from marketpost.play.compete.competition_actions import CompetitionEnding, CompetitionFormat
from marketpost.play.compete.entering import all_competitions, cancel_competition, competition_of, enter, withdraw
from marketpost.play.compete.entrant_names import entrant_names
from marketpost.play.compete.standings import standings
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset, ruleset, rulesets
from marketpost.rules.variant import edition_name
from marketpost.store.competition_logs import CompetitionLogs
from marketpost.web import session
from marketpost.web.new_table_page import ADDRESSES, KEY, TIMES
from marketpost.web.page_language import explain, language, name_of, say, title
from marketpost.web.pages import page

SHOWN = 100
"""How many tournaments the list shows."""


@page("/tournaments")
def list_tournaments() -> str:
    """Show all tournaments."""
    found = all_competitions(ports())[:SHOWN]
    return render_template("tournaments.html", rows=[_row(each) for each in found])


@page("/tournaments/new")
def announce_form() -> str:
    """Show the form that announces a tournament."""
    session.must_be_me()
    return _form()


def _form(why: str = "") -> str:
    games = [(rules.name, title(rules), rules.players) for rules in rulesets().values()]
    editions = [(title(rules), _editions(rules)) for rules in rulesets().values() if rules.editions]
    return render_template(
        "tournament-new.html",
        games=games,
        editions=editions,
        formats=[*CompetitionFormat],
        times=TIMES,
        given=request.form,
        key=secrets.token_hex(8),
        why=why,
    )


def _editions(rules: Ruleset[Any]) -> list[tuple[str, str]]:
    words = rules.in_language(language())
    return [(code, edition_name(words, code)) for code in rules.editions]


@page("/tournaments/new", "POST")
def announce_tournament() -> Any:
    """Announce a tournament from the form, validated as the same request over REST."""
    player = session.must_be_me()
    key = request.form.get("key", "")
    id = CompetitionLogs.PREFIX + (derived("competition", "page", player.id, key)[:12] if KEY.fullmatch(key) else secrets.token_hex(6))
    try:
        made = announce_as_asked(id, player.id, NewCompetition().load(_request_body()))
        enter(ports(), made.id, player.id)
    except ma.ValidationError as error:
        return _form(explain(flat(error.messages_dict)[0][1])), 422
    except Refused as refused:
        return _form(explain(refused.refusal)), 422
    return redirect(url_for("pages.show_tournament", tournament=made.id), 303)


def _request_body() -> dict[str, Any]:
    """Return the form as the body of the same REST request."""
    form = request.form
    numbers = {name: int(form[name]) for name in ("seats", "rounds") if re.fullmatch("[0-9]{1,3}", form.get(name, ""))}
    every, edition = form.get("every", ""), form.get("edition")
    return ({"edition": edition} if edition else {}) | {
        "name": form.get("name", ""),
        "format": form.get("format", ""),
        "rules": form.get("rules", ""),
        "starts": form.get("starts", ""),
        "clock": {"per_decision": form.get("per_decision", "")},
        "every": f"{every}d" if re.fullmatch("[0-9]{1,3}", every) else 0,
        "invite": [address for address in ADDRESSES.split(form.get("invite", "").strip()) if address],
        **numbers,
    }


@page("/tournaments/<id:tournament>")
def show_tournament(tournament: str) -> str:
    """Show a tournament: standings, rounds and tables."""
    found, me = competition_of(ports(), tournament), session.me()
    names = {id: name_of(name) for id, name in entrant_names(ports(), found, me.id if me else "").items()}
    plays_on = found.status != CompetitionStatus.OVER
    return render_template(
        "tournament.html",
        row=_row(found),
        edition=edition_name(ruleset(found.plan.rules).in_language(language()), found.plan.edition) if found.plan.edition else "",
        pace=" ".join(pace(found.plan.clock, language())),
        lines=standings(found),
        rounds=[_round(found, number, me.id if me else "") for number in reversed(range(len(found.rounds)))],
        names=names,
        entered=me is not None and me.id in found.active,
        can_enter=found.takes_entries,
        can_leave=plays_on,
        is_host=me is not None and me.id == found.host and plays_on,
    )


@page("/tournaments/<id:tournament>/<any(join, leave, cancel):verb>", "POST")
def act_in_tournament(tournament: str, verb: str) -> AnyResponse:
    """Enter, leave or cancel a tournament."""
    act = {"join": enter, "leave": withdraw, "cancel": cancel_competition}[verb]
    act(ports(), tournament, session.must_be_me().id)
    return redirect(url_for("pages.show_tournament", tournament=tournament), 303)


def _row(competition: Competition) -> dict[str, Any]:
    """Describe a tournament in a line."""
    plan, is_league = competition.plan, competition.plan.format == CompetitionFormat.LEAGUE
    date = format_date(_day(plan.starts), "long", locale=locale(language()))
    is_cancelled = competition.ended is not None and competition.ended.how != CompetitionEnding.PLAYED
    status = "cancelled" if is_cancelled else str(competition.status)
    status += "-league" if is_league and competition.status == CompetitionStatus.RUNNING else ""
    return {
        "id": competition.id,
        "name": plan.name,
        "title": title(ruleset(plan.rules)),
        "format": str(plan.format),
        "stage": "season" if is_league else "round",
        "status": say(f"tournament.{status}", date=date, number=len(competition.rounds)),
        "host": competition.host,
        "players": len(competition.entrants),
        "seats": plan.seats,
    }


def _day(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def _round(competition: Competition, number: int, reader: str) -> dict[str, Any]:
    """Describe a round: its tables with players, colours and scores; a sealed table is a link for its own players only."""
    now = competition.rounds[number]
    is_sealed = competition.is_duplicate and not now.is_over
    tables = []
    for place, table in enumerate(now.tables):
        ended = now.ended.get(place)
        scores = [" + ".join(score.split("+")) for score in ended.scores] if ended else [""] * len(table.players)
        won = [place == 1 for place in ended.places] if ended and ended.places else [False] * len(table.players)
        seats = [
            {"player": player, "colour": colour, "score": score, "won": first}
            for player, colour, score, first in zip(table.players, table.colours, scores, won, strict=True)
        ]
        game = competition.table_id(now.number, place)
        shown = {"game": game, "shown": not is_sealed or reader in table.players, "number": place + 1}
        tables.append({**shown, "seats": seats, "over": ended is not None, "mine": reader in table.players, "division": table.division})
    return {"number": now.number, "tables": tables, "byes": now.byes, "sealed": is_sealed}
