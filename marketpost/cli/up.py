"""`marketpost up`: run the whole service in one foreground command."""

import errno
import http.client
import os
import shlex
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import click

from marketpost.cli.api_client import HERE
from marketpost.cli.settings_check import settings_must_be_readable
from marketpost.cli.store_access import redis_must_answer, store_must_be_ours
from marketpost.cli.supervisor import ChildProcess, Supervisor
from marketpost.mail.outbound.smtp_server_url import is_private
from marketpost.store import embedded_redis as embedded
from marketpost.store.settings import Settings
from workers.log_output import LogOutput

API_STOPS_WITHIN = 2.4
"""Seconds for each rank to stop; together less than the five seconds in which the whole service stops."""
WORKERS_STOP_WITHIN = 1.1
REDIS_STOPS_WITHIN = 1.2
BACKLOG = 1024
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2
REDIS_NOISE = ("overcommit", "Received SIGTERM", "ready to exit")
"""Lines of Redis and gunicorn that are not shown."""
GUNICORN_NOISE = ("was sent SIGTERM", "was sent SIGKILL")


@click.command()
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any free one.")
@click.option("--bind", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Processes that judge moves.")
@click.option("--data", default="data", show_default=True, envvar="DATA_DIR", type=click.Path(path_type=Path), help="The data folder.")
def up(port: int, bind: str, workers: int, data: Path) -> None:
    """Run everything here: Redis (unless REDIS_URL is set), API, workers, sweeper. Ctrl-C stops it."""
    settings_must_be_readable()
    data = data.resolve()
    os.environ["DATA_DIR"] = str(data)
    _open_standard_streams()
    try:
        with closing(_listen(bind, port)) as listener:
            _serve(listener, _url(bind, listener), data, workers)
    except embedded.CannotStart as error:
        raise click.ClickException(str(error)) from error


def _open_standard_streams() -> None:
    """Open standard streams that are closed, on /dev/null.

    Otherwise the next file opened would get the number of such a stream, and a child would be given another file in its place.
    """
    while (spare := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        pass
    os.close(spare)


def _listen(host: str, port: int) -> socket.socket:
    """Open the listening socket of the API.

    The supervisor holds it, so that callers wait in its backlog while the API process is restarted, and are not refused.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        advice = f" Choose another with --port, or `make run PORT={port + 1}`." if error.errno == errno.EADDRINUSE else ""
        raise embedded.CannotStart(f"cannot listen on {host}, port {port}: {os.strerror(error.errno or 0)}.{advice}") from error


def _url(host: str, listener: socket.socket) -> str:
    """Return the address at which a browser on this machine finds the service."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{listener.getsockname()[1]}"


def _serve(listener: socket.socket, url: str, data: Path, workers: int) -> None:
    """Lock the data folder, prepare settings and sockets, and run all parts until a signal."""
    own = embedded.servers(data)
    with ExitStack() as held:
        if own:
            held.enter_context(embedded.lock_data(data, url))
        os.environ["PUBLIC_URL"] = os.environ.get("PUBLIC_URL") or url
        Settings.read()  # makes the secret key before several processes want to
        embedded.make_reachable()
        _leave_taken_door()
        _run(_parts(own, listener, url, workers), url)
        listener.close()


def _leave_taken_door() -> None:
    """Run without SMTP if its port is taken and MAIL_LISTEN is not set; replies can come in by the local mailbox."""
    if os.environ.get("MAIL_LISTEN") or can_listen(Settings.read().mail_listen):
        return
    said = f"{Settings.read().mail_listen} is taken, so no replies come in by SMTP; MAIL_LISTEN=HOST:PORT names another door"
    LogOutput(STANDARD_ERROR).say(said)
    os.environ["MAIL_LISTEN"] = "off"


def can_listen(address: str) -> bool:
    """Whether a socket can be opened at this address."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_server((host, int(port))).close()
    except OSError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Parts:
    """The processes of the service, in the three ranks in which they stop."""

    redis: list[ChildProcess]
    workers: list[ChildProcess]
    """The workers, the mail door and the sweeper."""
    api: ChildProcess


def _parts(own: list[embedded.RedisServer], listener: socket.socket, url: str, workers: int) -> _Parts:
    """Describe all processes, with how each is started and when it is ready."""
    hands = [_python(f"worker-{number}", "worker", stop_within=WORKERS_STOP_WITHIN) for number in range(1, workers + 1)]
    hands.append(_python("bots", "worker", "--queue", "bots", stop_within=WORKERS_STOP_WITHIN))
    hands.append(_python("mail", "worker", "--queue", "mail", stop_within=WORKERS_STOP_WITHIN))
    hands.append(_python("hooks", "worker", "--queue", "hooks", stop_within=WORKERS_STOP_WITHIN))
    hands.append(_python("mail-in", "mail-in", stop_within=WORKERS_STOP_WITHIN))
    sweeper = _python("sweeper", "sweeper", stop_within=WORKERS_STOP_WITHIN)
    api = _python("api", "api", "--bind", f"fd://{listener.fileno()}", stop_within=API_STOPS_WITHIN, pass_fds=(listener.fileno(),))
    api.ready, api.noise = lambda: _healthy(url), GUNICORN_NOISE
    # Workers are known to the queue by an entry that is lost with it.
    redis = [_redis(server, tuple(hands) if server.name == "queue" else ()) for server in own]
    return _Parts(redis, [*hands, sweeper], api)


def _python(name: str, *arguments: str, stop_within: float, pass_fds: tuple[int, ...] = ()) -> ChildProcess:
    command = [sys.executable, "-P", "-m", "marketpost.cli.main", *arguments]
    return ChildProcess(name, lambda: embedded.start(command, pass_fds=pass_fds), stop_within)


def _redis(server: embedded.RedisServer, renews: tuple[ChildProcess, ...]) -> ChildProcess:
    def begin() -> "Popen[bytes]":
        server.prepare()
        return server.start()

    return ChildProcess(server.name, begin, REDIS_STOPS_WITHIN, server.answers, server.explain, REDIS_NOISE, renews)


def _healthy(url: str) -> bool:
    """Whether the API answers."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=1.0)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _run(parts: _Parts, url: str) -> None:
    """Start everything in order, print the welcome, and watch until a signal."""
    supervisor = Supervisor(LogOutput(STANDARD_ERROR))
    with _stopped_at_the_end(supervisor, parts):
        _open_stores(supervisor, parts.redis)
        if supervisor.stopping:
            return
        supervisor.start([parts.api, *parts.workers])
        if failed := supervisor.until_ready([parts.api]):
            raise embedded.CannotStart(f"the {failed.name} does not start: {failed.said[-1] if failed.said else 'it printed nothing'}")
        if not supervisor.stopping:
            LogOutput(STANDARD_OUTPUT).say(welcome(url))
        supervisor.watch()


@contextmanager
def _stopped_at_the_end(supervisor: Supervisor, parts: _Parts) -> Iterator[None]:
    """Stop the API first, so that no request comes in, then the workers, which finish their jobs, and Redis last."""
    try:
        yield
    finally:
        supervisor.say("stopping")
        supervisor.stop([[parts.api], parts.workers, parts.redis])


def _open_stores(supervisor: Supervisor, redis: list[ChildProcess]) -> None:
    """Start the embedded Redis servers and wait for them; or check the configured one."""
    if not redis:
        redis_must_answer()
        store_must_be_ours()
        return
    supervisor.start(redis)
    if failed := supervisor.until_ready(redis, _Progress(supervisor.say)):
        raise embedded.CannotStart(failed.explain("\n".join(failed.said)))


class _Progress:
    """Prints about every second how much of a large store Redis has read."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say, self.looks = say, 0

    def __call__(self, part: ChildProcess) -> None:
        self.looks += 1
        server = embedded.RedisServer(part.name, Path(os.environ["DATA_DIR"]), ())
        if self.looks % 5 == 0 and (far := server.progress()):
            self.say(f"reading the {part.name}: {far}")


def welcome(url: str) -> str:
    """Return the text printed at the start: addresses, and a first game with curl."""
    elsewhere = "" if url == HERE else ELSEWHERE.format(url=url)
    doors = "".join(f"{f'{what}:':<25}{where}\n" for what, where in _doors(url))
    return WELCOME.format(url=url, doors=doors, marketpost=_ourselves(), elsewhere=elsewhere)


def _doors(url: str) -> Iterator[tuple[str, str]]:
    """List the addresses of the service, each with what it is."""
    settings = Settings.read()
    yield "Documentation", f"{url}/docs"
    if is_private(settings.public_url, settings.smtp_url, settings.proxies):
        yield "Local mailbox", f"{url}/mailbox"
    if settings.mail_listen != "off":
        yield "Replies come in at", settings.mail_listen
    if settings.embedded and embedded.is_bundled(settings.data):
        yield "Games are stored by", f"{embedded.BUNDLED}, good for trying it out; {embedded.FOR_REAL_GAMES}"


def _ourselves() -> str:
    """Return how to call this program again from the same folder."""
    program = shlex.quote(sys.argv[0])
    if os.environ["DATA_DIR"] == str(Path("data").resolve()):
        return program
    return f"DATA_DIR={shlex.quote(os.environ['DATA_DIR'])} {program}"


ELSEWHERE = """
So that the command line client finds it, from another terminal:

  export MARKETPOST_URL={url}
"""
WELCOME = """
Marketpost is running at {url}   (Ctrl-C stops it)
{doors}{elsewhere}
A first game against a bot, from another terminal in this folder:

  API={url}/v1; JSON='Content-Type: application/json'
  field() {{ python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }}
  curl -s $API/players -H "$JSON" -d '{{"email": "you@example.org", "name": "You"}}'
  CODE=$({marketpost} token you@example.org)
  TOKEN=$(curl -s $API/tokens -H "$JSON" -d '{{"email": "you@example.org", "code": "'$CODE'"}}' | field token)
  ME="Authorization: Bearer $TOKEN"
  GAME=$(curl -s $API/games -H "$ME" -H "$JSON" -d '{{"rules": "portobello", "seats": [{{"bot": "greedy"}}, {{"me": true}}]}}' | field id)
  curl -s $API/games/$GAME/moves -H "$ME" -H "$JSON" -H 'Prefer: wait=10' -d '{{"orders": "bobby 5"}}'
  sleep 2  # the bot thinks
  curl -s $API/games/$GAME/board -H "$ME" -H 'Accept: text/plain'
  curl -s $API/games/$GAME/legal -H "$ME"
"""
