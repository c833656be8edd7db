"""Whoever copies the examples of README.md into a terminal, beside a running service, gets what it says."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running.live import MARKETPOST, Live, marketpost, running, until

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
ANN = "ann@example.org"


def example(title: str) -> list[str]:
    """The lines of the first example below a title."""
    found = re.search(rf"^## {title}$.*?^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found
    return found.group(1).splitlines()


class Terminal:
    """A shell in the folder of the project. The service is elsewhere than the README says, and so is the player's home."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.environment = {**live.environment, "HOME": str(live.data.parent), "MARKETPOST_URL": live.url}

    def types(self, lines: list[str]) -> str:
        text = "\n".join(lines).replace(".venv/bin/marketpost", str(MARKETPOST)).replace("http://127.0.0.1:8000", self.live.url)
        command = ["bash", "-euc", text]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        assert not done.returncode, done.stdout + done.stderr
        return done.stdout

    def mailbox(self) -> str:
        return marketpost(self.live.data, "mailbox", ANN).stdout


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    with running(tmp_path_factory.mktemp("readme") / "data") as live:
        yield Terminal(live)


def test_a_turn_by_mail(terminal: Terminal) -> None:
    *before, read, answer = example("Play by mail")

    terminal.types(before)
    until(lambda: "Your turn" in terminal.mailbox())
    assert "WHAT YOU MAY DO" in terminal.types([read])

    terminal.types([answer])
    until(lambda: "Done" in terminal.mailbox())


def test_a_game_from_a_script(terminal: Terminal) -> None:
    assert '"status":"applied"' in terminal.types(example("Play from a script"))


def test_a_turn_from_the_command_line(terminal: Terminal) -> None:
    opened = terminal.types([line for line in example("Play by mail") if "mailbox" not in line])
    game = re.search(r"game (\w+)", opened)
    assert game
    lines = [line.replace("GAME", game.group(1)) for line in example("Play from the command line")]

    assert game.group(1) in terminal.types(lines[:1])
    until(lambda: is_a_persons_turn(terminal.live, game.group(1)))
    assert "red" in terminal.types(lines[1:2])
    assert "Red took tile 2" in terminal.types(lines[2:3])


def is_a_persons_turn(live: Live, id: str) -> bool:
    """A strong bot thinks for a while before."""
    game = live.ports().game(id)
    return game is not None and game.seats[game.deciders[0]].player is not None
