"""`python -m tests.mutation --number 300 --seed 7`: put faults into a copy of the core and see which the tests do not notice.

Runs that were ended go on where they stopped: a mutant that was killed is not tried again as long as its file is the same.
"""

import compileall
import hashlib
import json
import random
import shutil
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import Queue

import click

from tests import proof
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.trial import TOLD, Hung, run_pytest, run_tests
from tests.mutation.which_tests import Watch, Watched, add_scripts

ROOT = Path(__file__).parents[2]
IMPORTED = ("marketpost", "api", "workers", "templates")
COPIED = (*IMPORTED, "tests", "docs", "examples", "openapi.yaml", "pyproject.toml", "README.md")
KNOWN = Path(__file__).with_name("survivors.toml")
"""Mutants that no test can or need notice, with the reason."""
BUILD = ROOT / "build"
GOAL = 0.95
AT_FIRST = 10.0
"""Seconds of tests that are asked at first: importing all of them would take longer than running these."""
SPARE = 120.0
"""Seconds tests may take beyond ten times their processor time, before they count as hanging."""
TESTS = (
    "tests/rules",
    "tests/logs",
    "tests/store",
    *(f"tests/play/test_{name}.py" for name in ("broken", "chance", "compaction", "log", "orders_ahead", "outcomes", "seats")),
    *(f"tests/play/test_{name}.py" for name in ("together", "undo")),
    "tests/play/standing",
    "tests/play/clock",
)
"""They watch over the core."""
DRAWN = {"picture", "pictures", "draw", "svg", "chart", "map_layout", "text_layout"}
TOLD_ONLY = {"story", "guide", "tutorial", "motion", "motions", "analysis_told", "hint_told", "letters_on_boards"}
SHOWN = frozenset(DRAWN | TOLD_ONLY | {"bots", "strong", "playout", "analysis"})
"""Parts of the rules that show a game, or choose among legal steps, and decide nothing."""


@dataclass(frozen=True, slots=True)
class Area:
    """Sources, and their part of all mutants."""

    share: float
    sources: tuple[str, ...]
    left_out: frozenset[str] = field(default_factory=frozenset)

    def files(self) -> list[Path]:
        """List the sources, below the project's folder."""
        found = [file.relative_to(ROOT) for pattern in self.sources for file in sorted(ROOT.glob(pattern))]
        return [file for file in found if file.stem not in self.left_out]


AREAS = {
    "rules of Portobello Market": Area(0.2, ("marketpost/rules/portobello/*.py",), SHOWN),
    "rules of Alturien": Area(0.2, ("marketpost/rules/alturien/*.py",), SHOWN),
    "what both games share": Area(0.15, ("marketpost/rules/*.py",), SHOWN),
    "log and decision": Area(0.2, ("marketpost/play/log/*.py", "marketpost/play/moves/decide.py")),
    "scripts of the store": Area(0.25, ("marketpost/store/game_scripts.py", "marketpost/store/game_logs.py")),
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
            self._free.put(_copy(folder / str(number)))
        self._watched = Watched()

    def measure(self) -> None:
        """See which test runs which line of the unchanged source: only for files of tests that are new since it was last seen."""
        kept, sources = BUILD / "mutants-watched", sorted({file for area in AREAS.values() for file in area.files()})
        kept.mkdir(parents=True, exist_ok=True)
        copy, unchanged = self._free.get(), _hash_of(sources)
        places = {tests: kept / f"{_hash_of([tests], unchanged)}.json" for tests in _files_of_tests()}
        for folder in sorted({tests.parent for tests, place in places.items() if not place.exists()}):
            news = {str(tests): place for tests, place in places.items() if tests.parent == folder and not place.exists()}
            if not run_pytest(copy, list(news), [Watch([str(copy / source) for source in sources], news)]):
                raise click.ClickException(f"{folder}: fails without any mutant\n{(copy / TOLD).read_text('utf-8')[-2000:]}")
        for place in places.values():
            self._watched.add(Watched.read(place))
        add_scripts(self._watched, ROOT)
        self._free.put(copy)

    def attempt(self, area: str, mutant: Mutant, until: float) -> Tried | None:
        """Run those tests on one mutant that run its line: a few, then all others. None if it is too late to begin."""
        if time.monotonic() > until:
            return None
        copy = self._free.get()
        file = copy / mutant.file
        source = file.read_bytes()
        try:
            file.write_bytes(mutant.apply(source))
            return Tried(area, mutant, not all(self._pass(copy, tests) for tests in self._asked(mutant, source)))
        except Hung:
            return Tried(area, mutant, True, hung=True)
        finally:
            file.write_bytes(source)
            self._free.put(copy)

    def _asked(self, mutant: Mutant, source: bytes) -> Iterable[list[str]]:
        tests, spent, few = self._watched.tests_of(mutant, source.decode()), 0.0, 0
        while few < len(tests) and spent < AT_FIRST:
            spent, few = spent + self._watched.seconds[tests[few]], few + 1
        return filter(None, (tests[:few], tests[few:]))

    def _pass(self, copy: Path, tests: list[str]) -> bool:
        return run_tests(copy, tests, 10 * sum(self._watched.seconds[test] for test in tests) + SPARE)


def _copy(copy: Path) -> Path:
    """Copy the project and compile it, so that Python compares a source with what was compiled by content: mutants follow too quickly."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    for name in IMPORTED:
        compileall.compile_dir(copy / name, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return copy


def _files_of_tests() -> list[Path]:
    places = [ROOT / name for name in TESTS]
    found = [file for place in places for file in ([place] if place.is_file() else sorted(place.rglob("test_*.py")))]
    return [file.relative_to(ROOT) for file in found if file.stem.removeprefix("test_") not in SHOWN]


def _hash_of(files: Sequence[Path], before: str = "") -> str:
    return hashlib.sha256(b"".join([before.encode(), *((ROOT / file).read_bytes() for file in files)])).hexdigest()[:16]


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

    def __init__(self) -> None:
        BUILD.mkdir(exist_ok=True)
        self._file, self._lock = BUILD / "mutants-killed.jsonl", threading.Lock()
        self._known = {tuple(json.loads(line)) for line in self._file.read_text("utf-8").splitlines()} if self._file.exists() else set()

    def __contains__(self, mutant: Mutant) -> bool:
        return self._row(mutant) in self._known

    def add(self, mutant: Mutant) -> None:
        """Write one down."""
        with self._lock, self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(self._row(mutant)) + "\n")

    def _row(self, mutant: Mutant) -> tuple[str, int, str]:
        return _hash_of([mutant.file]), mutant.start, mutant.name


@click.command()
@click.option("--number", default=300, show_default=True, help="How many mutants.")
@click.option("--processes", default=2, show_default=True)
@click.option("--minutes", type=float, help="Begin with no mutant after so many; the next run goes on there.")
@proof.seeded
def mutation(number: int, seed: int, processes: int, minutes: float | None, to_prove: bool) -> None:
    """Try mutants of the core; fails if fewer than 95 % are killed, or if one survives for no known reason."""
    until = time.monotonic() + 60 * minutes if minutes else float("inf")
    tried = run(choose(number, seed), seed, processes, until)
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


def run(chosen: Sequence[tuple[str, Mutant]], seed: int, processes: int, until: float) -> list[Tried]:
    """Try these mutants, several at a time, as many as can be begun until then."""
    before = KilledBefore()
    tried = [Tried(area, mutant, True) for area, mutant in chosen if mutant in before]
    left = [(area, mutant) for area, mutant in chosen if mutant not in before]
    random.Random(seed).shuffle(left)
    with tempfile.TemporaryDirectory(prefix="marketpost-mutants-") as folder, ThreadPoolExecutor(processes) as pool:
        bench = Bench(Path(folder), processes)
        bench.measure()
        coming = [pool.submit(bench.attempt, area, mutant, until) for area, mutant in left]
        with click.progressbar(as_completed(coming), length=len(coming), file=sys.stderr, label=f"seed {seed}") as bar:
            for each in bar:
                if not (found := each.result()):
                    continue
                tried.append(found)
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
