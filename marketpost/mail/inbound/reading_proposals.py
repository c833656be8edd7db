"""Propose one legal reading of a message that is clear but for a line or a word; its writer answers yes or no."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product

from marketpost.mail.inbound.answering import classify_message
from marketpost.mail.inbound.classify import Said
from marketpost.mail.inbound.command_lines import Command
from marketpost.mail.inbound.habits import tidy
from marketpost.mail.inbound.order_lines import is_order
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.inbound.repairs import is_prose, repairs
from marketpost.mail.inbound.separators import NUMBER
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import branches
from marketpost.rules.words import Words
from marketpost.store.players import Player

MOST_LINES = 60
MOST_READINGS = 32
MOST_STRANGE = 6
SAID = ("say", "note")
"""Commands that may stand beside orders which are asked about."""

Sort = Callable[[Sequence[str]], Said]


@dataclass(frozen=True, slots=True)
class ReadingProposal:
    """Orders that are legal now, in the player's language, and how the message was changed to read them."""

    orders: str
    commands: tuple[Command, ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()
    """Lines as they were written, and as they were read."""
    left_out: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    """Orders that stand below the signature."""


def propose_reading(game: Game | None, seat: int | None, parsed: ParsedMessage, player: Player, words: Words) -> ReadingProposal | None:
    """Return the one reading of a message that is legal now; None if there is none, or more than one."""
    if game is None or game.state is None or seat not in game.deciders or len(parsed.lines) > MOST_LINES:
        return None
    sort = partial(_sorted, game, parsed, player)
    found = {each.orders: each for each in islice(_proposals(game, seat, parsed, sort, words), MOST_READINGS)}
    return next(iter(found.values())) if len(found) == 1 else None


def _sorted(game: Game, parsed: ParsedMessage, player: Player, lines: Sequence[str]) -> Said:
    return classify_message(game, replace(parsed, lines=list(lines)), player)


def _proposals(game: Game, seat: int, parsed: ParsedMessage, sort: Sort, words: Words) -> Iterator[ReadingProposal]:
    """Yield every reading of a message that is legal now."""
    lines = [tidy(line) for line in parsed.lines]
    said = sort(lines)
    if not said.strange:
        yield from _from_below(game, seat, parsed, said, words)
        return
    places = _places(lines, said.strange)
    if len(places) != len(said.strange) or len(places) > MOST_STRANGE:
        return
    for read in islice(product(*(_meanings(game, lines, place) for place in places)), MOST_READINGS):
        now = list(lines)
        for place, text in zip(places, read, strict=True):
            now[place] = text
        changes = [(lines[place], text) for place, text in zip(places, read, strict=True) if text != lines[place]]
        corrected, left_out = [each for each in changes if each[1]], [was for was, text in changes if not text]
        if orders := legal_orders(game, seat, again := sort(now), words):
            yield ReadingProposal(orders, again.commands, tuple(corrected), (*left_out, *again.aside))


def _places(lines: Sequence[str], strange: Sequence[str]) -> list[int]:
    """Return the places of the strange lines, with or without their list numbers."""
    known = {*strange}
    return [place for place, line in enumerate(lines) if line in known or NUMBER.sub("", line, count=1) in known]


def _meanings(game: Game, lines: Sequence[str], place: int) -> list[str]:
    """Return the readings of a line; an empty text leaves it out. No reading for a line that somebody else may have written.

    A piece of an order is read as it is once prose beside it is left out.
    """
    line, words = lines[place], game.rules.words
    if line.startswith((">", "##")):
        return []
    before = [each for each in lines[:place] if is_order(game, each)]
    found = repairs(line, lambda text: is_order(game, text) or is_order(game, "\n".join([*before, text])), words)
    return found or ["" if is_prose(line, words) else line]


def legal_orders(game: Game, seat: int, said: Said, words: Words) -> str:
    """Return the orders in the player's language, if all is clear and legal for every outcome of chance; nothing is drawn."""
    orders = "\n".join(said.orders)
    if said.strange or not is_order(game, orders) or any(command.name not in SAID for command in said.commands):
        return ""
    if any(branch.refusal for branch in branches(game.rules, game.state, seat, orders)):
        return ""
    return game.rules.notate(game.rules.parse(orders), words)


def _from_below(game: Game, seat: int, parsed: ParsedMessage, said: Said, words: Words) -> Iterator[ReadingProposal]:
    """Yield the reading with orders below the signature, alone or after those above, if they are legal now."""
    below = [line for line in map(tidy, parsed.below) if is_order(game, line)]
    if not below:
        return
    for above in (said.orders, ()):
        if orders := legal_orders(game, seat, replace(said, orders=(*above, *below)), words):
            whole = orders if not said.orders or above else legal_orders(game, seat, said, words)
            if whole:
                yield ReadingProposal(whole, said.commands, below=tuple(below))
            return


def describe_changes(proposal: ReadingProposal, words: Words) -> list[str]:
    """Say which parts of the message were not read as they stand."""
    parts = {"corrected": [was for was, _ in proposal.corrected], "left-out": proposal.left_out, "below": proposal.below}
    return [line for key, lines in parts.items() for line in describe_lines(f"read-{key}", lines, words)]


def describe_lines(key: str, lines: Sequence[str], words: Words) -> list[str]:
    """Return a sentence for each line of a message."""
    return [words.say(f"answers.{key}", text=line[:200]) for line in lines]
