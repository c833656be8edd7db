"""Answer messages to `new@…`: ask the owner of the sender's address before a game is opened, or say why it cannot be."""

from marketpost.mail.inbound.answering import answer
from marketpost.mail.inbound.classify import classify
from marketpost.mail.inbound.command_context import CommandContext, CommandRefused
from marketpost.mail.inbound.commands import run_command
from marketpost.mail.inbound.held import ask_owner, check_request, hold_for_yes
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.new_game import asked_for, meant_by, names_a_game, speaking_as
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.rules.words import COMMON, lexicon
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.players import Player

SHOWN = {"help", "rules", "games"}
"""Commands that are answered here: they only show something, and only to the owner of the address."""


def request_game(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, sender: str) -> MessageStatus:
    """Hold a request for a game until the owner of the address says yes: it invites others, and its sender may be forged."""
    text = request_text(parsed, ())
    player = ask_owner(mailer, inbound, sender, text)
    if isinstance(player, MessageStatus):
        return player
    speaking = speaking_as(player, text)
    if commands := _shown(parsed):
        return _show(mailer, inbound, speaking, commands)
    try:
        check_request(speaking, request_text(parsed, [player.name]))
    except CommandRefused as why:
        answer(mailer, inbound, speaking, ReplyContext(player.id), [str(line) for line in why.args], language=speaking.language)
        return MessageStatus.NOT_OPENED
    return hold_for_yes(mailer, inbound, parsed, speaking, language=speaking.language)


def request_text(parsed: ParsedMessage, names: list[str] | tuple[()]) -> str:
    """Return the text that asks for a game; some write it into the subject only."""
    return meant_by(asked_for(parsed.lines, [*names, *parsed.names]) or parsed.subject)


def _shown(parsed: ParsedMessage) -> list[str]:
    """Return the commands in a message, if there is nothing else and they only show something."""
    lines = parsed.lines if any(parsed.lines) else [parsed.subject]
    said = classify(lines, names_a_game, lexicon(COMMON, "commands"), parsed.names)
    names = [name for name, _ in said.commands]
    return names if names and not said.orders and not said.strange and set(names) <= SHOWN else []


def _show(mailer: Mailer, inbound: InboundMessage, player: Player, commands: list[str]) -> MessageStatus:
    """Answer commands that only show something."""
    lines = [line for name in commands for line in run_command(name, CommandContext(mailer, player, ReplyContext(player.id), None, ""))[1]]
    answer(mailer, inbound, player, ReplyContext(player.id), lines, asked=commands, kind=AnswerKind.SHOWN, language=player.language)
    return MessageStatus.ANSWERED
