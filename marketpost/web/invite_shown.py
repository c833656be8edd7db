"""Show the host of a table that waits for players how to name and fill it: the link to a seat, its QR code, and the invitations."""

from typing import Any

import segno

from api.http.context import mailer, ports
from marketpost.mail.link_keys import publish_link
from marketpost.play.log.actions import LinkKind, SeatPlan
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.names import LONGEST_NAME
from marketpost.play.table.invitations import invitee_name, reference_of
from marketpost.rules.bots import LEVELS, MEDIUM
from marketpost.web.page_language import say


def hosting_shown(game: Game, player: str) -> dict[str, Any]:
    """Return what the host may do, nothing for others; the link is there once it was made."""
    if not player or game.host != player or game.status != GameStatus.OPEN:
        return {"hosting": None}
    number = next((number for number, link in game.links.items() if (link.player, link.what) == (player, LinkKind.SEAT)), None)
    url = publish_link(mailer(), game, number).url if number is not None else ""
    return {
        "hosting": {
            "url": url,
            "qr": _qr(url) if url else "",
            "free": SeatPlan() in game.seats,
            "invited": {number: _invitee(game.id, seat.invited) for number, seat in enumerate(game.seats) if seat.invited},
            "bots": LEVELS,
            "usual": MEDIUM,
            "longest_name": LONGEST_NAME,
        }
    }


def _invitee(game: str, player: str) -> str:
    """Name an invited player as the host knows them; others are not told."""
    return invitee_name(ports(), game, reference_of(ports(), game, player)) or say("page.nobody")


def _qr(url: str) -> str:
    """Draw a QR code as SVG, dark on light in any colour scheme. Templates may insert it unescaped: it holds lines and no text."""
    return str(segno.make(url, micro=False).svg_inline(scale=4, border=3, light="#ffffff", svgclass=None, lineclass=None))
