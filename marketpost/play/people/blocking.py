"""Blocking: two players of whom one has blocked the other are never seated together, and the blocker gets no messages of the other."""

from collections.abc import Collection

from marketpost.play.log.game import Game
from marketpost.play.people.bot_accounts import payer
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player

MOST_BLOCKED = 500


def block(ports: Ports, player: Player, other: str, *, off: bool = False) -> None:
    """Block a player, or unblock with `off`. Unknown ids are not refused, so that nobody learns who plays. Games of both go on."""
    if other == player.id:
        raise Refused("no-such-player")

    def blocked(known: Player) -> dict[str, list[str]]:
        kept = [each for each in known.blocked if each != other]
        if len(kept) >= MOST_BLOCKED and not off:
            raise Refused("too-many-blocked", most=MOST_BLOCKED)
        return {"blocked": kept if off else [*kept, other]}

    ports.players.change(player, blocked)


def are_apart(ports: Ports, player: str, *others: str) -> bool:
    """Whether the player has blocked one of the others, or one of them the player. Whoever blocks a player has blocked their bots, too."""
    found = ports.players.find_all({player, *others})

    def has_blocked(one: str, other: str) -> bool:
        named = {other, found[other].owner} if other in found else {other}
        return one in found and not named.isdisjoint(found[one].blocked)

    return any(has_blocked(player, other) or has_blocked(other, player) for other in others)


def is_shut_out(ports: Ports, by: str | None, named: Collection[str]) -> bool:
    """Whether a player is among those whom somebody has muted or blocked, or is a bot account of one of them."""
    return by is not None and bool(named) and not {by, payer(ports, by)}.isdisjoint(named)


def may_sit_with(ports: Ports, game: Game, player: str) -> bool:
    """Whether nobody at the table, the host included, has blocked the player or is blocked by them."""
    return not are_apart(ports, player, *company(game) - {player})


def company(game: Game) -> set[str]:
    """List the players whom everybody at the table knows: seated, replaced by a bot, and the host; not those who are only invited."""
    seated = {seat.player for seat in game.seats if seat.player}
    return seated | {game.host, *(gone.player for gone in game.absent.values())}
