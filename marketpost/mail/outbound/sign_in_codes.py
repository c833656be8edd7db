"""Send sign-in codes by mail."""

import secrets

from marketpost.mail.outbound.gate import admit_code
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.people.registration import new_code
from marketpost.store.mail_queue import OutboundLetter
from marketpost.store.players import CodeAsker


def send_code(mailer: Mailer, email: str, asker: CodeAsker) -> None:
    """Send a code to the player at this address. Unregistered addresses get no mail, and the caller cannot tell the difference."""
    admit_code(mailer, email, asker.network)
    player = mailer.ports.players.at_address(email)
    if player is None:
        return
    code = new_code(mailer.ports, email, asker)
    at = mailer.ports.clock()
    letter = "sign-in" if player.confirmed else "confirm"
    enqueue(mailer, OutboundLetter(f"{letter}-{secrets.token_hex(8)}", player.id, letter, at, at, values={"code": code}))
