"""Search for players, for the operator. There is no index for this: a search reads every player, and can be bounded."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from marketpost.play.ports import Ports
from marketpost.store.players import Player


@dataclass(slots=True)
class FoundPlayers:
    """The players that a search has found, those who came first before the others."""

    players: list[Player] = field(default_factory=list)
    whole: bool = True
    """Whether all players were read; otherwise there may be more."""


def matches(player: Player, text: str) -> bool:
    """Whether the name, an address or the id of a player contains a text."""
    return any(text.casefold() in part.casefold() for part in (player.id, player.name, player.email, *player.addresses))


def search_players(ports: Ports, wanted: Callable[[Player], bool], most: float = math.inf, within: float = math.inf) -> FoundPlayers:
    """Find the players whom a test accepts: at most so many, and within so many seconds."""
    found, end = FoundPlayers(), time.monotonic() + within
    for player in ports.players.everybody():
        if len(found.players) >= most or time.monotonic() > end:
            found.whole = False
            break
        if wanted(player):
            found.players.append(player)
    found.players.sort(key=lambda each: (each.created, each.id))
    return found
