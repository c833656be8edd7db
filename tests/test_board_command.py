"""`marketpost board` on a record, without any service."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from marketpost.cli.main import main

RECORDS = sorted(Path(__file__).parent.glob("records/*/*.txt"))


@pytest.mark.parametrize("record", [next(each for each in RECORDS if game in each.parts) for game in ("portobello", "alturien")], ids=str)
def test_a_record_becomes_a_picture(record: Path, tmp_path: Path) -> None:
    svg = tmp_path / "board.svg"
    done = CliRunner().invoke(main, ["board", str(record), "--svg", str(svg), "--theme", "dark"])

    assert done.exit_code == 0, done.output
    assert ElementTree.parse(svg).getroot().get("role") == "img"


def test_a_record_that_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    record = tmp_path / "wrong.txt"
    record.write_text("no record\n")
    done = CliRunner().invoke(main, ["board", str(record), "--png", str(tmp_path / "board.png")])

    assert done.exit_code == 1
    assert f"{record}:1:" in done.output
    assert not (tmp_path / "board.png").exists()


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["board", str(RECORDS[0]), "--svg", str(tmp_path / "no" / "board.svg")])

    assert done.exit_code == 1
    assert "No such file" in done.output
