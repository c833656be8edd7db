"""What we play where the printed rules are silent is written down for players, and held by tests that exist."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
RULINGS = (TESTS.parent / "docs" / "rulings.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(test_\w+)`", RULINGS)))
WRITTEN = "\n".join(path.read_text("utf-8") for path in TESTS.glob("**/test_*.py"))


@pytest.mark.parametrize("ruling", [*(f"R{number}" for number in range(1, 7)), *(f"A{number}" for number in range(1, 6))])
def test_every_ruling_stands_beside_what_is_printed(ruling: str) -> None:
    [row] = [line for line in RULINGS.splitlines() if line.startswith(f"| {ruling} |")]
    _, _, printed, question, decided, held, _ = (cell.strip() for cell in row.split("|"))

    assert printed
    assert question.endswith("?")
    assert decided.endswith(".")
    assert held.strip("`") in NAMED


@pytest.mark.parametrize("name", NAMED)
def test_the_test_that_is_said_to_hold_a_ruling_exists(name: str) -> None:
    assert f"def {name}(" in WRITTEN
