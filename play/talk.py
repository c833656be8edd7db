"""What is said at the table."""

import secrets

import msgspec

from play.ports import Ports

LONGEST = 2000


class Message(msgspec.Struct, frozen=True):
    id: str
    player: str
    at: int
    text: str


_message = msgspec.json.Decoder(Message)


def say(ports: Ports, game: str, player: str, text: str, key: str = "") -> Message:
    """Said once, however often it is sent with the same key."""
    message = Message(f"{player}-{key}" if key else secrets.token_hex(8), player, ports.clock(), text)
    ports.games.say(game, message.id, msgspec.json.encode(message))
    return next(each for each in said(ports, game) if each.id == message.id)


def said(ports: Ports, game: str) -> list[Message]:
    return sorted((_message.decode(data) for data in ports.games.said(game)), key=lambda each: (each.at, each.id))
