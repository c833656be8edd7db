"""`marketpost address`: the mail addresses of one's own account."""

import click

from marketpost.cli.api_client import Service, calls_service, say_json
from marketpost.cli.command_language import say
from marketpost.cli.terminal import safe

WHAT = click.Choice(["list", "add", "remove", "main"])


@click.command()
@click.argument("what", type=WHAT, default="list")
@click.argument("email", required=False)
@click.option("--code", help="The code that was mailed to the new address, if you have it already.")
@calls_service
def address(service: Service, what: str, email: str | None, code: str | None) -> None:
    """List your mail addresses, or add or remove EMAIL or make it the main one. A code is mailed to a new address."""
    if what != "list":
        email = email or click.prompt(say("ask-address"))
        {"add": _add, "remove": _remove, "main": _choose}[what](service, email, code)
    _list(service)


def _add(service: Service, email: str, code: str | None) -> None:
    if code is None:
        service.client.add_address({"email": email})
        click.echo(say("code-sent", text=email), err=True)
        code = str(click.prompt(say("ask-code"), err=True))
    service.client.add_address({"email": email, "code": code})


def _remove(service: Service, email: str, code: str | None) -> None:
    service.client.delete_address(email)


def _choose(service: Service, email: str, code: str | None) -> None:
    service.client.change_me({"email": email})


def _list(service: Service) -> None:
    me = service.client.show_me()
    if service.as_json:
        say_json({"email": me["email"], "addresses": me["addresses"]})
        return
    click.echo(say("address-main-line", text=safe(me["email"])))
    for each in me["addresses"]:
        click.echo(safe(each))
