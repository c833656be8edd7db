"""Random games with random orders ahead, a few of those that `make fuzz` plays."""

import pytest

from marketpost.play.ports import Ports
from marketpost.rules.ruleset import rulesets
from tests.play.ahead_fuzz import fuzz_ahead


@pytest.mark.parametrize("name", list(rulesets()))
def test_orders_ahead_are_played_in_their_turn_or_dropped_and_told(ports: Ports, name: str) -> None:
    ends = fuzz_ahead(ports, rulesets()[name], 16, seed=5)

    assert ends["played"] + ends["none-fits"] > 5, "chance is drawn anew each time, so which of them is played is not certain"
    assert sum(ends.values()) > 10
