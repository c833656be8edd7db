"""`marketpost competition`: announce, list, show, enter and leave tournaments."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from marketpost.cli.api_client import Service, calls_service, key_option, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_commands import read_option
from marketpost.cli.game_lines import columns
from marketpost.client.documents import CompetitionResponse, CompetitionSummaryResponse, NewCompetition
from marketpost.rules.ruleset import ruleset

FORMATS = ("swiss", "round-robin", "knock-out", "league", "duplicate")


@click.group()
def competition() -> None:
    """Tournaments and leagues: announce one, or take part."""


@competition.command("list")
@click.option("--limit", default=30, show_default=True, type=click.IntRange(1), help="So many at most.")
@calls_service
def list_(service: Service, limit: int) -> None:
    """List tournaments: open ones first."""
    found = service.client.up_to(limit, service.client.list_competitions)
    if service.as_json:
        say_json(found)
        return
    rows = [_row(each) for each in found["items"]]
    click.echo("\n".join(columns([say("competition-columns").split("/"), *rows])) if rows else say("no-competitions"))


def _row(each: CompetitionSummaryResponse) -> list[str]:
    return [each["id"], each["name"], say(f"competition-format-{each['format']}"), _stage(each), str(each["players"])]


def _stage(each: CompetitionSummaryResponse) -> str:
    """Say whether a tournament can be entered, runs, is over or was called off."""
    return say(f"competition-{'cancelled-stage' if each['ended'] not in (None, 'played') else each['status']}")


@competition.command()
@click.argument("name")
@click.argument("rules")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="swiss", show_default=True, help="Who plays whom.")
@click.option("--seats", type=click.IntRange(2, 6), default=3, show_default=True, help="Seats at a table.")
@click.option("--starts", required=True, metavar="DATE", help="When entries close and round 1 is paired, such as 2027-03-01.")
@click.option(
    "--rounds",
    type=click.IntRange(0, 30),
    default=0,
    help="Rounds of a Swiss tournament or of duplicate tables; as many as needed if left out.",
)
@click.option("--every", default="0m", metavar="TIME", help="From round to round at least, such as 7d.")
@click.option("--time", "time_", default="3d", show_default=True, metavar="TIME", help="For each decision, such as 12h.")
@click.option("--edition", help="The edition of the game.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--invite", multiple=True, metavar="ADDRESS", help="Invite somebody by mail.")
@key_option
@calls_service
def new(service: Service, name: str, rules: str, key: str, **given: Any) -> None:
    """Announce a tournament of the game RULES."""
    options: Any = dict(map(read_option, given["options"]))
    body: NewCompetition = {
        "name": name,
        "rules": rules,
        "format": given["format_"],
        "clock": {"per_decision": given["time_"]},
        "options": options,
        "invite": list(given["invite"]),
        "seats": given["seats"],
        "starts": given["starts"],
        "rounds": given["rounds"],
        "every": given["every"],
    }
    if given["edition"]:
        body["edition"] = given["edition"]
    _tell(service, service.client.announce_competition(body, key=key))


@competition.command()
@click.argument("id")
@calls_service
def show(service: Service, id: str) -> None:
    """Show a tournament: standings, rounds and tables."""
    _tell(service, service.client.show_competition(id))


@competition.command()
@click.argument("id")
@key_option
@calls_service
def join(service: Service, id: str, key: str) -> None:
    """Take part in a tournament."""
    _tell(service, service.client.enter_competition(id, key=key), "entered")


@competition.command()
@click.argument("id")
@key_option
@calls_service
def leave(service: Service, id: str, key: str) -> None:
    """Take no further part in a tournament; a table that you sit at goes on."""
    _tell(service, service.client.leave_competition(id, key=key), "left")


@competition.command()
@click.argument("id")
@key_option
@calls_service
def cancel(service: Service, id: str, key: str) -> None:
    """Cancel a tournament that you have announced."""
    _tell(service, service.client.call_off_competition(id, key=key), "cancelled")


def _tell(service: Service, found: CompetitionResponse, done: str = "") -> None:
    """Print a tournament, after what was done."""
    if service.as_json:
        say_json(found)
        return
    told = [say(f"competition-{done}", name=found["name"])] if done else []
    click.echo("\n".join([*told, *_lines(service, found)]))


def _lines(service: Service, found: CompetitionResponse) -> Iterator[str]:
    rules, format_ = ruleset(found["rules"]), say(f"competition-format-{found['format']}")
    title = rules.title(rules.in_language(service.language))
    yield f"{found['name']} ({found['id']}): {title}, {format_}, {say('competition-seats', count=found['seats'])}; {_stage(found)}"
    if found["status"] == "open":
        yield say("competition-starts", date=found["starts"][:10])
    yield say("competition-standings") if found["standings"] else say("competition-nobody")
    for line in found["standings"]:
        values = {
            **line,
            "name": line["name"] or say("somebody"),
            "points": f"{line['points']:.2f}",
            "opponents": f"{line['opponents']:.2f}",
        }
        before = f"{say('competition-division', number=line['division'])}, " if line["division"] else ""
        yield f"  {before}{say('competition-line', **values)}"
    for each in found["rounds"]:
        yield say("competition-round", number=each["number"])
        yield from (f"  {_table(table)}" for table in each["tables"])
        if each["byes"]:
            names = {line["player"]: line["name"] or say("somebody") for line in found["standings"]}
            yield f"  {say('competition-bye', text=', '.join(names[player] for player in each['byes']))}"


def _table(table: Mapping[str, Any]) -> str:
    """Describe a table: its players, with their scores when it is over, and its game."""
    scores = table["scores"] or [""] * len(table["players"])
    names = [name or say("somebody") for name in table["names"]]
    shown = ", ".join(f"{name} {score}".rstrip() for name, score in zip(names, scores, strict=True))
    return say("competition-table", names=shown, id=table["game"])
