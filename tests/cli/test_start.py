"""Commands start fast: each imports only what it needs."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from marketpost.cli.main import COMMANDS, main

HEAVY = ("PIL", "apprise", "cryptography", "flask", "gevent", "httpx", "jinja2", "limits", "lxml", "mcp", "pydantic", "redis", "rq")
RUN = """
import sys
from marketpost.command import main
sys.argv = ["marketpost", *sys.argv[1:]]
try:
    main()
finally:
    print("imported:", *sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(("arguments", "ours"), [(["--help"], 5), (["--version"], 5), (["games", "--help"], 25), (["games"], 25)])
def test_a_command_imports_only_what_it_needs(tmp_path: Path, arguments: list[str], ours: int) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MARKETPOST")}
    command = [sys.executable, "-c", RUN, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment | {"XDG_CONFIG_HOME": str(tmp_path)})
    imported = done.stderr.rpartition("imported: ")[2].split()

    assert "marketpost.cli.main" in imported
    assert [name for name in HEAVY if name in imported] == []
    assert len([name for name in imported if name.partition(".")[0] == "marketpost"]) <= ours


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_shows_what_a_command_says_of_itself(name: str) -> None:
    command = main.get_command(click.Context(main), name)

    assert command is not None
    assert COMMANDS[name][1] == command.get_short_help_str(400)
