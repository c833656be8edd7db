"""A list, outside Redis, of those who asked to be erased: an older backup must not bring them back. It holds ids, nothing else."""

import logging
import os
import re
from pathlib import Path

NAME = "erased"
ID = re.compile(r"[0-9a-f]{1,16}")
log = logging.getLogger("marketpost.erased")


def note(data: Path, player: str) -> None:
    """On the disk when this returns. Where it cannot be written the player is erased all the same; Redis keeps the id too."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        _append(data / NAME, player)
        flush(data)
    except OSError:
        log.exception("player %s could not be noted in %s; keep the newest backup for `restore --erased`", player, data / NAME)


def _append(file: Path, player: str) -> None:
    """A line of its own, even if a crash has cut the one before."""
    place = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(place, f"\n{player}\n".encode())
        os.fsync(place)
    finally:
        os.close(place)


def flush(folder: Path) -> None:
    """So that a new file's name is on the disk too."""
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def read(file: Path) -> list[str]:
    """ValueError if there is anything else in it. An id that a crash has cut is nobody's."""
    found = file.read_text().split()
    if not all(map(ID.fullmatch, found)):
        raise ValueError(f"{file} is no list of ids")
    return found
