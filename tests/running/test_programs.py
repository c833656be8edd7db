"""Other people's programs: the bots in `examples/`, which need nothing but what everyone is told, and receivers that mean no good."""

import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from marketpost.play.table.proposals import propose
from marketpost.play.table.seating import open_game
from marketpost.store.channel_targets import ChannelTarget, ChannelTargets
from marketpost.store.delivery_queue import DeliveryQueue
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.players import Player
from tests.mail.servers import free_port
from tests.notify.receivers import HOSTILE, OK, receiver, says
from tests.running.live import Ann, Live, marketpost, running, until

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTS = sorted(EXAMPLES.glob("bot_*.py"))
PATIENCE = 240.0
KILLED_AT = (6, 14, 22)
"""Versions of the game at which every bot is killed."""


STOPPED = ("was killed", "ended with status")


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
            self.process = subprocess.Popen(self.command, stdout=said, stderr=said, env={"PATH": os.environ["PATH"]})

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def to_its_end(name: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module")
def doors() -> dict[str, int]:
    return {"mail": free_port(), "hook": free_port()}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, doors: dict[str, int]) -> Iterator[Live]:
    more = {"MAIL_LISTEN": f"127.0.0.1:{doors['mail']}", "WEBHOOK_ALLOW": "127.0.0.1/32", "LIMITS": "off"}
    with running(tmp_path_factory.mktemp("bots") / "data", **more) as found:
        yield found


def person(live: Live, name: str, **choices: object) -> tuple[Player, str]:
    """Signed up, with a token that can do nothing but play."""
    ports = live.ports()
    player = register(ports, f"{name}@example.org", name.capitalize())
    player.confirmed = True
    for choice, value in choices.items():
        setattr(player, choice, value)
    ports.players.save(player)
    return player, new_token(ports, player.id, "bot", ("play",))[0]


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
def test_a_bot_is_short_and_needs_the_standard_library_alone(path: Path) -> None:
    tree = ast.parse(path.read_text())
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert len(path.read_text().splitlines()) < 60
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_three_bots_play_each_other_to_the_end_though_they_are_killed(live: Live, doors: dict[str, int], tmp_path: Path) -> None:
    ann, stream_token = person(live, "ann", mail="none")
    bob, webhook_token = person(live, "bob", mail="webhook")
    cleo, _ = person(live, "cleo", json=True)
    ports = live.ports()
    open_game(ports, "bots", ann.id, "portobello", [SeatPlan(player=each.id) for each in (ann, bob, cleo)], {})

    def game() -> Game:
        found = ports.game("bots")
        assert found
        return found

    own, mailbox, smtp = f"http://127.0.0.1:{doors['hook']}/", f"{live.url}/mailbox", f"smtp://127.0.0.1:{doors['mail']}"
    bots = [
        Bot("bot_stream.py", stream_token, "bots", live.url, said=tmp_path / "stream.txt"),
        Bot("bot_webhook.py", webhook_token, own, str(doors["hook"]), live.url, said=tmp_path / "webhook.txt"),
        Bot("bot_mail.py", cleo.email, mailbox, smtp, said=tmp_path / "mail.txt"),
    ]
    with ExitStack() as stack:
        for bot in bots:
            stack.callback(bot.kill)
        for version in KILLED_AT:
            until(lambda version=version: game().version >= version, PATIENCE)
            for bot in bots:
                bot.kill()
                bot.start()
        until(lambda: game().status == "over", PATIENCE)

    assert all(bot.starts > 2 for bot in bots)
    assert {played.seat for played in game().played} >= {0, 1, 2}
    assert marketpost(live.data, "verify", "bots").returncode == 0


def test_a_bot_by_mail_tells_what_it_answers_and_leaves_the_other_letters_unread(live: Live, doors: dict[str, int], tmp_path: Path) -> None:
    dora, _ = person(live, "dora")
    ports, said = live.ports(), tmp_path / "mail.txt"
    box = LocalMailbox(ports.games.redis)

    def read() -> int:
        return sum(line.read for line in box.list(dora.email))

    open_game(ports, "by-mail", dora.id, "portobello", [SeatPlan(player=dora.id), SeatPlan(bot="greedy")], {})
    bot = Bot("bot_mail.py", dora.email, f"{live.url}/mailbox", f"smtp://127.0.0.1:{doors['mail']}", said=said)
    with ExitStack() as stack:
        stack.callback(bot.kill)
        until(lambda: "'Your turn: Portobello Market with a bot' has no JSON; PATCH /v1/players/me brings it" in said.read_text())
        assert read() == 0
        ports.players.change(dora, lambda known: {"json": True})
        open_game(ports, "with-json", dora.id, "portobello", [SeatPlan(player=dora.id), SeatPlan(bot="greedy")], {})
        until(lambda: read() > 1)

    assert said.read_text().count("'Your turn: Portobello Market with a bot' has no JSON") == 1
    assert 1 < read() <= said.read_text().count("with-json version ")


def test_a_bot_by_mail_does_not_shout_while_the_service_is_away(tmp_path: Path) -> None:
    nowhere, said = free_port(), tmp_path / "mail.txt"
    with ExitStack() as stack:
        bot = Bot("bot_mail.py", "ann@example.org", f"http://127.0.0.1:{nowhere}/mailbox", f"smtp://127.0.0.1:{nowhere}", said=said)
        stack.callback(bot.kill)
        until(lambda: said.read_text().startswith("not now: "))
        time.sleep(1.0)

    assert len(said.read_text().splitlines()) == 1


def test_a_bot_by_stream_tells_the_end_of_its_game_and_that_is_no_failure(live: Live) -> None:
    ann, token = person(live, "ella", mail="none")
    ports = live.ports()
    open_game(ports, "given-up", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {})
    propose(ports, "given-up", ann.id, "abandon")

    done = to_its_end("bot_stream.py", token, "given-up", MARKETPOST_URL=f"{live.url}/")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("game given-up is over: ")


def test_a_bot_by_stream_does_not_ask_again_for_what_it_will_never_get(live: Live) -> None:
    _, token = person(live, "fred", mail="none")

    no_game = to_its_end("bot_stream.py", token, "nowhere", live.url)
    no_token = to_its_end("bot_stream.py", "mp_wrong", "nowhere", live.url)

    assert (no_game.returncode, no_game.stdout, no_game.stderr) == (1, "", "There is no such game.\n")
    assert (no_token.returncode, no_token.stdout) == (1, "")


def test_a_bot_by_stream_tells_each_try_while_the_service_is_away(tmp_path: Path) -> None:
    nowhere, said = f"http://127.0.0.1:{free_port()}", tmp_path / "stream.txt"
    with ExitStack() as stack:
        stack.callback(Bot("bot_stream.py", "mp_any", "game", nowhere, said=said).kill)
        until(lambda: len(said.read_text().splitlines()) > 1)

    assert [line.partition("next try in ")[2] for line in said.read_text().splitlines()] == ["1 s)", "2 s)"]


def test_hostile_receivers_delay_no_move_and_no_letter_and_honest_ones_are_called(live: Live) -> None:
    """As many at once as calls are made at once, and each does its worst."""
    hooks, ports = ChannelTargets(live.ports().games.redis), live.ports()
    workers = live.pids("--queue hooks")
    with ExitStack() as stack:
        honest = stack.enter_context(receiver(says(OK)))
        hostile = {how.replace(" ", "-"): stack.enter_context(receiver(answer)) for how, answer in HOSTILE.items()}
        players = {name: person(live, name)[0] for name in (*hostile, "honest")}
        for name, player in players.items():
            url = hostile[name].url if name in hostile else honest.url
            hooks.make(ChannelTarget("h", player.id, url, "webhook", 0), 1)
            open_game(ports, f"of-{name}", player.id, "portobello", [SeatPlan(bot="greedy"), SeatPlan(player=player.id)], {})
        until(lambda: all(each.connections for each in hostile.values()), 60.0)

        ann = Ann(live)
        ann.sees_it_decided(game := ann.opens(), ann.moves(game))
        until(lambda: _letters(ports, players["drips"].id))
        until(lambda: honest.requests, 60.0)
        until(lambda: all(_error(hooks, players[name].id) for name in hostile), 60.0)

    assert honest.kinds() == ["turn"]
    assert _error(hooks, players["500"].id) == "status 500"
    assert _error(hooks, players["drips"].id) == "no-answer"
    assert _error(hooks, players["honest"].id) == ""
    assert live.pids("--queue hooks") == workers
    assert not any(stopped in live.log() for stopped in STOPPED)


def _error(hooks: ChannelTargets, player: str) -> str:
    found = hooks.find(player, "h")
    assert found
    return found.last_error


def _letters(ports: Ports, player: str) -> list[str]:
    return [mail.letter for mail in DeliveryQueue(ports.games.redis).of(player) if mail.status == "sent"]


def test_the_example_that_finds_no_service_says_so_in_one_line() -> None:
    url = f"http://127.0.0.1:{free_port()}"

    done = to_its_end("play.py", "token", url)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{url} does not answer: ")
    assert done.stderr.endswith(" Connection refused. Is the service running (make run)?\n")
    assert done.stderr.count("\n") == 1
