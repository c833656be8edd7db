"""Lines tried on a private copy of a game: chance is chosen by the reader, and the game itself stays as it is."""

import random
from fractions import Fraction

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.moves.what_if import SupposedMove, TriedLine, read_line, try_line
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets


def begun(ports: Ports, ann: str, ben: str, rules: str) -> Game:
    chosen = {"options": {"bobby_placer": "first"}} if rules == "portobello" else {}
    return open_game(ports, f"if-{rules}", ann, rules, [SeatPlan(player=ann), SeatPlan(player=ben)], chosen)


@pytest.mark.parametrize("name", list(rulesets()))
def test_a_line_goes_on_as_long_as_its_reader_chooses_what_chance_brings(ports: Ports, ann: str, ben: str, name: str) -> None:
    game, rng, moves, draws = begun(ports, ann, ben, name), random.Random(3), list[SupposedMove](), 0
    rules, before = game.rules, game.rules.document(game.state, 0)
    line = try_line(game, game.version, moves)
    while len(moves) < 25:
        if line.open:
            assert sum(chance for _, chance in line.open) == 1
            moves[-1] = SupposedMove(moves[-1].orders, (*moves[-1].outcomes, rng.choice(line.open)[0]))
            draws += 1
        else:
            moves.append(SupposedMove(rng.choice(rules.legal(line.state, rules.deciders(line.state)[0]))))
        line = try_line(game, game.version, moves)
        assert not any(move.refusal for move in line.moves)

    assert draws, "something was drawn"
    assert rules.document(game.state, 0) == before
    assert ports.games.read(game.id)[-1].version == game.version, "nothing was written"


def test_an_open_draw_says_how_likely_each_outcome_is(ports: Ports, ann: str, ben: str) -> None:
    line = try_from(begun(ports, ann, ben, "portobello"), "bobby 1\n3: customer A")

    assert {outcome for outcome, _ in line.open} == {"clerk", "citizen"}
    assert sum((chance for _, chance in line.open), Fraction(0)) == 1


def try_from(game: Game, text: str) -> TriedLine:
    return try_line(game, game.version, read_line(text))


def test_a_refused_move_ends_the_line_and_an_impossible_outcome_is_refused(ports: Ports, ann: str, ben: str) -> None:
    game = begun(ports, ann, ben, "portobello")

    line = try_from(game, "bobby 1\n9:\n3:")
    assert [move.refusal.code if move.refusal else "" for move in line.moves] == ["", "tile-not-open"]
    for wrong in ("bobby 1 => clerk", "bobby 1\n3: customer A => lord"):
        with pytest.raises(Refused) as refused:
            try_from(game, wrong)
        assert refused.value.code == "no-such-outcome"
