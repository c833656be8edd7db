"""People who write to us and are not registered: they get letters without being stored as players."""

import hashlib

from marketpost.store.mail_queue import OutboundLetter
from marketpost.store.players import Player

PREFIX = "stranger-"


def stranger(address: str, language: str) -> Player:
    """A player in all but the store: who writes from this address."""
    id = PREFIX + hashlib.sha256(address.casefold().encode()).hexdigest()[:24]
    return Player(id, address, address.partition("@")[0], language, invited=True)


def is_stranger(player: Player) -> bool:
    """Whether this is somebody who has no account."""
    return player.id.startswith(PREFIX)


def stranger_written_to(letter: OutboundLetter) -> Player | None:
    """Whom a letter to a stranger goes to: their address is kept with the letter, until it is sent."""
    address = letter.values.get("stranger")
    return stranger(address, letter.values.get("language") or "en") if address else None
