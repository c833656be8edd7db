"""The documents and the examples for operators say what the code does."""

import os
import re
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from marketpost.cli.doctor import DEFAULTS
from marketpost.cli.main import COMMANDS, main
from marketpost.store.settings import Settings
from workers.queue import JOBS, MOVES

ROOT = Path(__file__).parents[2]
OPERATING = ("operate.md", "operate-mail.md", "operate-watch.md", "operate-details.md")
TEXT = "".join((ROOT / "docs" / name).read_text() for name in OPERATING)


class Asked(dict[str, str]):
    """An environment that remembers what it was asked for."""

    def __init__(self, **known: str) -> None:
        super().__init__(known)
        self.names: set[str] = set()

    def get(self, name: str, default: str | None = None) -> str | None:
        self.names.add(name)
        return super().get(name, default)


def table() -> dict[str, str]:
    rows = re.findall(r"^\| `([A-Z_]+)` \| .* \| (.*) \|$", TEXT, re.MULTILINE)
    return dict(rows)


def test_every_setting_is_in_the_table_with_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked = Asked()
    settings = Settings.read(asked)

    assert table().keys() == asked.names
    assert table() == DEFAULTS
    assert table()["DATA_DIR"] == str(settings.data)
    assert table()["PUBLIC_URL"] == settings.public_url
    assert table()["MAIL_DOMAIN"] == settings.mail_domain
    assert table()["PROXIES"] == str(settings.proxies)
    assert table()["MAIL_LISTEN"] == settings.mail_listen
    assert table()["DKIM_SELECTOR"] == settings.dkim_selector
    assert settings.embedded


DOCUMENTS = ["README.md", *(f"docs/{name}" for name in OPERATING[:3]), "docs/play-by-mail.md", "docs/scripts.md"]
DEPLOYED = [f"deploy/systemd/{name}" for name in os.listdir(ROOT / "deploy/systemd")]


@pytest.mark.parametrize("file", DOCUMENTS + DEPLOYED)
def test_commands_in_documents_and_examples_exist(file: str) -> None:
    text = (ROOT / file).read_text()
    found = re.findall(r"(?:venv/bin/|`)marketpost ([a-z]+(?:-[a-z]+)*)([^\n`|]*)", text)

    assert found
    for name, options in found:
        assert name in COMMANDS
        shown = CliRunner().invoke(main, [name, "--help"]).output
        assert all(option in shown for option in re.findall(r"(?<= )--[a-z-]+", options.partition(" #")[0]))


def test_every_command_has_help() -> None:
    for name in COMMANDS:
        done = CliRunner().invoke(main, [name, "--help"])
        assert done.exit_code == 0, name
        assert f"{name} [OPTIONS]" in done.output


PROCESSES = ["api", "worker", *(f"worker --queue {queue}" for queue in JOBS if queue != MOVES), "mail-in", "sweeper"]
"""What `marketpost up` starts beside Redis."""


@pytest.mark.parametrize("process", PROCESSES)
def test_whoever_runs_several_machines_is_told_of_every_process(process: str) -> None:
    units = "".join(path.read_text("utf-8") for path in (ROOT / "deploy/systemd").iterdir())
    call = re.compile(rf"marketpost {process}(?! --queue)\b")

    assert call.search(TEXT)
    assert call.search(units)


ENDINGS = "WITHIN TIMEOUT TTL LONGEST_WAIT LONGEST_PAUSE GIVE_UP_AFTER TRIES LEASE SILENCE EVERY IDLE_FOR SET_ASIDE_FOR"
BOUND = re.compile(rf"(?:^|_)(?:{ENDINGS.replace(' ', '|')})$")
"""Names of constants that say how long, or how often, something is waited for."""
FOR_A_PERSON = ("marketpost.agents.", "marketpost.cli.", "marketpost.client.")
"""Commands that a person runs, and others' programs, wait as long as they say; only what the service itself waits for is in the table."""


def bounds() -> dict[str, str]:
    section = TEXT.partition("\n## Bounds\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| .* \| `([\w.]+)` \| (.*?) \| .+ \|$", section, re.MULTILINE))


@pytest.mark.parametrize("name", bounds())
def test_every_bound_in_the_table_is_the_one_in_the_code(name: str) -> None:
    module, _, constant = name.rpartition(".")
    number, unit = bounds()[name].split()
    value = getattr(import_module(module), constant)

    assert float(value) in {float(number), float(number) * 1000 if unit == "s" else float(number)}


def test_every_bound_in_the_code_is_in_the_table() -> None:
    found = set()
    for file in (file for folder in ("api", "workers", "marketpost") for file in (ROOT / folder).rglob("*.py")):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        names = re.findall(r"^([A-Z_]+) = [0-9(]", file.read_text(), re.MULTILINE)
        found |= {f"{module}.{name}" for name in names if BOUND.search(name) and not module.startswith(FOR_A_PERSON)}

    assert found
    assert found <= bounds().keys()
