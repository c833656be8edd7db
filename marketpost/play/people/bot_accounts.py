"""Bot accounts: a player's programs play under names of their own, which everybody sees to be bots."""

from marketpost.play.limits import Limit
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.people.names import check_name
from marketpost.play.people.registration import find_token, new_id, new_token
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.store.credentials import Token
from marketpost.store.players import BOT_ID, MailPreference, Player, is_bot_id

MADE_WITHIN = 60.0
"""Seconds after which the place of a request that died while it made a bot is free again."""


def new_bot(ports: Ports, owner: Player, name: str, id: str = "") -> Player:
    """Create a bot account of a player, or find the one that an earlier request made under this id.

    Race: two requests may create bots at once. Each holds a place, and counts the places that were held before its own. Race: the owner may
    be erased meanwhile. The bot is on the owner's list before it is stored; if the owner is gone afterwards, it is deleted again.
    """
    not_for_guests(ports, owner.id)
    if owner.owner:
        raise Refused("bot-owns-none")
    check_name(name)
    id = id or f"{BOT_ID}{new_id()}"
    if known := ports.players.find(id):
        return known
    making = ports.limits.hold(Limit.BOTS_PLAYER, owner.id, id, MADE_WITHIN)
    try:
        ports.limits.check(Limit.BOTS_PLAYER, making + len(bots_of(ports, owner.id)) + 1)
        bot = Player(id, "", name, owner.language, owner.timezone, created=ports.clock(), mail=MailPreference.NONE, owner=owner.id)
        ports.players.save_bot(bot)
    finally:
        ports.limits.release(Limit.BOTS_PLAYER, owner.id, id)
    if ports.players.find(owner.id) is None:
        ports.players.erase(bot)
        ports.players.has_left(bot.id)
    return bot


def bots_of(ports: Ports, owner: str) -> list[Player]:
    """List the bot accounts of a player, oldest first."""
    found = ports.players.find_all(ports.players.bots_of(owner))
    return sorted(found.values(), key=lambda bot: (bot.created, bot.id))


def payer(ports: Ports, player: str) -> str:
    """Return whose limits count what a player does: a bot account shares those of its owner."""
    found = ports.players.find(player) if is_bot_id(player) else None
    return found.owner if found else player


def with_bots(ports: Ports, player: str) -> set[str]:
    """List the accounts that share a player's limits: the owner and all bots."""
    owner = payer(ports, player)
    return {owner, *ports.players.bots_of(owner)}


def own_bot(ports: Ports, owner: str, bot: str) -> Player:
    """Find a bot of a player; refused for one that belongs to somebody else."""
    found = ports.players.find(bot)
    if found is None or found.owner != owner:
        raise Refused("no-such-bot")
    return found


def new_bot_token(ports: Ports, owner: str, bot: str, label: str, scopes: tuple[str, ...], secret: str = "") -> tuple[str, Token]:
    """Create a token for a bot; returns its secret, which is stored only as a hash."""
    own_bot(ports, owner, bot)
    if secret and (known := find_token(ports, secret)):  # the same request once more
        return secret, known
    ports.limits.check(Limit.BOT_TOKENS_PLAYER, len(ports.credentials.tokens_of(bot)) + 1)
    return new_token(ports, bot, label, scopes, secret)
