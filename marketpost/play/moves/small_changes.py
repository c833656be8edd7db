"""Find legal orders that are one small change away from refused ones. They are only proposed; nothing is played by itself."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import branches, legal_after
from marketpost.rules.refusal import Refused
from marketpost.rules.words import Words, fold, tokens

MOST_PROPOSED = 3
MOST_TRIED = 12
"""Changes that are judged; it bounds the time that refused orders cost."""
NUMBER = re.compile(r"\d+ ?:?")
"""A step that is nothing but a number, such as the tile of a turn."""


def small_changes(game: Game, seat: int, orders: str, words: Words) -> list[str]:
    """Return orders in the player's language that differ from refused ones in one step and are legal whatever chance brings.

    A number that is missing before the wrong step is put there, or its places are named the other way round.
    """
    if game.state is None or seat not in game.deciders:
        return []
    try:
        steps = game.rules.parse(orders)
    except Refused:
        return []
    wrong = _wrong_step(game, seat, orders)
    if not isinstance(steps, tuple) or not wrong or wrong > len(steps):
        return []
    tried = islice(_changed(game, seat, steps, wrong - 1), MOST_TRIED)
    legal = (game.rules.notate(game.rules.parse(each), words) for each in tried if _wrong_step(game, seat, each) is None)
    return list(islice(dict.fromkeys(legal), MOST_PROPOSED))


def _wrong_step(game: Game, seat: int, orders: str) -> int | None:
    """Return the number of the first step that is refused in some branch of chance; None if all are legal."""
    refused = [branch.refusal for branch in branches(game.rules, game.state, seat, orders) if branch.refusal]
    return min((refusal.step for refusal in refused), default=None)


def _changed(game: Game, seat: int, steps: tuple[Any, ...], place: int) -> Iterator[str]:
    """Yield the orders with one legal step in place of the wrong one, or a number before it."""
    before, wrong, after = (
        game.rules.notate(part) if part else "" for part in (steps[:place], steps[place : place + 1], steps[place + 1 :])
    )
    for legal in legal_after(game, seat, branches(game.rules, game.state, seat, before)) if before else game.rules.legal(game.state, seat):
        if NUMBER.fullmatch(legal):
            yield _joined(before, legal, wrong, after)
        elif _are_reversed(legal, wrong):
            yield _joined(before, legal, after)


def _are_reversed(one: str, other: str) -> bool:
    """Whether two steps name the same, in another order."""
    first, second = ([fold(token) for token in tokens(step)] for step in (one, other))
    return first != second and sorted(first) == sorted(second)


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
