"""The bots in `examples/`, as somebody else's programs: they need nothing but what the service tells everyone."""

import ast
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from play.people import new_token, register
from store.people import Player
from tests.mail.servers import free_port
from tests.running.live import Live, marketpost, running, until

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTS = sorted(EXAMPLES.glob("bot_*.py"))
PATIENCE = 240.0
KILLED_AT = (6, 14, 22)
"""Versions of the game at which every bot is killed."""


class Bot:
    """A process that can be killed and started again."""

    def __init__(self, name: str, *arguments: str, said: Path) -> None:
        self.command = [sys.executable, str(EXAMPLES / name), *arguments]
        self.said = said
        self.starts = 0
        self.start()

    def start(self) -> None:
        self.starts += 1
        with self.said.open("ab") as said:
            self.process = subprocess.Popen(self.command, stdout=said, stderr=said, env={"PATH": os.environ["PATH"]})  # noqa: S603

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def doors() -> dict[str, int]:
    return {"mail": free_port(), "hook": free_port()}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, doors: dict[str, int]) -> Iterator[Live]:
    more = {"MAIL_LISTEN": f"127.0.0.1:{doors['mail']}", "WEBHOOK_ALLOW": "127.0.0.1/32", "RATE_LIMITS": "off"}
    with running(tmp_path_factory.mktemp("bots") / "data", **more) as found:
        yield found


def person(live: Live, name: str, **choices: object) -> tuple[Player, str]:
    """Signed up, with a token that can do nothing but play."""
    ports = live.ports()
    player = register(ports, f"{name}@example.org", name.capitalize())
    player.confirmed = True
    for choice, value in choices.items():
        setattr(player, choice, value)
    ports.people.save(player)
    return player, new_token(ports, player.id, "bot", ("play",))[0]


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
def test_a_bot_is_short_and_needs_the_standard_library_alone(path: Path) -> None:
    tree = ast.parse(path.read_text())
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert len(path.read_text().splitlines()) < 60
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_three_bots_play_each_other_to_the_end_though_they_are_killed(live: Live, doors: dict[str, int], tmp_path: Path) -> None:
    people = {name: person(live, name, json=name == "cleo", mail="every" if name == "cleo" else "none") for name in ("ann", "bob", "cleo")}
    ports = live.ports()
    ids = {name: player.id for name, (player, _) in people.items()}
    from play.log import SeatPlan
    from play.open import open_game

    game = open_game(ports, "bots", ids["ann"], "portobello", [SeatPlan(player=id) for id in ids.values()], {}).id
    own = f"http://127.0.0.1:{doors['hook']}/"
    with ExitStack() as stack:
        bots = [
            Bot("bot_stream.py", people["ann"][1], game, live.url, said=tmp_path / "stream.txt"),
            Bot("bot_webhook.py", people["bob"][1], own, str(doors["hook"]), live.url, said=tmp_path / "webhook.txt"),
            Bot("bot_mail.py", "cleo@example.org", f"{live.url}/mailbox", f"smtp://127.0.0.1:{doors['mail']}", said=tmp_path / "mail.txt"),
        ]
        for bot in bots:
            stack.callback(bot.kill)
        for version in KILLED_AT:
            until(lambda version=version: ports.game(game).version >= version, PATIENCE)
            for bot in bots:
                bot.kill()
                bot.start()
        t = time.monotonic()
        until(lambda: ports.game(game).status == "over", PATIENCE)
        print("over after", time.monotonic() - t)
        for bot in bots:
            print(bot.said.read_text())
        print(live.log()[-3000:])

    assert all(bot.starts == len(KILLED_AT) + 1 for bot in bots)
    assert {played.seat for _, played in ports.game(game).history} >= {0, 1, 2}
    assert re.search(r"1 games? checked, 0 broken|ok", marketpost(live.data, "verify", game).stdout)
