"""`marketpost board`: the board alone, as text."""

import click

from cli.client import Service, calls_service, say_json


@click.command()
@click.argument("game")
@click.option("--at", type=click.IntRange(1), help="As it was after this version.")
@click.option("--linear", is_flag=True, help="In sentences, for a screen reader.")
@calls_service
def board(service: Service, game: str, at: int | None, linear: bool) -> None:
    """Print the board of a game, now or after an earlier version."""
    query = [f"language={service.language}", *(["style=linear"] if linear else []), *([f"at={at}"] if at else [])]
    text = service.text(f"games/{game}/board?{'&'.join(query)}")
    if service.as_json:
        say_json({"board": text})
    else:
        click.echo(text, nl=False)
