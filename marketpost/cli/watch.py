"""`marketpost watch`: show a game live, redrawn in place."""

import json
import os
import queue
import re
import select
import shutil
import sys
import termios
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click
from httpx import HTTPError

from marketpost.cli.api_client import Service, ServiceProblem, Unreachable, calls_service
from marketpost.cli.game_lines import COLUMNS, FAINT, dye
from marketpost.cli.game_screen import TerminalView, beside, bullets, read_game, side_of
from marketpost.client.documents import EntryResponse
from marketpost.client.exchange import segment

HEARD_WITHIN = 25.0
"""Seconds without a byte after which a stream counts as broken; the service writes every ten seconds."""
COME_BACK = 2.0
"""Seconds before a broken stream is opened again."""
SILENCE_LIMIT = 120.0
"""Seconds without an answer after which the command gives up."""
LOOK_AROUND = 0.5
"""Seconds between two checks of the window's size."""
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
HOME, REST_OF_LINE, REST = "\x1b[H", "\x1b[K", "\x1b[J"
UP, DOWN = ("k", "\x1b[A", "\x1bOA"), ("j", "\x1b[B", "\x1bOB")
PAGE_UP, PAGE_DOWN = ("b", "\x1b[5~"), (" ", "\x1b[6~")
OVER = "over"
QUIT = ("q", "\x03", "\x04")
KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|.", re.DOTALL)


@click.command()
@click.argument("game")
@calls_service
def watch(service: Service, game: str) -> None:
    """Watch a game live: it is redrawn whenever something happens, until it is over or you press q.

    Where nobody looks, each change is printed below the last; with --json each entry of the log as a line.
    """
    try:
        if service.as_json:
            _print_entries(service, game)
        elif sys.stdout.isatty() and sys.stdin.isatty():
            _Window(service, read_game(service, game)).run()
        else:
            _print_changes(service, game)
    except KeyboardInterrupt:
        return


def entries(service: Service, game: str, after: int) -> Iterator[EntryResponse | None]:
    """Yield the log entries after a version until the game is over; `None` whenever nothing happened for a while.

    Fault: the connection may break or the service may restart. The stream is opened again after the last entry received.
    """
    heard = time.monotonic()
    while True:
        for each in _one_stream(service, game, after):
            after, heard = each["version"] if each else after, time.monotonic()
            yield each
        try:
            if _is_over(service, game, after):
                return
            heard = time.monotonic()
        except Unreachable:
            if time.monotonic() - heard > SILENCE_LIMIT:
                raise
        yield None
        time.sleep(COME_BACK)


def _one_stream(service: Service, game: str, after: int) -> Iterator[EntryResponse | None]:
    """Yield the entries of one event stream until it ends or breaks."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    try:
        with service.client.http.stream("GET", f"/v1/games/{segment(game)}/events", headers=headers, timeout=HEARD_WITHIN) as stream:
            if not stream.is_success:
                return
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line[6:])
                elif line.startswith(":"):
                    yield None
    except (HTTPError, ValueError):  # broken off, in the middle of a line perhaps
        return


def _is_over(service: Service, game: str, after: int) -> bool:
    """Whether the game is over and no entry is left to read."""
    if service.client.show_game(game)["status"] in ("open", "running"):
        return False
    return not service.client.list_events(game, after=after, limit=1)["items"]


def _print_entries(service: Service, game: str) -> None:
    """Print each entry as a line of JSON."""
    service.client.show_game(game)
    for each in entries(service, game, 0):
        if each:
            click.echo(json.dumps(each, ensure_ascii=False))


def _print_changes(service: Service, game: str) -> None:
    """Print the position, and then each change below the last."""
    view = read_game(service, game)
    click.echo("\n".join([view.title(), *view.seats(COLUMNS), "", *view.board()]))
    for each in entries(service, game, view.game.version):
        if each:
            view.follow([each])
            view.shown = service.client.show_game(game)
            click.echo("\n".join(["", *bullets(view.news()[-1:], COLUMNS), *view.seats(COLUMNS), "", *view.board()]))


class _Window:
    """The game on the whole screen. A thread reads the stream; the main thread draws and reads keys."""

    def __init__(self, service: Service, view: TerminalView) -> None:
        self.service, self.view = service, view
        self.heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.bell, self.ring = os.pipe()
        self.top, self.quiet, self.size = 0, True, shutil.get_terminal_size()
        self.over = view.shown["status"] not in ("open", "running")

    def run(self) -> None:
        """Draw after each entry and key, until the game is over or the player leaves."""
        threading.Thread(target=self._listen, daemon=True).start()
        with _whole_screen():
            self._draw()
            while not self.over:
                ready, _, _ = select.select([sys.stdin, self.bell], [], [], LOOK_AROUND)
                if sys.stdin in ready and self._press(os.read(sys.stdin.fileno(), 1024).decode("ascii", "replace")):
                    break
                if self.bell in ready:
                    os.read(self.bell, 64)
                    self._hear()
                if ready or self.size != shutil.get_terminal_size():
                    self._draw()
        click.echo("\n".join([self.view.title(), *self.view.seats(COLUMNS)]))
        if self.over:
            click.echo("\n".join(["", *self.view.board()]))

    def _listen(self) -> None:
        """Read entries in a thread and pass them on to the main thread."""
        try:
            for each in entries(self.service, self.view.game.id, self.view.game.version):
                self._tell(each)
        except (Unreachable, ServiceProblem) as error:
            self._tell(error)
        else:
            self._tell(OVER)

    def _tell(self, heard: Any) -> None:
        """Pass an entry, an error or the end on to the main thread, and wake it through the pipe."""
        self.heard.put(heard)
        os.write(self.ring, b".")

    def _hear(self) -> None:
        """Apply what the thread has read, and read talk and seats again."""
        while not self.heard.empty():
            match self.heard.get():
                case click.ClickException() as error:
                    raise error
                case str():
                    self.over = True
                case None:
                    pass
                case entry:
                    self.view.follow([entry])
        with suppress(Unreachable):  # the thread that listens gives up when it is time
            self.view.said = self.service.client.up_to(200, self.service.client.list_messages, self.view.game.id)["items"]
            self.view.shown = self.service.client.show_game(self.view.game.id)

    def _press(self, typed: str) -> bool:
        """Scroll by the keys that were pressed since the last check. Whether to leave."""
        page = max(1, self.size.lines - 8)
        pressed = KEY.findall(typed)
        for keys, rows in ((UP, -1), (DOWN, 1), (PAGE_UP, -page), (PAGE_DOWN, page)):
            self.top += rows * sum(key in keys for key in pressed)
        return any(key in QUIT for key in pressed)

    def _draw(self) -> None:
        """Redraw the screen."""
        self.size = shutil.get_terminal_size()
        lines = self._page(self.size.columns, self.size.lines)
        click.echo(HOME + "".join(f"{line}{REST_OF_LINE}\r\n" for line in lines[:-1]) + lines[-1] + REST_OF_LINE + REST, nl=False)

    def _page(self, columns: int, rows: int) -> list[str]:
        """Lay out the visible lines."""
        head, body = self._parts(columns)
        room = max(1, rows - len(head) - 1)
        self.top = max(0, min(self.top, len(body) - room))
        shown = body[self.top : self.top + room]
        return [*head, *shown, self._foot(len(body), room)]

    def _parts(self, columns: int) -> tuple[list[str], list[str]]:
        """Lay out the lines that stay on top, and those that scroll."""
        view, side = self.view, side_of(columns)
        if side:
            return [], beside(view.board(), [view.title(), "", *view.seats(side), *view.notes(side)])
        width = min(columns, COLUMNS)
        news = bullets(view.news()[-1:], width)[:3]
        return [view.title(), *view.seats(width), *news, ""], [*view.board(), *view.notes(width)]

    def _foot(self, lines: int, room: int) -> str:
        say = self.view.words.say
        part = [say("terminal.lines", first=self.top + 1, last=self.top + room, count=lines), say("terminal.scroll")]
        return dye(", ".join([*(part if lines > room else []), say("terminal.ends")]), FAINT, self.view.coloured)


@contextmanager
def _whole_screen() -> Iterator[None]:
    """Switch the terminal to a full screen with single keys; restore it at the end, also after an error."""
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    # Ctrl-C comes as a key: an interrupt may fall where Python cannot pass it on.
    now = termios.tcgetattr(sys.stdin)
    now[6][termios.VINTR] = os.fpathconf(sys.stdin.fileno(), "PC_VDISABLE").to_bytes(1, "little")
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, now)
    click.echo(ENTER, nl=False)
    try:
        yield
    finally:
        click.echo(LEAVE, nl=False)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
