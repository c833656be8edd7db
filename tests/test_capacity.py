"""docs/capacity.md says what the model makes of what was measured; the model is proportional and finds what is full first."""

from dataclasses import replace

import pytest

from tests.capacity.__main__ import DOCUMENT, read_measurement
from tests.capacity.document import page
from tests.capacity.model import SEARCHED_EVERY, Machine, Use, needs
from workers.run import LOOK_EVERYWHERE


def test_the_document_is_what_the_model_says_of_the_measurement() -> None:
    assert DOCUMENT.read_text("utf-8") == page(read_measurement(), Use(), Machine()), "run: python -m tests.capacity --again"


def test_the_model_was_right_about_ten_times_the_games() -> None:
    measured = read_measurement()
    small, large = measured.small, measured.large

    assert large.games == 10 * small.games
    assert large.game_bytes == pytest.approx(large.running * small.costs.game + large.entries * small.costs.entry, rel=0.25)
    assert sum(large.costs.move.values()) == pytest.approx(sum(small.costs.move.values()), rel=0.5)


def test_ten_times_the_use_needs_ten_times_as_much() -> None:
    costs, use = read_measurement().large.costs, Use()
    larger = replace(use, games=10 * use.games, players=10 * use.players, accounts=10 * use.accounts)

    one, ten = needs(costs, use, Machine()), needs(costs, larger, Machine())

    for name in ("game_bytes", "mail_bytes", "account_bytes", "letters_a_day", "streams"):
        assert getattr(ten, name) == pytest.approx(10 * getattr(one, name))
    assert ten.first.ratio == pytest.approx(10 * one.first.ratio)


def test_what_is_full_first_is_named() -> None:
    assert SEARCHED_EVERY == LOOK_EVERYWHERE
    costs = read_measurement().large.costs

    assert "mail" in needs(replace(costs, letter_days=1e9), Use(), Machine()).first.name
    assert "sweeper" in needs(replace(costs, search=1.0), Use(), Machine()).first.name
    assert "queue" in needs(replace(costs, move={"redis: queue": 100.0}, letter_days=0.0), Use(), Machine()).first.name
