"""Letters that go to another address than the main one: codes that confirm it, and the news that it is the main one no more."""

import msgspec

from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player

ELSEWHERE = "elsewhere"
"""Value of a letter with the address that it goes to."""


def address_of(letter: Delivery) -> str:
    """Return the other address that a letter goes to; empty for the main address."""
    return str(letter.values.get(ELSEWHERE, ""))


def at_address(letter: Delivery, player: Player | None) -> Player | None:
    """Return the recipient of a letter with the address that it goes to."""
    return msgspec.structs.replace(player, email=address_of(letter), bounces=0) if player and address_of(letter) else player
