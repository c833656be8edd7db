"""`marketpost login`: sign in by a code that comes by mail."""

import platform

import click

from cli import access
from cli.client import Problem, Service, at, is_local, say_json, service_options
from cli.terminal import safe

CODE_TRIES = 3


@click.command()
@click.argument("email", required=False)
@click.option("--name", help="Register under this name, if you are new here.")
@click.option("--timezone", default="UTC", show_default=True, help="For a new player, as in Europe/Berlin.")
@click.option("--code", help="The code, if you have it already.")
@service_options
def login(
    email: str | None, name: str | None, timezone: str, code: str | None, url: str | None, language: str | None, as_json: bool
) -> None:
    """Sign in. A code comes by mail; the token it gives is kept on this machine, for each service its own."""
    service = at(url, language, as_json, signed_in=False)
    email = email or click.prompt("Your mail address")
    if name:
        service.post("players", {"email": email, "name": name, "language": service.language, "timezone": timezone})
    elif not code:
        service.post("tokens", {"email": email})
    answer = _enter(service, email, code) if code else _ask_for_code(service, email, bool(name))
    me = Service(service.url, answer["token"], service.language, as_json).get("players/me")
    path = access.remember(service.url, access.Access(answer["token"], answer["player"], email, language or me["language"]))
    if as_json:
        say_json(answer)
    else:
        click.echo(f"Signed in at {service.url} as {safe(me['name'])}, until {answer['expires'][:10]}.\nThe token is kept in {path}")


def _ask_for_code(service: Service, email: str, registered: bool) -> dict[str, str]:
    """The service does not tell who is registered, so neither can we."""
    click.echo(f"A code is on its way to {email}{'.' if registered else ', if it is registered there.'}", err=True)
    if not registered:
        click.echo("If it is not, register with --name NAME.", err=True)
    if is_local(service.url):
        click.echo(f"Without a mail server it lies in: marketpost mailbox {email}", err=True)
    for _ in range(CODE_TRIES - 1):
        try:
            return _enter(service, email, _prompted())
        except Problem as problem:
            if problem.document.get("code") != "wrong-code":
                raise
            click.echo(problem.message, err=True)
    return _enter(service, email, _prompted())


def _prompted() -> str:
    return str(click.prompt("The code from the mail", err=True))


def _enter(service: Service, email: str, code: str) -> dict[str, str]:
    return service.post("tokens", {"email": email, "code": code, "label": f"marketpost on {platform.node()}"[:60].strip()})
