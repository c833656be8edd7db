"""`marketpost new`, `rename`, `join`, `word`, `resign`, `undo`, `say`, `export` and `import`."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from marketpost.cli.account_commands import export_account
from marketpost.cli.api_client import MOST_ON_A_PAGE, Service, Unasked, WrongCall, calls_service, key_option, say_json, write_file
from marketpost.cli.command_language import say as tell
from marketpost.cli.command_language import words as own_words
from marketpost.cli.game_lines import COLUMNS, proposed, scored, sitting, title
from marketpost.cli.games_command import won
from marketpost.cli.standing_commands import told_pace
from marketpost.client.documents import GameResponse, NewClock, NewGame, NewRecord
from marketpost.play.log.actions import HintRule, TimeControl
from marketpost.play.table.new_game_request import NewGameRequest, read_request
from marketpost.rules.hint_told import rule_told
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Setting, ruleset, rulesets
from marketpost.rules.variant import note

SET_UP = "`marketpost rules` names them. Where there is `setup`, `setup=manual` is the printed way, by hand; by chance is our default."
WORD_HELP = "A word of your own for chance, such as lucky-7; docs/chance.md says what for."
SEATS = "me, open, bot:easy, bot:medium, bot:strong, player:ID or a mail address"


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--seat", "seats", multiple=True, metavar="SEAT", help=f"A further seat: {SEATS}.")
@click.option("--board", help="The name of a board, or a file with one.")
@click.option("--edition", help="Edition, for example de, fr, it or 2.0.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help=f"An option set by hand; may be given several times. {SET_UP}"
)
@click.option("--random-order", is_flag=True, help="Shuffle the seats.")
@click.option("--public", is_flag=True, help="Anyone may watch.")
@click.option("--name", help="What lists and pages call the game.")
@click.option("--hints", type=click.Choice(list(HintRule)), help="Who may ask for hints; against-bots is the default.")
@click.option("--word", help=f"{WORD_HELP} It is sent once the service has committed to its secret.")
@key_option
@calls_service
def new(
    service: Service,
    words: tuple[str, ...],
    seats: tuple[str, ...],
    board: str | None,
    edition: str | None,
    options: tuple[str, ...],
    random_order: bool,
    public: bool,
    name: str | None,
    hints: str | None,
    word: str | None,
    key: str,
) -> None:
    """Open a game, in words as in a mail: portobello fr with bob@example.org and a strong bot, 1 day per move, weekends off."""
    body = _wanted(_read_request(" ".join(words)), seats, edition, dict(map(read_option, options)))
    if board:
        body["board"] = read_board(board)
    if name:
        body["name"] = name
    if hints:
        body["hints"] = HintRule(hints).value
    body |= {"order": "random" if random_order else "given", "join_later": bool(word), "public": public}
    game = service.client.open_game(body, key=key)
    if word:
        game = service.client.join_game(game["id"], {"word": word}, key=f"{key}-join" if key else None)
    tell_game(service, game)
    if not service.as_json:
        _tell_setting(service, game)


def _wanted(request: NewGameRequest, seats: Sequence[str], edition: str | None, options: Mapping[str, str]) -> NewGame:
    """Build the request body for a game asked for in words, with the seats, edition and options that were given beside them."""
    told = [{"email": address} for address in request.addresses] + [{"bot": bot} for bot in request.bots]
    body: NewGame = {"rules": request.rules, "seats": [{"me": True}, *told, *map(read_seat, seats)]}
    if found := edition or request.edition:
        body["edition"] = found
    chosen: Any = {**request.options, **options}
    if chosen:
        body["options"] = chosen
    if request.clock:
        body["clock"] = _clock(request.clock)
    return body | {"hints": request.hints.value}


def _tell_setting(service: Service, game: GameResponse) -> None:
    """Print the unusual options of a new game, how it differs from the printed rules, and its time control."""
    rules = ruleset(game["rules"])
    setting = Setting(tuple(seat["colour"] for seat in game["seats"]), game["board"], game["edition"], game["options"])
    words, pace = rules.in_language(service.language), game["clock"]
    told = [*note(words, *rules.unusual(setting)), *rule_told(game["hints"], words), *rules.unprinted(setting, words)]
    for line in [*told, " ".join(told_pace(pace, service.language))] if pace else told:
        click.echo("\n".join(wrap(line, COLUMNS)))


def _clock(clock: TimeControl) -> NewClock:
    return {"per_decision": clock.per_decision // 1000, "weekends": clock.weekends}


def _read_request(text: str) -> NewGameRequest:
    """Read the words that ask for a new game; end the command if they are unclear."""
    try:
        request = read_request(text)
    except Refused as unclear:
        raise Unasked({"detail": own_words().explain(unclear.refusal)}) from unclear
    if request is None:
        raise WrongCall("name-a-game", games=list(rulesets()))
    return request


def read_seat(text: str) -> dict[str, Any]:
    """Read one seat as the API expects it: me, open, bot:NAME, player:ID or a mail address."""
    kind, _, of = text.partition(":")
    if text in ("me", "open"):
        return {text: True}
    if kind in ("bot", "player") and of:
        return {kind: of}
    if "@" in text:
        return {"email": text}
    raise WrongCall("no-seat", text=text, seats=SEATS)


def read_board(text: str) -> Any:
    """Return the name of a board, or the content of the file with this name."""
    path = Path(text)
    if not path.is_file():
        return text
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise WrongCall("file-wrong", file=text, text=error) from error


def read_option(text: str) -> tuple[str, str]:
    """Read `NAME=VALUE`."""
    name, sign, value = text.partition("=")
    if not sign:
        raise WrongCall("no-option", text=text)
    return name.strip(), value.strip()


def tell_game(service: Service, game: GameResponse) -> None:
    """Print a game in a few lines: its title, seats, open proposal, and how to see it."""
    if service.as_json:
        say_json(game)
        return
    words = ruleset(game["rules"]).in_language(service.language)
    told = [title(words, game), sitting(words, game), *proposed(words, game), *_own_word(game)]
    click.echo("\n".join([*told, tell("look-at-it", id=game["id"], url=service.url)]))


def _own_word(game: GameResponse) -> list[str]:
    """Show the player's own contribution to chance, while it can be changed."""
    own = [seat for seat in game["seats"] if seat["colour"] == game["you"] and seat["word"] and game["status"] == "open"]
    return [tell("word-drawn" if seat["word_drawn"] else "word-own", word=seat["word"], id=game["id"]) for seat in own]


@click.command()
@click.argument("game")
@click.option("--word", help=WORD_HELP)
@key_option
@calls_service
def join(service: Service, game: str, word: str | None, key: str) -> None:
    """Take the seat you are invited to, or the first that is free."""
    tell_game(service, service.client.join_game(game, {"word": word} if word else None, key=key))


@click.command()
@click.argument("game")
@click.argument("name", nargs=-1)
@key_option
@calls_service
def rename(service: Service, game: str, name: tuple[str, ...], key: str) -> None:
    """Name a game of yours before it begins; without NAME, take its name away."""
    tell_game(service, service.client.rename_game(game, {"name": " ".join(name) or None}, key=key))


@click.command()
@click.argument("game")
@click.argument("word")
@key_option
@calls_service
def word(service: Service, game: str, word: str, key: str) -> None:
    """Contribute a WORD of your own to chance, such as lucky-7, until the game begins."""
    tell_game(service, service.client.contribute_word(game, {"word": word}, key=key))


@click.command()
@click.argument("game")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@key_option
@calls_service
def resign(service: Service, game: str, yes: bool, key: str) -> None:
    """Give up: a bot plays on in your seat."""
    if not yes:
        click.confirm(tell("resign-sure"), abort=True)
    tell_game(service, service.client.resign_game(game, key=key))


@click.command()
@click.argument("game")
@key_option
@calls_service
def undo(service: Service, game: str, key: str) -> None:
    """Take back your last orders. Once others have seen more than your turn, they are asked."""
    shown = service.client.undo_orders(game, key=key)
    tell_game(service, shown)
    if not service.as_json and not shown["proposal"]:
        click.echo(tell("taken-back"))


@click.command()
@click.argument("game")
@click.argument("text", nargs=-1)
@key_option
@calls_service
def say(service: Service, game: str, text: tuple[str, ...], key: str) -> None:
    """Say something at the table: TEXT, or what stands on standard input."""
    said = service.client.say_something(game, {"text": words_or_input(text)}, key=key)
    if service.as_json:
        say_json(said)
    else:
        click.echo(tell("said-it"))


def words_or_input(words: tuple[str, ...]) -> str:
    """Return the arguments as one text; without arguments, read standard input."""
    if words:
        return " ".join(words)
    if sys.stdin.isatty():
        click.echo(tell("write"), err=True)
    return sys.stdin.read().rstrip("\n")


@click.command()
@click.argument("game", required=False)
@click.argument("file", default="-", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--html", is_flag=True, help="As one page that needs nothing else and steps through the game.")
@click.option("--log", is_flag=True, help="The log instead. `marketpost verify FILE` and examples/verify.py check it.")
@click.option("--player", metavar="ID", help="Print the newest finished games of this player instead, one JSON document in each line.")
@calls_service
def export(service: Service, game: str | None, file: str, html: bool, log: bool, player: str | None) -> None:
    """Write the game's record to FILE, or print it. `marketpost replay FILE` checks it.

    Without GAME: everything that the service stores about you, as a zip archive in this folder.
    """
    if player:
        for each in service.client.export_games(player=player):
            click.echo(json.dumps(each))
        return
    if game is None:
        export_account(service)
        return
    kind = "log" if log else "page" if html else ""
    client = service.client
    record = _log(service, game) if log else client.show_record_html(game) if html else client.show_record(game)
    if service.as_json and not log:
        say_json({"record": record})
    elif file == "-":
        click.echo(record, nl=False)
    else:
        write_file(Path(file), record.encode())
        click.echo(tell(f"written-{kind}" if kind else "written", file=file))


def _log(service: Service, game: str) -> str:
    """Read every page of a game's log and return it as one page."""
    items = list(service.client.pages(service.client.list_events, game, limit=MOST_ON_A_PAGE))
    return json.dumps({"game": game, "items": items, "next": None}) + "\n"


@click.command("import")
@click.argument("file", type=click.File("r", encoding="utf-8-sig", errors="replace"))
@click.option("--play-on", is_flag=True, help="Make it a game, instead of only checking it.")
@click.option("--seat", "seats", multiple=True, metavar="SEAT", help=f"Who plays on, one for each colour: {SEATS}. You in all if left out.")
@click.option("--board", help="A file with the board, for a record on a board of your own.")
@click.option("--public", is_flag=True, help="Anyone may watch.")
@key_option
@calls_service
def import_(service: Service, file: Any, play_on: bool, seats: tuple[str, ...], board: str | None, public: bool, key: str) -> None:
    """Let the service check a record, or play it on. `-` reads standard input."""
    body: NewRecord = {"record": file.read(), "play_on": play_on, "public": public}
    if seats:
        body["seats"] = [*map(read_seat, seats)]
    if board:
        body["board"] = read_board(board)
    answer = service.client.import_record(body, key=key)
    if service.as_json:
        say_json(answer)
    elif "turns" not in answer:
        tell_game(service, answer)
    else:
        words = ruleset(answer["rules"]).in_language(service.language)
        scores = ", ".join(f"{words.translate(colour)} {scored(words, answer, colour)}" for colour in answer["scores"])
        stage = won(words, answer["winners"], set()) if answer["winners"] else tell(f"stage-{answer['status']}")
        click.echo(tell("possible", rules=answer["rules"], count=answer["turns"], stage=stage, scores=scores))
