"""Runs tests in a copy of the project, each time in a fresh process that has its libraries already.

A server forks these processes (`multiprocessing`): importing libraries would take longer than most tests that notice a mutant.
"""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from multiprocessing import get_context
from pathlib import Path

import pytest

OURS = ("api", "marketpost", "tests", "workers")
LIBRARIES = ("apprise", "flask_smorest", "hypothesis.stateful", "pytest", "redis.asyncio", "requests", "rq", "schemathesis.pytest.plugin")
"""Imported once; all of ours is imported anew, from the copy."""
OPTIONS = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider")
TOLD = "told.txt"
_context = get_context("forkserver")
_context.set_forkserver_preload(list(LIBRARIES))


class Hung(Exception):
    """Raised when tests take longer than they may."""


class Chosen:
    """A plugin of pytest that runs these tests alone, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._places = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self._places), key=lambda item: self._places[item.nodeid])


def run_tests(copy: Path, tests: Sequence[str], within: float) -> bool:
    """Run these tests in a copy, until one fails; returns whether all passed."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    return run_pytest(copy, files, [Chosen(tests)], within)


def run_pytest(copy: Path, arguments: Sequence[str], plugins: Sequence[object], within: float | None = None) -> bool:
    """Run pytest in a copy of the project; what it tells is in the copy."""
    process = _context.Process(target=_pytest, args=(copy, arguments, plugins))
    process.start()
    process.join(within)
    if process.exitcode is None:
        os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        raise Hung
    return process.exitcode == 0


def _pytest(copy: Path, arguments: Sequence[str], plugins: Sequence[object]) -> None:
    """Run in the new process. It leads a group, which servers that it starts belong to."""
    os.setpgid(0, 0)
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    project = str(Path(__file__).parents[2])
    sys.path[:] = [str(copy), *(path for path in sys.path if path not in ("", project))]
    with chdir(copy), open(TOLD, "w", encoding="utf-8") as told, redirect_stdout(told), redirect_stderr(told):
        status = pytest.main([*OPTIONS, *arguments], [*plugins])
    os._exit(status)
