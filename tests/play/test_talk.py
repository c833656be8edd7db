"""Table talk belongs to whoever said it: it goes with them, wherever it lies."""

from pathlib import Path

import pytest

from marketpost.play.keeping.backup import archive, restore_archived
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.erasure import erase
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import cancel
from marketpost.play.table.seating import open_game, resign
from marketpost.play.table.talk import said, say
from marketpost.rules.ruleset import rulesets
from tests.play.over import everything


@pytest.mark.parametrize("rules", rulesets())
def test_what_somebody_said_goes_with_them_even_where_they_sit_no_more(ports: Ports, ann: str, ben: str, rules: str) -> None:
    game = open_game(ports, "g1", ben, rules, [SeatPlan(player=ben), SeatPlan(player=ann)], {})
    say(ports, game, ann, "my secret recipe")
    say(ports, game, ben, "nice weather")
    resign(ports, "g1", ann)

    erase(ports, ann)

    assert [each.text for each in said(ports, "g1")] == ["nice weather"]
    assert not [each for each in everything(ports) if b"recipe" in each]
    verify("g1", *ports.log_and_head("g1"))


def test_what_lies_in_an_archive_comes_back_without_it(ports: Ports, ann: str, ben: str, tmp_path: Path) -> None:
    game = open_game(ports, "g1", ben, "portobello", [SeatPlan(player=ben), SeatPlan(player=ann), SeatPlan()], {})
    say(ports, game, ann, "my secret recipe")
    cancel(ports, "g1", ben)
    ports.games.delivered({"g1": ports.games.work({"g1": 0})["g1"].notices})
    assert archive(ports, tmp_path / "old", ports.clock() + 1000) == ["g1"]
    erase(ports, ann)

    assert restore_archived(ports, tmp_path / "old") == ["g1"]

    assert said(ports, "g1") == []
