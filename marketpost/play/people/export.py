"""What is stored about a player, for the player: the games that they took part in, what they said there, and what they noted."""

from collections.abc import Iterator
from dataclasses import dataclass

from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.lobby import AT_ONCE
from marketpost.play.table.talk import Message, heard, said
from marketpost.store.players import Player


@dataclass(frozen=True, slots=True)
class ExportedGame:
    id: str
    game: Game | None
    """As far as the player may see it: a game that they left is shown again when it is over."""
    messages: list[Message]
    """Without what the player may not read."""
    notes: str
    standing: str
    """The player's own standing orders."""
    choice: str | None
    """How the player wants to hear of it."""


def exported_games(ports: Ports, player: Player) -> Iterator[ExportedGame]:
    """One after the other, so that nobody waits for all of them."""
    notes, choices = ports.players.notes(player.id), ports.players.choices(player.id)
    listed = {id for name in ("player", "played") for id in _listed(ports, f"{name}:{player.id}")}
    for id in sorted({*listed, *notes, *choices, *ports.players.spoke_in(player.id)}):
        found = ports.sound_game(id)
        game = found if found and _may_see(found, player.id) else None
        talk = heard(ports, id, player) if game else [each for each in said(ports, id) if each.player == player.id]
        yield ExportedGame(id, game, talk, notes.get(id, ""), ports.games.standing(id, player.id), choices.get(id))


def _may_see(game: Game, player: str) -> bool:
    return game.may_see(player) or (game.status == GameStatus.OVER and player in game.began_with)


def _listed(ports: Ports, name: str) -> Iterator[str]:
    place = None
    while page := ports.index.page(name, place, AT_ONCE):
        place = page[-1]
        yield from (id for _, id in page)
