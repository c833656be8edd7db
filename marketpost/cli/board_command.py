"""`marketpost board`: the board of a game or of a record, as text or as a picture."""

from pathlib import Path
from typing import Any

import click

from marketpost.cli.api_client import Failed, Service, WrongCall, at, say_json, service_options, write_file
from marketpost.cli.command_language import say, speak
from marketpost.cli.replay_command import read_record, why
from marketpost.pictures.png import png as drawn
from marketpost.rules import records
from marketpost.rules.pictures import pictured
from marketpost.rules.replay import Replay, replay
from marketpost.rules.svg import THEMES, WIDTH, Style

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("game", metavar="GAME|RECORD")
@click.option("--at", "version", type=click.IntRange(1), help="As it was after this version; of a game.")
@click.option("--linear", is_flag=True, help="In sentences, for a screen reader.")
@click.option("--png", type=FILE, help="Write a PNG to this file.")
@click.option("--svg", type=FILE, help="Write an SVG to this file.")
@click.option("--width", type=click.IntRange(120, 2400), default=WIDTH, show_default=True, help="Of a PNG, in pixels.")
@click.option("--theme", type=click.Choice(THEMES), help="Of a picture. Without it an SVG turns dark on a dark screen.")
@click.option("--board", "board_file", type=click.Path(dir_okay=False), help="A board file, for records on a board of your own.")
@service_options
def board(game: str, url: str | None, language: str | None, as_json: bool, board_file: str | None, **wanted: Any) -> None:
    """Show the board of a game, or of a record at its end. `-` reads a record from standard input."""
    if game == "-" or Path(game).is_file():
        spoken = speak(language)
        text, pictures = _of_record(_replayed(game, board_file), spoken, **wanted)
    else:
        text, pictures = _of_game(at(url, language, as_json), game, **wanted)
    for file, data in pictures.items():
        write_file(file, data)
        click.echo(say("wrote", file=file, size=f"{len(data):,}"), err=True)
    if as_json:
        say_json({"board": text})
    elif not pictures:
        click.echo(text, nl=False)


def _of_game(
    service: Service, game: str, version: int | None, linear: bool, png: Path | None, svg: Path | None, width: int, theme: str | None
) -> tuple[str, dict[Path, bytes]]:
    """Request the board of a game: its text, or the pictures by the file they go to."""
    asked: dict[str, Any] = {
        "language": service.language,
        "width": width,
        "theme": theme,
        "at": version,
        "style": "linear" if linear else None,
    }
    pictures: dict[Path, bytes] = {}
    if svg:
        pictures[svg] = service.client.show_game_board_svg(game, **asked).encode()
    if png:
        pictures[png] = service.client.show_game_board_png(game, **asked)
    return "" if pictures else service.client.show_game_board(game, **asked), pictures


def _of_record(
    done: Replay, language: str, version: int | None, linear: bool, png: Path | None, svg: Path | None, width: int, theme: str | None
) -> tuple[str, dict[Path, bytes]]:
    """Draw the board of a replayed record: its text, and the pictures by the file they go to."""
    if version:
        raise WrongCall("at-is-for-games")
    rules = done.record.rules
    words = rules.in_language(language)
    pictures = {}
    if svg:
        pictures[svg] = pictured(rules, done.played, words, Style(theme)).encode()
    if png:
        pictures[png] = drawn(pictured(rules, done.played, words, Style(theme or "light")), width)
    return (rules.linear if linear else rules.draw)(done.state, words), pictures


def _replayed(file: str, board_file: str | None) -> Replay:
    """Replay a record; end the command if something in it is wrong."""
    try:
        return replay(read_record(file, board_file))
    except records.RecordWrong as wrong:
        raise Failed("file-wrong", file=f"{file}:{wrong.line}", text=why(wrong)) from wrong
