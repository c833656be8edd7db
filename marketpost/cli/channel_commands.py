"""`marketpost channels`: where else one hears of games."""

from typing import Any

import click

from marketpost.cli.api_client import Service, calls_service, key_option, say_json
from marketpost.cli.command_language import say
from marketpost.cli.terminal import safe
from marketpost.client.documents import ChannelResponse, NewChannel


@click.group()
def channels() -> None:
    """List, add, test and remove the chats, phones and programs that are told of your games."""


@channels.command("list")
@calls_service
def list_(service: Service) -> None:
    """List them, with how the last messages went."""
    found = service.client.up_to(1000, service.client.list_channels)
    if service.as_json:
        say_json(found)
        return
    for each in found["items"]:
        click.echo(f"{each['id']}  {each['channel']}  {safe(each['host'])}  {_state(each)}".rstrip())


@channels.command()
@click.argument("channel")
@click.argument("target")
@click.option("--game", metavar="ID", help="Only for this game.")
@key_option
@calls_service
def add(service: Service, channel: Any, target: str, game: str | None, key: str) -> None:
    """Add TARGET, such as `ntfy ntfys://ntfy.sh/my-topic`; CHANNEL is discord, matrix, ntfy, signal, slack, telegram or webhook."""
    body: NewChannel = {"channel": channel, "target": target}
    if game:
        body["game"] = game
    made = service.client.add_channel(body, key=key)
    if service.as_json:
        say_json(made)
    else:
        click.echo(say("channel-added", id=made["id"], text=made["secret"]))


@channels.command()
@click.argument("id")
@calls_service
def test(service: Service, id: str) -> None:
    """Send a test message; what became of it is told by `channels list`."""
    sent = service.client.test_channel(id)
    if service.as_json:
        say_json(sent)
    else:
        click.echo(say("channel-tested", id=id))


@channels.command()
@click.argument("id")
@calls_service
def remove(service: Service, id: str) -> None:
    """Remove one."""
    service.client.delete_channel(id)
    if not service.as_json:
        click.echo(say("channel-removed", id=id))


def _state(target: ChannelResponse) -> str:
    if target["off"] or target["failures"]:
        return say("channel-off" if target["off"] else "channel-failing", text=safe(target["last_error"] or ""))
    return (target["last_success"] or "")[:16].replace("T", " ")
