"""Logs as JSON: a move is followed from the request to the letter by its ids."""

import json
import logging
from pathlib import Path
from typing import Any

from tests.running.live import Ann, marketpost, running, until
from workers.json_lines import JsonLines
from workers.process_log import PlainLines


def lines(log: str) -> list[dict[str, Any]]:
    return [json.loads(line[line.index("{") :]) for line in log.splitlines() if '"logger":' in line]


def test_a_move_is_followed_from_the_request_to_the_letter(tmp_path: Path) -> None:
    with running(tmp_path / "data", LOG_FORMAT="json", LOG_LEVEL="info") as live:
        ann = Ann(live)
        game = ann.opens()
        move = ann.moves(game)
        ann.sees_it_decided(game, move)
        until(lambda: [line for line in lines(live.log()) if line.get("delivery") and line["game"] == game])

        found = lines(live.log())

    accepted = next(line for line in found if line.get("move") == move and line.get("request"))
    answered = next(line for line in found if line.get("request") == accepted["request"] and "status" in line)
    decided = next(line for line in found if line.get("move") == move and line.get("status") == "applied")
    assert (answered["method"], answered["status"], answered["game"]) == ("POST", 202, game)
    assert decided["version"] >= 1
    assert any(line.get("delivery") and line["game"] == game and line["outcome"] for line in found)


def test_a_line_that_was_shortened_keeps_its_values() -> None:
    record = logging.LogRecord("marketpost.x", logging.WARNING, "", 0, "game %(game)s: not finished", ({"game": "g1"},), None)
    error = OSError("disk full")
    record.exc_info = (OSError, error, None)

    assert PlainLines().filter(record)

    line = json.loads(JsonLines().format(record))
    assert (line["game"], line["message"]) == ("g1", "game g1: not finished: OSError: disk full")
    assert "traceback" not in line


def test_an_unknown_format_is_refused_before_anything_starts(tmp_path: Path) -> None:
    refused = marketpost(tmp_path, "sweeper", LOG_FORMAT="xml")

    assert refused.returncode == 2
    assert "LOG_FORMAT" in refused.stderr
    assert "text or json" in refused.stderr
