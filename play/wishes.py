"""How a player wants to hear of a game. Whoever tells anybody anything asks here first."""

from dataclasses import dataclass

from play.ports import Ports
from store.hooks import Hooks
from store.people import Player

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
    own = ports.people.choice(player.id, game)
    letters = own or player.mail
    if letters == "webhook":
        letters = "none" if any(hook.rings_for(game) for hook in hooks.of(player.id)) else "every"
    return Wish(letters, own != "none")


def no_more_letters(ports: Ports, player: Player) -> None:
    """In no game, whatever was chosen for it."""
    player.mail = "none"
    ports.people.save(player)
    for game, choice in ports.people.choices(player.id).items():
        if choice != "none":
            ports.people.choose(player.id, game, None)
