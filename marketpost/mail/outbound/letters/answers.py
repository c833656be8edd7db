"""Letters that answer a message: the outcome of orders, and whatever else it asked for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.letters.game_values import (
    at_table,
    is_in_turn,
    next_up,
    on_board,
    order_help,
    own_turn,
    renotated,
    since,
    start,
)
from marketpost.mail.outbound.letters.letter import Letter, LetterAttachment, Links, Names, render_letter
from marketpost.mail.outbound.letters.times import TimeLeft
from marketpost.mail.outbound.letters.turns import WaitingGame, decision, waiting_game
from marketpost.mail.outbound.render import Sentences
from marketpost.play.log.game import Game
from marketpost.play.moves.small_changes import small_changes
from marketpost.play.moves.submit import Outcome
from marketpost.rules.guide import summary, whole
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.ruleset import Setting, rulesets
from marketpost.rules.words import Words, typeset
from marketpost.store.players import Player

LONGEST_ORDERS = 2000
"""Characters of a player's own orders that are quoted."""


@dataclass(frozen=True, slots=True)
class BesideOrders:
    """What a message asked for beside its orders: sentences about what was done, and what is shown below the board."""

    also: Sequence[str] = ()
    asked: Collection[str] = ()
    record: str = ""


NOTHING = BesideOrders()


def drawn(
    game: Game, seat: int, player: Player, names: Names, links: Links, clock: TimeLeft | None = None, beside: BesideOrders = NOTHING
) -> Letter:
    """Write the answer to orders after which chance has drawn and the turn goes on: what happened in it so far."""
    told = {"happened": own_turn(game, seat, player), "first": False}
    return _reply("drawn", game, player, links, beside, decision(game, seat, player, names, links, clock) | told)


def receipt(
    game: Game,
    seat: int,
    player: Player,
    names: Names,
    links: Links,
    *,
    version: int,
    orders: str,
    beside: BesideOrders = NOTHING,
    clock: TimeLeft | None = None,
    waiting: Mapping[str, WaitingGame] = MappingProxyType({}),
) -> Letter:
    """Write the answer to orders that were applied and made this version of the game; others may have moved since.

    `waiting` is the next game that waits for the player, by its label.
    """
    values, is_theirs = decision(game, seat, player, names, links, clock), seat in game.deciders
    others_moved = is_theirs and any(number > version for number, _ in game.history)
    told = {
        "happened": since(game, version - 1, player),
        "first": False,
        "orders": quoted(orders),
        "next": next_up(game, seat, player),
        "again": others_moved and not values["aside"] and not values["goes_on"],
        "goes_on": is_in_turn(game, seat),
        "more": is_theirs and values["aside"],
        "waiting": [waiting_game(label, each, player, links) for label, each in waiting.items()],
    }
    return _reply("receipt", game, player, links, beside, values | told)


def refused(
    game: Game,
    seat: int,
    player: Player,
    names: Names,
    links: Links,
    *,
    orders: str,
    outcome: Outcome,
    beside: BesideOrders = NOTHING,
    clock: TimeLeft | None = None,
) -> Letter:
    """Write the answer to refused orders: the wrong step, why, a small change, what counts nevertheless, and what is possible."""
    words = game.rules.in_language(player.language)
    refusal = Refusal(outcome.code or "", outcome.step or 0, outcome.values)
    told = {
        "happened": since(game, outcome.version - 1, player) if outcome.version else [],
        "orders": quoted(orders),
        "step": refusal.step,
        "step_text": step_text(game, orders, refusal.step, words),
        "why": typeset(words.explain(refusal), player.language),
        "dropped": [renotated(game, step, words) for step in outcome.dropped],
        "proposed": [] if outcome.version else small_changes(game, seat, orders, words),
        "next": next_up(game, seat, player),
    }
    return _reply("refused", game, player, links, beside, decision(game, seat, player, names, links, clock) | told)


def called(
    game: Game, seat: int, player: Player, names: Names, links: Links, clock: TimeLeft | None = None, beside: BesideOrders = NOTHING
) -> Letter:
    """Write the answer to a message after which its sender has to decide: one letter tells both."""
    return _reply("your-turn", game, player, links, beside, decision(game, seat, player, names, links, clock) | {"said": ()})


def begun(game: Game, seat: int, player: Player, names: Names, links: Links, beside: BesideOrders = NOTHING) -> Letter:
    """Write the answer to a message that began the game, in which another player decides first."""
    return _reply("started", game, player, links, beside, start(game, seat, player, names, links))


def _reply(name: str, game: Game, player: Player, links: Links, beside: BesideOrders, values: dict[str, Any]) -> Letter:
    """Render an answer, with what the message asked for besides; the board is in it anyway."""
    also = [typeset(line, player.language) for line in beside.also]
    below = shown(game, player, set(beside.asked) - {"board"})
    return render_letter(name, player, links, _attached(game, beside.record), reply=True, **values | below, also=also)


def answer(
    player: Player,
    links: Links,
    lines: Sequence[str] = (),
    *,
    asked: Collection[str] = (),
    game: Game | None = None,
    seat: int | None = None,
    names: Names | None = None,
    record: str = "",
    kind: AnswerKind = AnswerKind.SHOWN,
) -> Letter:
    """Write the answer to a message without orders: sentences, and what it asked to see of `help`, `board`, `rules`, `record`.

    `kind` is what the subject says.
    """
    asked = set(asked)
    if game is None and not lines and not asked <= {"help", "rules"}:
        lines = [Sentences(player.language, "answer").say("no-game")]
    values: dict[str, Any] = {"kind": kind, "lines": [typeset(line, player.language) for line in lines], "board": ""}
    values["leads"] = "how-web" if game and game.may_see(player.id) else "home"
    if game is None:
        nothing = {
            "title": "Marketpost",
            "variant": "",
            "url": links.home,
            "new": links.new,
            "help": [],
            "rules": _all_rules(player.language) if "rules" in asked else [],
            "rules_heading": "shown-all-rules",
            "shown": asked & {"help", "rules"},
        }
        return render_letter("answer", player, links, reply=True, **values | nothing)
    values |= at_table(game, seat, player, names or {}, links) | shown(game, player, asked)
    values |= on_board(game, player) if game.state is not None else {}
    return render_letter("answer", player, links, _attached(game, record), reply=True, **values)


def shown(game: Game, player: Player, asked: set[str]) -> dict[str, Any]:
    """Return the template values for the help and the rules that a message asked for."""
    return {"shown": asked, "help": order_help(game, player), "rules": _rules(game, player.language) if "rules" in asked else []}


def _attached(game: Game, record: str) -> tuple[LetterAttachment, ...]:
    return (LetterAttachment(f"{game.rules.name}-{game.id}.txt", record),) if record else ()


def _rules(game: Game, language: str) -> list[tuple[str, list[str]]]:
    """Return the whole rules of this game, a title and sentences for each section."""
    found = whole(game.rules.guide(game.setting, language))
    return [(each.title, [*each.statements.values()]) for each in found]


def _all_rules(language: str) -> list[tuple[str, list[str]]]:
    """Return the rules of every ruleset in short, for a sender who plays no game yet."""
    found = []
    for each in rulesets().values():
        guide = each.guide(Setting(each.colours[: each.players[0]], each.boards()[0]), language)
        found.append((str(each.title(each.in_language(language))), summary(guide)))
    return found


def quoted(orders: str) -> str:
    """Return the player's own orders, shortened if they are very long."""
    return orders.strip() if len(orders) <= LONGEST_ORDERS else orders[:LONGEST_ORDERS].strip() + " …"


def step_text(game: Game, orders: str, number: int, words: Words) -> str:
    """Return the wrong step in the player's language; empty if the orders cannot be split into steps."""
    try:
        steps = game.rules.parse(orders)
        return str(game.rules.notate(steps[number - 1 : number], words)) if number else ""
    except Refused:
        return ""
