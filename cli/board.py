"""`marketpost board`: the board of a game or of a record, as text or as a picture."""

from pathlib import Path
from typing import Any

import click

from cli.reach import ports, says_if_redis_is_away
from cli.replay import read_record, why
from pictures.png import png as as_png
from rules import records
from rules.pictures import pictured
from rules.records import Played
from rules.ruleset import Ruleset
from rules.svg import THEMES, WIDTH, Look
from rules.words import LANGUAGES


@click.command()
@click.argument("game", metavar="GAME|RECORD")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Write a PNG to this file.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write an SVG to this file.")
@click.option("--width", type=click.IntRange(120, 2400), default=WIDTH, show_default=True, help="Of a PNG, in pixels.")
@click.option("--theme", type=click.Choice(THEMES), help="Of a picture. Without it an SVG turns dark on a dark screen.")
@click.option("--board", "board_file", type=click.Path(dir_okay=False), help="A board file, for records on a board of your own.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@says_if_redis_is_away
def board(game: str, png: Path | None, svg: Path | None, width: int, theme: str | None, board_file: str | None, language: str) -> None:
    """Show the board of a game, or of a record at its end. `-` reads a record from standard input."""
    rules, played = _of_record(game, board_file) if game == "-" or Path(game).is_file() else _of_game(game)
    words = rules.in_language(language)
    if svg:
        _write(svg, pictured(rules, played, words, Look(theme)).encode())
    if png:
        _write(png, as_png(pictured(rules, played, words, Look(theme or "light")), width))
    if not svg and not png:
        state = rules.fold([event for each in played for event in each.events])
        click.echo(rules.draw(state, words), nl=False)


def _of_record(file: str, board_file: str | None) -> tuple[Ruleset[Any], list[Played]]:
    try:
        done = records.replay(read_record(file, board_file))
    except records.RecordWrong as wrong:
        raise click.ClickException(f"{file}:{wrong.line}: {why(wrong)}") from wrong
    return done.record.rules, done.played


def _of_game(id: str) -> tuple[Ruleset[Any], list[Played]]:
    game = ports().game(id)
    if game is None or game.state is None:
        raise click.ClickException(f"{id} is no record and no game that has begun")
    return game.rules, game.played


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror or error}") from error
    click.echo(f"wrote {file} ({len(data):,} bytes)")
