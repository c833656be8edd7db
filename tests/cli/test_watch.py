"""Watching a game: nothing is missed, nothing is shown twice, and the terminal is given back as it was."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from api import event_stream as stream
from marketpost.cli import watch
from tests.cli.conftest import Desk
from tests.cli.door import door
from tests.cli.terminal import Terminal
from tests.running.live import MARKETPOST
from tests.service import Service

DRAWS = "4: customer A; customer B; customer C; customer D"


@pytest.fixture(autouse=True)
def soon_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "COME_BACK", 0.01)


def play_to_the_end(house: Service, desk: Desk, game: str) -> None:
    """Whatever is good, turn after turn, against a bot."""
    while house.turn_of(desk.person, game)["status"] == "running":
        desk.person.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=20"})


@contextmanager
def going_on(house: Service, desk: Desk) -> Iterator[str]:
    """A game that is played to its end meanwhile."""
    game = house.against_bot(desk.person)
    player = threading.Thread(target=play_to_the_end, args=(house, desk, game))
    player.start()
    yield game
    player.join()


def whole_log(desk: Desk, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = desk.person.get(f"/v1/games/{game}/events?after={after}&limit=200").json
        found, after = [*found, *page["items"]], page["next"]
    return found


def window(desk: Desk, game: str, columns: int = 80, lines: int = 24, **more: str) -> Terminal:
    return Terminal([str(MARKETPOST), "watch", game], {**os.environ, **desk.environment, **more}, columns, lines)


def test_a_game_is_watched_to_its_end_over_a_bad_line(house: Service, ann: Desk) -> None:
    """Each answer breaks off in the middle, and for a while there is none; watching goes on behind the last whole entry."""
    with going_on(house, ann) as game, door(ann.url) as way:
        way.cut_after, way.deaf = 60_000, range(3, 12)
        seen = [json.loads(line) for line in ann.at(way.url).done("watch", game, "--json").splitlines()]
        streams = [request for request in way.requests if b"event-stream" in request]

    assert seen == whole_log(ann, game)
    assert seen[-1]["kind"] == "revealed"
    assert len(streams) > 1


def test_where_nobody_looks_each_change_is_printed_below_the_last(house: Service, ann: Desk) -> None:
    with going_on(house, ann) as game:
        printed = ann.done("watch", game)

    assert printed.count("<<A>>") > 3
    assert "\x1b" not in printed
    assert "The game is over." in printed or "Winner" in printed


def test_the_window_is_redrawn_when_something_happens_and_q_ends_it(house: Service, ann: Desk, game: str) -> None:
    with window(ann, game) as terminal:
        before = terminal.attributes()
        terminal.until("q ends")
        first = terminal.text
        ann.person.post(f"/v1/games/{game}/moves", {"orders": DRAWS})
        terminal.until("Yellow took tile")
        terminal.type("q")
        assert terminal.ends() == 0

    assert "▶ R  Ann (you) 10" in first
    assert "lines 1 to" in first
    assert all(len(line) <= 80 for line in first.splitlines())
    assert b"\x1b[?1049h" in terminal.bytes
    assert terminal.bytes.index(b"\x1b[?1049l") > terminal.bytes.index(b"\x1b[?1049h")
    assert before[3]


def test_a_small_window_scrolls_and_a_wide_one_shows_the_rest_beside_the_board(ann: Desk, game: str) -> None:
    with window(ann, game) as terminal:
        terminal.until("lines 1 to")
        assert "WHAT YOU MAY DO" not in terminal.text
        terminal.type("\x1b[B")
        terminal.until("lines 2 to")
        for _ in range(6):
            terminal.type(" ")
        terminal.until("FOR EXAMPLE")
        terminal.resize(140, 50)
        terminal.until(lambda text: "WHAT YOU MAY DO" in text and "lines" not in text)
        assert any(line.find("Ann (you)") > 80 for line in terminal.text.splitlines())
        terminal.type("q")
        assert terminal.ends() == 0


def test_ctrl_c_ends_it_cleanly(ann: Desk, game: str) -> None:
    with window(ann, game) as terminal:
        terminal.until("q ends")
        terminal.type("\x03")
        assert terminal.ends() == 0
        assert terminal.attributes()[3] & 0o12  # lines and echo are back

    assert terminal.bytes.rstrip().count(b"\x1b[?1049l") == 1
    assert b"Traceback" not in terminal.bytes


def test_without_colours_letters_are_enough(ann: Desk, game: str) -> None:
    with window(ann, game, NO_COLOR="1") as terminal:
        terminal.until("q ends")
        shown = terminal.text
        terminal.type("q")
        terminal.ends()

    assert ">[R] Ann (you) 10" in shown
    assert b"[41m" not in terminal.bytes


def test_a_game_that_is_over_is_shown_and_not_waited_for(house: Service, ann: Desk) -> None:
    game = house.against_bot(ann.person)
    play_to_the_end(house, ann, game)

    with window(ann, game) as terminal:
        assert terminal.ends() == 0

    assert "Winner" in terminal.bytes.decode()


def test_what_is_said_is_seen_in_a_while(ann: Desk, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "QUIET", 0.2)
    with window(ann, game, 140, 50) as terminal:
        terminal.until("q ends")
        threading.Thread(target=ann.person.post, args=(f"/v1/games/{game}/messages", {"text": "still there?"})).start()
        terminal.until("Ann: still there?")
        terminal.type("q")
        terminal.ends()
