"""Orders ahead: orders for one's own next turn, under conditions on what happens until then.

They belong to the player and to one turn of one seat, nobody else sees them, and they are stored as understood, so that they hold nothing
personal. `turn_ahead.py` plays or drops them.
"""

import secrets
from dataclasses import dataclass

from marketpost.play.log.commit import existing
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.turn_ahead import AheadStatus, refusal_of, status_of
from marketpost.play.ports import Ports
from marketpost.play.table.seating import call_deciders
from marketpost.rules.branched_orders import OrdersBranch, is_wanted, notate_ahead, read_ahead, samples
from marketpost.rules.chance import Sealed
from marketpost.rules.conditions import Since, examples
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.words import Words
from marketpost.store.changes import OrdersAhead

LONGEST = 2000
SAMPLES = 40
"""How often the others' turns are played through when orders ahead are left, to see what each branch would do."""


@dataclass(frozen=True, slots=True)
class BranchOutlook:
    """How a branch fared in samples of what may happen until the turn."""

    text: str
    """The branch, in the reader's language."""
    wanted: int
    """Samples in which its conditions held."""
    legal: int
    """Samples of these in which its orders were legal."""
    refusal: Refusal | None
    """Why they were not, in one of the others."""


@dataclass(frozen=True, slots=True)
class LeftAhead:
    """A player's orders ahead, in the reader's language; empty if there are none."""

    text: str = ""
    outlooks: tuple[BranchOutlook, ...] = ()
    samples: int = 0


def leave(ports: Ports, id: str, player: str, text: str, words: Words, *, tries: int = SAMPLES) -> LeftAhead:
    """Store orders ahead for the player's next turn in place of earlier ones, and say how each branch fared in samples.

    Race: the move before that turn may be committed meanwhile. The log is read again after they are stored, and the worker is called if
    their turn is there already.
    """
    game, seat = _table(ports, id, player)
    if len(text) > LONGEST:
        raise Refused("orders-too-long", most=LONGEST)
    branches = read_ahead(game.rules, game.state, text)
    orders = OrdersAhead(seat, game.version, game.state.turn, notate_ahead(game.rules, branches, game.rules.in_language("en")))
    ports.games.set_orders_ahead(id, player, orders)
    if status_of(existing(ports, id), player, orders) != AheadStatus.WAITING:
        call_deciders(ports, id)
    return _sampled(game, seat, branches, words, tries)


def _sampled(game: Game, seat: int, branches: tuple[OrdersBranch, ...], words: Words, tries: int) -> LeftAhead:
    """Try every branch in positions that may arise. Their chance is drawn anew, so that they tell nothing of the game's own."""
    chance = Sealed(secrets.token_bytes(32), "samples")
    found = list(samples(game.rules, game.state, seat, chance, tries))
    outlooks = tuple(_outlook(game, branch, found, words) for branch in branches)
    return LeftAhead(notate_ahead(game.rules, branches, words), outlooks, len(found))


def _outlook(game: Game, branch: OrdersBranch, found: list[Since], words: Words) -> BranchOutlook:
    wanted = [since for since in found if is_wanted(game.rules, since, branch)]
    refusals = [refusal_of(game.rules, since.state, since.seat, branch) for since in wanted]
    text = notate_ahead(game.rules, [branch], words)
    return BranchOutlook(text, len(wanted), refusals.count(None), next((each for each in refusals if each), None))


def look(ports: Ports, id: str, player: str, words: Words) -> str:
    """Read a player's orders ahead in a language; empty if there are none."""
    game, orders = existing(ports, id), ports.games.orders_ahead(id, player)
    return notate_ahead(game.rules, read_ahead(game.rules, game.state, orders.orders), words) if orders else ""


def cancel(ports: Ports, id: str, player: str) -> bool:
    """Take orders ahead back; False if there are none any more, because they were played or dropped."""
    existing(ports, id)
    return ports.games.delete_orders_ahead(id, player)


def sentences(game: Game, words: Words) -> list[str]:
    """List the conditions that a game knows, in a language."""
    return examples(game.rules.conditions, words)


def _table(ports: Ports, id: str, player: str) -> tuple[Game, int]:
    game = existing(ports, id)
    seat = game.seat_of(player)
    if seat is None:
        raise Refused("not-your-game")
    if game.status != GameStatus.RUNNING:
        raise Refused("not-started" if game.status == GameStatus.OPEN else "game-over")
    return game, seat
