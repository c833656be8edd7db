"""How long a person's move takes while 50 guests do their worst: `python -m tests.abuse.crowd [SECONDS]`.

Phases without and with the guests take turns, because the machine itself is never the same for long. The guests come from as many
network addresses, run in a process of their own, and stand back for the CPU, so that what is measured is what they do to the service.
"""

import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.bots import bot, usual_bot
from tests.games import sealed
from tests.running.live import Live, running

GUESTS = 50
PHASES = 2
"""Of each kind."""
SECONDS = 15.0
PAUSE = 0.12
"""Seconds between two moves, so that the player stays within her own limit."""


class Guest:
    """Opens a game against strong bots, and then asks for whatever costs most."""

    def __init__(self, url: str, number: int) -> None:
        self.url, self.place, self.address = url, urlsplit(url).netloc, f"198.51.100.{number}"
        self.cookie, self.answers = "", Counter[int]()
        self.kept: list[HTTPConnection] = []

    def ask(self, method: str, path: str, body: str = "", keep: bool = False, **headers: str) -> str:
        connection = HTTPConnection(self.place, timeout=20)
        own = {"X-Forwarded-For": self.address, "Cookie": self.cookie, "Authorization": f"Bearer {self.cookie.partition('=')[2]}"}
        connection.request(method, path, body or None, own | {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        self.answers[answer.status] += 1
        self.cookie = answer.headers.get("Set-Cookie", self.cookie).partition(";")[0]
        if keep and answer.status == 200:
            self.kept.append(connection)
            return ""
        found = answer.headers.get("Location", "") or answer.read().decode(errors="replace")
        connection.close()
        return found

    def post(self, path: str, body: object) -> str:
        return self.ask("POST", path, json.dumps(body), Content_Type="application/json", Idempotency_Key=secrets.token_hex(8))

    def do_worst(self, until: float) -> None:
        try:
            first = self.ask(
                "POST", "/play", "rules=alturien", Content_Type="application/x-www-form-urlencoded", Origin=self.url
            ).rpartition("/")[2]
            self.post(f"/v1/games/{first}/proposals", {"what": "abandon"})
            game = self.post("/v1/games", {"rules": "alturien", "seats": [{"me": True}, *[{"bot": "strong"}] * 5]})
            while time.monotonic() < until:
                legal = json.loads(self.ask("GET", f"{game}/legal")).get("steps") or ["pass"]
                self.post(f"{game}/moves", {"orders": legal[0]})
                self.post(f"{game}/moves", {"orders": "x" * 15_000})
                self.post(f"{game}/preview", {"orders": legal[-1]})
                self.ask("GET", f"{game}/board?width=2400&theme={secrets.choice(('light', 'dark'))}", Accept="image/png")
                self.ask("GET", f"{game}/events", keep=True, Accept="text/event-stream")
        except (OSError, HTTPException, ValueError):
            self.answers[0] += 1


def crowd(url: str, seconds: float) -> None:
    """All guests at once; prints how often each status was answered."""
    os.nice(19)
    guests = [Guest(url, number) for number in range(GUESTS)]
    threads = [threading.Thread(target=guest.do_worst, args=(time.monotonic() + seconds,), daemon=True) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 30)
    answered = sum((guest.answers for guest in guests), Counter[int]())
    sys.stdout.write(json.dumps(answered))


class Mover:
    """A person who plays both sides of a game against nobody else."""

    def __init__(self, live: Live) -> None:
        self.place, self.ports = urlsplit(live.url).netloc, live.ports()
        self.player = register(self.ports, "ann@example.org", "Ann").id
        self.token, _ = new_token(self.ports, self.player, "", ("play", "read"))
        self.game = ""

    def moves_for(self, seconds: float) -> list[float]:
        """Seconds that each move took from being sent to being applied."""
        until, took = time.monotonic() + seconds, list[float]()
        while time.monotonic() < until:
            took.append(self._move(self._orders()))
            time.sleep(PAUSE)
        return took

    def _orders(self) -> str:
        game = self.ports.game(self.game) if self.game else None
        if game is None or game.status == "over":
            self.game = secrets.token_hex(10)
            game = open_game(self.ports, self.game, self.player, "portobello", [SeatPlan(player=self.player)] * 2, {})
        return bot(game.rules, usual_bot(game.rules))(game.state.copy(), game.deciders[0], sealed(game.version))

    def _move(self, orders: str) -> float:
        connection = HTTPConnection(self.place, timeout=60)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Prefer": "wait=30"}
        began = time.monotonic()
        connection.request("POST", f"/v1/games/{self.game}/moves", json.dumps({"orders": orders}), headers)
        told = json.load(connection.getresponse())
        took = time.monotonic() - began
        connection.close()
        assert told.get("status") == "applied", told
        return took


def told(what: str, took: list[float]) -> str:
    return f"{what:<14} {len(took):>4} moves: p50 {median(took) * 1000:.0f} ms, p99 {quantiles(took, n=100)[98] * 1000:.0f} ms\n"


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "data", PROXIES="1") as live:
        mover, alone, among = Mover(live), list[float](), list[float]()
        mover.moves_for(2.0)
        before = memory(mover.ports)
        for _ in range(PHASES):
            alone += mover.moves_for(seconds)
            guests = subprocess.Popen(
                [sys.executable, "-m", "tests.abuse.crowd", live.url, str(seconds)], stdout=subprocess.PIPE, text=True
            )
            among += mover.moves_for(seconds)
            answered, _ = guests.communicate()
            sys.stdout.write(f"{GUESTS} guests were answered {answered}\n")
        sys.stdout.write(told("undisturbed", alone) + told(f"{GUESTS} guests", among))
        sys.stdout.write(f"memory of the games' Redis: {(memory(mover.ports) - before) / 1e6:.1f} MB more\n")


def memory(ports: Ports) -> int:
    return int(ports.games.redis.info("memory")["used_memory"])


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("http"):
        crowd(sys.argv[1], float(sys.argv[2]))
    else:
        main(float((sys.argv[1:] or [SECONDS])[0]))
