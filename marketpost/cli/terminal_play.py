"""`marketpost play` and `marketpost demo`: a game in this process, without a service."""

import secrets
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from marketpost.cli.command_language import of_machine
from marketpost.rules import records
from marketpost.rules.bots import LEVELS, MEDIUM, bot
from marketpost.rules.chance import Sealed
from marketpost.rules.records import Played
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset, Setting, ruleset, rulesets
from marketpost.rules.words import LANGUAGES, Words

HELP = {"help", "?", "hilfe", "aide", "aiuto"}
LEGAL = {"legal"}
QUIT = {"quit", "exit"}
CLEAR = "\x1b[H\x1b[2J"
NAMES = ", ".join(LEVELS)


@dataclass(slots=True)
class TerminalGame:
    """One game, held in memory while the command runs."""

    rules: Ruleset[Any]
    words: Words
    state: Any
    chance: Sealed
    players: list[str]
    """For each seat the name of a bot, or `me`."""
    played: list[Played] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the game has winners."""
        return bool(self.rules.winners(self.state))

    def happen(self, seat: int | None, events: Any) -> None:
        """Apply events and record who caused them."""
        for event in events:
            event.apply(self.state)
        self.played.append(Played(seat, events))

    def draw(self) -> str:
        """Draw the board as text."""
        fancy = sys.stdout.isatty()
        return self.rules.draw(self.state, self.words, fancy=fancy)


def open_table(
    rules: str, edition: str | None, options: tuple[str, ...], board: str | None, players: list[str], language: str
) -> TerminalGame:
    """Start a game with these players; `Refused` if the ruleset does not allow it."""
    game = ruleset(rules)
    if len(players) not in game.players:
        raise Refused("players-number", count=len(players), least=min(game.players), most=max(game.players))
    for name in players:
        if name != "me":
            bot(game, name)
    chosen = dict(_option(text) for text in options)
    setting = Setting(game.colours[: len(players)], board or game.boards()[0], edition, chosen)
    chance = Sealed(secrets.token_bytes(32), "table")
    opening = game.start(setting, chance)
    table = TerminalGame(game, game.in_language(language), game.fold(opening), chance, players, [Played(None, opening)])
    _proceed(table)
    return table


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip(), value.strip()


def _proceed(table: TerminalGame) -> None:
    """Apply what happens without a decision."""
    if not table.over and (due := table.rules.proceed(table.state, table.chance)):
        table.happen(None, due)


def submit(table: TerminalGame, seat: int, orders: str) -> bool:
    """Judge orders, apply what is legal, and explain a refusal. Whether everything was applied."""
    verdict = table.rules.judge(table.state, seat, orders, table.chance)
    if verdict.events:
        _tell(table, verdict.events)
        table.happen(seat, verdict.events)
        _proceed(table)
    if verdict.refusal:
        click.secho(f"{verdict.refusal.code} ({verdict.refusal.step}): {table.words.explain(verdict.refusal)}", fg="red", err=True)
    return verdict.refusal is None


def _tell(table: TerminalGame, events: Any) -> None:
    """Print what happened in sentences, if a person plays."""
    if "me" in table.players:
        click.echo("\n".join(table.rules.story(table.state.copy(), events, table.words)))


def shared_options(command: Any) -> Any:
    """Add the options that `play` and `demo` have in common."""
    for option in (
        click.option("--rules", default="portobello", show_default=True, type=click.Choice(sorted(rulesets()))),
        click.option("--edition", help="Edition, for example de, fr, it or 2.0."),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option set by hand; may be given several times."),
        click.option("--board", help="The name of a board."),
        click.option("--language", default=of_machine, type=click.Choice(LANGUAGES), help="Otherwise that of this machine."),
        click.option("--record", type=click.Path(dir_okay=False, writable=True), help="Write the game's record to this file."),
    ):
        command = option(command)
    return command


@click.command()
@click.option(
    "--against", default=MEDIUM, show_default=True, metavar="BOT[,BOT…]", help=f"The bots in the other seats: {', '.join(LEVELS)}."
)
@shared_options
def play(
    rules: str, edition: str | None, options: tuple[str, ...], board: str | None, language: str, record: str | None, against: str
) -> None:
    """Play a game here against bots."""
    table = _opened(rules, edition, options, board, ["me", *against.split(",")], language)
    click.echo(_help(table))
    while not table.over and _next_move(table):
        pass
    click.echo(table.draw())
    _write(table, record)


@click.command()
@click.option("--players", default=4, show_default=True, help="How many bots play.")
@click.option("--bot", "player", default=MEDIUM, show_default=True, help=f"Which one: {NAMES}.")
@click.option("--pause", default=0.7, show_default=True, help="Seconds between turns, where somebody is watching.")
@shared_options
def demo(
    rules: str,
    edition: str | None,
    options: tuple[str, ...],
    board: str | None,
    language: str,
    record: str | None,
    players: int,
    player: str,
    pause: float,
) -> None:
    """Watch bots play a game; the board is redrawn after each turn."""
    table = _opened(rules, edition, options, board, [player] * players, language)
    watched = sys.stdout.isatty()
    turn = -1
    while not table.over:
        if table.state.turn != turn:
            turn = table.state.turn
            _show(table, watched, pause)
        _bot_move(table, table.rules.deciders(table.state)[0])
    _show(table, watched, 0)
    _write(table, record)


def _opened(*setting: Any) -> TerminalGame:
    try:
        return open_table(*setting)
    except Refused as refused:
        rules, language = setting[0], setting[-1]
        raise click.ClickException(ruleset(rules).in_language(language).explain(refused.refusal)) from refused


def _show(table: TerminalGame, watched: bool, pause: float) -> None:
    click.echo((CLEAR if watched else "") + table.draw() + "\n")
    if watched:
        time.sleep(pause)


def _next_move(table: TerminalGame) -> bool:
    """Let the first decider move; False if the player leaves."""
    seat = table.rules.deciders(table.state)[0]
    if table.players[seat] == "me":
        return _my_move(table, seat)
    _bot_move(table, seat)
    return True


def _bot_move(table: TerminalGame, seat: int) -> None:
    orders = bot(table.rules, table.players[seat])(table.state, seat, table.chance)
    submit(table, seat, orders)


def _my_move(table: TerminalGame, seat: int) -> bool:
    """Ask the player for orders until some are sent; False if the player leaves."""
    click.echo("\n" + table.draw())
    while True:
        text = _ask(table.words.translate(table.state.colours[seat]))
        match text.strip().casefold() if text is not None else "quit":
            case "":
                continue
            case word if word in QUIT:
                return False
            case word if word in HELP:
                click.echo(_help(table))
            case word if word in LEGAL:
                click.echo("\n".join(table.rules.legal(table.state, seat)))
            case _:
                submit(table, seat, text or "")
                return True


def _ask(colour: str) -> str | None:
    """Read orders; a line that ends in a backslash continues. `None` at the end of the input."""
    lines = []
    while True:
        try:
            line = input(f"{colour}> ")
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return None
        lines.append(line.removesuffix("\\"))
        if not line.endswith("\\"):
            return "\n".join(lines)


def _help(table: TerminalGame) -> str:
    return table.words.say("help.orders") + "\n\n" + table.words.say("help.terminal")


def _write(table: TerminalGame, file: str | None) -> None:
    """Write the record of the game, if a file was named."""
    if not file:
        return
    Path(file).write_text(records.write(table.rules, table.played), "utf-8")
    click.echo(table.words.say("terminal.written", file=file))
