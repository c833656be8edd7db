"""deploy/compose.yaml without a container engine: every service by its own command, with its environment, in an empty folder."""

import os
import re
import shlex
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from redis import RedisError

from marketpost.play.ports import Ports
from marketpost.store.connections import connect
from marketpost.store.embedded_redis import find_server
from marketpost.store.parent_process import die_with
from marketpost.store.settings import Settings
from tests.mail.servers import free_port
from tests.mail.street import Answers, serving
from tests.running.live import MARKETPOST, Ann, until
from tests.running.test_deploy import COMPOSE
from workers.queue import WorkQueue, make_ports

VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
OURS = {name: each for name, each in COMPOSE.items() if each["image"] == "marketpost"}
STORES = {name: each for name, each in COMPOSE.items() if str(each.get("command", "")).startswith("valkey-server")}


class Composed:
    """The services of the file, as far as no container engine is needed: names of hosts and ports are those of this machine."""

    def __init__(self, folder: Path, mail_server: int) -> None:
        self.folder, self.data, self.live = folder, folder.parent / "tmp", dict[str, subprocess.Popen[bytes]]()
        self.given = {"SECRET_KEY": "ab" * 32, "REDIS_PASSWORD": "cd" * 32, "SMTP_URL": "smtp://mailpit:1025"}
        self.hosts = {"games:6379": free_port(), "queue:6379": free_port(), "mailpit:1025": mail_server}
        self.doors = {"0.0.0.0:8000": free_port(), "0.0.0.0:2525": free_port()}
        self.url = f"http://127.0.0.1:{self.doors['0.0.0.0:8000']}"
        self.environment = self.variables(OURS["api"]) | {"PUBLIC_URL": self.url}

    def filled(self, text: str) -> str:
        """Put in the variables as compose does, then our ports."""
        text = VARIABLE.sub(lambda found: self.given.get(found[1]) or (found[3] if found[2] == "-" else ""), text)
        for there, port in {**self.hosts, **self.doors}.items():
            text = text.replace(there, f"127.0.0.1:{port}")
        return text

    def variables(self, each: dict[str, Any]) -> dict[str, str]:
        """The environment of a container: nothing of this machine but its PATH, and what the Dockerfile sets."""
        own = {"PATH": os.environ["PATH"], "DATA_DIR": str(self.data), "MAIL_LISTEN": "off"}
        return own | {name: self.filled(str(value)) for name, value in each["environment"].items()}

    def start(self, name: str) -> None:
        each, program = COMPOSE[name], [str(MARKETPOST)]
        command, environment = shlex.split(self.filled(each["command"])), self.variables(each)
        if name in STORES:
            stored = self.data / name
            stored.mkdir()
            port = self.hosts[f"{name}:6379"]
            program, command = [find_server(self.data)], [*command[1:], "--port", str(port), "--bind", "127.0.0.1", "--dir", str(stored)]
        else:
            environment["PUBLIC_URL"] = self.url
        ours = os.getpid()
        self.live[name] = subprocess.Popen([*program, *command], cwd=self.folder, env=environment, preexec_fn=lambda: die_with(ours))

    def stop(self) -> None:
        for process in reversed(self.live.values()):
            process.terminate()
            process.wait(timeout=70)

    def ports(self) -> Ports:
        settings = Settings.read(self.environment)
        return make_ports(settings, WorkQueue(connect(settings.queue_redis_url)))

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/ready", timeout=4) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def run(self, *command: str) -> str:
        """As `docker compose exec api marketpost …`."""
        return subprocess.run(
            [MARKETPOST, *command], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        ).stdout


@pytest.fixture(scope="module")
def composed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Composed, Answers]]:
    folder, answers = tmp_path_factory.mktemp("compose") / "root", Answers()
    folder.mkdir()
    (folder.parent / "tmp").mkdir()
    with ExitStack() as stack:
        found = Composed(folder, stack.enter_context(serving(answers)).port)
        stack.callback(found.stop)
        for name in STORES:
            found.start(name)
        settings = Settings.read(found.environment)
        until(lambda: _answers(settings.redis_url) and _answers(settings.queue_redis_url))
        for name in OURS:
            found.start(name)
        until(found.is_ready)
        yield found, answers


def _answers(url: str) -> bool:
    try:
        return bool(connect(url).ping())
    except RedisError:
        return False


def test_a_player_moves_and_the_letter_reaches_the_mail_server(composed: tuple[Composed, Answers]) -> None:
    found, answers = composed
    ann = Ann(found)
    game = ann.opens()

    ann.sees_it_decided(game, ann.moves(game))

    until(lambda: [envelope for envelope in answers.taken if envelope.rcpt_tos == ["ann@example.org"]])


def test_the_doctor_finds_every_process_and_nothing_to_mend(composed: tuple[Composed, Answers]) -> None:
    found, _ = composed

    assert until(lambda: "All is well." in found.run("doctor")), found.run("doctor")


def test_no_process_writes_into_its_own_files(composed: tuple[Composed, Answers]) -> None:
    found, _ = composed

    assert [name for name, process in found.live.items() if process.poll() is not None] == []
    assert list(found.folder.iterdir()) == []
