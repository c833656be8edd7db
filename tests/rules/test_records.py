"""Recorded games replay to the last point, and a record that is wrong says in which line."""

from pathlib import Path

import pytest

from marketpost.rules import records
from marketpost.rules.records import RecordWrong
from marketpost.rules.replay import Replay, replay
from marketpost.rules.ruleset import rulesets
from tests.rules.recorded import FIRST, RECORDS, RUNNING, SHARED

FILES = sorted(RECORDS.glob("**/*.txt"))


def played(text: str) -> Replay:
    return replay(records.read(text))


def fault(text: str) -> tuple[str, int]:
    """Why a record is wrong, and where."""
    with pytest.raises(RecordWrong) as wrong:
        played(text)
    return wrong.value.code, wrong.value.line


def with_line(number: int, line: str, text: str = RUNNING) -> str:
    lines = text.splitlines()
    lines[number - 1 : number] = line.split("\n")
    return "\n".join(lines) + "\n"


def with_more(*lines: str, text: str = RUNNING) -> str:
    return text + "\n".join(lines) + "\n"


def last_line(text: str) -> int:
    return len(text.splitlines())


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(RECORDS)))
def test_a_recorded_game_replays_to_the_last_point(file: Path) -> None:
    done = played(file.read_text("utf-8"))

    assert done.record.rules.winners(done.state) or done.record.end is None


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(RECORDS)))
def test_a_record_written_again_tells_the_same_game(file: Path) -> None:
    done = played(file.read_text("utf-8"))

    again = played(records.write(done.record.rules, done.played, done.record.names))

    assert again.state == done.state
    assert (again.turns, again.record.names) == (done.turns, done.record.names)


@pytest.mark.parametrize("game", sorted(rulesets()))
def test_every_game_has_recorded_games(game: str) -> None:
    assert [file for file in FILES if file.parent.name == game]


def test_a_running_record_replays_as_far_as_it_goes() -> None:
    done = played(RUNNING)

    assert (done.turns, done.state.turn, done.state.used) == (2, 3, 0)
    assert done.record.names == {"red": "Ann"}


def test_comments_and_blank_lines_are_nothing() -> None:
    assert played("# my best game\n\n" + RUNNING.replace("{red 11, yellow 9}", "{red 11, yellow 9} # ouch")).state == played(RUNNING).state


def test_checks_may_be_left_out_and_the_bobby_may_be_sent_without_a_route() -> None:
    bare = RUNNING.replace(" {red 10, yellow 10}", "").replace(" {red 11, yellow 9}", "").replace("bobby 3-4", "bobby 4")

    assert played(bare).state == played(RUNNING).state


# Wrong records


@pytest.mark.parametrize(
    ("line", "told", "code"),
    [
        (7, "0 yellow bobby 3 {red 9, yellow 10}", "record-score"),
        (8, "1 red 2: stall B-F; customer C=clerk {red 10, yellow 11}", "record-score"),
        (8, "1 red 2: stall B-F; customer C=clerk {red 10}", "record-braces"),
        (8, "1 red 2: stall B-F; customer C=clerk {red 10, blue 10}", "record-braces"),
        (8, "1 red 2: stall B-F; customer C=clerk {red, yellow 10}", "record-line"),
        (8, "1 red 2: stall B-F; customer C=clerk {red 10, red 10}", "record-line"),
        (8, "2 red 2: stall B-F; customer C=clerk", "record-turn"),
        (8, "0 red 2: stall B-F; customer C=clerk", "record-turn"),
        (8, "1 yellow 2: stall B-F; customer C=clerk", "record-refused"),
        (8, "1 green 2: stall B-F; customer C=clerk", "unknown-colour"),
        (8, "1 red 2: stall BF; customer C=clerk", "record-refused"),
        (8, "1 red 2: stall B-F; wait", "record-refused"),
        (8, "1 red", "record-refused"),
        (8, "1 red 2: stall B-F; customer C", "outcome-missing"),
        (8, "1 red 2: stall B-F; customer", "outcome-missing"),
        (8, "1 red 2: stall B-F; customer C=lord", "outcome-impossible"),
        (8, "1 red 2: stall B-F; customer C=dragon", "outcome-impossible"),
        (8, "1 red 2: stall B-F=clerk; stall BF", "outcome-unused"),
        (9, "! not-your-turn: yellow 3: stall A-D", "record-refused-otherwise"),
        (9, "! lane-full: red 3: stall B-F", "record-refused-otherwise"),
        (9, "! not-your-turn: yellow 3: bobby 4", "record-not-refused"),
        (9, "! place-first: yellow 3: customer; stall BF", "outcome-missing"),
        (9, "! not-your-turn: blue 3: stall B-F", "unknown-colour"),
        (9, "! not-your-turn red 3: stall B-F", "record-line"),
        (9, "! not-your-turn: red 3: stall B-F {red 10, yellow 10}", "record-line"),
        (9, "then red wins", "record-line"),
        (9, "red 3: stall B-F", "record-line"),
        (9, "---", "record-line"),
        (9, "end", "record-line"),
        (9, "end {red 10, yellow 10}", "record-line"),
    ],
)
def test_a_wrong_line_is_found_where_it_stands(line: int, told: str, code: str) -> None:
    assert fault(with_line(line, told)) == (code, line)


def test_the_bag_holds_five_of_each_kind() -> None:
    draws = [f"{turn} {colour} 4: {orders}" for turn, colour, orders in (
        (1, "red", "; ".join(f"customer {square}=clerk" for square in "ABCD")),
        (2, "yellow", "; ".join(f"customer {square}=clerk" for square in "EF")),
    )]  # fmt: skip
    text = "\n".join([*RUNNING.splitlines()[:7], *draws]) + "\n"

    assert fault(text) == ("outcome-impossible", 9)


@pytest.mark.parametrize(
    ("line", "told", "code"),
    [
        (1, "marketpost record 2", "record-title"),
        (1, "dear friend", "record-title"),
        (2, "rule: portobello", "record-head"),
        (3, "rules: portobello", "record-head"),
        (4, "edition de", "record-head"),
        (4, "option: customers", "record-head"),
    ],
)
def test_a_wrong_line_of_the_head_is_found_where_it_stands(line: int, told: str, code: str) -> None:
    assert fault(with_line(line, told)) == (code, line)


@pytest.mark.parametrize(
    ("line", "told", "code"),
    [
        (2, "rules: chess", "unknown-rules"),
        (3, "board: portobello-giant", "unknown-board"),
        (4, "edition: en", "unknown-edition"),
        (4, "option: weather=rain", "unknown-option"),
        (4, "option: lord=never", "bad-option"),
        (4, "option: customers=queue", "outcome-missing"),
        (4, "option: customers=queue\nqueue: clerk clerk clerk clerk clerk clerk", "outcome-impossible"),
        (4, "queue: clerk", "outcome-unused"),
        (5, "seats: red pink", "unknown-colour"),
        (5, "seats: red", "players-number"),
        (5, "seats: red, yellow", "record-head"),
        (5, "seats: red yellow red", "colour-twice"),
        (5, "# nobody plays", "record-head-missing"),
        (3, "# no board", "record-head-missing"),
    ],
)
def test_a_set_up_that_cannot_be_is_a_fault_of_the_head(line: int, told: str, code: str) -> None:
    text = with_line(line, told)
    found, where = fault(text)

    assert found == code
    assert where <= text.splitlines().index("---") + 1


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing", "\x00\x01\x02", "\ud800"])
def test_an_empty_file_or_junk_is_no_record(text: str) -> None:
    assert fault(text)[0] == "record-title"


def test_a_record_needs_its_rule() -> None:
    assert fault(RUNNING.replace("---\n", "")) == ("record-no-rule", 10)


def test_a_record_that_says_too_early_that_the_game_is_over_is_wrong() -> None:
    text = with_more("end {red 11, yellow 9} wins red")

    assert fault(text) == ("record-still-running", 12)


def finished() -> str:
    return FIRST.read_text("utf-8")


def test_a_game_that_is_over_needs_its_end_line() -> None:
    text = finished().partition("\nend {")[0]

    assert fault(text) == ("record-end-missing", last_line(text))


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("end {red 113, yellow 126} wins yellow", "record-score"),
        ("end {red 113} wins yellow", "record-braces"),
        ("end {red 113, yellow 127} wins red", "record-winners"),
        ("end {red 113, yellow 127} wins red yellow", "record-winners"),
        ("end {red 113, yellow 127} wins nobody", "record-winners"),
    ],
)
def test_the_end_line_must_be_right(end: str, code: str) -> None:
    line = last_line(finished())

    assert fault(with_line(line, end, finished())) == (code, line)


@pytest.mark.parametrize("more", ["27 red 3: stall B-F", "end {red 113, yellow 127} wins yellow", "! game-over: red 3: end", "thanks!"])
def test_nothing_follows_the_end_line(more: str) -> None:
    assert fault(with_more(more, text=finished())) == ("record-after-end", last_line(finished()) + 1)


def test_comments_may_follow_the_end_line() -> None:
    assert played(with_more("", "# a fine game", text=finished())).turns == 26


def test_a_turn_after_the_last_one_is_refused() -> None:
    line = last_line(finished())
    end = finished().splitlines()[-1]

    assert fault(with_line(line, f"27 red 3: end\n{end}", finished())) == ("record-refused", line)


def test_a_shared_win_is_told_in_seat_order() -> None:
    text = SHARED.read_text("utf-8")

    assert fault(text.replace("wins red yellow", "wins yellow red"))[0] == "record-winners"
