"""`make run` installs what the service needs and nothing else; tools for development come with `make test` and the like."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OURS = PROJECT["tool"]["importlinter"]["root_packages"]
RUN, DEV = "constraints.txt", "constraints-dev.txt"


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[>=<~! ]", each)[0] for each in requirements}


EXTRAS = PROJECT["project"]["optional-dependencies"]
NEEDED = names([*PROJECT["project"]["dependencies"], *EXTRAS["mcp"], *EXTRAS["server"]]) - {"marketpost"}
PLAYGROUND = names(EXTRAS["env"])
"""What only the environment for training agents needs."""
TOOLS = names(EXTRAS["dev"]) - PLAYGROUND


def imported() -> Iterator[str]:
    """The first part of every name that the product imports."""
    for file in (path for package in OURS for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.partition(".")[0]


def pinned(file: str) -> dict[str, str]:
    """Each project of a lock file with all that stands there of it."""
    entries = re.split(r"\n(?=\S)", (ROOT / file).read_text("utf-8").strip())
    return {entry.partition("==")[0]: entry for entry in entries}


def recipe(target: str) -> str:
    """What `make` would do in a fresh clone."""
    return subprocess.run(["make", "-nB", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_what_the_product_imports_is_what_it_says_it_needs() -> None:
    known = packages_distributions()
    foreign = {name for name in imported() if name not in sys.stdlib_module_names and name not in OURS}
    from_whom = {name: {re.sub("[._]", "-", found.lower()) for found in known[name]} for name in foreign}

    assert {name: found for name, found in from_whom.items() if not found & (NEEDED | PLAYGROUND)} == {}
    assert not NEEDED & TOOLS


def test_make_run_installs_no_tool_for_development() -> None:
    assert RUN in recipe("run")
    assert DEV not in recipe("run")
    assert not TOOLS & pinned(RUN).keys()


@pytest.mark.parametrize("target", ["test", "lint", "bench", "fuzz"])
def test_development_has_its_tools(target: str) -> None:
    assert DEV in recipe(target)
    assert pinned(DEV).keys() >= TOOLS | NEEDED


def test_make_test_looks_at_the_style_first() -> None:
    steps = recipe("test")

    assert 0 < steps.index("ruff check") < steps.index("mypy") < steps.index("pytest")


def test_a_commit_is_checked_by_what_make_lint_runs() -> None:
    (hooks,) = [repo["hooks"] for repo in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]]
    linted = [line for line in recipe("lint").splitlines() if line.startswith(".venv/bin/") and "pip" not in line]

    assert [hook["entry"] for hook in hooks] == linted


def unconditional(entry: str) -> str:
    """An entry without its condition: a tool for development may need a package where the service does not."""
    return re.sub(r" ;[^\\]*", " ", entry)


def test_both_lock_files_name_the_same_versions_and_a_hash_of_each_file() -> None:
    run, dev = pinned(RUN), pinned(DEV)

    assert run.keys() >= NEEDED
    assert {name: unconditional(dev[name]) for name in run} == {name: unconditional(entry) for name, entry in run.items()}
    assert [name for name, entry in dev.items() if "--hash=sha256:" not in entry] == []


def test_an_installation_without_the_server_says_what_the_command_lacks() -> None:
    without_click = "import sys; sys.modules['click'] = None; from marketpost.command import main; main()"
    done = subprocess.run([sys.executable, "-c", without_click], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "pip install 'marketpost[server]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_operators_build_the_wheel_with_what_the_lock_file_installs() -> None:
    text = (ROOT / "docs/operate.md").read_text("utf-8")

    assert "pip wheel --no-deps --no-build-isolation ." in text
    assert "python -m build" not in text
    assert "setuptools" in pinned(RUN)
    assert f"marketpost-{PROJECT['project']['version']}-py3-none-any.whl" in text
