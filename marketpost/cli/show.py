"""`marketpost show`, `legal` and `preview`: view a game without changing it."""

import shutil

import click

from marketpost.cli.api_client import Service, calls_service, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_commands import words_or_input
from marketpost.cli.game_screen import lay_out, read_game, words_of
from marketpost.cli.terminal import safe
from marketpost.client.documents import BranchResponse, RefusalResponse
from marketpost.rules.words import Words


@click.command()
@click.argument("game")
@calls_service
def show(service: Service, game: str) -> None:
    """Show a game: the board, the last turns, and what you may do."""
    if service.as_json:
        say_json(service.client.show_game(game))
        return
    click.echo("\n".join(lay_out(read_game(service, game), shutil.get_terminal_size().columns)))


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@calls_service
def legal(service: Service, game: str, orders: tuple[str, ...]) -> None:
    """List every legal next step, now or after ORDERS."""
    found = service.client.list_legal(game, orders=" ".join(orders) or None)
    if service.as_json:
        say_json(found)
        return
    if not found["steps"]:
        words = words_of(service, game)
        others = [say("decides", colours=[words.translate(colour) for colour in found["decides"]])] if found["decides"] else []
        click.echo(" ".join([say("nothing-to-decide"), *others]), err=True)
    for step in found["steps"]:
        click.echo(safe(step))


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@calls_service
def preview(service: Service, game: str, orders: tuple[str, ...]) -> None:
    """Say what ORDERS would do, for every branch of chance. Nothing is drawn."""
    found = service.client.preview_orders(game, {"orders": words_or_input(orders)})
    if service.as_json:
        say_json(found)
        return
    words = words_of(service, game)
    for branch in found["branches"]:
        click.echo(_branch(words, branch))
    if len(found["branches"]) == 1:
        click.echo("\n" + found["branches"][0]["board"], nl=False)
    if not found["complete"]:
        click.echo(say("more-branches"))


def _branch(words: Words, branch: BranchResponse) -> str:
    """Say what one outcome of chance would lead to."""
    told = _refused(branch["refusal"]) if branch["refusal"] else _changed(words, branch) or say("no-score-changes")
    return say("if-chance", outcomes=[words.translate(each) for each in branch["outcomes"]], text=told) if branch["outcomes"] else told


def _refused(refusal: RefusalResponse) -> str:
    return say("would-be-refused", text=safe(refusal["detail"]))


def _changed(words: Words, branch: BranchResponse) -> str:
    return ", ".join(
        f"{words.translate(colour)} {words.score(each['before'])} → {words.score(each['after'])}"
        for colour, each in branch["scores"].items()
        if each["before"] != each["after"]
    )
