"""REST calls for a player's notification preferences of one game."""

from typing import Any

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, me, ports, reader, seen_game
from api.http.idempotency import OnRepeat
from api.http.request_schemas import ChosenNotices
from api.http.response_schemas import NoticesResponse
from marketpost.play.people.preferences import delivery_preference
from marketpost.play.table.lobby import takes_part
from marketpost.rules.refusal import Refused

notices = Calls("notices", __name__, url_prefix="/v1/games", description="How I hear of a game")
AS_ALWAYS = "default"


@notices.call("GET", "/<id:game>/notices", access=Permission.READ, gives={200: NoticesResponse})
def show_notices(game: str) -> dict[str, Any]:
    """How I hear of this game"""
    return _chosen(_own(game))


@notices.call(
    "PUT", "/<id:game>/notices", access=Permission.PLAY, body=ChosenNotices, gives={200: NoticesResponse}, on_repeat=OnRepeat.AGAIN
)
def choose_notices(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Choose how I hear of this game

    `default` is what my profile says. With `webhook` no letters come as long as one of my webhooks for this game works; with `none`
    nothing comes, by no way. What I write by mail is answered in any case.
    """
    choice = body["choice"]
    ports().players.choose(reader(), _own(game), None if choice == AS_ALWAYS else choice)
    return _chosen(game)


def _own(id: str) -> str:
    game = seen_game(id)
    if not takes_part(game, reader()):
        raise Refused("not-your-game")
    return game.id


def _chosen(game: str) -> dict[str, Any]:
    found = delivery_preference(ports(), mailer().webhook_queue, me(), game)
    return {"choice": ports().players.choice(reader(), game) or AS_ALWAYS, "letters": found.letters, "webhooks": found.webhooks}
