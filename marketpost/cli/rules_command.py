"""`marketpost rules`: print the whole rules of a ruleset, or those of a game with its options."""

from collections.abc import Mapping
from typing import Any

import click

from marketpost.cli.api_client import Unasked, WrongCall, at, say_json, service_options
from marketpost.cli.command_language import say, speak, words
from marketpost.cli.game_commands import read_option
from marketpost.rules.chance import Sealed
from marketpost.rules.guide import as_text, whole
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset, Setting, ruleset, rulesets
from marketpost.rules.variant import edition_name, option_label, value_told
from marketpost.rules.words import order_words


@click.command()
@click.argument("name", metavar="[RULESET|GAME]", required=False)
@click.option("--edition", help="Of a ruleset, for example de, fr, it or 2.0.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Of a ruleset, an option set by hand; may be given several times."
)
@service_options
def rules(name: str | None, edition: str | None, options: tuple[str, ...], url: str | None, language: str | None, as_json: bool) -> None:
    """Print the whole rules of RULESET, or those of GAME with its edition and options. Without either: which there are."""
    if name is None:
        spoken = speak(language)
        click.echo("\n\n".join(_choices(game, spoken) for game in rulesets().values()))
        return
    if name in rulesets():
        _print(ruleset(name), _setting(ruleset(name), edition, dict(map(read_option, options))), speak(language), as_json)
        return
    service = at(url, language, as_json)
    if edition or options:
        raise WrongCall("rules-of-game")
    game = service.client.show_game(name)
    setting = Setting(tuple(seat["colour"] for seat in game["seats"]), game["board"], game["edition"], game["options"])
    _print(ruleset(game["rules"]), setting, service.language, as_json)


def _setting(game: Ruleset[Any], edition: str | None, options: Mapping[str, object]) -> Setting:
    """Build the setting to print the rules for; end the command if the ruleset does not allow it."""
    setting = Setting(game.colours[: game.players[0]], game.boards()[0], edition, options)
    try:
        game.start(setting, Sealed(bytes(32), "trial"))
    except Refused as refused:
        raise Unasked({"detail": words().explain(refused.refusal)}) from refused
    return setting


def _print(game: Ruleset[Any], setting: Setting, language: str, as_json: bool) -> None:
    spoken, found = game.in_language(language), whole(game.guide(setting, language))
    if as_json:
        say_json({section.title: list(section.statements.values()) for section in found})
        return
    click.echo(game.title(spoken) + "\n\n" + (as_text(found) or say("no-rules")))
    if spoken.knows("help.orders"):
        click.echo("\n" + say("orders-title").upper() + "\n\n" + spoken.say("help.orders").strip("\n"))
    click.echo("\n" + "\n".join(", ".join(words) for words in order_words(game.words, language).values()))
    click.echo("\n" + _choices(game, language))


def _choices(game: Ruleset[Any], language: str) -> str:
    """List the editions and options of a ruleset, with what each value means."""
    spoken, usual = game.in_language(language), game.settle(None, {})
    lines = [f"{game.name}: {game.title(spoken)}"]
    lines += [f"  --edition {code}: {edition_name(spoken, code)}" for code in game.editions]
    for option, values in game.option_values().items():
        told = [(value, option_label(spoken, option) if len(values) == 1 else value_told(spoken, option, value)) for value in values]
        lines += [f"  --option {option}={value}: {text}{_if_usual(game, value, usual.get(option))}" for value, text in told]
    return "\n".join(lines)


def _if_usual(game: Ruleset[Any], value: str, usual: object) -> str:
    return f" ({say('usual')})" if not game.editions and str(usual) == value else ""
