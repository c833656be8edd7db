"""Answer inbound messages: one answer each, and none to a machine that sends the same text again."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import msgspec

from marketpost.mail.inbound.classify import Agreement, Said, classify
from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.inbound.fingerprint import fingerprint
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.order_lines import is_order
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.inbound.repairs import is_prose
from marketpost.mail.inbound.standing_order_lines import standing_order
from marketpost.mail.outbound.gate import DAY
from marketpost.mail.outbound.hint_letters import enqueue_with_hints
from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.strangers import is_stranger
from marketpost.play.log.game import Game
from marketpost.rules.words import COMMON, lexicon
from marketpost.store.delivery_queue import Delivery
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.message_parts import part_of
from marketpost.store.players import Player

MOST_ALIKE = 10
"""Answers within a day to the same text, if it contains orders or commands that cannot be done."""
MOST_IN_ALL = 50
"""Answers within a day to the same text, in all games together."""


def repeats(
    mailer: Mailer,
    inbound: InboundMessage,
    parsed: ParsedMessage,
    player: Player,
    game: Game | None = None,
    said: Said | None = None,
    thread: str | None = None,
) -> bool:
    """Whether this player sent the same words within a day: in the game `thread`, or anywhere if the letter was of none.

    Fault: a program that replies to each of our letters would be answered for ever. Its words are the same each time, so only the first of
    them in a game is answered. A person may send an empty message in one game and again in another; orders and commands that can be done
    always are.
    """
    said = said or Said(strange=("",))
    if (said.orders or said.commands) and not said.strange:
        return False
    hopeful = said.orders or said.commands or any(is_order(game, line) for line in parsed.lines)
    text, id, now = fingerprint(parsed.lines), inbound.settles or inbound.id, mailer.ports.clock()
    most = MOST_ALIKE if hopeful else 1
    in_all = mailer.mail_queue.said_before(player.id, text, id, now, DAY)
    if not thread:
        return in_all >= most
    return in_all >= MOST_IN_ALL or mailer.mail_queue.said_before(player.id, f"{thread} {text}", id, now, DAY) >= most


def answer_unknown_address(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, sender: str) -> MessageStatus:
    """Answer a message to an address that leads nowhere, if a confirmed player sent it; strangers get no mail."""
    player = mailer.ports.players.at_address(sender)
    if player is None or not player.confirmed:
        return MessageStatus.STRANGER
    if repeats(mailer, inbound, parsed, player):
        return MessageStatus.REPEATED
    answer(mailer, inbound, player, None, [words_of(player).say("answers.token-unknown")])
    return MessageStatus.UNKNOWN_ADDRESS


def classify_message(game: Game | None, parsed: ParsedMessage, player: Player, agreement: Agreement = lambda line: "") -> Said:
    """Sort the new lines of a message into orders, commands and what is neither."""
    names = [player.name, *parsed.names] if parsed.signed else []
    left, prose = partial(_is_left, game), partial(_is_prose, game)
    return classify(parsed.lines, partial(is_order, game), lexicon(COMMON, "commands"), names, left, agreement, prose)


def _is_prose(game: Game | None, text: str) -> bool:
    return game is not None and is_prose(text, game.rules.words)


def _is_left(game: Game | None, text: str) -> bool:
    return bool(standing_order(game, text))


def answer(
    mailer: Mailer,
    inbound: InboundMessage,
    player: Player,
    reply: ReplyContext | None,
    lines: list[str],
    asked: Iterable[str] = (),
    held: str | None = None,
    kind: AnswerKind = AnswerKind.REFUSED,
    asks: str | None = None,
    language: str = "",
    moved: bool = False,
    hint: int = 0,
) -> None:
    """Enqueue the one answer to a message; its id is derived from the message's, so that a repeated one adds none.

    The answer to a part is stored with the part, for the one answer to the whole message.

    `kind` is what its subject says; `held` and `asks` name what a yes to it is about; `language` is that of this letter, if it is not the
    player's own; `moved` says that the message moved a game on, so that the answer is not limited; `hint` is the
    position for which the answer shows a hint.
    """
    at = mailer.ports.clock()
    values: dict[str, Any] = {"lines": lines, "asked": list(asked), "held": held, "asks": asks}
    values |= {"kind": kind, "language": language, "moved": moved} | ({"hint": hint} if hint else {})
    if is_stranger(player):
        values |= {"stranger": player.email, "language": language or player.language}
    game, seat = (reply.game, reply.seat) if reply else (None, None)
    if part_of(inbound.id):
        inbound.answer = values
        return
    if inbound.reply:
        values["games"] = msgspec.to_builtins(inbound.reply.games)
    letter = Delivery(f"answer-{inbound.id}", player.id, "answer", at, at, game, None, seat, values)
    enqueue_with_hints(mailer, letter, [game] if hint and game else [])
