"""`marketpost hint`: what a bot would play."""

import time

import click

from marketpost.cli.api_client import Service, calls_service, say_json
from marketpost.cli.command_language import say
from marketpost.cli.terminal import safe
from marketpost.rules.ruleset import ruleset

WAIT, PAUSE = 30.0, 0.3
"""Seconds that the command waits for the hint, and between two looks."""


@click.command()
@click.argument("game")
@calls_service
def hint(service: Service, game: str) -> None:
    """Say what a bot would play in your place now, and why; everybody at the table sees that you have asked."""
    found, until = service.client.ask_for_hint(game), time.monotonic() + WAIT
    while found["status"] == "pending" and time.monotonic() < until:
        time.sleep(PAUSE)
        found = service.client.list_hints(game)
    if service.as_json:
        say_json(found)
    elif (given := found["hint"]) is None:
        click.echo(say("hint-pending"), err=True)
    else:
        words = ruleset(service.client.show_game(game)["rules"]).in_language(service.language)
        lines = [words.say("hint.line", text=given["text"]), given["why"]] if given["text"] else [given["why"]]
        click.echo(safe("\n".join(lines)))
