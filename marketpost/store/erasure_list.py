"""A file beside Redis with the ids of erased players, and nothing else: a restored backup must not bring them back."""

import logging
import os
import re
from pathlib import Path

from marketpost.store.players import BOT_ID

NAME = "erased"
ID = re.compile(r"[0-9a-f]{0,16}")
log = logging.getLogger("marketpost.erased")


def note(data: Path, player: str) -> None:
    """Append a player to the list and wait for the disk. A failure is logged and does not stop the erasure: Redis stores the id too."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        _append(data / NAME, player)
        flush(data)
    except OSError:
        log.exception("player %s could not be noted in %s; keep the newest backup for `restore --erased`", player, data / NAME)


def _append(file: Path, player: str) -> None:
    """Append a line. It begins with a newline, so that it does not join a line that a crash has cut short."""
    place = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(place, f"\n{player}\n".encode())
        os.fsync(place)
    finally:
        os.close(place)


def flush(folder: Path) -> None:
    """Wait until the names of new files in a folder are on the disk."""
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def read(file: Path) -> list[str]:
    """Read the ids from a list; ValueError if it has anything else. An id that a crash has cut short matches no player."""
    found = file.read_text().split()
    if not all(ID.fullmatch(each.removeprefix(BOT_ID)) or BOT_ID.startswith(each) for each in found):
        raise ValueError(f"{file} is no list of ids")
    return found
