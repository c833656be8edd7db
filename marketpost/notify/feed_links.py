"""The secret URLs of a player's feeds: made, renewed, switched off, and looked up."""

import secrets
from typing import NamedTuple

from marketpost.mail.outbound.mailer import Mailer
from marketpost.store.players import Player

ATOM = "games.atom"
CALENDAR = "deadlines.ics"


class FeedLinks(NamedTuple):
    """The URLs of a player's two feeds. Whoever knows them reads the feeds."""

    atom: str
    calendar: str


def feed_links(mailer: Mailer, player: Player) -> FeedLinks | None:
    """Return the player's feeds; None if they are switched off."""
    if not player.feed:
        return None
    folder = f"{mailer.settings.public_url}/feeds/{player.id}-{_key(mailer, player)}"
    return FeedLinks(f"{folder}/{ATOM}", f"{folder}/{CALENDAR}")


def renew_feeds(mailer: Mailer, player: Player, mark: str = "") -> FeedLinks | None:
    """Give the feeds new URLs, so that the old ones are worth nothing; the same `mark` always gives the same URLs."""
    mailer.ports.players.change(player, lambda known: {"feed": mark or secrets.token_hex(8)})
    return feed_links(mailer, player)


def close_feeds(mailer: Mailer, player: Player) -> None:
    """Switch the feeds off."""
    mailer.ports.players.change(player, lambda known: {"feed": ""})


def reader_of(mailer: Mailer, secret: str) -> Player | None:
    """Find the player whose feeds have this secret; None if it is wrong or was renewed, or the player is erased or suspended."""
    id, _, key = secret.partition("-")
    player = mailer.ports.players.find(id)
    if player is None or player.suspended or not player.feed:
        return None
    return player if mailer.is_token(key, "feed", player.id, player.feed) else None


def _key(mailer: Mailer, player: Player) -> str:
    """Derive the secret part from the service's key and the player's mark; it is stored nowhere."""
    return mailer.token("feed", player.id, player.feed)
