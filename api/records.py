"""REST call that checks a game record or imports it as a new game."""

from typing import Any

from api.games import ETAG, LOCATION, check_board, made, new_game_id
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import ports, reader, speak
from api.http.request_schemas import NewRecord
from api.http.response_schemas import GameResponse, RecordResponse
from api.seats import plan
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.table.opening import checked_opening
from marketpost.play.table.seating import import_game
from marketpost.rules.records import BoardFinder, read
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import Replay, replay

records = Calls("records", __name__, url_prefix="/v1/records", description="Games as text")


@records.call("POST", "", access=Permission.PLAY, body=NewRecord, gives={200: RecordResponse, 201: GameResponse}, tells=LOCATION | ETAG)
def import_record(body: dict[str, Any]) -> Any:
    """Check a record, or import it

    It is replayed from the first line to the last; the first difference is reported with its line. With `play_on` it becomes a game, whose
    log says that the recorded part was imported and not played here.
    """
    record = read(body["record"], _boards(body.get("board")))
    speak(record.rules)
    check_board(record.rules, record.setting.board)
    done = replay(record)
    if not body["play_on"]:
        return _summary(done)
    colours = record.setting.colours
    seats = body.get("seats") or [("me", True)] * len(colours)
    if len(seats) != len(colours):
        raise Refused("wrong-seats", wanted=len(colours), found=len(seats))
    planned = plan(ports(), reader(), seats)
    not_for_guests(ports(), reader())
    id = new_game_id()
    with checked_opening(ports(), id, reader(), record.rules.name, planned, record.setting.board, body["public"]):
        return made(import_game(ports(), id, reader(), done, planned, body["public"]))


def _boards(own: dict[str, Any] | None) -> BoardFinder:
    """Return a function that finds the board of a record: the client's own by its name, else one of ours."""
    return lambda name: own if own and own.get("name") == name else name


def _summary(done: Replay) -> dict[str, Any]:
    """Serialize the result of a replay."""
    rules, state = done.record.rules, done.state
    winners = rules.winners(state)
    return {
        "rules": rules.name,
        "board": state.board.name,
        "edition": done.record.setting.edition,
        "status": "over" if winners else "running",
        "turns": done.turns,
        "colours": list(state.colours),
        "scores": dict(zip(state.colours, rules.scores(state), strict=True)),
        "winners": [state.colours[seat] for seat in winners],
    }
