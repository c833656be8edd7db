"""`marketpost standing` and `clock`: orders for one's absence, and the time left."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from math import inf
from typing import Any, Literal, TypeAlias

import click
from babel.dates import format_timedelta

from marketpost.cli.api_client import Service, calls_service, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_screen import chip, who_sits
from marketpost.cli.terminal import fancy, safe
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
    path = f"games/{game}/standing"
    if off:
        service.ask("DELETE", path)
        left: dict[str, Any] = {"orders": "", "warnings": []}
    else:
        left = service.ask("PUT", path, {"orders": " ".join(orders)}) if orders else service.get(path)
    if service.as_json:
        say_json(left)
    else:
        click.echo(safe(left["orders"]) or say("no-standing"))
        for warning in left["warnings"]:
            click.echo(safe(warning["detail"]), err=True)


@click.command()
@click.argument("game")
@calls_service
def clock(service: Service, game: str) -> None:
    """Show how long one may think in a game, and who has to decide by when."""
    shown = service.get(f"games/{game}")
    if service.as_json:
        say_json(shown["clock"])
        return
    pace = shown["clock"]
    click.echo(" ".join(told_pace(pace, service.language)) if pace else Sentences(service.language, "words").say("no-limit"))
    words, seats = ruleset(shown["rules"]).in_language(service.language), {seat["colour"]: seat for seat in shown["seats"]}
    for time in pace["times"] if pace else ():
        click.echo(_time(time, f"{chip(time['colour'], fancy())} {who_sits(words, seats[time['colour']])}", service.language))


def told_pace(pace: dict[str, Any], language: str) -> Iterator[str]:
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


def _time(time: dict[str, Any], who: str, language: str) -> str:
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
