"""Recorded games replay to the last point, and a record that is wrong says in which line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from rules import records
from rules.records import RecordWrong
from rules.replay import Replay, replay
from rules.ruleset import rulesets

RECORDS = Path(__file__).parents[1] / "records"
FILES = sorted(RECORDS.glob("**/*.txt"))
FIRST = RECORDS / "portobello" / "001-2p-de.txt"
SHARED = RECORDS / "portobello" / "013-2p-it-shared-win.txt"

RUNNING = """\
marketpost record 1
rules: portobello
board: portobello-classic
edition: de
seats: red (Ann) yellow
---
0 yellow bobby 3 {red 10, yellow 10}
1 red 2: stall B-F; customer C=clerk {red 10, yellow 10}
! not-your-turn: red 3: stall B-F
2 yellow 3: bobby 3-4; stall BF; customer=citizen {red 11, yellow 9}
2 yellow place D; stall BF
"""
"""A game in its third turn; the lines that follow the rule are 7 to 11."""


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


# Through the command


def command(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)], input=stdin)


def test_the_command_says_how_a_game_ended() -> None:
    result = command(FIRST)

    assert (result.output, result.exit_code) == (f"ok {FIRST}: 26 turns, yellow wins\n", 0)


def test_the_command_says_that_a_game_runs(tmp_path: Path) -> None:
    file = tmp_path / "running.txt"
    file.write_text(RUNNING, "utf-8")

    result = command(file)

    assert (result.output, result.exit_code) == (f"ok {file}: 2 turns, running\n", 0)


def test_the_command_tells_a_shared_win() -> None:
    assert command(SHARED).output == f"ok {SHARED}: 28 turns, red and yellow win\n"


def test_the_command_says_which_line_is_wrong_and_why(tmp_path: Path) -> None:
    file = tmp_path / "wrong.txt"
    file.write_text(RUNNING.replace("{red 11, yellow 9}", "{red 10, yellow 9}"), "utf-8")

    result = command(file)

    assert (result.output, result.exit_code) == (f"{file}:10: red has 11, the record says 10\n", 1)


def test_one_wrong_file_spoils_the_exit_status_but_not_the_others(tmp_path: Path) -> None:
    junk = tmp_path / "junk.txt"
    junk.write_bytes(bytes(range(256)))

    result = command(junk, FIRST, tmp_path / "missing.txt")

    first, second, third = result.output.splitlines()
    assert first.startswith(f"{junk}:1: A record begins with")
    assert second == f"ok {FIRST}: 26 turns, yellow wins"
    assert third.startswith(f"{tmp_path / 'missing.txt'}: ")
    assert result.exit_code == 1


def test_the_command_reads_standard_input() -> None:
    result = command("-", stdin=finished())

    assert (result.output, result.exit_code) == ("ok -: 26 turns, yellow wins\n", 0)


@pytest.mark.parametrize("junk", [b"", b"\xff\xfe\x00", b"\x89PNG\r\n\x1a\n" * 1000])
def test_junk_on_standard_input_is_refused_not_crashed_on(junk: bytes) -> None:
    result = command("-", stdin=junk)

    assert result.output.startswith("-:1: A record begins with")
    assert result.exit_code == 1


def test_the_command_reads_a_file_saved_by_an_old_windows_editor(tmp_path: Path) -> None:
    file = tmp_path / "windows.txt"
    file.write_bytes(b"\xef\xbb\xbf" + RUNNING.replace("\n", "\r\n").encode())

    assert command(file).output == f"ok {file}: 2 turns, running\n"


def test_the_command_prints_the_last_position_as_json() -> None:
    result = command("--json", FIRST)
    position: dict[str, Any] = json.loads(result.output)

    assert result.exit_code == 0
    assert position["scores"] == {"red": 113, "yellow": 127}
    assert position["winners"] == ["yellow"]
    assert position["bobby"] == 4
    assert position["neutral"] == [2, 1, 1, 1, 1]
    assert position["marks"]["9"] == {"colour": "red", "tile": 4}
    assert position["squares"]["B"] == "citizen"
    assert position["bag"] == {"citizen": 0, "clerk": 0}
    assert sum(len([seat for seat in spaces if seat]) for spaces in position["lanes"].values()) + sum(position["stalls"].values()) == 60


def test_a_wrong_record_prints_no_json() -> None:
    result = command("--json", "-", stdin="nothing")

    assert (result.stdout, result.exit_code) == ("", 1)
    assert result.stderr.startswith("-:1: ")


def test_a_record_on_a_board_of_ones_own_is_replayed_with_its_file(tmp_path: Path) -> None:
    board = json.loads((Path(records.__file__).parent / "portobello/boards/portobello-classic.json").read_text("utf-8"))
    (tmp_path / "mine.json").write_text(json.dumps(board | {"name": "mine"}), "utf-8")
    file = tmp_path / "game.txt"
    file.write_text(RUNNING.replace("portobello-classic", "mine"), "utf-8")

    assert command(file).output == f"ok {file}: 2 turns, running\n"
    assert command("--board", tmp_path / "mine.json", "-", stdin=file.read_text("utf-8")).exit_code == 0
    assert command("-", stdin=file.read_text("utf-8")).exit_code == 1


def test_the_command_needs_a_file() -> None:
    assert command().exit_code == 2
