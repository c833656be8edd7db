"""`marketpost replay` tells how a recorded game ended, or which line is wrong and why."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from marketpost.cli.main import main
from marketpost.rules import records
from tests.rules.recorded import FIRST, RUNNING, SHARED


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
    result = command("-", stdin=FIRST.read_text("utf-8"))

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
