"""`marketpost backup`, `restore` and `archive`: games in files, and back."""

import functools
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from marketpost.cli.store_access import ports, says_if_redis_is_away, settings
from marketpost.cli.terminal import many
from marketpost.play.keeping import backup as keep
from marketpost.play.keeping.verify import find_damage
from marketpost.play.log.entries import Tampered
from marketpost.store import erasure_list as erased_ids
from marketpost.store.archive_files import Broken, load

P = ParamSpec("P")
T = TypeVar("T")
DAY = 24 * 3600 * 1000
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def says_if_disk_fails(command: Callable[P, T]) -> Callable[P, T]:
    """End a command with one line, not a traceback, if a file cannot be read or written."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except BrokenPipeError:
            raise  # whoever read the output has seen enough
        except OSError as error:
            raise click.ClickException(f"{error.filename2 or error.filename or kwargs['file']}: {error.strerror}") from error

    return run


@click.command()
@click.argument("file", type=NEW_FILE)
@says_if_redis_is_away
@says_if_disk_fails
def backup(file: Path) -> None:
    """Write everything but the queues to FILE, while the service runs."""
    must_be_new(file)
    door = ports()
    keys = keep.backup(door, file, counted("keys"))
    click.echo(f"{file}: {keys} keys, {file.stat().st_size / 1000:.0f} kB")
    damaged = list(find_damage(door, door.games.all_games()))
    for game in damaged:
        click.echo(f"game {game} is damaged, and so it is in this file: keep an older backup of it (`marketpost verify {game}`)", err=True)
    sys.exit(1 if damaged else 0)


@click.command()
@click.argument("file", type=FILE)
@click.option("--erased", type=FILE, multiple=True, help="A newer backup, or a list of ids: whoever was erased there is erased here.")
@click.option("--game", "games", multiple=True, metavar="ID", help="Only this damaged game, while the service runs.")
@says_if_redis_is_away
@says_if_disk_fails
def restore(file: Path, erased: tuple[Path, ...], games: tuple[str, ...]) -> None:
    """Put a backup into an empty Redis, read every game again and compare its hash.

    With --game replace damaged games by their copies in the backup.
    """
    if games:
        _replace_damaged(file, games)
        return
    gone = {player for each in (settings().data / erased_ids.NAME, *erased) if each.exists() for player in _erased(each)}
    try:
        done = keep.restore(ports(), file, gone, counted("keys"))
    except keep.NotEmpty as full:
        raise click.ClickException(
            "there are games in this Redis already; a backup goes into an empty one. If they are left over from a restore that did not "
            "finish: stop the service, move the folder with the games away, and start again"
        ) from full
    except Broken as broken:
        raise click.ClickException(f"{file} was cut off or changed; nothing was restored") from broken
    for game in done.broken:
        click.echo(f"game {game}: the log does not fit together", err=True)
    read, erased_again = many(done.games, "game"), many(done.erased, "player")
    click.echo(f"{many(done.keys, 'key')}; {read} read again, {len(done.broken)} broken; {erased_again} erased again")
    sys.exit(1 if done.broken else 0)


def _replace_damaged(file: Path, games: tuple[str, ...]) -> None:
    """Replace damaged games by their copies; end with the first that cannot be."""
    door = ports()
    for game in games:
        try:
            keep.replace_damaged(door, file, game)
        except Broken as broken:
            raise click.ClickException(f"{file} was cut off or changed; nothing was restored") from broken
        except LookupError as missing:
            raise click.ClickException(f"there is no game {game} in {file}; nothing was changed") from missing
        except keep.NotDamaged as whole:
            raise click.ClickException(f"game {game} fits together and stays as it is; nothing was changed") from whole
        except Tampered as damaged:
            raise click.ClickException(f"game {game} is damaged in {file} too; try an older backup. Nothing was changed") from damaged
        click.echo(f"game {game} is as it was in {file}, and can be played on; moves since then have to be made again")


def _erased(file: Path) -> Iterable[str]:
    """Read the ids of erased players from a list or from a backup."""
    try:
        return [player.decode() for kept in load(file) if kept.key == b"erased" for player in kept.value]
    except Broken:
        return _listed(file)


def _listed(file: Path) -> Iterable[str]:
    """Read the ids of erased players from a list."""
    try:
        return erased_ids.read(file)
    except ValueError as error:
        raise click.ClickException(f"{file} is neither a whole backup nor a list of ids; nothing was restored") from error


@click.command()
@click.argument("file", type=NEW_FILE)
@click.argument("games", nargs=-1)
@click.option("--older-than", "days", default=30, show_default=True, help="Days since the game ended.")
@click.option("--back", is_flag=True, help="Restore GAMES, or all of them, from FILE.")
@says_if_redis_is_away
@says_if_disk_fails
def archive(file: Path, games: tuple[str, ...], days: int, back: bool) -> None:
    """Move finished games from Redis to FILE, or back. Nothing of them is lost."""
    if back:
        _bring_back(file, games)
        return
    must_be_new(file)
    moved = keep.archive(ports(), file, int(time.time() * 1000) - days * DAY, counted("games checked"))
    size = file.stat().st_size if moved else 0
    click.echo(f"{many(len(moved), 'game')} moved to {file}, {size / len(moved):.0f} bytes each" if moved else "no game is that old")


def _bring_back(file: Path, games: tuple[str, ...]) -> None:
    """Restore games from an archive, all or the named ones."""
    if not file.exists():
        raise click.ClickException(f"there is no file {file}")
    try:
        found = keep.restore_archived(ports(), file, games)
    except Broken as broken:
        raise click.ClickException(f"{file} was cut off or changed; nothing was restored") from broken
    except keep.NotAnArchive as other:
        raise click.ClickException(f"{file} is no archive; `marketpost restore` restores a backup") from other
    click.echo(f"{many(len(found), 'game')} restored")
    if missing := [game for game in games if game not in found]:
        raise click.ClickException(f"not restored, because not in {file} or already here: {', '.join(missing)}")


def must_be_new(file: Path) -> None:
    """End the command if the file exists already."""
    if file.exists():
        raise click.ClickException(f"{file} is there already")


def counted(what: str) -> keep.Watch[T]:
    """Return a wrapper of an iterable that prints every second how many items are done, if a person watches."""

    def watch(items: Iterable[T]) -> Iterator[T]:
        shown = time.monotonic()
        for number, item in enumerate(items, 1):
            yield item
            if sys.stderr.isatty() and time.monotonic() - shown > 1:
                shown = time.monotonic()
                click.echo(f"\r{number} {what}", nl=False, err=True)

    return watch
