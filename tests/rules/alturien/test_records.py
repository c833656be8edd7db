"""Recorded games, made by an engine written apart from ours, replay to the last Réal; and ours can be written down again."""

from pathlib import Path

import pytest

from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.start import parse_turn
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Setting
from tests.games import play_to_the_end
from tests.rules.alturien.positions import LOOPS

RECORDS = sorted((Path(__file__).parents[2] / "records" / "alturien").glob("*.txt"))
HEAD = "marketpost record 1\nrules: alturien\nboard: alturien-classic\noption: setup=manual\nseats: yellow green\n---\n"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_replays_and_can_be_written_again(path: Path) -> None:
    done = replay(records.read(path.read_text("utf-8")))
    text = records.write(RULESET, done.played, done.record.names)
    again = replay(records.read(text))

    assert again.state == done.state
    assert again.turns == done.turns
    assert records.write(RULESET, again.played, again.record.names) == text


def test_there_are_records() -> None:
    assert len(RECORDS) >= 12


@pytest.mark.parametrize("options", [{"setup": "auto"}, {"setup": "manual", "expansion": "on"}])
def test_games_on_a_board_of_ones_own_can_be_written_and_read(options: dict[str, str]) -> None:
    state, played = play_to_the_end(RULESET, Setting(RULESET.colours[:3], LOOPS, None, options), 4)

    done = replay(records.read(records.write(RULESET, played), lambda _: LOOPS))

    assert done.state == state


def opened_record() -> str:
    text = (RECORDS[0]).read_text("utf-8").split("\n")
    return "\n".join(line for line in text[: text.index("4 green pass {yellow 6+0, green 7+0}") + 1] if not line.startswith("!"))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("5 yellow i2-i4-i7>j7", "outcome-missing"),
        ("5 yellow roll 6: i2-i4-i7>j7", "outcome-impossible"),
        ("5 yellow roll 5,4: i2-i4-i7>j7", "outcome-unused"),
        ("5 yellow roll 5: i2-i4-i7>j7; roll 4: pass", "outcome-unused"),
        ("5 yellow roll 5: i2-i4-i7>j7; pass; roll 4:", "outcome-unused"),
        ("5 green roll 5:", "record-refused"),
        ("5 green roll 5: i2-i4-i7>j7", "record-refused"),
        ("6 yellow roll 5: i2-i4-i7>j7", "record-turn"),
        ("5 yellow roll 5: stuck", "record-refused"),
        ("5 yellow roll 5: i2-i4-i7>j7 {yellow 12+0, green 7+0}", "record-score"),
        ("! route-broken: yellow roll 5: i2-i4-i7>j7", "record-not-refused"),
        ("! not-now: yellow roll 5: pass", "record-refused-otherwise"),
    ],
)
def test_what_makes_a_record_wrong(line: str, code: str) -> None:
    with pytest.raises(records.RecordWrong) as wrong:
        replay(records.read(f"{opened_record()}\n{line}\n"))

    assert wrong.value.code == code


@pytest.mark.parametrize(
    "line", ["5 yellow roll 5:", "5 yellow roll 5: i2-i4-i7>j7", "! not-your-turn: green pass", "5 yellow roll 1-3: i2-i3"]
)
def test_a_running_game_may_stop_anywhere(line: str) -> None:
    done = replay(records.read(f"{opened_record()}\n{line}\n"))
    again = replay(records.read(records.write(RULESET, done.played)))

    assert again.state == done.state


def test_a_roll_after_the_thief_may_stand_unanswered_in_its_line() -> None:
    text = RECORDS[0].read_text("utf-8").split("\n")
    before = "\n".join(text[: text.index("6 green roll 2: t:g4-e4>e3 {yellow 11+0, green 7+0}")])

    done = replay(records.read(f"{before}\n6 green roll 2: t:g4-e4>e3; roll 1:\n"))

    assert done.state.dice == ("1",)
    assert replay(records.read(records.write(RULESET, done.played))).state == done.state


def test_rolls_are_read_in_records_only() -> None:
    assert parse_turn("roll 4,1-3: c1-g1; roll 2: buy b1") == ("c1-g1;  buy b1", ["4", "1-3", "2"])
    state = replay(records.read(opened_record())).state

    verdict = RULESET.judge(state, 0, "roll 4: c1-g1", None)

    assert verdict.refusal
    assert verdict.refusal.code == "unreadable-order"


def test_a_set_up_can_be_told_and_played_on() -> None:
    done = replay(records.read(HEAD + "0 green customer duke a1>a2\n"))

    assert RULESET.deciders(done.state) == (0,)
