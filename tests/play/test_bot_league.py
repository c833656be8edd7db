"""Bots play each other on one machine, and the table follows from the logs alone."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from marketpost.cli.league_commands import league as command
from marketpost.rules.ruleset import rulesets

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot_lines.py"
SILENT = "import sys\nfor line in sys.stdin: sys.stdin.readline()"
WRONG = "import sys\nfor line in sys.stdin: print('fly to the moon', flush=True)"
ENDS = "raise SystemExit"


def league(*arguments: object) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments)])


def tables(*files: Path) -> dict[str, Any]:
    done = league("table", "--json", *files)
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_same_seed_gives_the_same_table_and_logs_of_several_leagues_add_up(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.zst", "again.zst", "other.zst")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        done = league("run", "--games", 4, "--seed", seed, "--logs", file, "random", "greedy")
        assert done.exit_code == 0, done.stderr
        assert "8 games replayed" in done.stdout
    one, again, both = tables(files[0]), tables(files[1]), tables(*files)

    assert one == again
    assert (one["faults"], one["tables"].keys()) == ([], rulesets().keys())
    assert {row["bot"]: row["games"] for row in both["tables"]["portobello"]} == {"greedy": 8, "random": 8}, "the first counts once"
    assert all(rows[0]["bot"] == "greedy" for rows in both["tables"].values())
    assert all(row["between"][0] < row["rating"] < row["between"][1] for rows in both["tables"].values() for row in rows)


def test_a_program_plays_by_lines_of_json(tmp_path: Path) -> None:
    file = tmp_path / "league.zst"
    done = league("run", "--games", 2, "--logs", file, "greedy", f"mine={sys.executable} {EXAMPLE} stall buy")

    assert done.exit_code == 0, done.stderr
    assert all({row["bot"]: row["games"] for row in rows} == {"greedy": 2, "mine": 2} for rows in tables(file)["tables"].values())


def test_a_table_may_be_read_in_part(tmp_path: Path) -> None:
    league("run", "--games", 2, "--rules", "portobello", "--logs", tmp_path / "league.zst", "random", "greedy")
    reader, writer = os.pipe()
    os.close(reader)
    read = [sys.executable, "-c", "from marketpost.cli.league_commands import league; league()", "table", tmp_path / "league.zst"]

    done = subprocess.run(read, check=False, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)

    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("program", [SILENT, WRONG, ENDS], ids=["silent", "wrong", "ends"])
def test_a_program_that_gives_no_legal_orders_loses(tmp_path: Path, program: str) -> None:
    script, file = tmp_path / "bot.py", tmp_path / "league.zst"
    script.write_text(program)
    done = league(
        "run", "--games", 2, "--rules", "portobello", "--seconds", 0.3, "--logs", file, "random", f"bad={sys.executable} {script}"
    )

    assert done.exit_code == 0, done.stderr
    assert {row["bot"]: row["won"] for row in tables(file)["tables"]["portobello"]} == {"random": 2, "bad": 0}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["greedy"], "2 seats need as many different bots"),
        (["greedy", "greedy"], "2 seats need as many different bots"),
        (["greedy", "genius"], "genius"),
        (["greedy", "=x"], "neither"),
        (["greedy", "mine=/nowhere/bot"], "/nowhere/bot"),
        (["greedy", "random", "--players", "9"], "9"),
        (["greedy", "random", "--rules", "chess"], "chess"),
    ],
)
def test_a_league_that_cannot_be_played_says_why(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = league("run", "--games", 1, "--logs", tmp_path / "league.zst", *arguments)

    assert done.exit_code != 0
    assert said in done.stderr
    assert isinstance(done.exception, SystemExit)
    assert not list(tmp_path.iterdir())


def test_a_table_of_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "league.zst"
    file.write_bytes(b"no logs")

    assert "holds no games" in league("table", file).stderr
