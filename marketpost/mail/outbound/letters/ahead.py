"""What letters tell about a player's orders ahead."""

from collections.abc import Mapping
from typing import Any

from marketpost.mail.outbound.letters.game_values import renotated
from marketpost.mail.outbound.render import Sentences
from marketpost.play.log.game import Game
from marketpost.play.outbox.notices import AheadEnd
from marketpost.rules.branched_orders import notate_ahead, read_ahead
from marketpost.rules.refusal import Refusal
from marketpost.store.players import Player


def ahead_told(game: Game, told: Mapping[str, Any], player: Player) -> list[str]:
    """Say what became of orders ahead, with a line for each branch that was not played."""
    say, words = Sentences(player.language, "words").say, game.rules.in_language(player.language)
    end, orders = AheadEnd(told["end"]), str(told["orders"])
    if end in (AheadEnd.PLAYED, AheadEnd.MEANWHILE):
        first = say(f"ahead-{end}", orders=renotated(game, orders, words))
        return [first] if end == AheadEnd.PLAYED else [first, renotated(game, orders, words)]
    branches = read_ahead(game.rules, game.state, orders)
    why = [*told.get("why", ()), *[None] * len(branches)]
    shown = [(notate_ahead(game.rules, [branch], words), reason) for branch, reason in zip(branches, why, strict=False)]
    return [say(f"ahead-{end}"), *(_branch(text, reason, player, game) for text, reason in shown)]


def _branch(text: str, reason: Any, player: Player, game: Game) -> str:
    """Write a branch with the reason why it was not played, if there is one."""
    say = Sentences(player.language, "words").say
    if reason is None:
        return text
    code, step, values = reason
    if not code:
        return say("ahead-condition", text=text)
    why = game.rules.in_language(player.language).explain(Refusal(code, step, values))
    return say("ahead-refusal", text=text, why=why)
