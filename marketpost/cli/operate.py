"""`marketpost token`, `player`, `verify`, `rebuild` and `adopt`: the operator's commands."""

import getpass
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from api.http.serialize import entry
from marketpost.cli.store_access import ports, says_if_redis_is_away, settings
from marketpost.cli.terminal import many
from marketpost.play.keeping.verify import Verified
from marketpost.play.keeping.verify import rebuild as rebuild_index
from marketpost.play.keeping.verify import verify as verify_log
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.people.operators import audit
from marketpost.play.people.registration import new_code, new_token, register
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.words import COMMON, Words
from marketpost.store.changes import Stored
from marketpost.store.compacted_games import DamagedBlob
from marketpost.store.connections import connect
from marketpost.store.owner import adopt as take_over
from marketpost.store.players import Player
from marketpost.store.settings import Settings

T = TypeVar("T")
BAR_AFTER = 1.0
"""Seconds after which a progress bar appears."""


@click.command()
@click.argument("email")
@click.option("--name", help="Register the address under this name if nobody has yet.")
@click.option("--admin", is_flag=True, help="Print instead a token with the scope `admin`, for a program such as Prometheus.")
@says_if_redis_is_away
def token(email: str, name: str | None, admin: bool) -> None:
    """Print a code with which EMAIL signs in once, as if it had come by mail."""
    door = ports()
    if door.players.player_of(email) is None:
        if not name:
            raise click.ClickException(f"nobody is registered as {email}; --name NAME registers them")
        _register(door, email, name)
    player = door.players.player_of(email) or ""
    audit(door, getpass.getuser(), "admin token" if admin else "sign-in code", player)
    click.echo(new_token(door, player, "admin", ("admin",))[0] if admin else new_code(door, email))


def _register(door: Ports, email: str, name: str) -> None:
    try:
        register(door, email, name)
    except Refused as refused:
        raise click.ClickException(Words("en", COMMON).explain(refused.refusal)) from refused


@click.command()
@click.argument("email")
@says_if_redis_is_away
def player(email: str) -> None:
    """Show who is registered under EMAIL."""
    door = ports()
    found = door.players.at_address(email)
    if found is None:
        raise click.ClickException(f"nobody is registered as {email}")
    for word, value in _about(door, found):
        click.echo(f"{word:<10} {value}")


def _about(door: Ports, found: Player) -> Iterator[tuple[str, str]]:
    yield "id", found.id
    yield "email", found.email + ("" if found.confirmed else " (not confirmed)")
    yield "name", found.name
    yield "language", found.language
    yield "timezone", found.timezone
    yield "since", datetime.fromtimestamp(found.created / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    yield "games", str(len(door.index.page(f"player:{found.id}", None, 100_000)))


@click.command()
@says_if_redis_is_away
def rebuild() -> None:
    """Rebuild the lists of games from the logs, and print what was different."""
    done = rebuild_index(ports(), lambda games: _with_bar(games, "reading logs"))
    for difference in done.differences:
        click.echo(difference)
    for game in done.broken:
        click.echo(f"game {game}: the log does not fit together, so it stays on the lists where it was", err=True)
    click.echo(f"{many(done.games, 'game')} read, {many(len(done.differences), 'difference')} put right")
    sys.exit(1 if done.broken else 0)


@click.command()
@says_if_redis_is_away
def adopt() -> None:
    """Let the games belong to this service, after SECRET_KEY or MAIL_DOMAIN was changed on purpose."""
    settings()
    found = Settings.read()
    take_over(connect(found.redis_url), found)
    click.echo(f"These games now belong to the service of {found.mail_domain}.")


@click.command()
@click.argument("what", nargs=-1, metavar="[GAME | FILE | -]…")
@click.option("--all", "every", is_flag=True, help="Every game in Redis.")
@click.option("--game", "id", help="The id of the game in FILE, if the file does not say it.")
@says_if_redis_is_away
def verify(what: tuple[str, ...], every: bool, id: str | None) -> None:
    """Check the chain of hashes of a game's log, and every draw if the game is over.

    From Redis by the game's id; or from a file, or standard input, with what `GET /v1/games/{id}/events` answered, page after page.
    """
    if bool(what) == every:
        raise click.UsageError("name games or files, or say --all")
    logs = _all_logs() if every else [_named(name, id) for name in what]
    fine = [_report(log) for log in _with_bar(logs, "checking")]
    if every:
        click.echo(f"{many(len(fine), 'game')} checked, {fine.count(False)} broken")
    sys.exit(0 if all(fine) else 1)


class NotALog(Exception):
    """Raised for a file that holds no log."""


@dataclass(frozen=True, slots=True)
class _Read:
    """The entries of a log that is to be verified."""

    game: str
    stored: list[Stored]
    head: str
    said: Sequence[Mapping[str, Any]] = ()
    """From a file: the readable fields beside each entry."""


@dataclass(frozen=True, slots=True)
class _Log:
    """The source of a log, which is read only when the log is verified."""

    game: str
    door: Ports | None = None
    file: str = ""
    quiet: bool = False
    """Whether only faults are printed."""

    def read(self) -> _Read:
        """Read the log from the store or from the file."""
        if self.door is None:
            return _from_file(self.file, self.game)
        return _Read(self.game, *self.door.log_and_head(self.game))


def _all_logs() -> list[_Log]:
    door = ports()
    return [_Log(game, door, quiet=True) for game in door.games.all_games()]


def _named(name: str, id: str | None) -> _Log:
    if name == "-" or Path(name).is_file():
        return _Log(id or "", file=name)
    return _Log(name, ports())


def _report(log: _Log) -> bool:
    """Verify a log and print one line about it. Whether it has no fault."""
    try:
        read = log.read()
        found = _verified(read) if read.stored else None
    except (Tampered, WrittenByNewer) as broken:
        return _wrong(str(broken))
    except DamagedBlob:
        return _wrong(f"game {log.game}: the blob into which it was compacted cannot be read")
    except Refused as refused:
        return _wrong(f"{log.file or f'game {log.game}'}: {refused.code}")
    except NotALog:
        return _wrong(f"{log.file}: this is no log as GET /v1/games/{{id}}/events answers it")
    except OSError as error:
        return _wrong(f"{log.file}: {error.strerror}")
    if found is None:
        return _wrong(f"game {log.game}: {_absent(log)}")
    return _tell(log, read.game, found)


def _verified(read: _Read) -> Verified:
    """Verify hashes, draws and, from a file, the readable fields."""
    found = verify_log(read.game, read.stored, read.head)
    return replace(found, faults=(*found.faults, *_misread(read)))


def _misread(read: _Read) -> Iterator[str]:
    """List the fields in a file that differ from its entries: people read the fields, but the hashes cover the entries."""
    rules = follow(Game(read.game), read.stored).rules
    for stored, said in zip(read.stored, read.said, strict=False):
        right = msgspec.json.decode(msgspec.json.encode(entry(rules, stored)))
        if wrong := [name for name in right if name in said and said[name] != right[name]]:
            yield f"version {stored.version}: the entry itself says something else than {', '.join(wrong)}"


def _absent(log: _Log) -> str:
    """Say why a game is not in Redis: it is archived, or there is none."""
    file = log.door.games.archived(log.game) if log.door else ""
    if not file:
        return "there is no such game"
    return f"it is in the archive {file}; `marketpost archive --back {file} {log.game}` restores it"


def _tell(log: _Log, game: str, found: Verified) -> bool:
    """Print the result of a verification. Whether there was no fault."""
    for fault in found.faults:
        click.echo(f"game {game}: {fault}", err=True)
    if found.faults and log.file and not log.game:
        click.echo(f"If {game} is not the id of this game, say --game ID.", err=True)
    if not found.faults and not log.quiet:
        click.echo(_fine(game, found))
    return not found.faults


def _wrong(line: str) -> bool:
    """Print a fault; return False."""
    click.echo(line, err=True)
    return False


def _fine(game: str, found: Verified) -> str:
    draws = "not over, so its draws are still sealed" if found.sealed else f"{many(found.draws, 'draw')} made again"
    return f"game {game}: {many(found.entries, 'entry', 'entries')} unbroken, {draws}"


def _text(file: str) -> str:
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return data.decode("utf-8-sig")


def _from_file(file: str, game: str) -> _Read:
    """Read a log from a file; `NotALog` if it holds none."""
    try:
        read = _from_json(_text(file), game, Path(file).stem)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotALog from error
    if not read.stored:
        raise NotALog
    return read


def _from_json(text: str, game: str, file: str) -> _Read:
    """Read pages of `GET /v1/games/{id}/events`; the game is the given one, else the one they name, else the file's name."""
    pages = [*_documents(text)]
    items = [item for page in pages for item in _items(page)]
    told = next((str(page["game"]) for page in pages if isinstance(page, dict) and "game" in page), file)
    stored = [Stored(int(item["version"]), str(item["entry"]).encode()) for item in items]
    return _Read(game or told, stored, str(items[-1]["hash"]) if items else "", items)


def _documents(text: str) -> Iterator[Any]:
    """Parse JSON documents that follow one another."""
    decoder = json.JSONDecoder()
    text = text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:].lstrip()


def _items(page: Any) -> list[Any]:
    """Return the entries of a page."""
    match page:
        case {"items": [*items]} | [*items]:
            return items
    raise NotALog


def _with_bar(items: Sequence[T], label: str) -> Iterable[T]:
    """Yield the items, with a progress bar once it takes long."""
    began = time.monotonic()
    with click.progressbar(length=len(items), label=label, file=sys.stderr, hidden=True) as bar:
        for item in items:
            yield item
            if bar.hidden and sys.stderr.isatty() and time.monotonic() - began > BAR_AFTER:
                bar.hidden = False
            bar.update(1)
