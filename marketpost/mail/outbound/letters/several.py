"""The letter that answers a message with parts for several games."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marketpost.mail.outbound.letters.answers import quoted, shown, step_text
from marketpost.mail.outbound.letters.game_values import at_table, next_up, since
from marketpost.mail.outbound.letters.letter import Letter, LetterAttachment, Links, render_letter
from marketpost.mail.outbound.letters.turns import WaitingGame, decision, waiting_game
from marketpost.pictures.png import AMONG_SEVERAL
from marketpost.play.moves.submit import Outcome, OutcomeStatus
from marketpost.rules.refusal import Refusal
from marketpost.rules.words import typeset
from marketpost.store.players import Player


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """The answer to one part: the outcome of its orders, or sentences."""

    table: WaitingGame
    """The game as it is now; it need not wait for the player."""
    orders: str = ""
    outcome: Outcome | None = None
    also: Sequence[str] = ()
    asked: Collection[str] = ()
    """What the part asked to see of `help` and `rules`."""
    done: bool = False


def several(
    player: Player,
    links: Links,
    parts: Mapping[str, PartAnswer],
    lines: Sequence[str] = (),
    waiting: Mapping[str, WaitingGame] | None = None,
    attachments: tuple[LetterAttachment, ...] = (),
) -> Letter:
    """Write what became of each part, by label, with its next board; `lines` answer what names no game, `waiting` is the next game."""
    games = [_part(label, each, player, links) for label, each in parts.items()]
    still = [waiting_game(label, each, player, links) for label, each in (waiting or {}).items()]
    told = [typeset(line, player.language) for line in lines]
    done = sum(each.done for each in parts.values())
    return render_letter("several", player, links, attachments, reply=True, games=games, lines=told, waiting=still, done=done)


def _part(label: str, part: PartAnswer, player: Player, links: Links) -> dict[str, Any]:
    """Return the values of one part."""
    game, seat = part.table.game, part.table.seat
    also = [*(typeset(line, player.language) for line in part.also), *_asked(part, player)]
    told: dict[str, Any] = {"label": label, "orders": "", "why": "", "also": also}
    if game.state is None:
        nothing = {"next": "", "choices": [], "happened": [], "board": "", "examples": []}
        return at_table(game, seat, player, part.table.names, links) | nothing | told
    told |= {"happened": [], "next": next_up(game, seat, player)}
    return decision(game, seat, player, part.table.names, links, part.table.clock, AMONG_SEVERAL) | told | _outcome(part, player)


def _asked(part: PartAnswer, player: Player) -> Iterator[str]:
    """Yield the lines of the help and the rules, if the part asked for them."""
    found = shown(part.table.game, player, {*part.asked})
    yield from found["help"] if "help" in part.asked else ()
    for title, told in found["rules"]:
        yield title
        yield from (f"  {each}" for each in told)


def _outcome(part: PartAnswer, player: Player) -> dict[str, Any]:
    """Return what became of the orders of a part, and what happened because of them."""
    game, outcome = part.table.game, part.outcome
    if outcome is None:
        return {}
    happened = since(game, outcome.version - 1, player) if outcome.version else []
    told = {"orders": quoted(part.orders), "happened": happened, "result": OutcomeStatus.APPLIED}
    if outcome.status != OutcomeStatus.REFUSED:
        return told
    words, refusal = game.rules.in_language(player.language), Refusal(outcome.code or "", outcome.step or 0, outcome.values)
    return told | {
        "result": "partly" if happened else OutcomeStatus.REFUSED,
        "step": refusal.step,
        "step_text": step_text(game, part.orders, refusal.step, words),
        "why": typeset(words.explain(refusal), player.language),
    }
