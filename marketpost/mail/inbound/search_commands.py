"""The command `find`: search for a game, list my searches, withdraw them; also as a message to `new@…`."""

import hashlib

from marketpost.mail.inbound.command_context import CommandContext, game_words, words_of
from marketpost.mail.inbound.vacation_days import is_off
from marketpost.mail.outbound.letters.tables import span
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.table.search_request import read_search
from marketpost.play.table.searching import search, searches_of, withdraw_searches
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import COMMON, fold, lexicon
from marketpost.store.players import Player
from marketpost.store.searches import Search, SearchPlan

ID_DIGITS = 24
MINUTE = 60_000


def find_command(context: CommandContext) -> list[str]:
    """List the player's searches; with a game begin one, with `off` withdraw all."""
    ports, player = context.mailer.ports, context.player
    if is_off(context.argument):
        return context.say("search-off" if withdraw_searches(ports, player.id) else "search-none")
    if context.argument:
        return start_search(context.mailer, player, hashlib.sha256(context.via.encode()).hexdigest()[:ID_DIGITS], context.argument)
    found = searches_of(ports, player.id)
    lines = [_waiting_line(context, each) for each in found]
    head = context.say("search-listed") if lines else context.say("search-none")
    return [*head, *lines, *(context.say("search-stop") if lines else [_how(player)])]


def _how(player: Player) -> str:
    return game_words(None, player).say("refusals.search-request")


def _waiting_line(context: CommandContext, made: Search) -> str:
    [waited] = context.say("search-waited", count=(context.mailer.ports.clock() - made.since) // MINUTE)
    return f"    {describe_plan(context.player, made.plan)} ({waited})"


def start_search(mailer: Mailer, player: Player, id: str, text: str) -> list[str]:
    """Begin the search that a text asks for, once for each id, and describe it."""
    plan = read_search(text).plan(mailer.ports, player.id)
    search(mailer.ports, player.id, plan, id)
    say = words_of(player).say
    return [say("answers.search-begun"), f"    {describe_plan(player, plan)}", say("answers.search-how"), say("answers.search-stop")]


def describe_plan(player: Player, plan: SearchPlan) -> str:
    """Name the game that is searched for in a line."""
    say, rules = words_of(player).say, ruleset(plan.rules)
    least, most = (None if each is None else f"{each:.0f}" for each in (plan.least, plan.most))
    key = {(True, True): "any", (False, True): "least", (True, False): "most"}.get((least is None, most is None), "range")
    strength = say(f"answers.search-{key}", least=least, most=most)
    title = rules.title(rules.in_language(player.language))
    return say("answers.search-line", title=title, count=plan.players, time=span(plan.pace, player.language), strength=strength)


def searched_in(text: str) -> str:
    """Return what a message to `new@…` searches for; empty if it is no search."""
    head, _, rest = text.strip().partition(" ")
    is_search = lexicon(COMMON, "commands").get(fold(head.strip(":,"))) == ("find",)
    return rest.strip() if is_search else ""
