"""`marketpost move`: send orders and print their outcome."""

import time
from textwrap import wrap
from typing import Any

import click

from marketpost.cli.api_client import REFUSED, Service, ServiceProblem, Unreachable, calls_service, key_option, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_commands import words_or_input
from marketpost.cli.game_lines import COLUMNS
from marketpost.cli.game_screen import read_game
from marketpost.cli.terminal import safe, underline
from marketpost.client.documents import AcceptedResponse, MoveResponse
from marketpost.rules.refusal import Unreadable
from marketpost.rules.ruleset import Ruleset, ruleset
from marketpost.rules.words import Words

WAIT = 10
"""Seconds for which the service is asked to wait for the outcome."""
LOOKS, LOOK_AGAIN = 60, 1.0
"""How often, and after how many seconds, the outcome is asked for again."""
SOME = 12
"""How many legal steps a refusal shows."""


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@click.option("--if-version", type=click.IntRange(1), help="Only if the game is still at this version.")
@click.option("--no-wait", is_flag=True, help="Do not wait for the outcome.")
@key_option
@calls_service
def move(service: Service, game: str, orders: tuple[str, ...], if_version: int | None, no_wait: bool, key: str) -> None:
    """Send ORDERS, or what stands on standard input, and wait for the outcome.

    Ends with 0 if they were carried out, 1 if they were refused, 2 if the service was not reached.
    """
    text = words_or_input(orders)
    version = f'"{if_version}"' if if_version else None
    try:
        sent = service.client.submit_orders(game, {"orders": text}, if_match=version, wait=None if no_wait else WAIT, key=key)
        answer = sent if no_wait else _outcome(service, game, sent)
    except ServiceProblem as problem:
        if service.as_json or "legal" not in problem.document:
            raise
        _tell_refusal(service, game, text, problem.document)
        raise click.exceptions.Exit(REFUSED) from problem
    if service.as_json:
        say_json(answer)
        if answer["status"] == "refused":
            raise click.exceptions.Exit(REFUSED)
    elif answer["status"] == "queued":
        click.echo(say("accepted", id=answer["id"]))
    else:
        _tell_applied(service, game, answer)


def _outcome(service: Service, game: str, answer: MoveResponse | AcceptedResponse) -> MoveResponse:
    """Return the outcome of a move; ask for it again while the move is queued."""
    for _ in range(LOOKS):
        if answer["status"] != "queued":
            return _raised(service, answer)
        answer = service.client.show_move(game, answer["id"])
        time.sleep(LOOK_AGAIN if answer["status"] == "queued" else 0)
    raise Unreachable("unjudged", id=answer["id"])


def _raised(service: Service, answer: MoveResponse) -> MoveResponse:
    """Return the outcome of an applied move; raise the problem of a refused one."""
    if answer["status"] == "refused":
        raise ServiceProblem({**answer, "status": 422}, service.as_json)
    return answer


def _tell_applied(service: Service, game: str, answer: MoveResponse) -> None:
    """Print what happened, which steps were not played, and the scores."""
    view, now = read_game(service, game), answer["version"] or 0
    happened = [played for version, played in view.game.history if version == now]
    before = [event for version, played in view.game.history if version < now for event in played.events]
    if happened:
        state = view.game.rules.fold(before)
        click.echo("\n".join(view.game.rules.story(state, [event for played in happened for event in played.events], view.words)))
    for step in answer["dropped"]:
        click.echo(say("not-played", text=safe(step)))
    click.echo("\n".join(view.seats(COLUMNS)))


def _tell_refusal(service: Service, game: str, orders: str, problem: dict[str, Any]) -> None:
    """Print the orders with the wrong step underlined, the reason, what counts nevertheless, and the legal steps."""
    rules = ruleset(service.client.show_game(game)["rules"])
    for line in marked(rules, rules.in_language(service.language), orders, problem.get("step") or 0):
        click.echo(f"    {safe(line)}", err=True)
    click.secho(safe(str(problem["detail"])), fg="red", err=True)
    if problem.get("version"):
        click.echo(say("stands"), err=True)
    for step in problem.get("dropped") or ():
        click.echo(say("not-played", text=safe(step)), err=True)
    if steps := problem["legal"]:
        count = problem.get("legal_count", len(steps))
        more = [say("legal-more", count=count - SOME, id=game)] if count > SOME else []
        told = safe(" ".join([say("legal", text=" · ".join(steps[:SOME])), *more]))
        click.echo("\n".join(wrap(told, COLUMNS, break_long_words=False, break_on_hyphens=False)), err=True)


def marked(rules: Ruleset[Any], words: Words, orders: str, step: int) -> list[str]:
    """Return the orders with marks under the wrong step: as written if they are unreadable, else as they were parsed."""
    try:
        steps = rules.parse(orders)
    except Unreadable as unreadable:
        wrong = str(unreadable.refusal.values.get("text", ""))
        start = orders.find(wrong) if wrong else -1
        return underline(orders, start, start + len(wrong)) if start >= 0 else orders.split("\n")
    if not step:
        return orders.split("\n")
    before, until = (len(rules.notate(steps[:number], words)) for number in (step - 1, step))
    text = rules.notate(steps, words)
    gap = until - before - len(text[before:until].lstrip("; "))
    return underline(text, before + gap, until)
