"""What is said at the table."""

import hashlib
import secrets

import msgspec

from marketpost.play.log.commit import absent
from marketpost.play.log.game import Game
from marketpost.play.outbox import notices
from marketpost.play.ports import Ports
from marketpost.store.changes import GameArchived

LONGEST = 2000


class Message(msgspec.Struct, frozen=True):
    id: str
    player: str
    at: int
    text: str
    beside: str = ""
    """The mail whose orders it came with, if it came with any."""


_message = msgspec.json.Decoder(Message)


def say(ports: Ports, game: Game, player: str, text: str, key: str = "", beside: str = "") -> Message:
    """Said once, however often it is sent with the same key; everyone else at the table is told."""
    message = Message(_id(player, key) if key else secrets.token_hex(8), player, ports.clock(), text, beside)
    told = notices.of_message(game, message.id, player, message.at, beside)
    ports.index.announce(game.id, message.at / 1000)
    try:
        ports.games.say(game.id, message.id, msgspec.json.encode(message), told)
    except GameArchived:
        raise absent(ports, game.id) from None
    ports.enqueue(game.id)
    return next(each for each in said(ports, game.id) if each.id == message.id)


def _id(player: str, key: str) -> str:
    """Of plain signs, whatever the key is: letters about the message carry it in their headers."""
    return hashlib.sha256(f"{player} {key}".encode(errors="surrogatepass")).hexdigest()[:24]


def said(ports: Ports, game: str) -> list[Message]:
    return sorted((_message.decode(data) for data in ports.games.said(game)), key=lambda each: (each.at, each.id))
