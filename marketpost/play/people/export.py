"""Exports what is stored about a player, for the player: games, messages and notes."""

from collections.abc import Iterator
from dataclasses import dataclass

from marketpost.play.log.game import Game, GameStatus
from marketpost.play.ports import Ports
from marketpost.play.table.lobby import AT_ONCE
from marketpost.play.table.talk import Message, messages_for, said
from marketpost.store.players import Player


@dataclass(frozen=True, slots=True)
class ExportedGame:
    """What is stored about a player in one game."""

    id: str
    game: Game | None
    """None where the player may not see it: a game that they left is shown again when it is over."""
    messages: list[Message]
    """Messages that the player may read."""
    notes: str
    standing: str
    """The player's own standing orders."""
    ahead: str
    """The player's own orders ahead."""
    preference: str | None
    """Preference for this game."""


def exported_games(ports: Ports, player: Player) -> Iterator[ExportedGame]:
    """Iterate over the games of a player, so that the export can be sent while it is read."""
    notes, preferences = ports.players.notes(player.id), ports.players.preferences(player.id)
    listed = {id for name in ("player", "played") for id in _listed(ports, f"{name}:{player.id}")}
    for id in sorted({*listed, *notes, *preferences, *ports.players.games_talked_in(player.id)}):
        found = ports.sound_game(id)
        game = found if found and _may_see(found, player.id) else None
        talk = messages_for(ports, id, player) if game else [each for each in said(ports, id) if each.player == player.id]
        ahead = ports.games.orders_ahead(id, player.id)
        standing = ports.games.standing_orders(id, player.id)
        yield ExportedGame(id, game, talk, notes.get(id, ""), standing, ahead.orders if ahead else "", preferences.get(id))


def _may_see(game: Game, player: str) -> bool:
    return game.may_see(player) or (game.status == GameStatus.OVER and player in game.began_with)


def _listed(ports: Ports, name: str) -> Iterator[str]:
    place = None
    while page := ports.index.page(name, place, AT_ONCE):
        place = page[-1]
        yield from (id for _, id in page)
