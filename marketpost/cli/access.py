"""Store the client's tokens and the idempotency keys of unanswered writes, in files that only their owner may read."""

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
"""Seconds for which the service knows an idempotency key."""


class Access(msgspec.Struct, frozen=True):
    """The token and the address with which the client is signed in to one service."""

    token: str
    email: str = ""


class SavedAccess(msgspec.Struct):
    """The content of `client.json`: the access to every service the client is signed in to."""

    url: str = ""
    """The service signed in to last."""
    services: dict[str, Access] = {}


def folder() -> Path:
    """Return the folder for the client's files: `$XDG_CONFIG_HOME/marketpost`, or `~/.config/marketpost`."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "marketpost"


def read() -> SavedAccess:
    """Read `client.json`; empty if it is missing or unreadable."""
    try:
        return msgspec.json.decode((folder() / "client.json").read_bytes(), type=SavedAccess)
    except (OSError, msgspec.DecodeError):
        return SavedAccess()


def save(url: str, access: Access) -> Path:
    """Store the access to a service and make that service the default; return the path of the file."""
    kept = read()
    kept.url, kept.services[url] = url, access
    return _write(kept)


def drop(url: str, token: str) -> None:
    """Delete the access to a service, if it still has this token."""
    kept = read()
    if url in kept.services and kept.services[url].token == token:
        del kept.services[url]
        _write(kept)


def _write(kept: SavedAccess) -> Path:
    """Write `client.json` atomically: to a temporary file that only the owner may read, which then replaces the old one."""
    path = _made(folder()) / "client.json"
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(msgspec.json.format(msgspec.json.encode(kept)))
    os.replace(file.name, path)
    return path


def _made(place: Path) -> Path:
    """Create a folder, and the client's own folder, readable by their owner only."""
    folder().parent.mkdir(parents=True, exist_ok=True)
    for each in dict.fromkeys((folder(), place)):
        each.mkdir(mode=0o700, exist_ok=True)
    return place


@dataclass(slots=True)
class WriteKey:
    """The idempotency key of one write: however often it is sent under this key, the service does it once."""

    text: str
    again: bool = False
    """Whether an earlier command sent the same write and ended before it got an answer."""
    answered: bool = False
    """Set by the caller once the service has answered; the key is then deleted."""


@contextmanager
def key_for(*write: str) -> Iterator[WriteKey]:
    """Yield the idempotency key for this write: the key of an earlier, unanswered try, or a new one.

    Fault: a command may end between sending and the answer. Its key stays in a file named after the write, and the same command, called
    again, sends the same key, so that the service does the write once.
    """
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
    """Return the file for the key of an unanswered write, named by the hash of what is written."""
    return _made(folder() / "unanswered") / hashlib.sha256("\0".join(write).encode(errors="surrogatepass")).hexdigest()


def _ours_alone(file: int) -> bool:
    """Whether this command holds the only lock on the key's file.

    Race: two commands may send the same write at once. The one that gets no lock takes a key of its own, so that both count. The other one
    may also have deleted the file in the meantime (no links left).
    """
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(file).st_nlink == 1
    return False


def _kept_in(file: IO[str]) -> WriteKey:
    """Return the key stored in the file if it is less than a day old, otherwise a new key, and store it."""
    file.seek(0)
    before = file.read() if time.time() - os.fstat(file.fileno()).st_mtime < A_DAY else ""
    key = WriteKey(before or secrets.token_hex(16), again=bool(before))
    file.truncate(0)
    file.write(key.text)
    file.flush()
    return key
