"""Boards, pictures and event streams: what one actor asks for takes a bounded time, and leaves room for others."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from api.http.request_schemas import LONGEST_RECORD
from marketpost.pictures.drawing_process import DrawingProcess
from marketpost.pictures.png import MOST_PIXELS, WIDTHS, png
from marketpost.rules.alturien.board import LARGEST_TOWN, MOST_SPACES, MOST_WAYS, WAYS_OF_A_CROSSING
from marketpost.rules.board_size import LARGEST_BOARD
from marketpost.rules.bots import STRONG
from marketpost.rules.records import TITLE, read
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Ruleset, Setting, ruleset, rulesets
from tests.abuse.large_board import largest_board, measure
from tests.abuse.test_guests import guest
from tests.games import sealed
from tests.service import Service, service

A_SECOND = 1.0
STREAM = {"Accept": "text/event-stream"}


def test_on_the_largest_board_everything_takes_less_than_a_second() -> None:
    """Measured in CPU time; `python -m tests.abuse.large_board` prints it."""
    times = measure(ruleset("alturien"), largest_board())

    assert times.keys() == {"legal", "greedy", STRONG, "preview", "picture"}
    assert {what for what, seconds in times.items() if seconds >= A_SECOND} == set()


def test_a_record_of_refused_orders_takes_less_than_a_second() -> None:
    board = largest_board()
    head = f"{TITLE}\nrules: alturien\nboard: {board['name']}\nseats: yellow green\n---\n"
    refused = "! not-your-turn: yellow x\n"
    record = read(head + refused * ((LONGEST_RECORD - len(head)) // len(refused)), lambda name: board)

    began = time.process_time()
    replay(record)

    assert time.process_time() - began < A_SECOND


def test_a_larger_board_cannot_be_typed_in_but_still_replays() -> None:
    rules = ruleset("alturien")
    for board, code in (
        (largest_board(spaces=LARGEST_TOWN + 1), "board-many-spaces"),
        (largest_board(ways=WAYS_OF_A_CROSSING + 2), "board-busy-crossing"),
    ):
        assert {defect.code for defect in rules.defects(board)} == {code}
        rules.start(Setting(rules.colours[:2], board, None, {}), sealed(1))
    assert MOST_SPACES > LARGEST_TOWN
    assert MOST_WAYS > WAYS_OF_A_CROSSING


@pytest.mark.parametrize("rules", rulesets().values(), ids=lambda rules: rules.name)
def test_a_board_with_a_long_note_is_refused(rules: Ruleset[Any], house: Service) -> None:
    ann = house.person("ann")
    board = ann.get(f"/v1/boards/{rules.boards()[0]}").json["document"] | {"name": "noted", "note": "x" * LARGEST_BOARD}

    answer = ann.post("/v1/games", {"rules": rules.name, "seats": [{"me": True}, {"bot": "greedy"}], "board": board})

    assert answer.status_code == 422
    assert [error["code"] for error in answer.json["errors"]] == ["board-too-large"]


def test_the_largest_picture_that_is_drawn_fits_into_memory() -> None:
    """Four bytes for each pixel, drawn and read again, one picture at a time."""
    assert MOST_PIXELS * 4 * 3 < 100_000_000


def test_pictures_are_drawn_one_at_a_time_by_another_process_that_may_die(request: pytest.FixtureRequest) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 720"><rect width="720" height="720" fill="#23262d"/></svg>'
    drawing = DrawingProcess()
    request.addfinalizer(drawing.close)

    with ThreadPoolExecutor(4) as asking:
        drawn = list(asking.map(lambda width: drawing.draw(svg, width), WIDTHS))
    with pytest.raises(OSError, match="could not be drawn"):
        drawing.draw("no picture", 520)

    assert [Image.open(BytesIO(each)).size[0] for each in drawn] == list(WIDTHS)
    assert drawing.draw(svg, 520) == png(svg, 520)


@pytest.fixture(scope="module")
def limited() -> Iterator[Service]:
    with service(workers=0, LIMITS="streams-guest=2, streams-address=5, streams-player=3, pixels-guest=300000") as running:
        yield running


def test_nobody_takes_the_streams_of_others(limited: Service) -> None:
    eve, game = guest(limited)
    path = f"/v1/games/{game}/events"
    ann = limited.person("ann")
    own = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]}).json["id"]

    streams = [eve.get(path, headers=STREAM, buffered=False) for _ in range(4)]
    anns = [ann.get(f"/v1/games/{own}/events", headers=STREAM, buffered=False) for _ in range(4)]
    streams[0].close()
    again = eve.get(path, headers=STREAM, buffered=False)

    assert [each.status_code for each in streams] == [200, 200, 429, 429]
    assert [each.status_code for each in anns] == [200, 200, 200, 429]
    assert again.status_code == 200
    for each in (*streams, *anns, again):
        each.close()


def test_pixels_are_counted(limited: Service) -> None:
    eve, game = guest(limited, "192.0.2.9")
    found = limited.ports.game(game)
    assert found

    answers = [eve.get(f"/v1/games/{game}/board?width=360", headers={"Accept": "image/png"}) for _ in range(4)]

    assert answers[0].status_code == 200
    assert (answers[-1].status_code, answers[-1].json["code"]) == (429, "over-limit")
