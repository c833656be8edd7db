"""A game is played to its end on a service as it is started: luck, skill and turning points follow, over REST, on the page and by mail."""

import random
import urllib.request
from pathlib import Path

from marketpost.client import Client
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.registration import new_token, register
from marketpost.play.table.seating import open_game
from marketpost.store.local_mailbox import LocalMailbox
from tests.running.live import running, until

ENOUGH = "analysis-service=8000, requests-player=100000"
"""An analysis has few playouts, and is not given up on a slow machine."""
PATIENCE = 240.0
POINTS = 3
RULES = "alturien"
"""The game whose analysis takes least."""


def test_luck_skill_and_turning_points_follow_a_game_over_rest_on_the_page_and_in_the_last_letter(tmp_path: Path) -> None:
    dice = random.Random(1)
    with running(tmp_path / "data", LIMITS=ENOUGH) as live:
        ports = live.ports()
        ann = register(ports, "ann@example.org", "Ann")
        token, box = new_token(ports, ann.id, "", ("play", "read"))[0], LocalMailbox(ports.games.redis)
        open_game(ports, "played", ann.id, RULES, [SeatPlan(player=ann.id), SeatPlan(bot="easy")], {})

        def last_letter() -> str:
            found = [line.number for line in box.list(ann.email) if line.head.subject.startswith("The game is over")]
            letter = box.read(ann.email, found[0]) if found else None
            return letter.text if letter else ""

        with Client(live.url, token) as client:
            while client.show_game("played")["status"] == "running":
                if steps := client.list_legal("played")["steps"]:
                    client.submit_orders("played", {"orders": dice.choice(steps)}, wait=10)
            at_once = client.show_analysis("played")["status"]
            letter = until(last_letter, PATIENCE)
            analysis = client.show_analysis("played")
        request = urllib.request.Request(f"{live.url}/games/played", headers={"Cookie": f"session={token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            page = answer.read().decode()

    assert (at_once, analysis["status"]) == ("pending", "ready")
    assert len(analysis["turning_points"]) == POINTS
    assert [shown.count("The position before it:") for shown in (letter, page)] == [POINTS, POINTS]
