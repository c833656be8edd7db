"""`marketpost show`, `legal` and `preview`: looking at a game changes nothing."""

import shutil
from typing import Any
from urllib.parse import quote

import click

from cli.client import Service, calls_service, say_json
from cli.page import look_at, whole
from cli.seats import words_or_input
from cli.terminal import safe


@click.command()
@click.argument("game")
@calls_service
def show(service: Service, game: str) -> None:
    """Show a game: the board, the last turns, and what you may do."""
    if service.as_json:
        say_json(service.get(f"games/{game}"))
        return
    click.echo("\n".join(whole(look_at(service, game), shutil.get_terminal_size().columns)))


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@calls_service
def legal(service: Service, game: str, orders: tuple[str, ...]) -> None:
    """List every legal next step, now or after ORDERS."""
    after = f"?orders={quote(' '.join(orders))}" if orders else ""
    found = service.get(f"games/{game}/legal{after}")
    if service.as_json:
        say_json(found)
        return
    if not found["steps"]:
        click.echo(f"Nothing to decide for you; {' and '.join(found['decides']) or 'nobody'} is to decide.", err=True)
    for step in found["steps"]:
        click.echo(safe(step))


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@calls_service
def preview(service: Service, game: str, orders: tuple[str, ...]) -> None:
    """Say what ORDERS would do, for every branch of chance. Nothing is drawn."""
    found = service.post(f"games/{game}/preview", {"orders": words_or_input(orders)})
    if service.as_json:
        say_json(found)
        return
    for branch in found["branches"]:
        click.echo(_branch(branch))
    if len(found["branches"]) == 1:
        click.echo("\n" + found["branches"][0]["board"], nl=False)
    if not found["complete"]:
        click.echo("… and more branches than are told.")


def _branch(branch: dict[str, Any]) -> str:
    chance = f"if chance brings {', '.join(branch['outcomes'])}: " if branch["outcomes"] else ""
    if branch["refusal"]:
        return safe(f"{chance}refused, {branch['refusal']['detail']}")
    changed = [
        f"{colour} {each['before']} → {each['after']}" for colour, each in branch["scores"].items() if each["before"] != each["after"]
    ]
    return f"{chance}{', '.join(changed) or 'no score changes'}"
