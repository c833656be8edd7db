"""`python -m tests.abuse --seed 7`: the tests of this folder, with names drawn by the seed."""

import sys
from collections import Counter
from pathlib import Path

import click
import pytest

from tests import proof


class Counted:
    """Counts the tests by their result."""

    def __init__(self) -> None:
        self.results: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.results[report.outcome] += 1


@click.command()
@proof.seeded
def main(seed: int, to_prove: bool) -> None:
    """Run the tests of abuse."""
    counted = Counted()
    code = pytest.main(["-q", str(Path(__file__).parent), f"--hypothesis-seed={seed}"], [counted])
    if to_prove:
        told = [(name, f"{count:,}") for name, count in sorted(counted.results.items())]
        proof.write("make abuse", proof.table([("tests", "how many"), *told]), seed)
    sys.exit(code)


if __name__ == "__main__":
    main()
