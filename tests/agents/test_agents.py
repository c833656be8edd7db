"""Agents play with a stock client of the Model Context Protocol, by the same tools over stdio and over HTTP."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError

from api.http.context import inside
from marketpost.agents import server
from marketpost.rules.ruleset import rulesets
from tests.agents.conftest import Connect, over_http, over_stdio
from tests.service import Service

A_PAGE = 6000
"""Characters of a page of text."""
NOT_FOR_PLAYERS = ("flask", "redis", "rq", "marshmallow", "gevent", "jinja2", "lxml")
A_FEW = 3
"""Moves over stdio: what answers there is the same server as over HTTP."""
EXAMPLE = Path(__file__).parents[2] / "docs" / "agents.md"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def told(client: Client, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """What a tool answers, as text and as data; never more than a page."""
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    assert not result.is_error, text
    assert len(text) < A_PAGE
    assert len(json.dumps(result.structured_content)) < A_PAGE
    return text, result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


@pytest.mark.parametrize("rules", rulesets())
def test_a_stock_client_plays_a_game_to_its_end(house: Service, url: str, connect: Connect, rules: str) -> None:
    ann = house.person(f"agent-{rules}-{connect.__name__}")

    async def play() -> str:
        async with connect(url, ann.token) as client:
            await told(client, "read_rules", rules=rules)
            _, opened = await told(client, "new_game", rules=rules, others=["bot greedy"], key="one")
            game, after, moves = opened["id"], None, 0
            assert game == (await told(client, "new_game", rules=rules, others=["bot greedy"], key="one"))[1]["id"]
            while True:
                text, waited = await told(client, "wait_for_turn", game=game, after=after)
                after = waited["after"]
                assert ("Over" in text) == ("over" in [each["status"] for each in waited["games"]])
                if "Over" in text or (connect is over_stdio and moves == A_FEW):
                    break
                if waited["ready"]:
                    _, legal = await told(client, "list_legal", game=game)
                    assert legal["steps"]
                    await told(client, "move", game=game, orders=house.good_orders(game), version=legal["version"])
                    moves += 1
            board = (await client.read_resource(f"marketpost://games/{game}/board")).contents[0].text
            record = (await client.read_resource(f"marketpost://games/{game}/record")).contents[0].text
            assert board == (await told(client, "read_position", game=game))[0].partition("\n\n")[2]
            assert record.startswith("[") or rules in record
            return game

    game = asyncio.run(play())

    assert ann.get(f"/v1/games/{game}").json["ended"] == (None if connect is over_stdio else "played")


def test_a_move_that_is_sent_again_counts_once(house: Service, url: str) -> None:
    ann = house.person("repeating-agent")
    game = house.against_bot(ann)

    async def play() -> list[dict[str, Any]]:
        async with over_http(url, ann.token) as client:
            _, legal = await told(client, "list_legal", game=game)
            arguments = {"game": game, "orders": legal["steps"][0]["text"], "version": legal["version"]}
            await told(client, "preview", game=game, orders=arguments["orders"])
            made = [(await told(client, "move", **arguments))[1]["events"] for _ in range(2)]
            stale = await refused(client, "move", game=game, orders=legal["steps"][1]["text"], version=legal["version"])
            unreadable = await refused(client, "move", game=game, orders="fly", version=legal["version"] + 1)
            assert "stale-version" in stale
            assert "unreadable-order" in unreadable
            assert "Legal there" in unreadable
            return made

    first, second = asyncio.run(play())

    moved = [each for each in ann.get(f"/v1/games/{game}/events").json["items"] if each["kind"] == "moved" and each["by"] == ann.id]
    assert first == second
    assert len(moved) == 1


def test_a_wait_that_is_cut_can_be_asked_again_and_misses_nothing(house: Service, url: str, connect: Connect) -> None:
    ann, bob = (house.person(f"{name}-{connect.__name__}") for name in ("waiting-agent", "slow-friend"))
    ann.get("/v1/events")
    seats = [{"player": bob.id}, {"me": True}]
    game = str(ann.post("/v1/games", {"rules": "alturien", "seats": seats, "order": "given"}).json["id"])
    bob.post(f"/v1/games/{game}/join", {})

    async def wait() -> tuple[str, str]:
        async with connect(url, ann.token) as client:
            house.turn_of(bob, game)
            text, waited = await told(client, "wait_for_turn", game=game, after="0", seconds=50)
            assert f"started game {game}" in text
            text, waited = await told(client, "wait_for_turn", game=game, after=waited["after"], seconds=0)
            assert "Nothing yet" in text
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.call_tool("wait_for_turn", {"game": game, "after": waited["after"], "seconds": 50}), 0.5)
            bob.post(f"/v1/games/{game}/messages", {"text": "I think"})
            first, said = await told(client, "wait_for_turn", game=game, after=waited["after"])
            asked = asyncio.create_task(told(client, "wait_for_turn", game=game, after=said["after"], seconds=50))
            await asyncio.sleep(0.2)
            while (shown := bob.get(f"/v1/games/{game}").json)["you"] in shown["decides"]:
                bob.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=10"})
            return first, (await asked)[0]

    first, second = asyncio.run(wait())

    assert f"said game {game}" in first
    assert "It is your turn" in second


def test_without_a_good_token_an_agent_is_told_what_is_missing(house: Service, url: str) -> None:
    reader, game = house.person("reading-agent", scopes=("read",)), house.against_bot(house.person("playing-agent"))
    accept = {"Accept": "application/json, text/event-stream"}
    absent = httpx.post(f"{url}/mcp", json=CALL, headers=accept)
    wrong = httpx.post(f"{url}/mcp", json=CALL, headers=accept | {"Authorization": "Bearer unknown"})

    async def look() -> tuple[str, str, str, str]:
        with pytest.RaisesGroup(MCPError, allow_unwrapped=True, flatten_subgroups=True) as turned_away:
            async with over_http(url, "unknown"):
                pass
        async with over_http(url, reader.token) as client:
            await told(client, "list_games", which="mine")
            new = await refused(client, "new_game", rules="portobello", others=["bot greedy"])
            with pytest.raises(MCPError) as hidden:
                await client.read_resource(f"marketpost://games/{game}/board")
        async with over_stdio(url, "unknown") as client:
            return new, str(hidden.value), await refused(client, "list_games"), str(turned_away.value.exceptions)

    new, hidden, stranger, turned_away = asyncio.run(look())

    missing, unknown = ((answer.status_code, answer.json()["error"]["data"]["code"]) for answer in (absent, wrong))
    assert (missing, absent.headers["WWW-Authenticate"][:6]) == ((401, "token-missing"), "Bearer")
    assert unknown == (401, "token-unknown")
    assert httpx.get(f"{url}/mcp").status_code == 405
    assert "scope-missing" in new
    assert "no-such-game" in hidden
    assert "token-unknown" in stranger
    assert "token-unknown: The token is unknown" in turned_away


def test_tools_that_were_killed_are_there_again(house: Service, url: str) -> None:
    ann = house.person("lasting-agent")

    async def ask() -> str:
        async with over_http(url, ann.token) as client:
            return (await told(client, "list_games"))[0]

    assert asyncio.run(ask()) == "None."
    process = inside(house.app).mcp.process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert asyncio.run(ask()) == "None."


def test_the_agent_of_the_documentation_plays_its_first_turn(house: Service, url: str) -> None:
    ann = house.person("documented-agent")
    found = re.search(r"```python\n(.*?)```", EXAMPLE.read_text("utf-8"), re.DOTALL)
    assert found

    done = subprocess.run([sys.executable, "-c", found[1], url, ann.token], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.splitlines()[-1].startswith("applied.")


def test_a_player_needs_nothing_of_the_server() -> None:
    code = f"import sys, marketpost.cli.mcp_command; print([name for name in {NOT_FOR_PLAYERS} if name in sys.modules])"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_every_tool_says_what_it_does() -> None:
    tools = asyncio.run(server.make_server(None).list_tools())

    assert all(tool.description and tool.annotations for tool in tools)
    assert all("description" in field for tool in tools for field in tool.input_schema["properties"].values())
