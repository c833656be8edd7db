"""The page of figures, and how a soak tells what is flat."""

from pathlib import Path

from tests.proof import ABOUT, table, write, write_rows
from tests.prove import SECTIONS, prove
from tests.prove import table as durations
from tests.soak.watch import Watched


def test_a_command_replaces_its_own_section_and_no_other(tmp_path: Path) -> None:
    page = tmp_path / "proof.md"
    write("make soak", ["4711 moves"], 1, page)
    write("make bench", ["fast"], file=page)
    write("make soak", ["0815 moves"], 2, page)

    text = page.read_text("utf-8")
    assert text.index("## make bench") < text.index("fast") < text.index("## make soak") < text.index("0815 moves")
    assert text.count("## ") == 2
    assert "4711 moves" not in text
    assert "seed 2." in text
    assert "seed 1." not in text


def test_a_section_that_fails_is_told_and_the_sum_has_all() -> None:
    sections = {"fair": ("this",), "foul": ("tests.nothing_of_this_name",)}
    proved = [prove(name, 7, sections) for name in sections]

    assert [row[0::3] for row in durations(proved)[1:]] == [("make fair", "passed"), ("make foul", "failed"), ("all", "")]


def test_every_section_of_the_proof_is_explained_and_is_a_command_of_its_own() -> None:
    made = Path(__file__).parents[1].joinpath("Makefile").read_text("utf-8")

    assert {f"make {name}" for name in SECTIONS} <= set(ABOUT)
    assert all(f"\n{name}: setup ##" in made for name in SECTIONS)


def test_rows_measured_in_other_runs_stay_in_the_table(tmp_path: Path) -> None:
    page, head = tmp_path / "proof.md", ["", "won"]
    write_rows("make duel", head, [["red against blue", "3 of 4"]], page)
    write_rows("make duel", head, [["blue against red", "1 of 4"]], page)
    write_rows("make duel", head, [["red against blue", "2 of 2"]], page)

    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]
    assert rows == ["|  | won |", "|---|---|", "| blue against red | 1 of 4 |", "| red against blue | 2 of 2 |"]


def test_a_table_is_markdown() -> None:
    assert table([("what", "figure"), ("a|b", "1")]) == ["| what | figure |", "|---|---|", "| a\\|b | 1 |"]


def test_a_process_that_grows_by_a_tenth_is_named_and_the_games_are_not() -> None:
    flat, growing = [100.0] * 9, [100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 120.0, 120.0, 120.0]
    sizes = {"worker": flat, "api": growing, "redis: games": growing}
    watched = Watched(memory={name: list(enumerate(each)) for name, each in sizes.items()})

    assert watched.growing() == ["api"]


def test_moves_a_second_are_told_over_several_looks() -> None:
    watched = Watched(at=[0.0, 1.0, 2.0, 4.0, 6.0], applied=[0, 10, 20, 30, 40])

    assert watched.rates(2) == [(2.0, 10.0), (6.0, 5.0)]
