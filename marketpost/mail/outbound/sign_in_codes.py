"""Send sign-in codes by mail."""

import secrets

from marketpost.mail.outbound.gate import admit_code
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.people.names import check_name
from marketpost.play.people.registration import check_profile, new_code, register
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import CodeAsker, Player


def send_code(mailer: Mailer, email: str, asker: CodeAsker) -> None:
    """Send a code to the player at this address.

    Unregistered addresses get no letter, and the caller cannot tell the difference.
    """
    admit_code(mailer, email, asker.network)
    if player := mailer.ports.players.at_address(email):
        _send(mailer, player, asker)


def register_by_code(mailer: Mailer, asker: CodeAsker, email: str, name: str, language: str, timezone: str = "UTC") -> None:
    """Register an address and send it a code; refused, without registering, if too many codes were asked for."""
    check_name(name)
    check_profile(language, timezone)
    admit_code(mailer, email, asker.network)
    _send(mailer, register(mailer.ports, email, name, language, timezone), asker)


def _send(mailer: Mailer, player: Player, asker: CodeAsker) -> None:
    """Make a code and enqueue the letter with it."""
    code = new_code(mailer.ports, player.email, asker)
    at = mailer.ports.clock()
    letter = "sign-in" if player.confirmed else "confirm"
    enqueue(mailer, Delivery(f"{letter}-{secrets.token_hex(8)}", player.id, letter, at, at, values={"code": code}))
