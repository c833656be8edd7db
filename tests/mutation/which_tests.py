"""Which tests run a line, and how long each takes: measured on the unchanged source and kept, until it or their file changes.

A line may also be run at import only, or in another process; for these, all tests that run anything of its file are named.
"""

import ast
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest
from coverage import Coverage

from tests.mutation.mutants import Mutant

SCRIPTS, CALLERS = "marketpost/store/game_scripts.py", "marketpost/store/game_logs.py"


@dataclass(slots=True)
class Watched:
    """Lines and times of tests."""

    seconds: dict[str, float] = field(default_factory=dict)
    """Of each test."""
    ran: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """Test, file: the lines that it ran."""

    def tests_of(self, mutant: Mutant, source: str) -> list[str]:
        """List the tests that run what is changed: one of each function before a second of the same, the quickest first."""
        file, lines = str(mutant.file), set(_statement(mutant, source))
        there = [test for test in self.seconds if file in self.ran[test]]
        return self._ranked([test for test in there if not lines.isdisjoint(self.ran[test][file])] or there)

    def _ranked(self, tests: Sequence[str]) -> list[str]:
        seen, ranked = dict[str, int](), list[tuple[int, float, str]]()
        for test in sorted(tests, key=self.seconds.__getitem__):
            function = test.partition("[")[0]
            seen[function] = seen.get(function, 0) + 1
            ranked.append((seen[function], self.seconds[test], test))
        return [test for _, _, test in sorted(ranked)]

    def add(self, other: "Watched") -> None:
        """Take in what was measured of other tests."""
        self.seconds |= other.seconds
        self.ran |= other.ran

    def write(self, file: Path) -> None:
        file.write_text(json.dumps(asdict(self)), "utf-8")

    @classmethod
    def read(cls, file: Path) -> "Watched":
        return cls(**json.loads(file.read_text("utf-8")))


def _statement(mutant: Mutant, source: str) -> range:
    """Find the lines of the statement that is changed; of one that has others in it, those before these."""
    around = [
        range(node.lineno, node.body[0].lineno if hasattr(node, "body") else (node.end_lineno or 0) + 1)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt)
    ]
    return min((lines for lines in around if mutant.line in lines), key=len, default=range(0))


class Watch:
    """A plugin of pytest that measures which lines of some sources each test runs."""

    def __init__(self, sources: Sequence[str], written: Mapping[str, Path]) -> None:
        """Each file of tests has one file to which what was measured of them is written."""
        self._sources, self._written, self._seconds = sources, written, dict[str, float]()

    def pytest_configure(self) -> None:
        self._coverage = Coverage(data_file=None, include=self._sources, config_file=False)
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        began = time.process_time()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.process_time() - began
            self._coverage.switch_context("")

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        data, ran = self._coverage.get_data(), {test: dict[str, list[int]]() for test in self._seconds}
        for file in data.measured_files():
            for line, tests in data.contexts_by_lineno(file).items():
                for test in filter(None, tests):
                    ran[test].setdefault(str(Path(file).relative_to(Path.cwd())), []).append(line)
        for name, written in self._written.items():
            own = [test for test in self._seconds if test.startswith(f"{name}::")]
            Watched({test: self._seconds[test] for test in own}, {test: ran[test] for test in own}).write(written)


def add_scripts(watched: Watched, project: Path) -> None:
    """Name the scripts of the store, which Redis runs, after the lines that call them."""
    source = (project / CALLERS).read_text("utf-8")
    calls = {line: _callers(source, script) for script, line in _scripts((project / SCRIPTS).read_text("utf-8")).items()}
    for lines in watched.ran.values():
        ran = set(lines.get(CALLERS, []))
        if called := [line for line, callers in calls.items() if ran & callers]:
            lines[SCRIPTS] = called


def _scripts(source: str) -> dict[str, int]:
    """Find the names of the scripts, and the lines in which they begin."""
    return {name: number for number, line in enumerate(source.splitlines(), 1) for name in re.findall(r'^([A-Z_]+) = """$', line)}


def _callers(source: str, script: str) -> set[int]:
    """Find the lines that call a script: `self._open` calls OPEN."""
    call = re.compile(rf"self\._{script.lower()}\b(?! = )")
    return {number for number, line in enumerate(source.splitlines(), 1) if call.search(line)}
