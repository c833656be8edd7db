"""The tools and resources that an agent plays with: each makes a few calls of the client. Agents read their docstrings."""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError
from mcp_types import CallToolResult, TextContent
from pydantic import Field

from marketpost.agents.agent_connections import Connections
from marketpost.agents.texts import (
    MOST_BRANCHES,
    SHOWN_OF_BRANCH,
    SHOWN_OF_READY,
    SHOWN_OF_STEP,
    branch_line,
    event_line,
    fields,
    game_line,
    position_data,
    rules_page,
    rules_section,
    state_line,
    turn_line,
)
from marketpost.client import ApiRefused, ApiUnreachable, AsyncClient

Agent = Context[Connections, Any]
ON_A_PAGE = 20
STEPS_ON_A_PAGE = 60
MOST_EVENTS = 200
"""Events that the service keeps for an account."""
LONGEST_WAIT = 50
"""Seconds of a wait at most: clients and proxies often give up after a minute."""
JUDGED_WITHIN = 15
"""Seconds to wait for the outcome of a move."""
NEWS = "turn,over,started,invited,declined,said,proposed,news,timed-out"
"""Kinds of events that end a wait; every move of others would be too many."""
GameId = Annotated[str, Field(description="The id of a game, as list_games shows it")]
Version = Annotated[int, Field(ge=0, description="The version of the position that you decided on, from list_legal or read_position")]
OrderText = Annotated[str, Field(description="Steps separated by `;`, as list_legal spells them: a whole turn or a part of it")]
RepeatKey = Annotated[str, Field(description="Any text of your own. A call repeated with the same key counts once")]


@contextmanager
def calling(agent: Agent) -> Iterator[AsyncClient]:
    """Yield the client of the caller; what the service refuses is told to the agent with its code and legal alternatives."""
    context = agent.request_context
    try:
        yield context.lifespan_context.client_for(agent.headers)
    except ApiRefused as refused:
        legal = f" Legal there: {'; '.join(refused.legal)}" if refused.legal else ""
        wrong = "".join(f" {each['field']}: {each['detail']}" for each in refused.errors if each["detail"] not in refused.detail)
        raise ResourceError(f"{refused.code}: {refused.detail}{wrong}{legal}") from refused
    except ApiUnreachable as error:
        raise ResourceError(f"unreachable: {error}. Repeat the call with the same arguments.") from error


def answer(text: str, data: dict[str, Any]) -> CallToolResult:
    """Return a result as text, and the same as data."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data)


async def list_games(
    agent: Agent,
    which: Annotated[
        Literal["my_turn", "mine", "open"], Field(description="Those that wait for you, all of yours, or those with a free seat")
    ] = "my_turn",
    cursor: Annotated[str | None, Field(description="`next` of the page before")] = None,
) -> CallToolResult:
    """List games, one line each. Those that wait for you come first by deadline."""
    with calling(agent) as client:
        me = (await client.show_me())["id"]
        wanted: dict[str, Any] = {which: True, "sort": "deadline"} if which == "my_turn" else {which: True}
        page = await client.list_games(cursor=cursor, limit=ON_A_PAGE, **wanted)
    lines = [game_line(game, me) for game in page["items"]]
    if page["next"]:
        lines.append(f"More with cursor {page['next']}")
    shown = [fields(game, ("id", "rules", "status", "version", "decides", "scores")) for game in page["items"]]
    return answer("\n".join(lines) or "None.", {"games": shown, "next": page["next"]})


async def read_position(agent: Agent, game: GameId) -> CallToolResult:
    """Read a position: whose turn it is, the scores and the board as text; the same and every piece as data."""
    with calling(agent) as client:
        shown = await client.show_game(game)
        board = await client.show_game_board(game) if shown["position"] else ""
    return answer(f"{state_line(shown)}\n\n{board}", position_data(shown))


async def list_legal(
    agent: Agent,
    game: GameId,
    after: Annotated[str, Field(description="Orders that you think of giving first; then their continuations are listed")] = "",
    start: Annotated[int, Field(ge=0, description="The number of the first step to show, for further pages")] = 0,
) -> CallToolResult:
    """List your legal next steps: each line is an order that move and preview take."""
    with calling(agent) as client:
        legal = await client.list_legal(game, orders=after or None)
    choices = legal["choices"][start : start + STEPS_ON_A_PAGE]
    count = len(legal["choices"])
    lines = [f"version {legal['version']}, to decide: {', '.join(legal['decides']) or '-'}, you: {legal['colour'] or '-'}, {count} steps"]
    lines += [choice["text"] for choice in choices]
    if start + len(choices) < count:
        lines.append(f"More with start {start + len(choices)}")
    steps = [fields(choice, SHOWN_OF_STEP) for choice in choices]
    return answer("\n".join(lines), {"version": legal["version"], "decides": legal["decides"], "count": count, "steps": steps})


async def preview(agent: Agent, game: GameId, orders: OrderText) -> CallToolResult:
    """Preview orders without playing them: every outcome of chance, how likely it is, and the scores after it."""
    with calling(agent) as client:
        found = await client.preview_orders(game, {"orders": orders})
    branches = sorted(found["branches"], key=lambda branch: -branch["probability"])[:MOST_BRANCHES]
    lines = [branch_line(branch) for branch in branches]
    if not found["complete"] or len(branches) < len(found["branches"]):
        lines.append("Only the most likely branches are shown.")
    if len(branches) == 1:
        lines.append(f"\n{branches[0]['board']}")
    return answer("\n".join(lines), {"version": found["version"], "branches": [fields(branch, SHOWN_OF_BRANCH) for branch in branches]})


async def move(agent: Agent, game: GameId, orders: OrderText, version: Version) -> CallToolResult:
    """Play orders on your turn. Repeated with the same arguments it counts once and tells the same outcome."""
    key = hashlib.sha256(f"{game}\0{version}\0{orders}".encode()).hexdigest()
    with calling(agent) as client:
        made: Any = await client.submit_orders(game, {"orders": orders}, if_match=f'"{version}"', wait=JUDGED_WITHIN, key=key)
        if made["status"] == "queued":
            made = await client.show_move(game, made["id"])
        if made["status"] == "queued":
            raise ResourceError("queued: the move is stored and will be judged. Repeat the call with the same arguments for its outcome.")
        if made["status"] == "refused":
            raise ResourceError(f"{made['code']}: {made['detail']} Legal there: {'; '.join(made['legal'])}")
        shown = await client.show_game(game)
    dropped = f" Not played: {'; '.join(made['dropped'])}." if made["dropped"] else ""
    data = {"status": made["status"], "events": made["events"], "dropped": made["dropped"]}
    return answer(f"{made['status']}.{dropped} Now {state_line(shown)}", data | {"game": position_data(shown) | {"position": None}})


async def wait_for_turn(
    agent: Agent,
    game: Annotated[str | None, Field(description="Wait for this game only")] = None,
    after: Annotated[str | None, Field(description="`after` of the wait before: what happened since is told")] = None,
    seconds: Annotated[int, Field(ge=0, le=LONGEST_WAIT, description="How long to wait at most")] = 25,
) -> CallToolResult:
    """Wait until it is your turn, a game is over, or somebody talks, invites or proposes something; returns at once if it is your turn.

    If nothing happens in time, or the call is cut off, call it again with the last `after` you have: nothing is missed.
    """
    with calling(agent) as client:
        place = after or await _newest(client)
        ready = await _ready(client, game)
        events = await _events(client, place, game, 0 if ready else seconds)
        ready = ready or await _ready(client, game)
    place = events[-1]["id"] if events else place
    lines = [state_line(each) if game else turn_line(each) for each in ready] + [event_line(each) for each in events]
    data = {"ready": bool(ready), "games": [fields(each, SHOWN_OF_READY) for each in ready], "events": events, "after": place}
    return answer("\n".join([*(lines or ["Nothing yet: call it again."]), f"after: {place}"]), data)


async def _newest(client: AsyncClient) -> str:
    """Return the place behind the last event of the account; from now on the service keeps events for it."""
    events = (await client.list_account_events(limit=MOST_EVENTS))["items"]
    return events[-1]["id"] if events else "0"


async def _ready(client: AsyncClient, game: str | None) -> list[Mapping[str, Any]]:
    """Return the games that need no more waiting: those where it is the caller's turn, or the one waited for if it is over, too."""
    if game is None:
        return [*(await client.list_games(my_turn=True, sort="deadline", limit=ON_A_PAGE))["items"]]
    shown = await client.show_game(game)
    return [shown] if shown["status"] == "over" or shown["you"] in shown["decides"] else []


async def _events(client: AsyncClient, after: str, game: str | None, seconds: float) -> list[dict[str, Any]]:
    """Return what happened behind this place; if nothing did, wait for the first event.

    Race: an event may be written between reading and waiting. The stream begins behind the same place, so that it is told.
    """
    page = await client.list_account_events(events=NEWS, game=game, after=after, limit=ON_A_PAGE)
    found: list[dict[str, Any]] = [dict(event) for event in page["items"]]
    if found or not seconds:
        return found
    try:
        async with asyncio.timeout(seconds), aclosing(client.stream_account_events(after=after, events=NEWS, game=game)) as stream:
            async for event in stream:
                return [dict(event)]
    except TimeoutError:
        pass
    return []


async def new_game(
    agent: Agent,
    rules: Annotated[str, Field(description="A ruleset; read_rules names them")],
    others: Annotated[
        list[str], Field(description="Each other seat: a mail address, a player's id, a bot (`bot greedy`), or `open`", min_length=1)
    ],
    key: RepeatKey = "",
) -> CallToolResult:
    """Open a game in which you have the first seat. With bots only it begins at once; people are invited."""
    with calling(agent) as client:
        opened = await client.open_game({"rules": rules, "seats": [{"me": True}, *map(_seat, others)]}, key=key or None)
    return answer(state_line(opened), position_data(opened) | {"position": None})


def _seat(text: str) -> dict[str, Any]:
    """Read who is to take a seat."""
    kind, _, name = text.strip().partition(" ")
    if kind == "bot":
        return {"bot": name.strip() or "greedy"}
    if kind == "open":
        return {"open": True}
    return {"email": text.strip()} if "@" in text else {"player": text.strip()}


async def join_game(agent: Agent, game: GameId) -> CallToolResult:
    """Take the seat that you are invited to, or the first free one."""
    with calling(agent) as client:
        joined = await client.join_game(game)
    return answer(state_line(joined), position_data(joined) | {"position": None})


async def say(
    agent: Agent, game: GameId, text: Annotated[str, Field(min_length=1, description="What the whole table reads")], key: RepeatKey = ""
) -> CallToolResult:
    """Say something to the table."""
    with calling(agent) as client:
        said = await client.say_something(game, {"text": text}, key=key or None)
    return answer("Said.", {"id": said["id"]})


async def read_talk(
    agent: Agent, game: GameId, cursor: Annotated[str | None, Field(description="`next` of the page before")] = None
) -> CallToolResult:
    """Read what was said at the table, oldest first."""
    with calling(agent) as client:
        page = await client.list_messages(game, cursor=cursor, limit=ON_A_PAGE)
    lines = [f"{each['name'] or 'somebody'}: {each['text']}" for each in page["items"]]
    if page["next"]:
        lines.append(f"More with cursor {page['next']}")
    return answer("\n".join(lines) or "Nobody has said anything.", {"messages": page["items"], "next": page["next"]})


async def read_rules(
    agent: Agent,
    rules: Annotated[str, Field(description="The name of a ruleset; an unknown one is answered with those that there are")],
    section: Annotated[str, Field(description="A section that the short rules name")] = "",
) -> CallToolResult:
    """Read the rules of a game: in short with how orders are written, or one section in full."""
    with calling(agent) as client:
        found = await client.show_rules(rules)
    text = rules_section(found, section) if section else rules_page(found)
    if text is None:
        raise ResourceError(f"There is no section {section!r}. There are: {', '.join(each['name'] for each in found['sections'])}")
    return answer(text, {"rules": found["name"], "sections": [each["name"] for each in found["sections"]], "bots": found["bots"]})


async def board(game: str, agent: Agent) -> str:
    """The board of a game as text."""
    with calling(agent) as client:
        return await client.show_game_board(game)


async def board_picture(game: str, agent: Agent) -> str:
    """The board of a game as a picture (SVG)."""
    with calling(agent) as client:
        return await client.show_game_board_svg(game)


async def record(game: str, agent: Agent) -> str:
    """The whole game as a record, which anyone can replay."""
    with calling(agent) as client:
        return await client.show_record(game)
