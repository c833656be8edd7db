"""`marketpost suppressions`: the addresses to which no letters are sent, for the operator."""

import getpass
from collections.abc import Iterator

import click

from marketpost.cli.people_commands import WHY, shown_moment
from marketpost.cli.store_access import ports, says_if_redis_is_away
from marketpost.cli.terminal import many, safe
from marketpost.mail.outbound.gate import DEAD_AFTER
from marketpost.mail.outbound.message import ADDRESS
from marketpost.play.people.suppressing import lift_suppression, suppress
from marketpost.play.ports import Ports


@click.group()
def suppressions() -> None:
    """List the addresses to which no letters are sent, add one, or lift one."""


@suppressions.command("list")
@says_if_redis_is_away
def list_() -> None:
    """List suppressed addresses, oldest first: by the operator, by a complaint, or because letters came back."""
    rows = [*_listed(ports())]
    for row in rows:
        click.echo(safe(row))
    click.echo(many(len(rows), "address", "addresses"), err=True)


def _listed(door: Ports) -> Iterator[str]:
    for each in door.suppressions.all():
        yield f"{shown_moment(each.at)}  {each.cause:<9}  {each.address or '(of an erased player)'}"
    for player in door.players.everybody():
        if player.bounces >= DEAD_AFTER:
            yield f"{'':<20}  {'bounces':<9}  {player.email}"


@suppressions.command()
@click.argument("address")
@WHY
@says_if_redis_is_away
def add(address: str, why: str) -> None:
    """Send nothing more to ADDRESS, not even sign-in codes."""
    door = ports()
    if not ADDRESS.fullmatch(address):
        raise click.ClickException(f"{address} is no mail address")
    suppress(door, address, getpass.getuser(), why)
    click.echo(f"nothing more is sent to {address}")


@suppressions.command()
@click.argument("address")
@WHY
@says_if_redis_is_away
def lift(address: str, why: str) -> None:
    """Send letters to ADDRESS again, whatever they were stopped for."""
    if not lift_suppression(ports(), address, getpass.getuser(), why):
        raise click.ClickException(f"{address} is not suppressed")
    click.echo(f"letters are sent to {address} again")
