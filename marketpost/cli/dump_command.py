"""`marketpost dump`: the finished public games in a file for everybody, and the check of such a file."""

import sys
from pathlib import Path

import click

from marketpost.cli.backup_commands import NEW_FILE, counted, must_be_new, says_if_disk_fails
from marketpost.cli.store_access import ports, says_if_redis_is_away
from marketpost.cli.terminal import many
from marketpost.play.keeping import dump as dumps
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.play.people.ratings import RatingTable
from marketpost.rules.records import RecordWrong
from marketpost.store.archive_files import Broken


@click.command()
@click.argument("file", type=NEW_FILE)
@click.option("--check", is_flag=True, help="Replay and verify the games of FILE instead, and print the ratings that follow from them.")
@says_if_redis_is_away
@says_if_disk_fails
def dump(file: Path, check: bool) -> None:
    """Write all finished public games to FILE: records and logs as JSON lines, compressed by zstd, with pseudonyms for players."""
    if check:
        _check(file)
        return
    must_be_new(file)
    games = dumps.dump(ports(), file, counted("games"))
    click.echo(f"{file}: {many(games, 'game')}, {file.stat().st_size / 1000:.0f} kB")


def _check(file: Path) -> None:
    try:
        found = dumps.check_dump([file], counted("games"))
    except Broken as broken:
        raise click.ClickException(f"{file} was cut off or changed, or is no dump") from broken
    except (Tampered, WrittenByNewer, RecordWrong) as wrong:
        raise click.ClickException(f"{file}: {wrong}") from wrong
    for fault in found.faults:
        click.echo(fault, err=True)
    for (rules, pool), table in sorted(found.tables.items()):
        _show_ratings(f"{rules}, {pool}", table)
    click.echo(f"{many(found.games, 'game')} replayed, {many(found.draws, 'draw')} verified, {many(len(found.faults), 'fault')}")
    sys.exit(1 if found.faults else 0)


def _show_ratings(title: str, table: RatingTable) -> None:
    click.echo(f"{title}: {many(table.games, 'rated game')}")
    for player, rating in sorted(table.ratings.items(), key=lambda each: -each[1].points):
        click.echo(f"  {player}  {rating.points:6.2f}  {many(rating.games, 'game')}, {rating.won} won")
