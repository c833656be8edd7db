"""Links to a free seat or to watch a game. The log records that they exist; their secret keys are derived at the edge."""

from marketpost.play.log.actions import Done, Linked, LinkKind, Unlinked
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused


def make_link(ports: Ports, id: str, player: str, what: LinkKind) -> tuple[Game, int]:
    """Make the player's link of this kind, or find it; returns the game and the link's number."""

    def link(game: Game) -> Done:
        _may_link(game, player, what)
        not_for_guests(ports, player)
        return ([], []) if _own(game, player, what) else ([Linked(what, player)], [])

    game = change(ports, id, player, link)
    number = _own(game, player, what)
    if number is None:
        raise Refused("too-busy")
    return game, number


def _may_link(game: Game, player: str, what: LinkKind) -> None:
    if game.host != player and (what == LinkKind.SEAT or game.seat_of(player) is None):
        raise Refused("not-the-host" if what == LinkKind.SEAT else "not-your-game")
    if game.is_sealed:
        raise Refused("table-sealed")
    if what == LinkKind.SEAT and game.status != GameStatus.OPEN:
        raise Refused("already-started")


def _own(game: Game, player: str, what: LinkKind) -> int | None:
    return next((number for number, link in game.links.items() if (link.player, link.what) == (player, what)), None)


def links_of(game: Game, player: str) -> dict[int, Linked]:
    """List the links that a player may see and revoke: their own, or all for the host."""
    return {number: link for number, link in game.links.items() if player in (link.player, game.host)}


def revoke_link(ports: Ports, id: str, player: str, number: int) -> Game:
    """Revoke a link."""

    def unlink(game: Game) -> Done:
        if number not in links_of(game, player):
            raise Refused("no-such-link")
        return [Unlinked(number)], []

    return change(ports, id, player, unlink)
