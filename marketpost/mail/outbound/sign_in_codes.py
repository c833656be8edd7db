"""Codes that sign an address in, by letter."""

import secrets

from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.people import registration as people
from marketpost.store.mail_queue import OutboundLetter


def send_code(mailer: Mailer, email: str) -> None:
    """To whoever is registered there. Strangers get no mail, and the caller does not learn which it was."""
    player = mailer.ports.players.at_address(email)
    if player is None:
        return
    code = people.new_code(mailer.ports, email)
    at = mailer.ports.clock()
    letter = "sign-in" if player.confirmed else "confirm"
    enqueue(mailer, OutboundLetter(f"{letter}-{secrets.token_hex(8)}", player.id, letter, at, at, values={"code": code}))
