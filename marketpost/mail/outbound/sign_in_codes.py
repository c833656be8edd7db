"""Send sign-in codes by mail."""

import secrets

from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.people import registration as people
from marketpost.store.mail_queue import OutboundLetter


def send_code(mailer: Mailer, email: str) -> None:
    """Send a code to the player at this address. Unregistered addresses get no mail, and the caller cannot tell the difference."""
    player = mailer.ports.players.at_address(email)
    if player is None:
        return
    code = people.new_code(mailer.ports, email)
    at = mailer.ports.clock()
    letter = "sign-in" if player.confirmed else "confirm"
    enqueue(mailer, OutboundLetter(f"{letter}-{secrets.token_hex(8)}", player.id, letter, at, at, values={"code": code}))
