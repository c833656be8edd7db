"""How fast the command line starts, where no service answers, against Flask's own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench.measure import Case, Measured, measure

PROGRAMS = Path(sys.executable).parent
STARTS = (["--help"], ["games"])
GOAL = 0.8
"""On an idle core of ours that is a quarter of a second."""


def measured(bar: Any) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory() as home:
        flask = partial(_run, home, ["flask", "--help"])
        for arguments in STARTS:
            bar.update(1)
            ours = partial(_run, home, ["marketpost", *arguments])
            yield measure(Case(f"marketpost {' '.join(arguments)}", ours, 1, "flask --help", flask, 1, GOAL, on_the_wall=True))


def _run(home: str, command: Sequence[str]) -> None:
    """Whether it succeeds or says that nobody is signed in."""
    program, *arguments = command
    subprocess.run([PROGRAMS / program, *arguments], env={**os.environ, "HOME": home}, capture_output=True, check=False)
