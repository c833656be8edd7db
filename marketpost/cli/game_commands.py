"""`marketpost new`, `games`, `join`, `word`, `resign`, `undo`, `say`, `export` and `import`."""

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from marketpost.cli.account_commands import export_account
from marketpost.cli.api_client import MOST_ON_A_PAGE, Service, Unasked, WrongCall, calls_service, key_option, say_json, write_file
from marketpost.cli.command_language import say as tell
from marketpost.cli.command_language import words as own_words
from marketpost.cli.game_screen import COLUMNS, chip, proposed, scored, title, who_sits
from marketpost.cli.standing_commands import told_pace
from marketpost.cli.terminal import fancy
from marketpost.play.log.actions import TimeControl
from marketpost.play.table.new_game_request import NewGameRequest, read_request
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Setting, ruleset, rulesets
from marketpost.rules.variant import note
from marketpost.rules.words import Words

SET_UP = "`marketpost rules` names them. Where there is `setup`, `setup=manual` is the printed way, by hand; by chance is our default."
WORD_HELP = "A word of your own for chance, such as lucky-7; docs/chance.md says what for."
SEATS = "me, open, bot:NAME, player:ID or a mail address"


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
    word: str | None,
    key: str,
) -> None:
    """Open a game, in words as in a mail: portobello fr with bob@example.org and a greedy bot, 1 day per move, weekends off."""
    request = _read_request(" ".join(words))
    told = [{"email": address} for address in request.addresses] + [{"bot": bot} for bot in request.bots]
    body: dict[str, Any] = {"rules": request.rules, "seats": [{"me": True}, *told, *map(read_seat, seats)]}
    body |= {"board": read_board(board)} if board else {}
    body |= {"edition": edition or request.edition} if edition or request.edition else {}
    chosen = {**request.options, **dict(map(read_option, options))}
    body |= {"options": chosen} if chosen else {}
    body |= {"clock": _clock(request.clock)} if request.clock else {}
    body |= {"order": "random"} if random_order else {}
    body |= {"join_later": True} if word else {}
    game = service.post("games", body | ({"public": True} if public else {}), key)
    if word:
        game = service.post(f"games/{game['id']}/join", {"word": word}, f"{key}-join" if key else "")
    tell_game(service, game)
    if not service.as_json:
        _tell_setting(service, game)


def _tell_setting(service: Service, game: dict[str, Any]) -> None:
    """Print the unusual options of a new game, how it differs from the printed rules, and its time control."""
    rules = ruleset(game["rules"])
    setting = Setting(tuple(seat["colour"] for seat in game["seats"]), game["board"], game["edition"], game["options"])
    words, pace = rules.in_language(service.language), game["clock"]
    told = [*note(words, *rules.unusual(setting)), *rules.unprinted(setting, words)]
    for line in [*told, " ".join(told_pace(pace, service.language))] if pace else told:
        click.echo("\n".join(wrap(line, COLUMNS)))


def _clock(clock: TimeControl) -> dict[str, Any]:
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


@click.command()
@click.option("--status", type=click.Choice(("open", "running", "over")), help="Only those.")
@click.option("--lobby", is_flag=True, help="Games with a seat for whoever comes, instead of your own.")
@click.option("--public", is_flag=True, help="All that you may see, instead of your own.")
@click.option("--limit", default=30, show_default=True, type=click.IntRange(1), help="So many at most.")
@calls_service
def games(service: Service, status: str | None, lobby: bool, public: bool, limit: int) -> None:
    """List your games, newest first."""
    wanted = "open=true" if lobby else "" if public else "mine=true"
    path = "&".join(part for part in (wanted, f"status={status}" if status else "") if part)
    found = service.pages(f"games?{path}" if path else "games", limit)
    if service.as_json:
        say_json(found)
        return
    if not found["items"]:
        click.echo(tell("no-games"))
        return
    click.echo("\n".join(_table([_row(service, each) for each in found["items"]])))


def _row(service: Service, game: dict[str, Any]) -> list[str]:
    words = ruleset(game["rules"]).in_language(service.language)
    changed = datetime.fromisoformat(game["changed"]).astimezone().strftime("%Y-%m-%d %H:%M")
    return [game["id"], game["rules"], _stage(words, game, service.player), _sitting(words, game), changed]


def _stage(words: Words, game: dict[str, Any], me: str) -> str:
    """Say where a game stands: who decides, who has won, or how it ended."""
    mine = {seat["colour"] for seat in game["seats"] if me and seat["player"] == me}
    if game["ended"] not in (None, "played"):
        return tell(f"stage-{game['ended']}")
    if game["winners"]:
        return _won(words, game["winners"], mine)
    return tell("stage-to-move", text=_together(words, game["decides"], mine)) if game["decides"] else tell(f"stage-{game['status']}")


def _won(words: Words, winners: Sequence[str], mine: set[str]) -> str:
    return tell("stage-won", text=_together(words, winners, mine))


def _together(words: Words, colours: Sequence[str], mine: set[str]) -> str:
    return words.say("records.and").join(tell("stage-you") if colour in mine else words.translate(colour) for colour in colours)


def _sitting(words: Words, game: dict[str, Any]) -> str:
    seats = (f"{chip(seat['colour'], fancy())} {who_sits(words, seat)} {scored(words, game, seat['colour'])}" for seat in game["seats"])
    return ", ".join(map(str.rstrip, seats))


def _table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Lay out rows in columns as wide as their widest cell; colour codes take no room."""
    shown = [tell("columns").split("/"), *rows]
    widths = [max(len(click.unstyle(cell)) for cell in column) for column in zip(*shown, strict=True)]
    for row in shown:
        yield "  ".join(cell + " " * (width - len(click.unstyle(cell))) for cell, width in zip(row, widths, strict=True)).rstrip()


def tell_game(service: Service, game: dict[str, Any]) -> None:
    """Print a game in a few lines: its title, seats, open proposal, and how to see it."""
    if service.as_json:
        say_json(game)
        return
    words = ruleset(game["rules"]).in_language(service.language)
    told = [title(words, game), _sitting(words, game), *proposed(words, game), *_own_word(game)]
    click.echo("\n".join([*told, tell("look-at-it", id=game["id"], url=service.url)]))


def _own_word(game: dict[str, Any]) -> list[str]:
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
    tell_game(service, service.post(f"games/{game}/join", {"word": word} if word else None, key))


@click.command()
@click.argument("game")
@click.argument("word")
@key_option
@calls_service
def word(service: Service, game: str, word: str, key: str) -> None:
    """Contribute a WORD of your own to chance, such as lucky-7, until the game begins."""
    tell_game(service, service.post(f"games/{game}/word", {"word": word}, key))


@click.command()
@click.argument("game")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@key_option
@calls_service
def resign(service: Service, game: str, yes: bool, key: str) -> None:
    """Give up: a bot plays on in your seat."""
    if not yes:
        click.confirm(tell("resign-sure"), abort=True)
    tell_game(service, service.post(f"games/{game}/resign", key=key))


@click.command()
@click.argument("game")
@key_option
@calls_service
def undo(service: Service, game: str, key: str) -> None:
    """Take back your last orders. Once others have seen more than your turn, they are asked."""
    shown = service.post(f"games/{game}/undo", key=key)
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
    said = service.post(f"games/{game}/messages", {"text": words_or_input(text)}, key)
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
@calls_service
def export(service: Service, game: str | None, file: str, html: bool, log: bool) -> None:
    """Write the game's record to FILE, or print it. `marketpost replay FILE` checks it.

    Without GAME: everything that the service stores about you, as a zip archive in this folder.
    """
    if game is None:
        export_account(service)
        return
    kind = "log" if log else "page" if html else ""
    record = _log(service, game) if log else service.data(f"games/{game}/record", "text/html" if html else "text/plain").decode("utf-8")
    if service.as_json and not log:
        say_json({"record": record})
    elif file == "-":
        click.echo(record, nl=False)
    else:
        write_file(Path(file), record.encode())
        click.echo(tell(f"written-{kind}" if kind else "written", file=file))


def _log(service: Service, game: str) -> str:
    """Read every page of a game's log and return it as one page."""
    page = service.get(f"games/{game}/events?limit={MOST_ON_A_PAGE}")
    items = page["items"]
    while page["next"] is not None:
        page = service.get(f"games/{game}/events?limit={MOST_ON_A_PAGE}&after={page['next']}")
        items += page["items"]
    return json.dumps({"game": page["game"], "items": items, "next": None}) + "\n"


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
    body: dict[str, Any] = {"record": file.read(), "play_on": play_on, "public": public}
    body |= {"seats": [*map(read_seat, seats)]} if seats else {}
    body |= {"board": read_board(board)} if board else {}
    answer = service.post("records", body, key)
    if service.as_json:
        say_json(answer)
    elif play_on:
        tell_game(service, answer)
    else:
        words = ruleset(answer["rules"]).in_language(service.language)
        scores = ", ".join(f"{words.translate(colour)} {scored(words, answer, colour)}" for colour in answer["scores"])
        stage = _won(words, answer["winners"], set()) if answer["winners"] else tell(f"stage-{answer['status']}")
        click.echo(tell("possible", rules=answer["rules"], count=answer["turns"], stage=stage, scores=scores))
