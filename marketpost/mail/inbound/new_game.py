"""Parse and open the new game that a message requests, such as `portobello with bob@example.org and a greedy bot`."""

from collections.abc import Collection, Sequence
from difflib import get_close_matches

import msgspec

from marketpost.mail.inbound.classify import classify
from marketpost.mail.inbound.command_context import CommandRefused, describe_word, words_of
from marketpost.mail.outbound.letters import listed, pace
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.render import Sentences
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import GameStatus
from marketpost.play.table.new_game_request import NewGameRequest, language_of, read_request
from marketpost.play.table.opening import open_table
from marketpost.play.table.seating import settled
from marketpost.rules.hint_told import rule_told
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.variant import note
from marketpost.rules.words import COMMON, Words, fold, lexicon, tokens
from marketpost.store.players import Player

ALIKE = 0.75
"""How similar a word must be to the name of a ruleset to count as misspelt."""
MOST_WORDS = 60


def asked_for(lines: Sequence[str], names: Collection[str]) -> str:
    """Return the request in a message, without greetings, signature and the word `new` before it."""
    said = classify(lines, names_a_game, {}, names)
    first, _, rest = " ".join([*said.orders, *said.strange]).partition(" ")
    return rest if "new" in lexicon(COMMON, "commands").get(fold(first.rstrip(":")), ()) else f"{first} {rest}".strip()


def names_a_game(text: str) -> bool:
    """Whether a single line contains the name of a ruleset."""
    return "\n" not in text and any(fold(word) in rulesets() for word in tokens(text))


def meant_by(text: str) -> str:
    """Return the text with a misspelt ruleset corrected, if exactly one word is nearly one; its writer is asked before it counts."""
    if names_a_game(text):
        return text
    near = {word: found for word in tokens(text)[:MOST_WORDS] if (found := get_close_matches(fold(word), rulesets(), 1, ALIKE))}
    if len(near) != 1:
        return text
    (word, (name,)) = near.popitem()
    return text.replace(word, name, 1)


def speaking_as(player: Player, text: str) -> Player:
    """Return the player with the language of the request, in which the answer is written."""
    return msgspec.structs.replace(player, language=language_of(text) or player.language)


def request_in(player: Player, text: str) -> NewGameRequest:
    """Parse a request for a game; CommandRefused if it is unclear or no such game can be opened."""
    words = words_of(player)
    try:
        request = read_request(text)
        if request is None:
            raise CommandRefused(*_how(words, "new-how"))
        settled(ruleset(request.rules), 1 + len(_others(player, request)) + len(request.bots), request.setting)
    except Refused as refused:
        known = next((name for name in rulesets() if names_a_game(text) and name in map(fold, tokens(text))), "")
        said = ruleset(known).in_language(player.language) if known else Words(player.language, COMMON)
        raise CommandRefused(said.explain(refused.refusal), *_how(words)) from refused
    return request


def _how(words: Words, *keys: str) -> list[str]:
    """Say how to ask for a game."""
    return [words.say(f"answers.{key}", games=list(rulesets())) for key in (*keys, "new-more")]


def _others(player: Player, request: NewGameRequest) -> list[str]:
    """Return the invited addresses without the player's own."""
    return [address for address in request.addresses if not player.owns(address)]


def describe_request(player: Player, request: NewGameRequest, *, with_variant: bool = True) -> list[str]:
    """Say who plays, by which rules and with which clock; `with_variant` only in letters that do not say it anyway."""
    rules, say = ruleset(request.rules), Sentences(player.language, "words").say
    words = rules.in_language(player.language)
    players = [say("you"), *_others(player, request), *(say("bot", bot=each) for each in request.bots)]
    told = [words_of(player).say("answers.new-table", title=rules.title(words), players=listed(player.language, players))]
    setting = settled(rules, len(players), request.setting)
    told += [*note(words, *rules.unusual(setting)), *rule_told(request.hints, words)] if with_variant else []
    told += rules.unprinted(setting, words)
    return [f"    {line}" for line in [*told, " ".join(pace(request.clock, player.language))]]


def start_game(mailer: Mailer, player: Player, id: str, text: str, *, with_variant: bool = True) -> list[str]:
    """Open the requested game under this id and describe it; the id is derived from the message, so a repeat opens no other."""
    request = request_in(player, text)
    people = [SeatPlan(invited=address) for address in _others(player, request)]
    seats = [SeatPlan(player=player.id), *people, *(SeatPlan(bot=bot) for bot in request.bots)]
    game = open_table(mailer.ports, id, player.id, request.rules, seats, request.setting, clock=request.clock)
    url = mailer.links.game(game.id, player.id)
    told = describe_word(game, player) if game.status == GameStatus.OPEN else []
    return [words_of(player).say("answers.new-started", url=url), *describe_request(player, request, with_variant=with_variant), *told]
