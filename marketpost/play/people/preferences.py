"""How a player wants to hear of a game. Whoever tells anybody anything asks here first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from marketpost.play.outbox.notices import Notice
from marketpost.play.ports import Ports
from marketpost.store.players import Player
from marketpost.store.webhook_queue import Hook, Hooks

CHOICES = ("every", "digest", "webhook", "none")


@dataclass(frozen=True, slots=True)
class Wish:
    letters: str
    """`every` one, in the `digest`, or `none`."""
    webhooks: bool


def wish(ports: Ports, hooks: Hooks, player: Player, game: str) -> Wish:
    """A choice for the game goes before the player's own.

    Letters come back while no webhook works, for nobody should lose a game unheard. What a player chose for all games is about
    letters; a webhook, made on purpose, is silent only where `none` was chosen for that very game.
    """
    return wish_by(hooks, player, game, ports.people.choice(player.id, game))


def wish_by(hooks: Hooks, player: Player, game: str, own: str | None) -> Wish:
    """For whoever knows the choice for the game."""
    return _wish(player, own, lambda: any(hook.rings_for(game) for hook in hooks.of(player.id)))


def _wish(player: Player, own: str | None, has_webhook: Callable[[], bool]) -> Wish:
    letters = own or player.mail
    if letters == "webhook":
        letters = "none" if has_webhook() else "every"
    return Wish(letters, own != "none")


@dataclass(frozen=True, slots=True)
class Hearing:
    """A notice, and whoever is to hear it."""

    notice: Notice
    player: Player
    hooks: list[Hook]
    """Those that ring for the game."""
    wish: Wish


def hearings(ports: Ports, hooks: Hooks, notices: Sequence[Notice]) -> list[Hearing]:
    """Without those that concern nobody who is still here, or are the wish of somebody whom the player has muted."""
    asked = [(notice, notice.player) for notice in notices if notice.player]
    players = ports.people.find_all({player for _, player in asked})
    heard = [(notice, players[player]) for notice, player in asked if player in players and notice.by not in players[player].muted]
    rings = hooks.of_all({player.id for _, player in heard})
    choices = ports.people.choices_in([(player.id, notice.game) for notice, player in heard])
    return [_hearing(notice, player, rings[player.id], own) for (notice, player), own in zip(heard, choices, strict=True)]


def _hearing(notice: Notice, player: Player, hooks: Sequence[Hook], own: str | None) -> Hearing:
    ringing = [hook for hook in hooks if hook.rings_for(notice.game)]
    return Hearing(notice, player, ringing, _wish(player, own, lambda: bool(ringing)))


def no_more_letters(ports: Ports, player: Player) -> None:
    """In no game, whatever was chosen for it."""
    ports.people.change(player, lambda known: {"mail": "none"})
    for game, choice in ports.people.choices(player.id).items():
        if choice != "none":
            ports.people.choose(player.id, game, None)
