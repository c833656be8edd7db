"""`marketpost find`: search for people to play with, list and withdraw searches."""

from datetime import UTC, datetime
from typing import Literal

import click

from marketpost.cli.api_client import Service, calls_service, key_option, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_lines import columns
from marketpost.client.documents import NewSearch, SearchResponse


@click.command()
@click.argument("rules", required=False)
@click.option("--players", type=click.IntRange(2, 6), help="Players at the table, you included; 3 if left out.")
@click.option("--time", "time_", metavar="TIME", help="For each decision, such as 12h; one day if left out.")
@click.option("--strength", type=click.Choice(("any", "similar")), default="any", show_default=True, help="How strong the others are.")
@click.option("--least", type=int, help="Lowest rating of the others.")
@click.option("--most", type=int, help="Highest rating of the others.")
@click.option("--cancel", metavar="ID", help="Withdraw a search.")
@key_option
@calls_service
def find(
    service: Service,
    rules: str | None,
    players: int | None,
    time_: str | None,
    strength: Literal["any", "similar"],
    least: int | None,
    most: int | None,
    cancel: str | None,
    key: str,
) -> None:
    """Search for people to play the game RULES with; without it, list your searches. A table opens within an hour."""
    if cancel:
        service.client.end_search(cancel, key=key)
        if not service.as_json:
            click.echo(say("search-withdrawn"))
        return
    if rules is None:
        _list(service)
        return
    body: NewSearch = {"rules": rules, "strength": strength}
    if players:
        body["players"] = players
    if time_:
        body["per_decision"] = time_
    if least is not None:
        body["least"] = least
    if most is not None:
        body["most"] = most
    made = service.client.search_game(body, key=key)
    if service.as_json:
        say_json(made)
    else:
        click.echo(say("search-begun", id=made["id"], date=made["opens_by"]))


def _list(service: Service) -> None:
    found = service.client.list_searches()
    if service.as_json:
        say_json(found)
        return
    rows = [_row(each) for each in found["items"]]
    click.echo("\n".join(columns([say("search-columns").split("/"), *rows])) if rows else say("no-searches"))


def _row(each: SearchResponse) -> list[str]:
    waited = datetime.now(UTC) - datetime.fromisoformat(each["since"])
    range_ = "–".join("" if bound is None else f"{bound:.0f}" for bound in (each["least"], each["most"]))
    hours = f"{each['per_decision'] / 3600:g} h"
    return [each["id"], each["rules"], str(each["players"]), hours, range_.strip("–") and range_, f"{waited.total_seconds() // 60:.0f} min"]
