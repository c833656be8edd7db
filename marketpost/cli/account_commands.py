"""`marketpost tokens`, `feeds`, `letters`, `hide`, `unhide`, `block`, `unblock` and `report`: one's own tokens, and what others see."""

from pathlib import Path
from typing import Literal

import click

from marketpost.cli.api_client import Service, WrongCall, calls_service, key_option, say_json, write_file
from marketpost.cli.command_language import say
from marketpost.cli.terminal import safe
from marketpost.client.documents import NewReport, OwnTokenResponse


def export_account(service: Service) -> None:
    """Write everything that the service stores about the player to a new zip file in this folder; never overwrite one."""
    data = service.client.export_me()
    file = Path(f"marketpost-{service.player or 'me'}.zip")
    if file.exists():
        raise WrongCall("file-there", file=file)
    write_file(file, data)
    if service.as_json:
        say_json({"file": str(file), "bytes": len(data)})
    else:
        click.echo(say("wrote", file=file, size=len(data)))


@click.command()
@click.option("--revoke", metavar="ID", help="Sign out whoever has this token.")
@calls_service
def tokens(service: Service, revoke: str | None) -> None:
    """List the programs and browsers that are signed in as you, or revoke one of their tokens."""
    if revoke:
        service.client.revoke_token(revoke)
        if not service.as_json:
            click.echo(say("token-revoked", id=revoke))
        return
    found = service.client.up_to(1000, service.client.list_tokens)
    if service.as_json:
        say_json(found)
        return
    for each in found["items"]:
        click.echo(say("token-line-here" if each["current"] else "token-line", **token_told(each)))


@click.command()
@click.option("--renew", is_flag=True, help="Switch them on, or give them new addresses.")
@click.option("--off", is_flag=True, help="Switch them off.")
@calls_service
def feeds(service: Service, renew: bool, off: bool) -> None:
    """Print the secret addresses of your feeds: what waits for you (Atom), and your deadlines (iCalendar)."""
    if off:
        service.client.close_my_feeds()
        if not service.as_json:
            click.echo(say("feeds-closed"))
        return
    found = service.client.renew_my_feeds() if renew else service.client.show_feeds()
    if service.as_json:
        say_json(found)
    else:
        click.echo(f"{found['atom']}\n{found['calendar']}" if found["atom"] else say("feeds-none"))


@click.command()
@click.argument("length", type=click.Choice(["full", "short", "auto"]), required=False)
@calls_service
def letters(service: Service, length: Literal["full", "short", "auto"] | None) -> None:
    """Choose whether letters explain the game: all (full), none (short), or the first ones (auto)."""
    found = service.client.change_me({"letters": length}) if length else service.client.show_me()
    if service.as_json:
        say_json({"letters": found["letters"]})
    else:
        click.echo(say(f"letters-{found['letters']}"))


@click.command()
@calls_service
def hide(service: Service) -> None:
    """Take yourself off the lists and pages of players."""
    _hide(service, hidden=True)


@click.command()
@calls_service
def unhide(service: Service) -> None:
    """Show yourself on the lists and pages of players again."""
    _hide(service, hidden=False)


def _hide(service: Service, *, hidden: bool) -> None:
    found = service.client.change_me({"hidden": hidden})
    if service.as_json:
        say_json({"hidden": found["hidden"]})
    else:
        click.echo(say("hidden" if found["hidden"] else "unhidden"))


def token_told(token: OwnTokenResponse) -> dict[str, str]:
    """Return the values of a line about a token."""
    return {
        "id": token["id"],
        "text": safe(token["label"]) or "-",
        "scopes": ", ".join(token["scopes"]),
        "since": token["created"][:10],
        "until": (token["used"] or "-")[:13].replace("T", " "),
    }


@click.command()
@click.argument("player", required=False)
@calls_service
def block(service: Service, player: str | None) -> None:
    """Block PLAYER, by the id that `show --json` prints; or list whom you have blocked."""
    if player:
        service.client.block_player(player)
        _done(service, "blocked", player)
        return
    found = service.client.up_to(1000, service.client.list_blocked)
    if service.as_json:
        say_json(found)
        return
    for each in found["items"]:
        click.echo(f"{each['player']}  {safe(each['name'] or '-')}")


@click.command()
@click.argument("player")
@calls_service
def unblock(service: Service, player: str) -> None:
    """Block PLAYER no more."""
    service.client.unblock_player(player)
    _done(service, "unblocked", player)


@click.command()
@click.argument("player")
@click.argument("text", nargs=-1, required=True)
@click.option("--game", help="Where it happened.")
@key_option
@calls_service
def report(service: Service, player: str, text: tuple[str, ...], game: str | None, key: str) -> None:
    """Report PLAYER to the operator of the service."""
    body: NewReport = {"player": player, "text": " ".join(text)}
    if game:
        body["game"] = game
    made = service.client.report_player(body, key=key)
    if service.as_json:
        say_json(made)
    else:
        click.echo(say("reported"))


def _done(service: Service, key: str, player: str) -> None:
    if not service.as_json:
        click.echo(say(key, id=player))
