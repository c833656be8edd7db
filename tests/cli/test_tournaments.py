"""Tournaments from the command line."""

import json
from datetime import UTC, datetime, timedelta

from tests.cli.conftest import Desk

LATER = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()


def test_a_tournament_is_announced_listed_entered_shown_left_and_cancelled(ann: Desk, bob: Desk) -> None:
    made = json.loads(ann.done("competition", "new", "Terminal Cup", "portobello", "--starts", LATER, "--seats", "2", "--json"))
    id = made["id"]

    assert "Terminal Cup Swiss system open" in " ".join(bob.done("competition", "list").split())
    assert "You take part in Terminal Cup." in bob.done("competition", "join", id)
    assert "1. Bob: 0.00 points" in bob.done("competition", "show", id)
    assert "You do not take part in Terminal Cup any more." in bob.done("competition", "leave", id)
    assert bob.run("competition", "cancel", id).exit_code != 0
    assert "Terminal Cup is cancelled." in ann.done("competition", "cancel", id)
