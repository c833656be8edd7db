"""`marketpost standing`, `ahead` and `clock`: orders left for later, and the time left."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from math import inf
from typing import Literal, TypeAlias

import click
from babel.dates import format_timedelta

from marketpost.cli.api_client import Service, calls_service, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_lines import chip, who_sits
from marketpost.cli.terminal import fancy, safe
from marketpost.client.documents import ClockResponse, NewOrdersAhead, StandingResponse, TimeResponse
from marketpost.mail.outbound.letters.times import moment
from marketpost.mail.outbound.render import Sentences
from marketpost.rules.ruleset import ruleset

Unit: TypeAlias = Literal["day", "hour", "minute", "second"]
SPANS: dict[Unit, int] = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}


@click.command()
@click.argument("game")
@click.argument("orders", nargs=-1)
@click.option("--off", is_flag=True, help="Take them back.")
@calls_service
def standing(service: Service, game: str, orders: tuple[str, ...], off: bool) -> None:
    """Show your standing orders, or leave ORDERS in place of them: for decisions outside your own turn."""
    if off:
        service.client.cancel_orders(game)
        left: StandingResponse = {"orders": "", "warnings": []}
    else:
        left = service.client.leave_orders(game, {"orders": " ".join(orders)}) if orders else service.client.show_standing(game)
    if service.as_json:
        say_json(left)
    else:
        click.echo(safe(left["orders"]) or say("no-standing"))
        for warning in left["warnings"]:
            click.echo(safe(warning["detail"]), err=True)


@click.command()
@click.argument("game")
@click.argument("branches", nargs=-1)
@click.option("--off", is_flag=True, help="Take them back.")
@calls_service
def ahead(service: Service, game: str, branches: tuple[str, ...], off: bool) -> None:
    """Show your orders ahead, or leave BRANCHES in place of them: for your next turn, each such as "if red leads: 3: stall B-C"."""
    if off:
        service.client.cancel_ahead(game)
    given: NewOrdersAhead = {"orders": "\n".join(branches)}
    left = service.client.leave_ahead(game, given) if branches and not off else service.client.show_ahead(game)
    if service.as_json:
        say_json(left)
        return
    click.echo(safe(left["orders"]) or "\n".join([say("no-ahead"), *(f"  {each}" for each in left["conditions"])]))
    for number, branch in enumerate(left["branches"], 1):
        click.echo(say("ahead-branch", number=number, held=branch["held"], legal=branch["legal"], samples=left["samples"]), err=True)
        if "detail" in branch:
            click.echo(f"  {safe(branch['detail'])}", err=True)


@click.command()
@click.argument("game")
@calls_service
def clock(service: Service, game: str) -> None:
    """Show how long one may think in a game, and who has to decide by when."""
    shown = service.client.show_game(game)
    if service.as_json:
        say_json(shown["clock"])
        return
    pace = shown["clock"]
    click.echo(" ".join(told_pace(pace, service.language)) if pace else Sentences(service.language, "words").say("no-limit"))
    words, seats = ruleset(shown["rules"]).in_language(service.language), {seat["colour"]: seat for seat in shown["seats"]}
    for time in pace["times"] if pace else ():
        click.echo(_time(time, f"{chip(time['colour'], fancy())} {who_sits(words, seats[time['colour']])}", service.language))


def told_pace(pace: ClockResponse, language: str) -> Iterator[str]:
    """Say the time control of a game, in the sentences of an invitation."""
    invite = Sentences(language, "invitation").say
    yield invite("think", time=_span(pace["per_decision"], language))
    yield invite("keep", bank=_span(pace["bank"], language)) if pace["bank"] else invite("keep-nothing")
    if not pace["weekends"]:
        yield invite("weekends")
    if pace["quiet"]:
        first, last = pace["quiet"].split("-")
        yield invite("quiet", first=f"{first}:00", last=f"{last}:00")
    yield invite(f"zero-{pace['at_zero']}")


def _time(time: TimeResponse, who: str, language: str) -> str:
    """Say by when a seat must decide, or how much time it has saved."""
    if not time["by"]:
        return say("time-saved", who=who, bank=_span(time["bank"], language))
    there = datetime.fromisoformat(time["by"]).astimezone()
    return say("time-by", who=who, until=moment(there, language))


def _span(seconds: int, language: str) -> str:
    """Format a duration exactly, in words."""
    parts = []
    for unit, length in SPANS.items():
        count, seconds = divmod(seconds, length)
        parts += [format_timedelta(timedelta(**{f"{unit}s": count}), unit, inf, locale=language)] if count else []
    return " ".join(parts) or format_timedelta(timedelta(), "second", locale=language)
