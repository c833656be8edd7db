"""Logs with every kind of entry and event. Each file: what the code of its day made of the log, then the entries as they lay.

`python -m tests.logs GAME FILE` keeps a game of the service in `DATA_DIR`, for whoever adds an action or an event.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec

from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.store.changes import Stored

FOLDER = Path(__file__).parent


def files() -> Iterator[Path]:
    return iter(sorted(FOLDER.glob("*/*.jsonl")))


def told(game: Game) -> dict[str, Any]:
    """What is to be found again, for ever."""
    state = game.state
    return {
        "game": game.id,
        "rules": game.rules.name,
        "status": game.status,
        "head": game.head,
        "version": game.version,
        "scores": list(game.rules.scores(state)) if state else [],
        "winners": list(game.winners),
        "deciders": list(game.deciders),
        "seats": msgspec.to_builtins(game.seats),
        "position": _plain({each.name: getattr(state, each.name) for each in fields(state) if each.name != "board"}) if state else None,
    }


def _plain(position: dict[str, Any]) -> Any:
    """As a file tells it, sets in order."""
    in_order = {name: sorted(value) if isinstance(value, set | frozenset) else value for name, value in position.items()}
    return msgspec.json.decode(msgspec.json.encode(in_order))


def read(file: Path) -> tuple[dict[str, Any], list[Stored]]:
    first, *entries = file.read_bytes().splitlines()
    return msgspec.json.decode(first), [Stored(number, data) for number, data in enumerate(entries, 1)]


def keep(file: Path, id: str, stored: list[Stored]) -> None:
    game = follow(Game(id), stored)
    lines = [msgspec.json.encode(told(game)), *(each.data for each in stored)]
    file.write_bytes(b"".join(line + b"\n" for line in lines))
