"""Send codes by mail: to sign in, and to confirm another address; and tell a former main address that it is none any more."""

import secrets

from marketpost.mail.outbound.gate import admit_code
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.mail.outbound.other_address import ELSEWHERE
from marketpost.play.limits import Limit
from marketpost.play.people.addresses import code_name, make_main
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.people.guests import has_room
from marketpost.play.people.names import check_name
from marketpost.play.people.registration import check_profile, new_code, register
from marketpost.rules.refusal import Refused
from marketpost.store.credentials import CodeAsker
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player


def send_code(mailer: Mailer, email: str, asker: CodeAsker) -> None:
    """Send a code to the player at this address.

    Unregistered addresses get no letter, and the caller cannot tell the difference.
    """
    admit_code(mailer, email, asker.network)
    if player := mailer.ports.players.at_address(email):
        _send(mailer, player, email, asker)


def register_by_code(mailer: Mailer, asker: CodeAsker, email: str, name: str, language: str, timezone: str = "UTC") -> None:
    """Register an address and send it a code; refused, without registering, if too many codes were asked for.

    Where there are too many unconfirmed addresses, a new one is not registered. The caller cannot tell: it would say who is registered.
    """
    check_name(name)
    check_profile(language, timezone)
    admit_code(mailer, email, asker.network)
    if has_room(mailer.ports) or mailer.ports.players.player_of(email):
        _send(mailer, register(mailer.ports, email, name, language, timezone), email, asker)


def _send(mailer: Mailer, player: Player, email: str, asker: CodeAsker) -> None:
    """Make a code and enqueue the letter with it."""
    letter = LetterKind.SIGN_IN if player.confirmed else LetterKind.CONFIRM
    _enqueue_code(mailer, player, email, letter, new_code(mailer.ports, email, asker))


def send_address_code(mailer: Mailer, player: Player, email: str, network: str = "") -> None:
    """Mail a code to an address that a player wants to add; it is valid only for this player.

    An address of somebody else gets the letter too, so that nobody learns who plays. By mail there is no network to count by: then the
    player is counted.
    """
    not_for_guests(mailer.ports, player.id)
    if player.owns(email):
        raise Refused("address-yours")
    mailer.ports.limits.check(Limit.ADDRESSES_PLAYER, len(player.addresses) + 1)
    admit_code(mailer, email, network or player.id)
    _enqueue_code(mailer, player, email, LetterKind.NEW_ADDRESS, new_code(mailer.ports, code_name(player, email)))


def _enqueue_code(mailer: Mailer, player: Player, email: str, letter: LetterKind, code: str) -> None:
    at, values = mailer.ports.clock(), {"code": code} | ({} if email.casefold() == player.email.casefold() else {ELSEWHERE: email})
    enqueue(mailer, Delivery(f"{letter}-{secrets.token_hex(8)}", player.id, letter, at, at, values=values))


def change_main_address(mailer: Mailer, player: Player, email: str) -> None:
    """Make a confirmed address the main one, and tell the former: whoever has taken over an account must not do so in silence."""
    before, at = make_main(mailer.ports, player, email), mailer.ports.clock()
    if before != player.email:
        id = f"{LetterKind.MAIN_ADDRESS}-{secrets.token_hex(8)}"
        enqueue(mailer, Delivery(id, player.id, LetterKind.MAIN_ADDRESS, at, at, values={ELSEWHERE: before}))
