"""A mail to `new@…` starts a game: `portobello with bob@example.org and a greedy bot`."""

import re

from mail.commands import Result
from mail.post import Office
from play.log import SeatPlan
from play.open import open_game
from play.people import invite
from rules.bots import bot_names
from rules.refusal import Refused
from rules.ruleset import rulesets
from rules.words import Words
from store.people import Player

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def start_game(office: Office, player: Player, id: str, text: str, words: Words) -> tuple[Result, list[str]]:
    """Opened under the id of the mail that asked for it, so that asking twice opens one."""
    known = rulesets()
    name = next((word for word in re.findall(r"[a-z]+", text.casefold()) if word in known), None)
    if name is None:
        return "refused", [words.say("answers.new-how")]
    others = [address for address in dict.fromkeys(ADDRESS.findall(text.casefold())) if address != player.email.casefold()]
    people = [SeatPlan(invited=invite(office.ports, address)) for address in others[: known[name].players[-1]]]
    bots = [SeatPlan(bot=bot) for bot in re.findall(r"[a-z]+", ADDRESS.sub(" ", text.casefold())) if bot in bot_names(known[name])]
    try:
        game = open_game(office.ports, id, player.id, name, [SeatPlan(player=player.id), *people, *bots], {})
    except Refused as refused:
        return "refused", [known[name].in_language(player.language).explain(refused.refusal)]
    return "done", [words.say("answers.new-started", url=f"{office.settings.public_url}/games/{game.id}")]
