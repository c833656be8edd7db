"""`marketpost propose`, `agree`, `disagree`, `rematch`, `hand-over` and `link`: what players agree on, and who may join or watch."""

from typing import Any, Literal

import click

from marketpost.cli.api_client import Service, WrongCall, calls_service, key_option, say_json
from marketpost.cli.command_language import say
from marketpost.cli.game_commands import WORD_HELP, read_seat, tell_game
from marketpost.client.documents import GameResponse, LinkResponse
from marketpost.client.paging import PageOf


@click.command()
@click.argument("game")
@click.argument("what", type=click.Choice(("undo", "draw", "abandon")))
@key_option
@calls_service
def propose(service: Service, game: str, what: Literal["undo", "draw", "abandon"], key: str) -> None:
    """Propose an undo, a draw, or to abandon the game. It is done when all others agree."""
    _tell(service, service.client.make_proposal(game, {"what": what}, key=key), "agreed")


@click.command()
@click.argument("game")
@key_option
@calls_service
def agree(service: Service, game: str, key: str) -> None:
    """Say yes to what is proposed."""
    _tell(service, service.client.agree_to_proposal(game, _number(service, game), key=key), "agreed")


@click.command()
@click.argument("game")
@key_option
@calls_service
def disagree(service: Service, game: str, key: str) -> None:
    """Say no to what is proposed, or take your own proposal back."""
    _tell(service, service.client.disagree_with_proposal(game, _number(service, game), key=key), "disagreed")


def _number(service: Service, game: str) -> str:
    """Return the number of the open proposal of a game."""
    open_one = service.client.show_game(game)["proposal"]
    if not open_one:
        raise WrongCall("nothing-proposed")
    return str(open_one["number"])


def _tell(service: Service, game: GameResponse, done: str) -> None:
    """Print the game and, unless somebody has yet to answer the proposal, what came of it."""
    tell_game(service, game)
    if not service.as_json and not game["proposal"]:
        click.echo(say(done))


@click.command()
@click.argument("game")
@click.option("--word", help=WORD_HELP)
@key_option
@calls_service
def rematch(service: Service, game: str, word: str | None, key: str) -> None:
    """Play once more with the same people, after a game is over."""
    tell_game(service, service.client.request_rematch(game, {"word": word} if word else None, key=key))


@click.command("hand-over")
@click.argument("game")
@click.argument("to", metavar="bot:easy|bot:medium|bot:strong|player:ID|ADDRESS")
@key_option
@calls_service
def hand_over(service: Service, game: str, to: str, key: str) -> None:
    """Hand your seat over: to a bot at once, to a person as soon as they join."""
    heir: Any = read_seat(to)
    tell_game(service, service.client.hand_seat_over(game, heir, key=key))
    if not service.as_json:
        click.echo(say("handed-over" if "bot" in heir else "offered"))


@click.command()
@click.argument("game")
@click.argument("what", required=False, type=click.Choice(("seat", "look")))
@click.option("--revoke", type=click.IntRange(1), metavar="NUMBER", help="Let nobody in by this link any more.")
@calls_service
def link(service: Service, game: str, what: Literal["seat", "look"] | None, revoke: int | None) -> None:
    """Make a link to a free seat or to view the game; without either, list those you have made."""
    if revoke:
        service.client.remove_link(game, str(revoke))
        found: PageOf[LinkResponse] = {"items": [], "next": None}
    elif what:
        found = {"items": [service.client.add_link(game, {"what": what})], "next": None}
    else:
        found = service.client.up_to(200, service.client.list_links, game)
    if service.as_json:
        say_json(found["items"][0] if what else found)
        return
    told = [say(f"link-{each['what']}", number=each["number"], url=each["url"]) for each in found["items"]]
    click.echo("\n".join(told) or (say("link-revoked", number=revoke) if revoke else say("no-links", id=game)))
