"""Whoever is forgotten is gone: from both stores, from the append-only file, from what the service logs. Their games are whole."""

import json
import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from marketpost.play.keeping.verify import rebuild, verify
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.store import erasure_list as erased
from marketpost.store.local_mailbox import LocalMailbox, MailboxMessage, write_reply
from marketpost.store.redis_client import RedisClient
from tests.running.live import Live, marketpost, running, stores, until

NAME = "Zephyrine Quillfeather"
ADDRESS = "zephyrine.quill@example.org"
RULES = ("portobello", "alturien")
TRACES = [trace.encode() for trace in ("zephyrine", "quillfeather", "zephyrine.quill")]


def served(data: Path) -> AbstractContextManager[Live]:
    return running(data, LIMITS="requests-player=10000", INBOUND_SECRET="between us")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with served(tmp_path / "data") as found:
        yield found


class Person:
    """Registers, signs in and plays by HTTP, and answers letters from the local mailbox."""

    def __init__(self, live: Live, name: str, address: str) -> None:
        self.live, self.address, self.token = live, address, ""
        self.ask("POST", "players", {"email": address, "name": name})
        code = next(filter(None, map(_code, self.letters("code"))))
        signed_in = self.ask("POST", "tokens", {"email": address, "code": code, "label": f"{name}'s own"})
        self.token, self.id = signed_in["token"], signed_in["player"]

    def ask(self, method: str, path: str, body: Any = None, key: str = "", **headers: str) -> Any:
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        data = body if isinstance(body, bytes) else json.dumps(body if body is not None else {}).encode()
        headers.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(f"{self.live.url}/v1/{path}", None if method == "GET" else data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(error.read()) from error

    def letters(self, about: str) -> list[MailboxMessage]:
        """Those with this in them, as soon as there are any."""
        box = LocalMailbox(self.live.ports().games.redis)

        def found() -> list[MailboxMessage]:
            mails = (box.read(self.address, line.number) for line in box.list(self.address))
            return [mail for mail in mails if mail and about in mail.text]

        letters: list[MailboxMessage] = until(found, 60.0)
        return letters

    def answer(self, about: str, text: str, sender: str = "") -> None:
        """To the newest letter with this in it."""
        raw = write_reply(self.letters(about)[-1], sender or self.address, text)
        self.ask("POST", "inbound", raw, **{"Content-Type": "message/rfc822", "X-Inbound-Secret": "between us"})


def _code(mail: MailboxMessage) -> str:
    found = re.search(r"^\s*([A-HJ-NP-Z2-9]{8})\s*$", mail.text, re.MULTILINE)
    return found.group(1) if found else ""


def everything(redis: RedisClient) -> Iterator[tuple[str, bytes]]:
    """Every key with all that is in it, uncompressed."""
    for key in redis.scan_iter(count=1000):
        match redis.type(key):
            case b"string":
                parts: Any = [redis.get(key)]
            case b"hash":
                parts = [each for pair in redis.hgetall(key).items() for each in pair]
            case b"list":
                parts = redis.lrange(key, 0, -1)
            case b"set":
                parts = redis.smembers(key)
            case b"zset":
                parts = redis.zrange(key, 0, -1)
            case _:
                parts = [each for _, fields in redis.xrange(key) for pair in fields.items() for each in pair]
        yield key.decode(), key + b" " + b" ".join(parts)


def traces(redis: RedisClient) -> list[str]:
    """Keys that tell of her; letters that mail programs encode are decoded."""
    return [key for key, data in everything(redis) if tells(data)]


def tells(data: bytes) -> bool:
    plain = data.lower() + b" ".join(part.encode() for part in re.findall(r"[\w.@-]+", MailboxMessage(data).text.lower()))
    return any(trace in plain for trace in TRACES)


def rewritten(redis: RedisClient, data: Path) -> bytes:
    """The append-only file after its rewrite, in plain commands."""
    redis.config_set("aof-use-rdb-preamble", "no")
    redis.execute_command("BGREWRITEAOF")
    until(lambda: not redis.info("persistence")["aof_rewrite_in_progress"] and not redis.info("persistence")["aof_rewrite_scheduled"], 60.0)
    return b"".join(path.read_bytes() for path in data.rglob("*.aof*"))


def test_nothing_of_a_erased_player_is_left_but_whole_games(live: Live) -> None:
    zoe, bob = Person(live, NAME, ADDRESS), Person(live, "Bob", "bob@example.org")
    seats = [{"me": True}, {"email": bob.address}]
    game = zoe.ask("POST", "games", {"rules": "portobello", "seats": seats}, key="the-game")["id"]
    bob.answer(NAME, "yes")
    until(lambda: zoe.ask("GET", f"games/{game}")["status"] == "running", 60.0)
    bob.ask("POST", f"games/{game}/join", key="again")  # its answer, with her name in it, is kept
    mover, other = (zoe, bob) if "red" in zoe.ask("GET", f"games/{game}")["decides"] else (bob, zoe)
    mover.answer("bobby", "bobby 5")
    until(lambda: mover.ask("GET", f"games/{game}")["version"] >= 4, 60.0)
    zoe.answer("bobby", "say Good luck!\nnote watch square G")
    bob.letters("Good luck!")
    mover.ask("POST", f"games/{game}/undo")
    other.letters(mover.ask("GET", "players/me")["name"])
    bob.answer("Good luck!", "board", sender=ADDRESS)  # a mail of hers to Bob's address is held, and Bob is asked
    bob.letters(ADDRESS)
    finished = zoe.ask("POST", "games", {"rules": "portobello", "seats": seats})["id"]
    bob.ask("POST", f"games/{finished}/join")
    for each in (zoe, bob):
        each.ask("POST", f"games/{finished}/proposals", {"what": "draw"}, key="a-draw")
    waiting = zoe.ask("POST", "games", {"rules": "alturien", "seats": [{"me": True}, {"player": bob.id}]})["id"]
    ports, queue = live.ports(), live.work_queue().redis
    redis = ports.games.redis
    assert len(traces(redis)) > 5, "there is something to forget"

    zoe.ask("DELETE", "players/me")

    assert "has left the game" in bob.letters("has left the game")[-1].text
    until(lambda: bob.ask("GET", f"games/{game}")["decides"] == [bob.ask("GET", f"games/{game}")["you"]], 60.0)
    assert (traces(redis), traces(queue)) == ([], [])
    assert not tells(rewritten(redis, live.data))
    assert not tells(live.said.read_bytes())
    assert not [path for path in live.data.rglob("*") if path.is_file() and tells(path.read_bytes())]
    assert bob.ask("GET", f"games/{waiting}")["ended"] == "cancelled"
    for id in (game, finished, waiting):
        log = ports.games.read(id)
        assert follow(Game(id), log).version == len(log)
        assert not verify(id, log, ports.games.head(id)).faults
    assert rebuild(ports).differences == ()
    assert {seat["name"] for seat in bob.ask("GET", f"games/{finished}")["seats"]} == {None, "Bob"}


@dataclass(frozen=True, slots=True)
class Stopped:
    """A service that has stopped after Zoe was forgotten there: its data, a backup from before that, and how the games were then."""

    data: Path
    older: Path
    zoe: str
    bob: str
    logs: dict[str, list[bytes]]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    folder = tmp_path_factory.mktemp("stopped")
    with served(folder / "data") as live:
        zoe, bob = Person(live, NAME, ADDRESS), Person(live, "Bob", "bob@example.org")
        games = [zoe.ask("POST", "games", {"rules": rules, "seats": [{"me": True}, {"email": bob.address}]})["id"] for rules in RULES]
        for game in games:
            bob.ask("POST", f"games/{game}/join", key=f"in-{game}")
            zoe.ask("POST", f"games/{game}/messages", {"text": "Good luck!"})
        bob.letters("Good luck!")
        before = {game: [each.data for each in live.ports().games.read(game)] for game in games}
        assert marketpost(live.data, "backup", str(folder / "older")).returncode == 0
        zoe.ask("DELETE", "players/me")
    return Stopped(live.data, folder / "older", zoe.id, bob.id, before)


@pytest.mark.parametrize("lost", ["the servers' files", "the whole folder"])
def test_whoever_was_erased_stays_so_when_an_older_backup_is_restored(stopped: Stopped, tmp_path: Path, lost: str) -> None:
    data, kept = tmp_path / "data", tmp_path / "kept"
    shutil.copytree(stopped.data, data, ignore=shutil.ignore_patterns("*.sock"))
    assert (data / "erased").read_text().split() == [stopped.zoe]
    shutil.copy(data / "erased", kept)
    for gone in (data,) if lost == "the whole folder" else (data / "games", data / "queue"):
        shutil.rmtree(gone)

    with stores(data) as ports:
        arguments = ("--erased", str(kept)) if lost == "the whole folder" else ()
        done = marketpost(data, "restore", str(stopped.older), *arguments)

        assert (done.returncode, "; 1 player erased again" in done.stdout) == (0, True), done.stderr
        assert "0 broken" in done.stdout
        assert traces(ports.games.redis) == []
        assert not tells(rewritten(ports.games.redis, data))
        for game, entries in stopped.logs.items():
            log = ports.games.read(game)
            assert [each.data for each in log[: len(entries)]] == entries
            assert not verify(game, log, ports.games.head(game)).faults
            assert (found := ports.game(game))
            assert stopped.zoe not in {seat.player for seat in found.seats}
        assert stopped.zoe in ports.players.erased()
        assert ports.players.player_of("bob@example.org") == stopped.bob


@pytest.mark.parametrize("spoil", [lambda backup: backup[:-20], lambda _: b"root:x:0:0:root\n"], ids=["a backup that was cut off", "words"])
def test_what_is_no_list_of_the_erased_is_not_taken_for_one(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    with stores(tmp_path / "data"):
        assert marketpost(tmp_path / "data", "backup", str(tmp_path / "backup")).returncode == 0
        (tmp_path / "cut").write_bytes(spoil((tmp_path / "backup").read_bytes()))

        done = marketpost(tmp_path / "data", "restore", str(tmp_path / "backup"), "--erased", str(tmp_path / "cut"))

    assert done.returncode == 1
    assert "neither a whole backup nor a list of ids" in done.stderr


def test_an_account_is_deleted_even_where_the_list_cannot_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a file").touch()

    erased.note(tmp_path / "a file", "ann")

    assert "player ann could not be noted" in caplog.text


def test_a_line_that_a_crash_has_cut_spoils_no_other(tmp_path: Path) -> None:
    (tmp_path / "erased").write_text("\na")

    erased.note(tmp_path, "b0b")

    assert erased.read(tmp_path / "erased") == ["a", "b0b"]
