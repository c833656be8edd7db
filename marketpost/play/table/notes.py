"""What players note for themselves about a game. Nobody else sees it, and no log knows it."""

from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused

LONGEST = 10_000


def noted(ports: Ports, game: Game, player: str) -> str:
    return ports.players.noted(player, game.id)


def note(ports: Ports, game: Game, player: str, text: str) -> str:
    """From now on this is what is noted."""
    if len(text) > LONGEST:
        raise Refused("notes-too-long", most=LONGEST)
    ports.players.note(player, game.id, text.strip())
    return noted(ports, game, player)


def add_note(ports: Ports, game: Game, player: str, text: str) -> str:
    """One more line, unless it is the last one already: a mail that is read twice notes once."""
    before = noted(ports, game, player)
    if before.splitlines()[-1:] == [text]:
        return before
    return note(ports, game, player, f"{before}\n{text}" if before else text)
