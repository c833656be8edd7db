"""Which tests run a line, and how long each takes: a plugin for pytest writes it down, and a mutant asks those that run its line first.

A line may also be run in another process, or at import, and then no test is known for it.
"""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage import Coverage

SOURCES, WRITTEN = "MUTATION_SOURCES", "MUTATION_WRITTEN"
"""Variables of the environment: the sources to watch, and the file to write."""
AT_FIRST = 20.0
"""Seconds of tests that are asked before all others of the area."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Lines and times of the tests of an area, measured on the unchanged source."""

    seconds: dict[str, float]
    """Of each test."""
    ran: dict[str, dict[str, list[str]]]
    """File, line: the tests that ran it."""

    def first(self, file: Path, line: int) -> list[str]:
        """List the quickest tests that run this line: one of each function before a second of the same."""
        seen = dict[str, int]()
        ranked = list[tuple[int, float, str]]()
        for test in sorted(self.ran.get(str(file), {}).get(str(line), []), key=self.seconds.__getitem__):
            function = test.partition("[")[0]
            ranked.append((seen.get(function, 0), self.seconds[test], test))
            seen[function] = seen.get(function, 0) + 1
        chosen, spent = list[str](), 0.0
        for _, seconds, test in sorted(ranked):
            spent += seconds
            if chosen and spent > AT_FIRST:
                break
            chosen.append(test)
        return chosen


def read(file: Path) -> Watched:
    """Read what the plugin has written."""
    return Watched(**json.loads(file.read_text("utf-8")))


class Watch:
    """A plugin of pytest that measures which lines each test runs."""

    def __init__(self, sources: list[str], written: Path) -> None:
        self._coverage = Coverage(data_file=None, include=sources, config_file=False)
        self._seconds = dict[str, float]()
        self._written = written
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        began = time.monotonic()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.monotonic() - began
            self._coverage.switch_context("")

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        data = self._coverage.get_data()
        ran = {
            os.path.relpath(file): {
                str(line): sorted(test for test in tests if test) for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        self._written.write_text(json.dumps({"seconds": self._seconds, "ran": ran}), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Watch, if the environment says what."""
    if SOURCES in os.environ:
        config.pluginmanager.register(Watch(os.environ[SOURCES].split(os.pathsep), Path(os.environ[WRITTEN])))
