"""The Python client has every call, repeats what is lost, and raises what is refused."""

import asyncio
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from api import account_events
from api.http.problems import AGAIN_LATER
from marketpost.client import ApiRefused, ApiUnreachable, AsyncClient, Client
from marketpost.client.exchange import pause_before_next
from marketpost.play.outbox.account_events import publish
from marketpost.play.outbox.notices import Notice, NoticeKind
from marketpost.play.people.registration import new_token
from marketpost.rules.ruleset import rulesets
from marketpost.store.account_streams import MOST_EVENTS
from tests.cli.door import door
from tests.client_code import FOLDER, document, files
from tests.service import Person, Service

SERVER_LIBRARIES = ("flask", "redis", "rq", "marshmallow", "gevent", "jinja2", "lxml", "babel", "msgspec")
EXAMPLE = Path(__file__).parents[2] / "docs" / "client.md"
OWN_STEPS = 6


def test_every_call_of_the_api_is_a_method_of_both_clients() -> None:
    calls = [each for item in document()["paths"].values() for name, each in item.items() if name != "parameters"]
    operations = [each["operationId"] for each in calls if not each.get("deprecated")]

    assert [name for name in operations for client in (Client, AsyncClient) if not callable(getattr(client, name, None))] == []


def test_the_methods_are_those_of_the_description() -> None:
    written = files()

    assert written == {name: (FOLDER / name).read_text("utf-8") for name in written}, "run: python -m tests.client_code"


def test_the_client_needs_nothing_of_the_server() -> None:
    code = f"import sys, marketpost.client; print([name for name in {SERVER_LIBRARIES} if name in sys.modules])"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize("rules", rulesets())
def test_a_game_is_played_with_steps_as_data(house: Service, url: str, rules: Any) -> None:
    with Client(url, house.person(f"script-{rules}").token) as client:
        opened = client.open_game({"rules": rules, "seats": [{"me": True}, {"bot": "greedy"}], "clock": {"per_decision": "1h"}})
        game, played = opened["id"], 0
        events = client.stream_events(game, after=0)
        while played < OWN_STEPS:
            legal = client.list_legal(game)
            if not legal["choices"]:
                next(events)
                continue
            made = client.submit_orders(game, {"steps": [legal["choices"][0]["step"]]}, if_match=f'"{legal["version"]}"', wait=20)
            assert made["status"] == "applied"
            played += 1
        position = client.show_game(game)["position"]
        client.resign_game(game)
        kinds = [event["kind"] for event in events]

        assert position is not None
        assert position["rules"] == rules
        assert kinds[-1] == "revealed"
        assert client.show_game_board(game).count("\n") > 10
        assert client.show_game_board_png(game, width=360)[:4] == b"\x89PNG"


def test_a_refusal_says_why_which_step_and_what_would_be_legal(house: Service, url: str) -> None:
    ann = house.person("refused")
    game = house.against_bot(ann)
    with Client(url, ann.token, language="de") as client:
        with pytest.raises(ApiRefused) as refused:
            client.submit_orders(game, {"orders": "3: stall A-B; fly"}, wait=20)
        with pytest.raises(ApiRefused) as wrong:
            client.open_game({"rules": "portobello", "seats": []})

    assert (refused.value.code, refused.value.status, refused.value.step) == ("unreadable-order", 422, 3)
    assert "Befehl" in refused.value.detail
    assert refused.value.legal
    assert wrong.value.errors[0]["field"] == "seats"


def test_an_answer_that_is_lost_is_asked_for_again_and_counts_once(house: Service, url: str) -> None:
    ann = house.person("unlucky")
    game = house.against_bot(ann)
    with door(url) as broken, Client(broken.url, ann.token) as client:
        broken.lost = 2
        made = client.submit_orders(game, {"orders": house.good_orders(game)}, wait=20)
        entries = client.list_events(game)["items"]

    assert made["status"] == "applied"
    assert len([each for each in entries if each["by"] == ann.id and each["kind"] == "moved"]) == 1


def test_without_a_service_it_gives_up_and_names_the_key(url: str) -> None:
    with Client("http://127.0.0.1:9", "none") as client, pytest.raises(ApiUnreachable) as away:
        client.resign_game("game", key="mine")
    with Client(url, "unknown") as client, pytest.raises(ApiRefused) as stranger:
        client.show_me()

    assert away.value.key == "mine"
    assert stranger.value.code == "token-unknown"


def test_pages_are_one_list(house: Service, url: str) -> None:
    ann = house.person("collector")
    for number in range(5):
        new_token(house.ports, ann.id, f"token {number}", ("read",))
    with Client(url, ann.token) as client:
        labels = [token["label"] for token in client.pages(client.list_tokens, limit=2)]
        entries = list(client.pages(client.list_events, house.against_bot(ann), limit=1))

    assert len(labels) == 6
    assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))


def test_lines_are_read_one_by_one(house: Service, url: str) -> None:
    ann = house.person("exporter")
    game = house.against_bot(ann)

    async def ids() -> list[str]:
        async with AsyncClient(url, ann.token) as client:
            return [each["id"] async for each in client.export_games(ids=game)]

    with Client(url, ann.token) as client:
        [exported] = client.export_games(ids=game)
        assert exported["record"] == client.show_record(game)
        with pytest.raises(ApiRefused):
            next(client.export_games(player="nobody"))
    assert asyncio.run(ids()) == [game]


def test_a_stream_goes_on_after_every_break(house: Service, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_events, "LONGEST", 0.05)
    ann, bob = house.person("listener"), house.person("speaker")
    game = str(ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"player": bob.id}]}).json["id"])
    bob.post(f"/v1/games/{game}/join", {})
    with Client(url, ann.token) as client, Client(url, bob.token) as other:
        client.list_account_events(limit=1)
        events = client.stream_account_events(after=0, events="said")
        said, heard = [], []
        for number in range(8):
            said.append(other.say_something(game, {"text": f"{number}"})["id"])
            heard.append(next(events)["message"])

    assert heard == said


def test_the_client_for_asyncio_does_the_same(house: Service, url: str) -> None:
    ann = house.person("async")
    game = house.against_bot(ann)

    async def play() -> tuple[str, list[str], str]:
        async with AsyncClient(url, ann.token) as client:
            made = await client.submit_orders(game, {"orders": house.good_orders(game)}, wait=20)
            games = [each["id"] async for each in client.pages(client.list_games, mine=True)]
            stream = client.stream_events(game)
            first = await anext(stream)
            with pytest.raises(ApiRefused):
                await client.show_game("nowhere")
            return made["status"], games, first["kind"]

    assert asyncio.run(play()) == ("applied", [game], "opened")


def test_a_stream_that_is_left_closes_without_a_complaint(house: Service, url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Race: asyncio closes all generators at its end, and the one outside closes those within; both did, and the second raised an error."""
    ann = house.person("leaver")
    game = house.against_bot(ann)

    async def leave() -> None:
        async with AsyncClient(url, ann.token) as client:
            async for _ in client.stream_events(game):
                break
            async for _ in client.stream_events(game):
                raise LookupError

    with pytest.raises(LookupError):
        asyncio.run(leave())

    assert caplog.messages == []


@pytest.mark.parametrize(("told", "longest"), [("", 0.5), ("3", 3.0), ("61", 61.0), (str(AGAIN_LATER), None)])
def test_a_limit_by_the_minute_is_waited_for_and_no_other(told: str, longest: float | None) -> None:
    refused = httpx.Response(429, headers={"Retry-After": told})

    assert pause_before_next(refused, 0.5) == longest


def test_the_bot_of_the_documentation_plays(house: Service, url: str) -> None:
    """Also if events were dropped while it was not running, which the first event tells."""
    ann: Person = house.person("reader")
    game = house.against_bot(ann)
    before = ann.get(f"/v1/games/{game}").json["version"]
    house.ports.streams.follow(ann.id)
    publish(house.ports, [Notice(f"n-{each}", NoticeKind.NEWS, game, before, 0, ann.id, 1) for each in range(MOST_EVENTS + 1)])
    found = re.search(r"```python\n(.*?)```", EXAMPLE.read_text("utf-8"), re.DOTALL)
    assert found
    bot = subprocess.Popen([sys.executable, "-c", found[1], url, ann.token], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with Client(url, ann.token) as client:
        watchdog = threading.Timer(30, client.resign_game, [game])
        watchdog.start()
        try:
            moved = [event for event in client.stream_events(game, after=before) if event["by"] == ann.id or event["kind"] == "revealed"][
                :12
            ]
        finally:
            watchdog.cancel()
            bot.kill()
            said, _ = bot.communicate()

    assert len(moved) == 12, said
    assert len(found[1].strip().splitlines()) <= 25
