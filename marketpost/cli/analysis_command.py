"""`marketpost analysis`: luck and skill of a finished game."""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from marketpost.cli.api_client import Service, calls_service, say_json
from marketpost.cli.terminal import safe
from marketpost.rules.analysis import Analysis, Moment, Share
from marketpost.rules.analysis_told import basis_told, shares_told, turning_points_told
from marketpost.rules.ruleset import ruleset


@click.command()
@click.argument("game")
@calls_service
def analysis(service: Service, game: str) -> None:
    """Tell luck and skill of a finished game, and its turning points with their boards."""
    found = service.client.show_analysis(game)
    if service.as_json:
        say_json(found)
        return
    rules = ruleset(service.client.show_game(game)["rules"])
    words = rules.in_language(service.language)
    if found["status"] != "ready":
        click.echo(words.say(f"analysis.{found['status']}"), err=True)
        return
    names = [words.translate(seat["colour"]) for seat in found["seats"]]
    read = _read(found)
    for line in [*shares_told(read, names, words), "", basis_told(read, words)]:
        click.echo(safe(line))
    for point in turning_points_told(rules, read, names, words):
        board = service.client.show_game_board(game, at=point.version, language=service.language)
        click.echo("\n" + safe(f"{point.told}\n{words.say('analysis.before')}") + f"\n\n{board}", nl=False)


def _read(found: Mapping[str, Any]) -> Analysis:
    shares = [[seat[name] for name in Share.__struct_fields__] for seat in found["seats"]]
    moments = [[moment[name] for name in Moment.__struct_fields__] for moment in found["moments"]]
    return msgspec.convert([found["playouts"], found["error"], found["dealt"], shares, moments, found["turning_points"]], Analysis)
