"""A mail to `new@…` starts a game: `portobello with bob@example.org and a greedy bot`."""

from collections.abc import Collection, Sequence

from mail.post import Office, Result
from mail.sorting import classify
from play.deeds import SeatPlan
from play.open import open_game
from play.people import invite
from play.wish import read_wish
from rules.refusal import Refused
from rules.ruleset import ruleset, rulesets
from rules.words import COMMON, Words, fold, tokens
from store.people import Player


def asked_for(lines: Sequence[str], names: Collection[str]) -> str:
    """What such a mail says, without greetings and what stands below it."""
    said = classify(lines, _names_a_game, {}, names)
    return " ".join([*said.orders, *said.strange])


def _names_a_game(text: str) -> bool:
    """By itself: no line becomes a request because of the lines before it."""
    return "\n" not in text and any(fold(word) in rulesets() for word in tokens(text))


def start_game(office: Office, player: Player, id: str, text: str, words: Words) -> tuple[Result, list[str]]:
    """Opened under the id of the mail that asked for it, so that asking twice opens one."""
    try:
        wish = read_wish(text)
    except Refused as unclear:
        return "refused", [Words(player.language, COMMON).explain(unclear.refusal)]
    if wish is None:
        return "refused", [words.say("answers.new-how")]
    rules = ruleset(wish.rules)
    others = [address for address in wish.addresses if address != player.email.casefold()]
    people = [SeatPlan(invited=invite(office.ports, address)) for address in others[: rules.players[-1]]]
    bots = [SeatPlan(bot=bot) for bot in wish.bots]
    try:
        game = open_game(office.ports, id, player.id, wish.rules, [SeatPlan(player=player.id), *people, *bots], {})
    except Refused as refused:
        return "refused", [rules.in_language(player.language).explain(refused.refusal)]
    return "done", [words.say("answers.new-started", url=office.links.game(game.id, player.id))]
