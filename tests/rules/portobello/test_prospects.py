"""What a bot expects of a position in which the game goes on."""

from dataclasses import replace

import pytest

from marketpost.rules.portobello.bots import prospects
from marketpost.rules.portobello.state import Tile
from tests.rules.portobello.positions import FOUR_IS_FULL, position


@pytest.mark.parametrize("players", [2, 4])
def test_tiles_that_may_still_mark_and_stalls_left_count(players: int) -> None:
    now = position(FOUR_IS_FULL, players=players)
    neutral = tuple(Tile(tile.number, own=False, open=tile.open) for tile in now.tiles[0])
    marked = replace(now, tiles=[neutral, *now.tiles[1:]])
    fewer = replace(now, stalls=[now.stalls[0] - 1, *now.stalls[1:]])

    assert prospects(marked)[0] < prospects(now)[0]
    assert prospects(fewer)[0] < prospects(now)[0]
    assert prospects(marked)[1:] == prospects(now)[1:]
