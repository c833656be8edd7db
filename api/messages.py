"""REST calls for the talk at the table of a game."""

import hashlib
from typing import Any

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import me, own_seat, ports, reader, seen_game
from api.http.idempotency import key
from api.http.pagination import page
from api.http.query_schemas import PageQuery
from api.http.request_schemas import NewMessage
from api.http.response_schemas import MessagePage, MessageResponse
from api.http.serialize import moment
from marketpost.play.table.talk import Message, messages_for, say

messages = Calls("messages", __name__, url_prefix="/v1/games", description="Table talk")


@messages.call("GET", "/<id:game>/messages", access=Permission.READ, query=PageQuery, gives={200: MessagePage})
def list_messages(query: dict[str, Any], game: str) -> dict[str, Any]:
    """List what was said at the table, oldest first"""
    seen_game(game)
    found = page(messages_for(ports(), game, me()), lambda message: (message.at, message.id), query)
    found["items"] = [_message(each) for each in found["items"]]
    return found


@messages.call("POST", "/<id:game>/messages", access=Permission.PLAY, body=NewMessage, gives={201: MessageResponse})
def say_something(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Say something at the table"""
    found = seen_game(game)
    own_seat(found)
    own_key = hashlib.sha256(key().encode()).hexdigest()[:16] if key() else ""
    return _message(say(ports(), found, reader(), body["text"], own_key))


def _message(message: Message) -> dict[str, Any]:
    player = ports().players.find(message.player)
    name = player.name if player else None
    return {"id": message.id, "player": message.player, "name": name, "at": moment(message.at), "text": message.text}
