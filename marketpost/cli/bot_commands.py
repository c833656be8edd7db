"""`marketpost bots`: accounts for programs of yours, and their tokens."""

import click

from marketpost.cli.account_commands import token_told
from marketpost.cli.api_client import Service, calls_service, key_option, say_json
from marketpost.cli.command_language import say
from marketpost.cli.terminal import safe


@click.group()
def bots() -> None:
    """List, create and erase accounts for programs of yours, and manage their tokens."""


@bots.command("list")
@calls_service
def list_(service: Service) -> None:
    """List your bots."""
    found = service.client.up_to(1000, service.client.list_bots)
    if service.as_json:
        say_json(found)
        return
    for each in found["items"]:
        click.echo(say("bot-line", id=each["id"], name=safe(each["name"]), since=each["created"][:10], count=each["tokens"]))


@bots.command()
@click.argument("name")
@key_option
@calls_service
def add(service: Service, name: str, key: str) -> None:
    """Create a bot called NAME. Everybody sees that it is a bot, and it is rated among bots."""
    made = service.client.create_bot({"name": name}, key=key)
    if service.as_json:
        say_json(made)
    else:
        click.echo(say("bot-made", id=made["id"], name=safe(made["name"])))


@bots.command()
@click.argument("bot")
@click.option("--label", default="", help="What it is for.")
@key_option
@calls_service
def token(service: Service, bot: str, label: str, key: str) -> None:
    """Make a token for BOT, by its id; it is printed this once."""
    made = service.client.create_bot_token(bot, {"label": label} if label else {}, key=key)
    if service.as_json:
        say_json(made)
    else:
        click.echo(say("bot-token", id=bot, text=made["token"]))


@bots.command()
@click.argument("bot")
@calls_service
def tokens(service: Service, bot: str) -> None:
    """List the tokens of BOT."""
    found = service.client.up_to(1000, service.client.list_bot_tokens, bot)
    if service.as_json:
        say_json(found)
        return
    for each in found["items"]:
        click.echo(say("token-line", **token_told(each)))


@bots.command()
@click.argument("bot")
@click.argument("token")
@calls_service
def revoke(service: Service, bot: str, token: str) -> None:
    """Revoke TOKEN of BOT, by the id that `bots tokens` prints."""
    service.client.revoke_bot_token(bot, token)
    if not service.as_json:
        click.echo(say("bot-token-revoked", id=bot, token=token))


@bots.command()
@click.argument("bot")
@calls_service
def erase(service: Service, bot: str) -> None:
    """Erase BOT: its name and tokens. Built-in bots play on in its games."""
    service.client.erase_bot(bot)
    if not service.as_json:
        click.echo(say("bot-erased", id=bot))
