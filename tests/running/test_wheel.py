"""Whoever installs the wheel, without this folder, has a service that plays by mail and shows pages."""

import json
import os
import re
import smtplib
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marketpost.rules.ruleset import rulesets
from marketpost.store.heartbeat import Part
from marketpost.store.local_mailbox import LocalMailbox, MailboxMessage, write_reply
from tests.mail.servers import free_port
from tests.release import ROOT, build, contents
from tests.running.live import Live, exists, running, until

PRODUCT = ("marketpost", "templates", "api", "workers")
GONE = "marketpost/gone.py"
CODE = re.compile(r"^ +([A-Z0-9]{8})\s*$", re.MULTILINE)
RECEIPT = r"^Done|not over yet|decide again"
ORDERS = re.compile(r"accepted right now:\s+(\S.*\S)")
PAGE = re.compile(r"^https?://\S+/games/\S+", re.MULTILINE)
STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (built,) = build(tmp_path_factory.mktemp("built"), "--wheel", left=f"build/lib/{GONE}")
    return built


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing but the wheel; the libraries it needs are found where those of the tests are."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    install = ["--python", environment, "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "libraries.pth").write_text("\n".join(libraries), "utf-8")
    return environment / "bin"


@pytest.fixture(scope="module")
def live(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Started in a folder with another source of ours, as whoever has just built the wheel does; nothing of it may be used."""
    folder = tmp_path_factory.mktemp("source")
    for package in ("api", "marketpost", "workers"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text("raise ImportError('not this one')")
    with running(folder / "data", ("env", f"--chdir={folder}"), programs / "marketpost", MAIL_LISTEN=f"127.0.0.1:{free_port()}") as found:
        yield found


class Ann:
    """A player with a mail program and a browser."""

    def __init__(self, live: Live, name: str) -> None:
        self.live, self.address, self.token = live, f"{name}@example.org", ""
        self.box = LocalMailbox(live.ports().games.redis)

    def signs_in(self) -> None:
        self.post("players", {"email": self.address, "name": "Ann"})
        code = CODE.search(self.letter("confirm").text)
        assert code
        self.token = self.post("tokens", {"email": self.address, "code": code.group(1)})["token"]

    def post(self, path: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        request = urllib.request.Request(f"{self.live.url}/v1/{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def letter(self, subject: str) -> MailboxMessage:
        """As soon as it has come."""

        def found() -> MailboxMessage | None:
            numbers = [line.number for line in self.box.list(self.address) if re.search(subject, line.head.subject)]
            return self.box.read(self.address, numbers[0]) if numbers else None

        letter: MailboxMessage = until(found)
        return letter

    def answers(self, letter: MailboxMessage, text: str) -> None:
        with smtplib.SMTP(*self.live.environment["MAIL_LISTEN"].split(":"), timeout=60) as door:
            door.sendmail(self.address, [letter.reply_to], write_reply(letter, self.address, text))

    def opens(self, address: str) -> str:
        with urllib.request.urlopen(address, timeout=60) as answer:
            page: str = answer.read().decode()
            return page


def test_every_file_that_is_no_code_is_in_the_wheel(wheel: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", *PRODUCT], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    data = [re.sub("^templates/", "marketpost/templates/", name) for name in tracked if not name.endswith(".py")]

    assert data
    assert set(data) - set(contents(wheel)) == set()


def test_a_module_of_an_earlier_release_is_not_in_the_wheel(wheel: Path) -> None:
    assert GONE not in contents(wheel)


def test_what_runs_is_what_was_installed_and_not_this_folder(programs: Path, tmp_path: Path) -> None:
    asked = "import api, marketpost, workers; print(api.__file__, marketpost.__file__, workers.__file__)"
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.run([programs / "python", "-c", asked], cwd=tmp_path, env=own, capture_output=True, text=True, check=True)

    assert [Path(file).is_relative_to(programs.parent) for file in found.stdout.split()] == [True] * 3
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", rulesets())
def test_a_player_signs_in_by_mail_moves_by_mail_and_opens_the_page(live: Live, name: str) -> None:
    ann = Ann(live, f"ann-{name}")
    ann.signs_in()
    ann.post("games", {"rules": name, "seats": [{"me": True}, {"bot": "greedy"}]})
    turn = ann.letter("Your turn")
    orders, page = ORDERS.search(turn.text), PAGE.search(turn.text)
    assert orders
    assert page

    ann.answers(turn, orders.group(1))

    assert "have been carried out" in ann.letter(RECEIPT).text
    shown = ann.opens(page.group())
    assert "<svg" in shown
    assert all(ann.opens(f"{live.url}{file}") for file in STATIC.findall(shown))
    assert "Your turn" in ann.opens(f"{live.url}/mailbox/{ann.address}")


def test_the_sweeper_and_the_mail_door_tell_that_they_run(live: Live) -> None:
    until(lambda: live.ports().heartbeat.noted().keys() == {Part.SWEEPER, Part.MAIL_DOOR})


def test_nothing_of_it_stays_behind(live: Live) -> None:
    pids = live.all_pids()

    live.stop()

    until(lambda: not any(map(exists, pids)))
    assert "Traceback" not in live.log()
