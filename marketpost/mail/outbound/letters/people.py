"""Letters about an account: codes, bounces, webhooks and reports."""

from datetime import datetime

from marketpost.mail.outbound.letters.letter import Letter, Links, render_letter
from marketpost.mail.outbound.letters.times import day_of
from marketpost.store.players import Player


def confirm(player: Player, code: str, links: Links, minutes: int = 15) -> Letter:
    """Write the letter with a code that confirms the player's address."""
    return render_letter("confirm", player, links, code=code, minutes=minutes, address=player.email, new=links.new)


def sign_in(player: Player, code: str, links: Links, minutes: int = 15) -> Letter:
    """Write the letter with a code that signs the player in."""
    return render_letter("sign-in", player, links, code=code, minutes=minutes)


def new_address(player: Player, code: str, links: Links, minutes: int = 15) -> Letter:
    """Write the letter with a code that confirms another address of the player; it goes to that address."""
    return render_letter("new-address", player, links, code=code, minutes=minutes, address=player.email)


def main_address(player: Player, links: Links) -> Letter:
    """Write the letter to the former main address that letters go elsewhere from now on."""
    return render_letter("main-address", player, links, address=player.email)


def bouncing(player: Player, links: Links, *, reason: str, at: datetime) -> Letter:
    """Write the letter that letters to the player's address came back and no more are sent there."""
    return render_letter("bouncing", player, links, address=player.email, reason=reason, date=day_of(at, player))


def complained(player: Player, links: Links, *, at: datetime) -> Letter:
    """Write the letter that the player gets no letters since a complaint, and how to undo that."""
    return render_letter("complained", player, links, address=player.email, date=day_of(at, player), settings=f"{links.home}/settings")


def canary(player: Player, links: Links) -> Letter:
    """Write the letter of the service to itself."""
    return render_letter("canary", player, links)


def webhook_off(player: Player, links: Links, *, host: str, reason: str, since: datetime) -> Letter:
    """Write the letter that a target was switched off. It names only the host, because the rest of the URL may be a secret."""
    return render_letter("webhook-off", player, links, host=host, reason=reason, date=day_of(since, player))


def report(player: Player, links: Links, *, id: str, by: str, about: str, text: str, game: str | None) -> Letter:
    """Write the letter to the operator that a player has reported another."""
    url = f"{links.home}/games/{game}" if game else ""
    return render_letter("report", player, links, id=id, by=by, about=about, text=text, url=url)
