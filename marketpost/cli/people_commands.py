"""`marketpost players`, `suspend`, `unsuspend`, `reports`, `audit` and `operator`: the operator's commands about people."""

import getpass
from datetime import UTC, datetime

import click

from marketpost.cli.store_access import ports, says_if_redis_is_away, settings
from marketpost.cli.terminal import many, safe
from marketpost.mail.outbound.operator_reports import hook_id, read_places
from marketpost.notify.targets import secret_of
from marketpost.play.people import suspension
from marketpost.play.people.operators import new_password, password_hash, read_operators
from marketpost.play.people.reporting import close_report
from marketpost.play.people.search import matches, search_players
from marketpost.play.ports import Ports
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from workers.notifier import make_mailer
from workers.queue import make_queue

WHY = click.option("--why", default="", help="For the audit log.")


@click.command()
@click.argument("text", required=False)
@click.option("--suspended", is_flag=True, help="Only those who are suspended.")
@says_if_redis_is_away
def players(text: str | None, suspended: bool) -> None:
    """List the players whose name, address or id contains TEXT; all, if none is given. Guests and bots have no address."""
    found = search_players(ports(), lambda each: bool(each.suspended or not suspended) and matches(each, text or "")).players
    for each in found:
        click.echo(safe(f"{each.id}  {_day(each.created)}  {_address(each)}  {each.name}  {_state(each)}".rstrip()))
    click.echo(many(len(found), "player"), err=True)


def _address(player: Player) -> str:
    return player.email or (f"bot of {player.owner}" if player.owner else "guest")


def _state(player: Player) -> str:
    if player.suspended:
        return f"suspended {_day(player.suspended)}"
    return "" if player.confirmed or not player.email else "invited" if player.invited else "not confirmed"


@click.command()
@click.argument("player")
@WHY
@says_if_redis_is_away
def suspend(player: str, why: str) -> None:
    """Suspend PLAYER, by id or address: signed out everywhere, and out of all games as if they had left."""
    door = ports()
    found = _found(door, player)
    suspension.suspend(door, found, getpass.getuser(), why)
    click.echo(f"{found.id} is suspended: signed out, and a bot plays on in their games")


@click.command()
@click.argument("player")
@WHY
@says_if_redis_is_away
def unsuspend(player: str, why: str) -> None:
    """Let PLAYER sign in again. Seats that were left are not given back."""
    door = ports()
    found = _found(door, player)
    suspension.unsuspend(door, found, getpass.getuser(), why)
    click.echo(f"{found.id} may sign in again")


def _found(door: Ports, player: str) -> Player:
    """Find a player by id or address, or end the command."""
    found = door.players.at_address(player) if "@" in player else door.players.find(player)
    if found is None:
        raise click.ClickException(f"there is no player {player}")
    return found


@click.command()
@click.option("--all", "every", is_flag=True, help="Also those that are done.")
@click.option("--done", metavar="ID", help="Say that a report needs nothing more.")
@click.option("--secrets", is_flag=True, help="Show the secrets that sign the calls to the URLs in REPORTS_TO instead.")
@WHY
@says_if_redis_is_away
def reports(every: bool, done: str | None, secrets: bool, why: str) -> None:
    """Show what players have reported, oldest first."""
    if secrets:
        _show_secrets()
        return
    door = ports()
    if done:
        _close(door, done, why)
        return
    for each in door.reports.all():
        if every or not each.done:
            where = f" in game {each.game}" if each.game else ""
            click.echo(f"{each.id}  {shown_moment(each.at)}  {_called(door, each.by)} about {_called(door, each.about)}{where}")
            click.echo("\n".join(f"    {safe(line)}" for line in each.text.splitlines()))


def _show_secrets() -> None:
    """Show each URL with its secret. The key of the service is read from `SECRET_KEY` or the data folder."""
    settings()
    found = Settings.read()
    mailer = make_mailer(found, make_queue(found))
    for place in read_places(found.reports_to):
        if "://" in place:
            click.echo(f"{place}  {secret_of(mailer, hook_id(place))}")


def _close(door: Ports, id: str, why: str) -> None:
    """Mark a report as done."""
    if not close_report(door, id, getpass.getuser(), why):
        raise click.ClickException(f"there is no report {id}")
    click.echo(f"report {id} is done")


def _called(door: Ports, player: str) -> str:
    found = door.players.find(player)
    return safe(f"{found.name} ({player})") if found else f"an erased player ({player})"


@click.command()
@says_if_redis_is_away
def audit() -> None:
    """Show every act of an operator, oldest first."""
    for act in ports().audit.read():
        click.echo(safe(f"{shown_moment(act.at)}  {act.who}  {act.what}  {act.player}  {act.why}".rstrip()))


@click.command()
@click.argument("name")
def operator(name: str) -> None:
    """Make a password with which NAME signs in at /operate, and print it with what to add to OPERATORS."""
    password = new_password()
    line = f"{name}:{password_hash(password)}"
    try:
        read_operators(line)
    except ValueError as error:
        raise click.ClickException("a name has letters, digits, dots, dashes and underscores, 40 at most") from error
    click.echo(f"password   {password}")
    click.echo(f"OPERATORS  {line}")


def _day(at: int) -> str:
    return shown_moment(at)[:10]


def shown_moment(at: int) -> str:
    """Return a moment as the operator's commands show it."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
