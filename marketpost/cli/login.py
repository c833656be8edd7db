"""`marketpost login` and `logout`: sign in with a mailed code, and sign out."""

import platform
from contextlib import suppress

import click

from marketpost.cli import access
from marketpost.cli.api_client import Service, ServiceProblem, Unasked, Unreachable, at, calls_service, is_local, say_json, service_options
from marketpost.cli.command_language import say, speak
from marketpost.cli.terminal import safe
from marketpost.client.documents import SignIn, TokenResponse

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
    """Sign in. A code comes by mail; the token it gives is stored on this machine, one for each service."""
    service = at(url, language, as_json, signed_in=False)
    email = email or click.prompt(say("ask-address"))
    if name:
        service.client.register_player({"email": email, "name": name, "language": service.language, "timezone": timezone})
    request = "" if name or code else _requested(service, email)
    answer = _enter(service, email, code) if code else _ask_for_code(service, email, bool(name), request)
    me = Service(service.url, answer["token"], service.language, as_json).client.show_me()
    path = access.save(service.url, access.Access(answer["token"], email))
    if as_json:
        say_json(answer)
        return
    speak(language or me["language"])
    click.echo(say("signed-in", url=service.url, text=safe(me["name"]), until=answer["expires"][:10]))
    click.echo(say("token-kept", path=path))


@click.command()
@calls_service
def logout(service: Service) -> None:
    """Sign out: the token is worth nothing afterwards, and is deleted here."""
    with suppress(Unasked):  # a token that has run out, or whose first call got through, is gone as well
        service.client.sign_out_player()
    access.drop(service.url, service.token)
    if not service.as_json:
        click.echo(say("signed-out", url=service.url))


def _requested(service: Service, email: str) -> str:
    """Let the service mail a code; return the id of this request."""
    answer = service.client.sign_in_player({"email": email})
    if "request" not in answer:
        raise Unreachable("stranger")
    return answer["request"]


def _ask_for_code(service: Service, email: str, registered: bool, request: str) -> TokenResponse:
    """Ask for the mailed code up to three times and return the token.

    The service does not say whether an address is registered, so the sentence leaves it open too.
    """
    click.echo(say("code-sent" if registered else "code-maybe", text=email), err=True)
    if is_local(service.url):
        click.echo(say("code-here", text=email), err=True)
    for _ in range(CODE_TRIES - 1):
        try:
            return _enter(service, email, _prompted(), request)
        except ServiceProblem as problem:
            if problem.document.get("code") != "wrong-code":
                raise
            click.echo(problem.format_message(), err=True)
    return _enter(service, email, _prompted(), request)


def _prompted() -> str:
    return str(click.prompt(say("ask-code"), err=True))


def _enter(service: Service, email: str, code: str, request: str = "") -> TokenResponse:
    """Exchange a code for a token."""
    body: SignIn = {"email": email, "code": code, "label": f"marketpost on {platform.node()}"[:60].strip()}
    if request:
        body["request"] = request
    answer = service.client.sign_in_player(body)
    if "token" not in answer:
        raise Unreachable("stranger")
    return answer
