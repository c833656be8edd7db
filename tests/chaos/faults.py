"""What can go wrong, each as something to do to a running service. Each returns how it went: done, or why it cannot be done here."""

import os
import random
import re
import shutil
import signal
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from redis import RedisError

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.entries import digest
from marketpost.play.moves.submit import submit
from marketpost.play.table.seating import open_game
from marketpost.store.delivery_queue import Delivery, DeliveryQueue
from marketpost.store.game_logs import GameLogs
from marketpost.store.packed_entries import MARK, PACKED
from marketpost.store.redis_client import RedisClient
from tests.chaos.log_reader import LogReader
from tests.chaos.mailbox import Mailbox
from tests.chaos.onlookers import BEGINS_IN, announce_league, cut_at_every_event, make_due
from tests.chaos.players import CHAOS, Tally
from tests.chaos.post import Sink
from tests.cluster import free_port
from tests.running.live import MARKETPOST, Live, exists, until
from tests.upgrade import previous_release
from workers.own_job import JOBS

BACK_WITHIN = 60.0
NOBODY_GETS_ON = 8.0
BETWEEN = 61
"""Seconds that pass between two blows on the service's clock, so that letters which a dead worker had in hand go out soon."""
SMALL_DISK = "128m"
HOUR = 3600
VICTIMS = {
    "worker": "marketpost.cli.main worker",
    "api": "gunicorn --config python:api.http.gunicorn_settings",
    "redis": "games.sock",
    "queue": "queue.sock",
    "mail-in": "marketpost.cli.main mail-in",
    "sweeper": "marketpost.cli.main sweeper",
}
"""What their command lines have in them. A worker runs its jobs itself and has no child to be killed apart from it; the API has two."""


ROLLED = ("worker", "sweeper", "mail-in", "api")
"""In the order in which docs/operate.md says to replace them."""


class Clock:
    """The service's own clock, which goes wrong when told to."""

    def __init__(self, folder: Path) -> None:
        self.file, self.library, self.ahead, self.furthest = folder / "clock", folder / "clock.so", 0, 0
        self.set(0)
        compiler = shutil.which("cc")
        command = [compiler or "", "-shared", "-fPIC", "-O2", "-o", str(self.library), str(Path(__file__).with_name("clock.c"))]
        self.works = bool(compiler) and subprocess.run(command, check=False).returncode == 0

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "CHAOS_CLOCK": str(self.file)} if self.works else {}

    def set(self, ahead: int) -> None:
        """Seconds before the right time; below 0, behind it."""
        self.ahead, self.furthest = ahead, max(ahead, self.furthest)
        with open(self.file, "r+b" if self.file.exists() else "wb") as file:
            file.write(struct.pack("l", ahead))

    def go_on(self, seconds: int) -> None:
        """Time passes, also that by which it was ahead."""
        self.set(self.furthest + seconds)


@dataclass(frozen=True, slots=True)
class Site:
    """A service and everything around it that can be hurt."""

    live: Live
    sink: Sink
    clock: Clock
    tally: Tally
    dice: random.Random
    small_disk: str
    """Why there is none; empty if the data folder lies on one."""
    log: LogReader
    mailbox: Mailbox | None
    streams: list[str] = field(default_factory=list)
    """What was wrong with what each cut stream told; empty if nothing was."""
    leagues: list[str] = field(default_factory=list)
    cut_away: list[int] = field(default_factory=list)
    """How many bytes each cut took."""

    def kill(self, kind: str) -> str:
        self.live.kill(self.dice.choice(until(partial(self.live.pids, VICTIMS[kind]), BACK_WITHIN)))
        return ""

    def roll(self) -> str:
        """Every process but the stores is told to end, one after the other, each when the one before is back."""
        for kind in ROLLED:
            for pid in until(partial(self.live.pids, VICTIMS[kind]), BACK_WITHIN):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
                until(lambda pid=pid: not exists(pid), BACK_WITHIN)
                until(partial(self.live.pids, VICTIMS[kind]), BACK_WITHIN)
        return ""

    def wrong_setting(self) -> str:
        """One more worker of letters is started with a mail server that is not there, and one with a store that is none."""
        nowhere = {"SMTP_URL": f"smtp://127.0.0.1:{free_port()}"}, {"REDIS_URL": "nowhere"}
        started = [
            subprocess.Popen(
                [str(MARKETPOST), "worker", "--queue", "mail"],
                env=self.live.environment | wrong,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for wrong in nowhere
        ]
        time.sleep(self.dice.uniform(4, 8))
        for process in started:
            process.kill()
            process.wait()
        return ""

    def previous_worker(self) -> str:
        """Two workers of the previous release, of moves and of letters, work beside ours for a while and are killed."""
        folder = self.live.data.parent / "previous"
        try:
            release = installed(folder)
        except subprocess.CalledProcessError:
            return "the previous release cannot be installed here"
        around = self.live.environment | {"PYTHONPATH": release.path}
        with open(folder / "told.txt", "ab") as told:
            started = [
                subprocess.Popen([str(release.program), "worker", *queue], env=around, stdout=told, stderr=told)
                for queue in ((), ("--queue", "mail"))
            ]
        try:
            until(lambda: {process.pid for process in started} <= self._pids_at_work(), BACK_WITHIN)
            time.sleep(self.dice.uniform(4, 8))
        finally:
            for process in started:
                process.kill()
                process.wait()
        return ""

    def _pids_at_work(self) -> set[int]:
        """The processes of which rq knows that they work."""
        redis = self.live.work_queue().redis
        return {int(redis.hget(key, "pid") or 0) for key in redis.scan_iter("rq:worker:*")}

    def adopt(self) -> str:
        """From now on entries are packed, which workers of the previous release could not read."""
        self.live.ports().games.redis.set(MARK, PACKED)
        return self.kill_all()

    def cut_stream(self) -> str:
        """A program's account stream is cut at every event."""
        self.streams.append(cut_at_every_event(self.live, self.dice))
        return ""

    def pair_league(self) -> str:
        """A league is paired, and workers are killed meanwhile."""
        self.leagues.append(announce_league(self.live, self.dice, self.clock.furthest))
        if self.clock.works:
            self.clock.go_on(2 * BEGINS_IN)
        else:
            time.sleep(BEGINS_IN)
        make_due(self.live, self.leagues[-1])
        for _ in range(2):
            time.sleep(self.dice.uniform(0, 0.3))
            self.kill("worker")
        return ""

    def pause(self, kind: str) -> str:
        """It stands still for longer than others wait for it, and then goes on as if nothing had been."""
        pid = self.dice.choice(until(partial(self.live.pids, VICTIMS[kind]), BACK_WITHIN))
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(self.dice.uniform(1, 2))
            self.clock.set(self.clock.ahead + BETWEEN)
            time.sleep(self.dice.uniform(1, 2))
        finally:
            os.kill(pid, signal.SIGCONT)
        return ""

    def kill_all(self) -> str:
        """The parent goes, and the system takes everything below along."""
        self._end()
        self.live.again()
        return ""

    def _end(self) -> None:
        everyone = self.live.all_pids()
        self.live.kill(self.live.process.pid)
        self.live.process.wait()
        until(lambda: not any(map(exists, everyone)), BACK_WITHIN)

    def cut(self) -> str:
        """All dies, and the file of the games ends at some byte after a known moment: what came before that moment must be there."""
        self._lose(self._end)
        self.live.again()
        return ""

    def set_back(self) -> str:
        """The store alone dies, and comes back as it was a while ago; everyone else goes on and remembers more than it does."""
        supervisor = self.live.process.pid
        os.kill(supervisor, signal.SIGSTOP)
        try:
            self._lose(lambda: self.kill("redis"))
        finally:
            os.kill(supervisor, signal.SIGCONT)
        return ""

    def _lose(self, die: Callable[[], object]) -> None:
        mark, letters, read = self.tally.mark(), self.sink.ids.copy(), self._read()
        before, size = newest_file(self.live.data)
        time.sleep(self.dice.uniform(1, 3))
        die()
        time.sleep(0.5)  # whoever has an answer in hand writes it down
        self.tally.risk(mark)
        self.tally.at_risk |= self._read() - read
        self.sink.forget_since(letters)
        after, end = newest_file(self.live.data)
        at = self.dice.randint(size if after == before else 0, end)
        os.truncate(after, at)
        self.cut_away.append(end - at)

    def _read(self) -> set[str]:
        """Mails that were fetched from the mailbox."""
        return self.mailbox.read() if self.mailbox else set()

    def no_reader(self, act: Callable[[float], None]) -> str:
        """Nobody takes the log while a part dies, which is to be told."""
        pid = self.dice.choice(until(partial(self.live.pids, VICTIMS["worker"]), BACK_WITHIN))
        threading.Timer(0.5, self.live.kill, (pid,)).start()
        act(self.dice.uniform(2, 5))
        return ""

    def bad_mailbox(self) -> str:
        if self.mailbox is None:
            return "there is no mailbox"
        self.mailbox.fail(self.dice.uniform(4, 8), self.dice)
        return ""

    def forget_jobs(self) -> str:
        """Everything rq knows is deleted."""
        redis = self.live.work_queue().redis
        for key in redis.scan_iter("rq:*"):
            redis.delete(key)
        return ""

    def lose_list(self) -> str:
        """Nobody knows any more which games have something to do."""
        self.live.ports().index.redis.delete("index:work")
        return ""

    def foreign_ids(self) -> str:
        """Somebody writes ids into the queues that are no text."""
        redis = self.live.work_queue().redis
        for name in JOBS:
            redis.rpush(f"rq:queue:{name}", *(bytes([255, number]) for number in range(5)))
        return ""

    def flip(self) -> str:
        """A byte of the newest entry of a game changes."""
        self._game_ending_in(lambda entry: entry.replace(b'"', b"#", 1), vouched=False)
        return ""

    def newer(self) -> str:
        """A newer version writes an entry and a letter that this one does not know."""
        name = self._game_ending_in(lambda entry: re.sub(rb'\["[a-z-]+"', b'["fireworks"', entry, count=1), vouched=True)
        ports = self.live.ports()
        letter = Delivery(name, ports.players.player_of(CHAOS) or "", "fireworks", ports.clock(), ports.clock())
        DeliveryQueue(ports.games.redis).put([letter])
        return ""

    def _game_ending_in(self, change: Callable[[bytes], bytes], vouched: bool) -> str:
        """Open a game with a move to judge, and change the newest entry of its log; `vouched` if the hash beside it is to fit."""
        ports, name = self.live.ports(), f"changed-{self.dice.getrandbits(32)}"
        redis, host = ports.games.redis, ports.players.player_of(CHAOS) or ""
        game = open_game(ports, name, host, "portobello", [SeatPlan(player=host), SeatPlan(player=host)], {})
        submit(ports, game, host, "bobby 5")
        stored, key = ports.games.read(name), GameLogs.key(name, "log")
        changed = change(stored[-1].data)
        redis.xdel(key, f"{stored[-1].version}-0")
        redis.xadd(key, {"e": changed}, id=f"{stored[-1].version}-1")
        if vouched:
            redis.set(GameLogs.key(name, "head"), digest(changed))
        return name

    def poison(self) -> str:
        """Of one game with a move in it, one letter and one mail nothing can be read any more."""
        ports, name = self.live.ports(), f"poisoned-{self.dice.getrandbits(32)}"
        redis, host = ports.games.redis, ports.players.player_of(CHAOS) or ""
        game = open_game(ports, name, host, "portobello", [SeatPlan(player=host), SeatPlan(player=host)], {})
        redis.xadd(GameLogs.key(name, "log"), {"e": b"who wrote this?"}, id=f"{game.version + 1}-0")
        submit(ports, game, host, "bobby 5")
        for row, line in (("out", "due"), ("in", "unread")):
            redis.set(DeliveryQueue.key(row, name), b"{")
            redis.zadd(DeliveryQueue.key(line), {name: 0})
        return ""

    def bad_post(self) -> str:
        self.sink.behave_badly(self.dice.uniform(3, 6), self.dice)
        return ""

    def no_post(self) -> str:
        self.sink.away(self.dice.uniform(1, 4))
        return ""

    def fill_disk(self) -> str:
        if self.small_disk:
            return self.small_disk
        filler = self.live.data / "filler"
        try:
            with open(filler, "wb", buffering=0) as file, suppress(OSError):
                while file.write(bytes(1 << 20)):
                    pass
            time.sleep(self.dice.uniform(2, 5))
        finally:
            filler.unlink()
        return ""

    def jump(self) -> str:
        """By hours, forward and back."""
        if not self.clock.works:
            return "there is no C compiler to make a clock that can"
        self.clock.set(self.dice.randint(-6 * HOUR, 6 * HOUR))
        return ""

    def slow_store(self) -> str:
        self.live.ports().games.redis.execute_command("CLIENT", "PAUSE", 5000)
        time.sleep(5)
        return ""

    def no_memory(self, redis: RedisClient) -> str:
        """A store takes nothing new."""
        redis.config_set("maxmemory", "1mb")
        try:
            time.sleep(self.dice.uniform(1, 4))
        finally:
            redis.config_set("maxmemory", "0")
        return ""

    def hang_up(self) -> str:
        """Every connection to both stores is cut."""
        for redis in (self.live.ports().games.redis, self.live.work_queue().redis):
            redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        return ""


installed = cache(previous_release)
"""It is installed for the first blow that needs it."""
FAULTS: dict[str, tuple[int, Callable[[Site], str]]] = {
    "worker": (40, lambda site: site.kill("worker")),
    "api": (8, lambda site: site.kill("api")),
    "redis": (12, lambda site: site.kill("redis")),
    "queue": (4, lambda site: site.kill("queue")),
    "mail-in": (4, lambda site: site.kill("mail-in")),
    "sweeper": (2, lambda site: site.kill("sweeper")),
    "everything": (3, Site.kill_all),
    "cut": (3, Site.cut),
    "rq-keys": (2, Site.forget_jobs),
    "smtp-down": (3, Site.no_post),
    "disk-full": (2, Site.fill_disk),
    "clock-jump": (5, Site.jump),
    "latency": (2, Site.slow_store),
    "pause": (4, lambda site: site.pause("worker")),
    "no-memory": (2, lambda site: site.no_memory(site.live.ports().games.redis)),
    "queue-memory": (2, lambda site: site.no_memory(site.live.work_queue().redis)),
    "foreign-ids": (2, Site.foreign_ids),
    "flipped": (2, Site.flip),
    "newer": (2, Site.newer),
    "rolling": (2, Site.roll),
    "wrong-setting": (2, Site.wrong_setting),
    "previous-worker": (2, Site.previous_worker),
    "adopt": (1, Site.adopt),
    "stream-cut": (2, Site.cut_stream),
    "league": (3, Site.pair_league),
    "hang-up": (3, Site.hang_up),
    "set-back": (2, Site.set_back),
    "lost-list": (2, Site.lose_list),
    "poison": (2, Site.poison),
    "bad-post": (2, Site.bad_post),
    "bad-mailbox": (3, Site.bad_mailbox),
    "log-unread": (2, lambda site: site.no_reader(site.log.stand_still)),
    "log-gone": (2, lambda site: site.no_reader(site.log.go_away)),
}
"""How often by default, and what is done."""


def strike(site: Site, name: str) -> str:
    """One blow, at some moment after people could play on; again, if what it needs was still down from the last one."""
    _let_play(site.tally, site.dice.randint(1, 25))
    site.clock.set(site.clock.ahead + BETWEEN)
    end = time.monotonic() + BACK_WITHIN
    while True:
        try:
            return FAULTS[name][1](site)
        except (RedisError, ProcessLookupError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _let_play(tally: Tally, moves: int) -> None:
    """Until so many more are acknowledged, or nobody gets on."""
    enough, end = sum(tally.mark()) + moves, time.monotonic() + NOBODY_GETS_ON
    while sum(tally.mark()) < enough and time.monotonic() < end:
        time.sleep(0.02)


def newest_file(data: Path) -> tuple[Path, int]:
    """The file that the games are being written to, and its size."""
    files = (data / "games" / "appendonlydir").glob("*.incr.aof")
    newest = max(files, key=lambda path: int(re.findall(r"\d+", path.name)[-1]))
    return newest, newest.stat().st_size


@contextmanager
def small_disk(folder: Path) -> Iterator[str]:
    """A file system of its own at this place. Why not, if there can be none."""
    folder.mkdir()
    if os.geteuid() != 0:
        yield "only root can make a small disk"
        return
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK},mode=700", "marketpost-chaos", str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        yield f"a small disk is not permitted here: {made.stderr.strip()}"
        return
    try:
        yield ""
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
