"""Seasons of a league, a Swiss tournament and duplicate tables end as they must, whatever dies meanwhile."""

import pytest

from tests.model.fragile import Stores
from tests.seasons.play import run


@pytest.mark.usefixtures("_from_outside")
def test_three_seasons_a_swiss_and_a_duplicate_round_are_played_without_help(stores: Stores) -> None:
    _, faults = run(stores, 8, "sticks", 1)
    assert faults == []
