"""`marketpost up`: the whole service in one foreground command."""

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
from marketpost.cli.log_output import LogOutput
from marketpost.cli.settings_check import settings_must_be_readable
from marketpost.cli.store_access import redis_must_answer, store_must_be_ours
from marketpost.cli.supervisor import Part, Supervisor
from marketpost.mail.outbound.smtp_server_url import is_private
from marketpost.store import embedded_redis as embedded
from marketpost.store.settings import Settings

API_STOPS_WITHIN = 2.4
WORKERS_STOP_WITHIN = 1.1
REDIS_STOPS_WITHIN = 1.2
"""Together less than the five seconds in which the whole service stops."""
BACKLOG = 1024
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2
REDIS_NOISE = ("overcommit", "Received SIGTERM", "ready to exit")
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
    """Where one is closed, the next thing that is opened would take its place, and children are given others there."""
    while (spare := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        pass
    os.close(spare)


def _listen(host: str, port: int) -> socket.socket:
    """We hold the door: while the API is started again, callers wait instead of being turned away."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        advice = f" Choose another with --port, or `make run PORT={port + 1}`." if error.errno == errno.EADDRINUSE else ""
        raise embedded.CannotStart(f"cannot listen on {host}, port {port}: {os.strerror(error.errno or 0)}.{advice}") from error


def _url(host: str, listener: socket.socket) -> str:
    """Where a browser on this machine finds us."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{listener.getsockname()[1]}"


def _serve(listener: socket.socket, url: str, data: Path, workers: int) -> None:
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
    """Replies can come in without it, by the local mailbox; only whoever asked for the door must have it."""
    if os.environ.get("MAIL_LISTEN") or can_listen(Settings.read().mail_listen):
        return
    said = f"{Settings.read().mail_listen} is taken, so no replies come in by SMTP; MAIL_LISTEN=HOST:PORT names another door"
    LogOutput(STANDARD_ERROR).say(said)
    os.environ["MAIL_LISTEN"] = "off"


def can_listen(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_server((host, int(port))).close()
    except OSError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Parts:
    redis: list[Part]
    workers: list[Part]
    """And the sweeper."""
    api: Part


def _parts(own: list[embedded.RedisServer], listener: socket.socket, url: str, workers: int) -> _Parts:
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


def _python(name: str, *arguments: str, stop_within: float, pass_fds: tuple[int, ...] = ()) -> Part:
    command = [sys.executable, "-P", "-m", "marketpost.cli.main", *arguments]
    return Part(name, lambda: embedded.start(command, pass_fds=pass_fds), stop_within)


def _redis(server: embedded.RedisServer, renews: tuple[Part, ...]) -> Part:
    def begin() -> "Popen[bytes]":
        server.prepare()
        return server.start()

    return Part(server.name, begin, REDIS_STOPS_WITHIN, server.answers, server.explain, REDIS_NOISE, renews)


def _healthy(url: str) -> bool:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=1.0)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _run(parts: _Parts, url: str) -> None:
    supervisor = Supervisor(LogOutput(STANDARD_ERROR))
    with _stopped_at_the_end(supervisor, parts):
        _open_stores(supervisor, parts.redis)
        if supervisor.stopping:
            return
        supervisor.start([parts.api, *parts.workers])
        if failed := supervisor.until_ready([parts.api]):
            raise embedded.CannotStart(f"the {failed.name} does not start: {failed.said[-1] if failed.said else 'it said nothing'}")
        if not supervisor.stopping:
            LogOutput(STANDARD_OUTPUT).say(welcome(url))
        supervisor.watch()


@contextmanager
def _stopped_at_the_end(supervisor: Supervisor, parts: _Parts) -> Iterator[None]:
    """First nobody is let in any more, then work in hand is finished, and the stores close last."""
    try:
        yield
    finally:
        supervisor.say("stopping")
        supervisor.stop([[parts.api], parts.workers, parts.redis])


def _open_stores(supervisor: Supervisor, redis: list[Part]) -> None:
    if not redis:
        redis_must_answer()
        store_must_be_ours()
        return
    supervisor.start(redis)
    if failed := supervisor.until_ready(redis, _Progress(supervisor.say)):
        raise embedded.CannotStart(failed.explain("\n".join(failed.said)))


class _Progress:
    """A line every second or so while a large store is read."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say, self.looks = say, 0

    def __call__(self, part: Part) -> None:
        self.looks += 1
        server = embedded.RedisServer(part.name, Path(os.environ["DATA_DIR"]), ())
        if self.looks % 5 == 0 and (far := server.progress()):
            self.say(f"reading the {part.name}: {far}")


def welcome(url: str) -> str:
    """What to open, and a first game with nothing but curl."""
    elsewhere = "" if url == HERE else ELSEWHERE.format(url=url)
    doors = "".join(f"{f'{what}:':<25}{where}\n" for what, where in _doors(url))
    return WELCOME.format(url=url, doors=doors, marketpost=_ourselves(), elsewhere=elsewhere)


def _doors(url: str) -> Iterator[tuple[str, str]]:
    settings = Settings.read()
    yield "Documentation", f"{url}/docs"
    if is_private(settings.public_url, settings.smtp_url, settings.proxies):
        yield "Local mailbox", f"{url}/mailbox"
    if settings.mail_listen != "off":
        yield "Replies come in at", settings.mail_listen
    if settings.embedded and embedded.is_bundled(settings.data):
        yield "Games are kept by", f"{embedded.BUNDLED}, good for trying it out; {embedded.FOR_REAL_GAMES}"


def _ourselves() -> str:
    """How this command can be called again from the same place."""
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
