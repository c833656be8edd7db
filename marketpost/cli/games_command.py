"""`marketpost games`: the list of games."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import click

from marketpost.cli.api_client import Service, calls_service, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_lines import called, columns, sitting
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import Words

if TYPE_CHECKING:
    from marketpost.client.documents import GameSummaryResponse

DUE = {"my_turn": True, "sort": "deadline"}


@click.command()
@click.option("--status", type=click.Choice(("open", "running", "over")), help="Only those.")
@click.option("--lobby", is_flag=True, help="Games with a seat for whoever comes, instead of your own.")
@click.option("--public", is_flag=True, help="All that you may see, instead of your own.")
@click.option("--rules", metavar="RULES", help="Only games of this ruleset.")
@click.option("--my-turn", is_flag=True, help="Only those that wait for a decision of yours, due first.")
@click.option("--limit", default=30, show_default=True, type=click.IntRange(1), help="So many at most.")
@calls_service
def games(
    service: Service,
    status: Literal["open", "running", "over"] | None,
    lobby: bool,
    public: bool,
    rules: str | None,
    my_turn: bool,
    limit: int,
) -> None:
    """List your games, newest first."""
    mine = None if lobby or public else True
    filters = {"status": status, "open": lobby or None, "mine": mine, "rules": rules} | (DUE if my_turn else {})
    found = service.client.up_to(limit, service.client.list_games, **filters)
    if service.as_json:
        say_json(found)
        return
    if not found["items"]:
        click.echo(say("no-games"))
        return
    click.echo("\n".join(columns([say("columns").split("/"), *(_row(service, each) for each in found["items"])])))


def _row(service: Service, game: "GameSummaryResponse") -> list[str]:
    words = ruleset(game["rules"]).in_language(service.language)
    changed = datetime.fromisoformat(game["changed"]).astimezone().strftime("%Y-%m-%d %H:%M")
    return [game["id"], called(game, game["rules"]), _stage(words, game, service.player), sitting(words, game), changed]


def _stage(words: Words, game: "GameSummaryResponse", me: str) -> str:
    """Say where a game stands: who decides, who has won, or how it ended."""
    mine = {seat["colour"] for seat in game["seats"] if me and seat["player"] == me}
    if game["ended"] not in (None, "played"):
        return say(f"stage-{game['ended']}")
    if game["winners"]:
        return won(words, game["winners"], mine)
    return say("stage-to-move", text=_together(words, game["decides"], mine)) if game["decides"] else say(f"stage-{game['status']}")


def won(words: Words, winners: Sequence[str], mine: set[str]) -> str:
    """Say who has won."""
    return say("stage-won", text=_together(words, winners, mine))


def _together(words: Words, colours: Sequence[str], mine: set[str]) -> str:
    return words.say("records.and").join(say("stage-you") if colour in mine else words.translate(colour) for colour in colours)
