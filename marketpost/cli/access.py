"""What the client keeps between commands, for its owner's eyes only: tokens, and the keys of writes that got no answer."""

import fcntl
import hashlib
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

A_DAY = 24 * 3600.0
"""So long the service knows a key."""


class Access(msgspec.Struct, frozen=True):
    """How one service knows us."""

    token: str
    email: str = ""


class SavedAccess(msgspec.Struct):
    url: str = ""
    """The service signed in to last."""
    services: dict[str, Access] = {}


def folder() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "marketpost"


def read() -> SavedAccess:
    try:
        return msgspec.json.decode((folder() / "client.json").read_bytes(), type=SavedAccess)
    except (OSError, msgspec.DecodeError):
        return SavedAccess()


def save(url: str, access: Access) -> Path:
    kept = read()
    kept.url, kept.services[url] = url, access
    return _write(kept)


def drop(url: str, token: str) -> None:
    kept = read()
    if url in kept.services and kept.services[url].token == token:
        del kept.services[url]
        _write(kept)


def _write(kept: SavedAccess) -> Path:
    """Whole or not at all, and readable by nobody else from the first byte on."""
    path = _made(folder()) / "client.json"
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(msgspec.json.format(msgspec.json.encode(kept)))
    os.replace(file.name, path)
    return path


def _made(place: Path) -> Path:
    folder().parent.mkdir(parents=True, exist_ok=True)
    for each in dict.fromkeys((folder(), place)):
        each.mkdir(mode=0o700, exist_ok=True)
    return place


@dataclass(slots=True)
class WriteKey:
    """Under which a write counts once."""

    text: str
    again: bool = False
    """An earlier command sent the same and never heard what became of it."""
    answered: bool = False


@contextmanager
def key_for(*write: str) -> Iterator[WriteKey]:
    """A key for this write: the one it was sent with before, if it was broken off without an answer."""
    with ExitStack() as held:
        file = None
        with suppress(OSError):
            found = held.enter_context(open(_place(write), "a+", opener=lambda name, flags: os.open(name, flags, 0o600)))
            file = found if _ours_alone(found.fileno()) else None
        key = _kept_in(file) if file else WriteKey(secrets.token_hex(16))
        try:
            yield key
        finally:
            if file and key.answered:
                Path(file.name).unlink(missing_ok=True)


def _place(write: tuple[str, ...]) -> Path:
    return _made(folder() / "unanswered") / hashlib.sha256("\0".join(write).encode(errors="surrogatepass")).hexdigest()


def _ours_alone(file: int) -> bool:
    """Otherwise another command is sending the same right now: both are meant."""
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(file).st_nlink == 1
    return False


def _kept_in(file: IO[str]) -> WriteKey:
    file.seek(0)
    before = file.read() if time.time() - os.fstat(file.fileno()).st_mtime < A_DAY else ""
    key = WriteKey(before or secrets.token_hex(16), again=bool(before))
    file.truncate(0)
    file.write(key.text)
    file.flush()
    return key
