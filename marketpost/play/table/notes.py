"""Private notes of a player about a game. Nobody else sees them, and the log does not have them."""

from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused

LONGEST = 10_000


def noted(ports: Ports, game: Game, player: str) -> str:
    """Read a player's notes about a game."""
    return ports.players.notes_on(player, game.id)


def note(ports: Ports, game: Game, player: str, text: str) -> str:
    """Replace a player's notes about a game."""
    if len(text) > LONGEST:
        raise Refused("notes-too-long", most=LONGEST)
    ports.players.set_notes(player, game.id, text.strip())
    return noted(ports, game, player)


def add_note(ports: Ports, game: Game, player: str, text: str) -> str:
    """Add a line to a player's notes, unless it is the last line already: a message that is read twice adds it once."""
    before = noted(ports, game, player)
    if before.splitlines()[-1:] == [text]:
        return before
    return note(ports, game, player, f"{before}\n{text}" if before else text)
