"""Table talk: messages between the players of a game."""

import hashlib
import secrets
from collections.abc import Collection

import msgspec

from marketpost.play.log.commit import absent
from marketpost.play.log.game import Game
from marketpost.play.outbox import notices
from marketpost.play.people.blocking import is_shut_out
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.ports import Ports
from marketpost.store.changes import GameArchived
from marketpost.store.players import Player

LONGEST = 2000


class Message(msgspec.Struct, frozen=True):
    """One message."""

    id: str
    player: str
    at: int
    text: str
    beside: str = ""
    """Id of the inbound message whose orders it came with; empty if it came alone."""


_message = msgspec.json.Decoder(Message)


def say(ports: Ports, game: Game, player: str, text: str, key: str = "", beside: str = "") -> Message:
    """Write a message, once for each idempotency key, and notify everybody else at the table."""
    not_for_guests(ports, player)
    message = Message(_id(player, key) if key else secrets.token_hex(8), player, ports.clock(), text, beside)
    told = notices.of_message(game, message.id, player, message.at, beside)
    ports.players.record_talk(player, game.id)
    ports.index.announce(game.id, message.at / 1000)
    try:
        ports.games.say(game.id, message.id, msgspec.json.encode(message), told)
    except GameArchived:
        raise absent(ports, game.id) from None
    ports.enqueue(game.id)
    return next(each for each in said(ports, game.id) if each.id == message.id)


def _id(player: str, key: str) -> str:
    """Derive the id of a message from its key, as hexadecimal digits: letters about the message have it in their headers."""
    return hashlib.sha256(f"{player} {key}".encode(errors="surrogatepass")).hexdigest()[:24]


def said(ports: Ports, game: str) -> list[Message]:
    """List the messages of a game, oldest first."""
    return sorted((_message.decode(data) for data in ports.games.said(game)), key=lambda each: (each.at, each.id))


def messages_for(ports: Ports, game: str, reader: Player) -> list[Message]:
    """List the messages that a reader is shown: none of players whom they have blocked, or of their bots."""
    return [each for each in said(ports, game) if not is_shut_out(ports, each.player, reader.blocked)]


def erase_talk(ports: Ports, player: str) -> None:
    """Delete all messages of a player; the games are found by scanning for talk."""
    for game in ports.games.games_with_talk():
        erase_talk_in(ports, game, {player})


def erase_talk_in(ports: Ports, game: str, players: Collection[str]) -> None:
    """Delete the messages of these players in a game."""
    if gone := [each.id for each in said(ports, game) if each.player in players]:
        ports.games.delete_messages(game, gone)
