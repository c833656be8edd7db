"""Write documents of the service as short texts for agents; a result is a page of text and the same as data."""

from collections.abc import Mapping, Sequence
from typing import Any

MOST_BRANCHES = 12
"""Branches of a preview that are shown, the most likely first."""
SHOWN_OF_GAME = (
    "id", "version", "status", "rules", "edition", "options", "you", "decides", "scores", "winners", "ended", "proposal", "clock",
)  # fmt: skip
"""Fields of a game that a position has beside the board."""
SHOWN_OF_READY = ("id", "rules", "status", "version")
SHOWN_OF_STEP = ("text", "kind", "places", "cost")
SHOWN_OF_BRANCH = ("outcomes", "probability", "scores", "refusal", "events")


def game_line(game: Mapping[str, Any], me: str) -> str:
    """Write a game of a list as one line."""
    seats = ", ".join(f"{seat['colour']} {seat_name(seat)}" for seat in game["seats"])
    turn = "your turn" if is_my_turn(game, me) else f"decides: {', '.join(game['decides']) or '-'}"
    return f"{game['id']}  {game['rules']}  {game['status']}  version {game['version']}  {turn}  ({seats})"


def seat_name(seat: Mapping[str, Any]) -> str:
    """Write who sits in a seat."""
    if seat["bot"]:
        return f"bot {seat['bot']}"
    return str(seat["name"] or ("invited" if seat["invited"] else "free"))


def is_my_turn(game: Mapping[str, Any], me: str) -> bool:
    """Whether this player is to decide."""
    return game["status"] == "running" and any(seat["player"] == me and seat["colour"] in game["decides"] for seat in game["seats"])


def state_line(game: Mapping[str, Any]) -> str:
    """Write the state of a game as one line: version, whose turn it is, scores."""
    scores = ", ".join(f"{colour} {score}" for colour, score in game["scores"].items())
    head = f"game {game['id']}, {game['rules']}, version {game['version']}, you are {game['you'] or 'not at this table'}"
    if game["status"] == "over":
        return f"{head}. Over ({game['ended']}). Winners: {', '.join(game['winners']) or 'none'}. Scores: {scores}."
    if game["status"] == "open":
        return f"{head}. Not begun: seats are free."
    turn = "It is your turn" if game["you"] in game["decides"] else f"To decide: {', '.join(game['decides'])}"
    return f"{head}. {turn}. Scores: {scores}."


def turn_line(game: Mapping[str, Any]) -> str:
    """Write that it is the reader's turn in a game as one line."""
    return f"It is your turn in game {game['id']}, {game['rules']}, version {game['version']}."


def position_data(game: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a position: what the game is about and what stands on the board."""
    return {name: game[name] for name in SHOWN_OF_GAME} | {"position": game["position"]}


def fields(document: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return some fields of a document."""
    return {name: document[name] for name in names}


def branch_line(branch: Mapping[str, Any]) -> str:
    """Write a branch of a preview as one line: outcomes of chance, probability, scores before and after, and a refusal if there is one."""
    outcomes = ", ".join(branch["outcomes"]) or "without chance"
    scores = ", ".join(f"{colour} {score['before']} -> {score['after']}" for colour, score in branch["scores"].items())
    refusal = f"; refused: {branch['refusal']['detail']}" if branch["refusal"] else ""
    return f"{branch['probability']:.1%} {outcomes}: {scores}{refusal}"


def rules_page(rules: Mapping[str, Any]) -> str:
    """Write the short rules: what the game is about, how orders are written, and the sections that have more."""
    sections = ", ".join(section["name"] for section in rules["sections"])
    players = f"{rules['players'][0]} to {rules['players'][-1]} players; bots: {', '.join(rules['bots'])}"
    return "\n".join([rules["title"], players, "", *rules["summary"], "", rules["orders"], "", f"Sections with more: {sections}"])


def rules_section(rules: Mapping[str, Any], name: str) -> str | None:
    """Write one section of the rules; `None` if there is no such section."""
    found = next((section for section in rules["sections"] if section["name"] == name), None)
    return None if found is None else "\n".join([found["title"], *found["statements"].values()])


def event_line(event: Mapping[str, Any]) -> str:
    """Write an event of an account as one line."""
    return " ".join(filter(None, (event["event"], event["game"] and f"game {event['game']}")))
