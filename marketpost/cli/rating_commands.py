"""`marketpost profile` and `ratings`: what pages of players and rating lists show."""

import click

from marketpost.cli.api_client import Service, WrongCall, calls_service, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_lines import columns
from marketpost.client.documents import PlayedResponse
from marketpost.rules.words import fold

NEWEST = 10
"""Ratings after so many of the newest rated games are shown."""


@click.command()
@click.argument("name", required=False)
@calls_service
def profile(service: Service, name: str | None) -> None:
    """Show the results, ratings and pace of the player NAME, or of yourself."""
    found = service.client.show_player(_id_of(service, name) if name else service.client.show_me()["id"])
    if service.as_json:
        say_json(found)
        return
    rows = [row for each in found["played"] if each["finished"] for row in _rows(each)]
    pace = [] if found["pace"] is None else [say("profile-pace", count=max(1, round(found["pace"] / 60)))]
    shown = [*columns([say("profile-columns").split("/"), *rows])] if rows else [say("profile-nothing")]
    against = [[each["name"], *map(str, (each["games"], each["before"], each["behind"]))] for each in found["opponents"]]
    others = [*columns([say("opponent-columns").split("/"), *against])] if against else []
    curves = [line for each in found["played"] if each["rating"] for line in _curve(service, found["id"], each["rules"])]
    click.echo("\n".join([f"{found['name']} ({found['id']})", *shown, *curves, *pace, *others]))


def _curve(service: Service, player: str, rules: str) -> list[str]:
    """Tell the ratings after the newest rated games."""
    steps = service.client.show_rating_curve(player, rules)["items"][-NEWEST:]
    return [say("profile-curve", rules=rules, text=" → ".join(f"{each['points']:.1f}" for each in steps))] if steps else []


def _id_of(service: Service, name: str) -> str:
    """Find the player with this name or id; refused if there is none, or several have the name."""
    found = service.client.search_players(name=name)["items"]
    meant = [each for each in found if fold(each["name"]) == fold(name)] or found
    if len(meant) > 1:
        raise WrongCall("profile-several", text=", ".join(f"{each['name']} ({each['id']})" for each in meant))
    return meant[0]["id"] if meant else name


def _rows(each: PlayedResponse) -> list[list[str]]:
    """Return a row for the ruleset, and one for each number of players."""
    rating = each["rating"]
    head = [each["rules"], "", str(each["finished"]), str(each["won"]), f"{rating['points']:.1f}" if rating else ""]
    return [head, *(["", *map(str, (count["players"], count["finished"], count["won"])), ""] for count in each["by_players"])]


@click.command()
@click.argument("rules")
@click.option("--bots", is_flag=True, help="Bot accounts instead of people.")
@click.option("--limit", default=30, show_default=True, type=click.IntRange(1), help="So many at most.")
@calls_service
def ratings(service: Service, rules: str, bots: bool, limit: int) -> None:
    """List the ratings of the game RULES, best first."""
    found = service.client.up_to(limit, lambda **page: service.client.list_ratings(rules, pool="bots" if bots else "people", **page))
    if service.as_json:
        say_json(found)
        return
    rows = [
        [str(place), each["name"] or each["player"], f"{each['points']:.1f}", str(each["games"]), str(each["won"])]
        for place, each in enumerate(found["items"], 1)
    ]
    click.echo("\n".join(columns([say("ratings-columns").split("/"), *rows])) if rows else say("no-ratings"))
