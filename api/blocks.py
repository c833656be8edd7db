"""REST calls that block players and report them to the operator."""

from typing import Any

from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, me, ports, reader, seen_game
from api.http.idempotency import OnRepeat, derived, key
from api.http.pagination import page
from api.http.people_schemas import BlockedPage, ReportResponse
from api.http.query_schemas import PageQuery
from api.http.request_schemas import NewReport
from api.http.serialize import moment
from marketpost.mail.outbound.operator_reports import tell_operator
from marketpost.play.people.blocking import block
from marketpost.play.people.reporting import report
from marketpost.store.operator_records import Report

blocks = Calls("blocks", __name__, url_prefix="/v1/blocks", description="Blocked players")
reports = Calls("reports", __name__, url_prefix="/v1/reports", description="Reports to the operator")


@blocks.call("GET", "", access=Permission.READ, query=PageQuery, gives={200: BlockedPage})
def list_blocked(query: dict[str, Any]) -> dict[str, Any]:
    """List the players I have blocked, in the order of their ids"""
    found = page(sorted(me().blocked), lambda player: (0, player), query)
    people = ports().players.find_all(found["items"])
    found["items"] = [{"player": player, "name": people[player].name if player in people else None} for player in found["items"]]
    return found


@blocks.call("PUT", "/<id:player>", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def block_player(player: str) -> Response:
    """Block a player

    We are never seated together again, by invitation, link, lobby or search, and nothing they say is shown or mailed to me. They are not
    told. Games in which we both sit already go on, and a tournament that we both enter pairs us as its rules say. The answer does not say
    whether there is such a player.
    """
    block(ports(), me(), player)
    return Response(status=204)


@blocks.call("DELETE", "/<id:player>", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def unblock_player(player: str) -> Response:
    """Unblock a player"""
    block(ports(), me(), player, off=True)
    return Response(status=204)


@reports.call(
    "POST", "", access=Permission.PLAY, body=NewReport, gives={201: ReportResponse}, problems=(404, 410, 429), on_repeat=OnRepeat.OWN
)
def report_player(body: dict[str, Any]) -> dict[str, Any]:
    """Report a player to the operator of this service

    Nobody else reads it, and the player is not told.
    """
    game = seen_game(body["game"]).id if "game" in body else None
    id = derived("report", reader(), key())[:16] if key() else ""
    made = report(ports(), reader(), body["player"], body["text"], game, id)
    tell_operator(mailer(), made)
    return report_shown(made)


def report_shown(made: Report) -> dict[str, Any]:
    """Serialize a report."""
    return {"id": made.id, "player": made.about, "game": made.game, "text": made.text, "at": moment(made.at)}
