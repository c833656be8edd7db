"""REST calls for a player's notification preferences of one game."""

from typing import Any

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, me, ports, reader, seen_game
from api.http.idempotency import OnRepeat
from api.http.notification_schemas import NoticesResponse
from api.http.request_schemas import ChosenNotices
from marketpost.play.people.preferences import delivery_preference
from marketpost.play.table.lobby import takes_part
from marketpost.rules.refusal import Refused

notices = Calls("notices", __name__, url_prefix="/v1/games", description="Notification preferences of a game")
AS_IN_PROFILE = "default"


@notices.call("GET", "/<id:game>/notices", access=Permission.READ, gives={200: NoticesResponse})
def show_notices(game: str) -> dict[str, Any]:
    """Show my notification preference for this game"""
    return _chosen(_own(game))


@notices.call(
    "PUT", "/<id:game>/notices", access=Permission.PLAY, body=ChosenNotices, gives={200: NoticesResponse}, on_repeat=OnRepeat.AGAIN
)
def choose_notices(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Change my notification preference for this game

    `default` is the preference in my profile. With `webhook` no letters are sent as long as one of my webhooks for this game works; with
    `none` nothing is sent by any channel. What I write by mail is answered in any case.
    """
    choice = body["choice"]
    ports().players.set_preference(reader(), _own(game), None if choice == AS_IN_PROFILE else choice)
    return _chosen(game)


def _own(id: str) -> str:
    """Return the id of a game that the reader takes part in; refused for others."""
    game = seen_game(id)
    if not takes_part(game, reader()):
        raise Refused("not-your-game")
    return game.id


def _chosen(game: str) -> dict[str, Any]:
    found = delivery_preference(ports(), mailer().targets, me(), game)
    return {"choice": ports().players.preference(reader(), game) or AS_IN_PROFILE, "letters": found.letters, "webhooks": found.webhooks}
