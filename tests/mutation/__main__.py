"""`python -m tests.mutation --number 300 --seed 7`: put faults into a copy of the core and see which the tests do not notice.

Runs that were ended go on where they stopped: who was killed is not tried again as long as the file and the seed are the same.
"""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import Queue

import click

from tests import proof
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.which_tests import SOURCES, WRITTEN, Watched, read

ROOT = Path(__file__).parents[2]
COPIED = ("marketpost", "api", "workers", "templates", "tests", "docs", "examples", "openapi.yaml", "pyproject.toml", "README.md")
KNOWN = Path(__file__).with_name("survivors.toml")
"""Mutants that no test can or need notice, with the reason."""
KILLED = ROOT / "build"
GOAL = 0.95
SPARE = 60.0
"""Seconds a run may take beyond three times that of the unchanged source, before it counts as hanging."""
CONTRACT = (
    "tests/rules/test_contract.py",
    "tests/rules/test_records.py",
    "tests/rules/test_previews.py",
    "tests/rules/test_levels.py",
    "tests/rules/test_conditions.py",
)
TABLES = tuple(
    f"tests/play/{name}"
    for name in ("test_undo.py", "test_outcomes.py", "test_together.py", "test_seats.py", "test_broken.py", "standing", "clock")
)
DRAWN = {"picture", "pictures", "draw", "svg", "chart", "map_layout", "text_layout"}
SHOWN = frozenset(DRAWN | {"story", "guide", "tutorial", "motion", "motions", "bots"})
"""Parts of the rules that show a game, or choose among legal steps, and decide nothing."""


@dataclass(frozen=True, slots=True)
class Area:
    """Sources that the same tests watch over, and their part of all mutants."""

    share: float
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: frozenset[str] = field(default_factory=frozenset)

    def files(self) -> list[Path]:
        """List the sources, below the project's folder."""
        found = [file.relative_to(ROOT) for pattern in self.sources for file in sorted(ROOT.glob(pattern))]
        return [file for file in found if file.stem not in self.left_out]


AREAS = {
    "rules of Portobello Market": Area(
        0.2, ("marketpost/rules/portobello/*.py",), ("tests/rules/portobello", *CONTRACT, "tests/rules/test_places.py"), SHOWN
    ),
    "rules of Alturien": Area(
        0.2, ("marketpost/rules/alturien/*.py",), ("tests/rules/alturien", *CONTRACT, "tests/rules/test_places.py"), SHOWN
    ),
    "what both games share": Area(
        0.15, ("marketpost/rules/*.py",), ("tests/rules", "tests/play/test_chance.py", "tests/play/standing"), SHOWN
    ),
    "log and decision": Area(
        0.2,
        ("marketpost/play/log/*.py", "marketpost/play/moves/decide.py"),
        ("tests/play/test_log.py", "tests/logs", *TABLES),
    ),
    "scripts of the store": Area(
        0.25,
        ("marketpost/store/game_scripts.py", "marketpost/store/game_logs.py"),
        ("tests/store", "tests/play/test_log.py", "tests/play/test_compaction.py", "tests/play/test_orders_ahead.py", *TABLES),
    ),
}


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant and whether the tests noticed it."""

    area: str
    mutant: Mutant
    is_killed: bool
    hung: bool = False


class Bench:
    """Copies of the project in which mutants are tried, one in each at a time."""

    def __init__(self, folder: Path, processes: int) -> None:
        self._free = Queue[Path]()
        for number in range(processes):
            copy = folder / str(number)
            for name in COPIED:
                source = ROOT / name
                if source.is_dir():
                    shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(source, copy / name)
            self._free.put(copy)
        self.usual: dict[str, float] = {}
        """Seconds that the tests of each area take on the unchanged source."""
        self._watched: dict[str, Watched] = {}

    def measure(self, name: str) -> None:
        """Run the tests of an area on the unchanged source, which must pass, and see which test runs which line."""
        copy, began, area = self._free.get(), time.monotonic(), AREAS[name]
        written = copy / "watched.json"
        sources = os.pathsep.join(str(copy / file) for file in area.files())
        try:
            run = _pytest(copy, area.tests, watch={SOURCES: sources, WRITTEN: str(written)})
            if run.returncode:
                raise click.ClickException(f"{name}: the tests fail without any mutant\n{run.stdout[-2000:]}")
            self._watched[name] = read(written)
        finally:
            self._free.put(copy)
        self.usual[name] = time.monotonic() - began

    def attempt(self, area: str, mutant: Mutant) -> Tried:
        """Run the tests of its area on one mutant: a few that run its line, then all, because other processes may run it too."""
        copy = self._free.get()
        file = copy / mutant.file
        source, within = file.read_bytes(), 3 * self.usual[area] + SPARE
        first = self._watched[area].first(mutant.file, mutant.line)
        try:
            file.write_bytes(mutant.apply(source))
            is_killed = any(_pytest(copy, tests, within).returncode != 0 for tests in (first, AREAS[area].tests) if tests)
            return Tried(area, mutant, is_killed)
        except subprocess.TimeoutExpired:
            return Tried(area, mutant, True, hung=True)
        finally:
            file.write_bytes(source)
            self._free.put(copy)


def _pytest(
    copy: Path, tests: Sequence[str], within: float | None = None, watch: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Python finds the copy before the installed project, because it looks in its working folder first."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "tests.mutation.which_tests", *tests]
    return subprocess.run(
        command, cwd=copy, env=os.environ | dict(watch or {}), capture_output=True, text=True, timeout=within, check=False
    )


def choose(number: int, seed: int) -> list[tuple[str, Mutant]]:
    """Choose so many mutants of all areas, by their shares."""
    dice, chosen = random.Random(seed), list[tuple[str, Mutant]]()
    for name, area in AREAS.items():
        every = _every(name)
        chosen += [(name, each) for each in dice.sample(every, min(len(every), round(number * area.share)))]
    return chosen


@cache
def _every(area: str) -> list[Mutant]:
    return [mutant for file in AREAS[area].files() for mutant in mutants(file, (ROOT / file).read_bytes())]


def known() -> dict[str, str]:
    """Read the reasons for which mutants may survive."""
    return dict(tomllib.loads(KNOWN.read_text("utf-8"))["survivors"])


class KilledBefore:
    """Mutants that were killed in earlier runs, with the source that they were made of."""

    def __init__(self, seed: int) -> None:
        KILLED.mkdir(exist_ok=True)
        self._file, self._lock = KILLED / f"mutants-{seed}.jsonl", threading.Lock()
        self._known = {tuple(json.loads(line)) for line in self._file.read_text("utf-8").splitlines()} if self._file.exists() else set()

    def __contains__(self, mutant: Mutant) -> bool:
        return self._row(mutant) in self._known

    def add(self, mutant: Mutant) -> None:
        """Write one down."""
        with self._lock, self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(self._row(mutant)) + "\n")

    def _row(self, mutant: Mutant) -> tuple[str, int, str]:
        return hashlib.sha256((ROOT / mutant.file).read_bytes()).hexdigest()[:16], mutant.start, mutant.name


@click.command()
@click.option("--number", default=300, show_default=True, help="How many mutants.")
@click.option("--processes", default=2, show_default=True)
@proof.seeded
def mutation(number: int, seed: int, processes: int, to_prove: bool) -> None:
    """Try mutants of the core; fails if fewer than 95 % are killed, or if one survives for no known reason."""
    tried = run(choose(number, seed), seed, processes)
    reasons, alive = known(), [each.mutant for each in tried if not each.is_killed]
    rows = _figures(tried)
    click.echo("\n".join(f"{' | '.join(row)}" for row in rows))
    for each in alive:
        click.echo(f"survived: {each.file}:{each.line}: {each.name.partition(': ')[2]} ({reasons.get(each.name, 'no reason known')})")
    if to_prove:
        told = [f"* `{each.name}`: {reasons.get(each.name, 'no reason known')}" for each in alive]
        proof.write("make mutants", [*proof.table(rows), *(["", "Survivors:", "", *told] if told else [])], seed)
    unknown = [each for each in alive if each.name not in reasons]
    sys.exit(1 if unknown or len(tried) - len(alive) < GOAL * len(tried) else 0)


def run(chosen: Sequence[tuple[str, Mutant]], seed: int, processes: int) -> list[Tried]:
    """Try these mutants, several at a time."""
    before = KilledBefore(seed)
    tried = [Tried(area, mutant, True) for area, mutant in chosen if mutant in before]
    left = [(area, mutant) for area, mutant in chosen if mutant not in before]
    with tempfile.TemporaryDirectory(prefix="marketpost-mutants-") as folder, ThreadPoolExecutor(processes) as pool:
        bench = Bench(Path(folder), processes)
        list(pool.map(bench.measure, {area: None for area, _ in left}))
        coming = [pool.submit(bench.attempt, area, mutant) for area, mutant in left]
        with click.progressbar(as_completed(coming), length=len(coming), file=sys.stderr, label=f"seed {seed}") as bar:
            for each in bar:
                tried.append(found := each.result())
                if found.is_killed:
                    before.add(found.mutant)
                else:
                    click.echo(f"\nsurvived: {found.mutant.file}:{found.mutant.line}: {found.mutant.name}", err=True)
    return tried


def _figures(tried: Sequence[Tried]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("area", "mutants", "killed", "of these by hanging")]
    for name in (*AREAS, "all"):
        own = [each for each in tried if name in (each.area, "all")]
        rows.append((name, str(len(own)), str(sum(each.is_killed for each in own)), str(sum(each.hung for each in own))))
    killed = sum(each.is_killed for each in tried) / max(1, len(tried))
    return [*rows, ("killed", "", f"{killed:.1%}", "")]


if __name__ == "__main__":
    mutation()
