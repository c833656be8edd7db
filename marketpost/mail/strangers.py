"""Senders who are not registered: they get answers without being stored as players."""

import hashlib

from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player

PREFIX = "stranger-"


def stranger(address: str, language: str) -> Player:
    """Make a player who is not in the store, for the sender at this address."""
    id = PREFIX + hashlib.sha256(address.casefold().encode()).hexdigest()[:24]
    return Player(id, address, address.partition("@")[0], language, invited=True)


def is_stranger(player: Player) -> bool:
    """Whether this is a sender without an account."""
    return player.id.startswith(PREFIX)


def stranger_written_to(letter: Delivery) -> Player | None:
    """Return the recipient of a letter to a stranger; the address is stored with the letter until it is sent."""
    address = letter.values.get("stranger")
    return stranger(address, letter.values.get("language") or "en") if address else None
