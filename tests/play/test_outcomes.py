"""What is kept of a refused move is what a person can read, on every board and in every position."""

import random

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.decide import MOST_TOLD
from marketpost.play.moves.submit import OutcomeStatus, outcome, submit
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.bots import bot
from marketpost.rules.ruleset import rulesets
from tests.games import decide, deciding, sealed

MOVES = 30
MOST_BYTES = 4_000


@pytest.mark.parametrize("rules", rulesets())
def test_an_outcome_names_some_legal_steps_and_counts_all_of_them(ports: Ports, ann: str, ben: str, rules: str) -> None:
    people, dice, counts = [ann, ben], random.Random(7), []
    open_game(ports, "game", ann, rules, [SeatPlan(player=player) for player in people], {})
    for number in range(MOVES):
        game = ports.game("game")
        assert game is not None
        seat = game.deciders[0]
        steps = list(game.rules.legal(game.state, seat))
        wrong = submit(ports, game, people[seat], dice.choice(["fly", "-", "stall Z-Z", "buy zz"]), f"wrong {number}")
        submit(ports, game, people[seat], bot(game.rules, "random")(game.state, seat, sealed(number)), f"right {number}")
        decide(ports, ["game"], deciding())

        refused = outcome(ports, "game", wrong)
        assert refused is not None
        assert refused.status == OutcomeStatus.REFUSED
        assert (refused.legal, refused.legal_count) == (steps[:MOST_TOLD], len(steps))
        assert len(ports.games.outcome("game", wrong) or b"") < MOST_BYTES
        counts.append(len(steps))
    assert max(counts) > 1
