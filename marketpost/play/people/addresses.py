"""A player's further mail addresses: confirmed by a code, removed, and made the main one. No two players share an address."""

from marketpost.play.limits import Limit
from marketpost.play.people.erasure import erase
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player


def code_name(player: Player, email: str) -> str:
    """Return the name under which a code for an address is stored: it is valid only for the player who asked for it."""
    return f"{player.id} {email}"


def confirm_address(ports: Ports, player: Player, email: str, code: str) -> None:
    """Add an address with the code that was mailed there; repeating it changes nothing.

    Race: two players confirm the same address. `claim` is one atomic script: the first owns it, the second is refused. Fault: the process
    may die in between. The address is noted in `claims` before it is claimed, so that an erasure finds it. Race: the player is erased
    meanwhile; then the claim is released again.
    """
    if player.owns(email):
        return
    if not ports.credentials.use_code(code_name(player, email), code.strip().upper(), player.id):
        raise Refused("wrong-code")
    ports.players.change(player, lambda known: _claiming(ports, known, email))
    if (owner := ports.players.claim(email, player.id)) != player.id:
        _take_over(ports, owner)
    if ports.players.claim(email, player.id) != player.id:
        ports.players.change(player, lambda known: {"claims": _without(known.claims, email)})
        raise Refused("address-taken")
    ports.players.change(
        player, lambda known: {"claims": _without(known.claims, email), "addresses": [*_without(known.addresses, email), email]}
    )
    if ports.players.find(player.id) is None:
        ports.players.release(email, player.id)
        raise Refused("token-unknown")


def _take_over(ports: Ports, stranger: str) -> None:
    """Erase an account that others made for an address, which declines its invitations; a confirmed account stays.

    Race: that account is confirmed meanwhile. Both codes were mailed to the same address, so both are of the same person.
    """
    known = ports.players.find(stranger)
    if known and not known.confirmed:
        erase(ports, stranger)


def _claiming(ports: Ports, known: Player, email: str) -> dict[str, list[str]]:
    ports.limits.check(Limit.ADDRESSES_PLAYER, len(_without(known.addresses, email)) + 1)
    return {"claims": [*_without(known.claims, email), email]}


def remove_address(ports: Ports, player: Player, email: str) -> None:
    """Remove a further address: it is free for anybody from then on. Noted in `claims` meanwhile, as in `confirm_address`.

    Race: another request makes it the main address. `change` asks again whenever the profile has changed, so a main one is never released.
    """
    ports.players.change(player, lambda known: _releasing(known, email))
    ports.players.release(email, player.id)
    ports.players.change(player, lambda known: {"claims": _without(known.claims, email)})


def _releasing(known: Player, email: str) -> dict[str, list[str]]:
    if email.casefold() == known.email.casefold():
        raise Refused("address-main")
    if not known.owns(email):
        raise Refused("no-such-address")
    return {"addresses": _without(known.addresses, email), "claims": [*_without(known.claims, email), email]}


def make_main(ports: Ports, player: Player, email: str) -> str:
    """Let letters go to another of the player's addresses; returns the main address before. Both stay theirs."""
    before = player.email

    def swap(known: Player) -> dict[str, object]:
        if not known.owns(email):
            raise Refused("no-such-address")
        if email.casefold() == known.email.casefold():
            return {}
        chosen = next(each for each in known.addresses if each.casefold() == email.casefold())
        return {"email": chosen, "addresses": [known.email, *_without(known.addresses, chosen)], "bounces": 0, "confirmed": True}

    ports.players.change(player, swap)
    return before


def _without(addresses: list[str], email: str) -> list[str]:
    return [each for each in addresses if each.casefold() != email.casefold()]
