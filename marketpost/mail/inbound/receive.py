"""A mail has come in: whose is it, what does it say, and what is answered. Acted on once, answered once."""

import hashlib
import logging
from collections.abc import Iterable

from marketpost.mail.inbound.answering import answer, answer_unknown_address, classify_message, repeats
from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.inbound.held import act_on_reply, hold_for_yes, request_seat
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.new_address import request_game
from marketpost.mail.inbound.own_addresses import PLAIN, own_address, owner
from marketpost.mail.inbound.plain_address import answer_plain
from marketpost.mail.inbound.read_message import ParsedMessage, parse_message
from marketpost.mail.outbound.delivery import is_resource_error
from marketpost.mail.outbound.mailer import Mailer
from marketpost.store.connections import is_away
from marketpost.store.mail_queue import InboundMessage, MessageIdUse, ReplyContext

AT_ONCE = 20
MOST_TRIES = 3
log = logging.getLogger("marketpost.mail")


def receive(mailer: Mailer, raw: bytes, recipients: Iterable[str]) -> str:
    """Keep a mail durably; only then may the sender be told that we have it."""
    id = hashlib.sha256(raw).hexdigest()[:32]
    mailer.mail_queue.receive(InboundMessage(id, mailer.ports.clock(), sorted({each.casefold() for each in recipients})), raw)
    mailer.wake()
    return id


def process_waiting(mailer: Mailer) -> int:
    """Act on what came in; how many mails were looked at."""
    waiting = mailer.mail_queue.take_unread(mailer.ports.clock(), AT_ONCE)
    for id in waiting:
        _read_safely(mailer, id)
    return len(waiting)


def _read_safely(mailer: Mailer, id: str) -> None:
    """What is wrong with one mail does no harm to those behind it."""
    try:
        _read(mailer, id)
    except Exception as error:
        if is_away(error):
            raise
        log.exception("mail %s could not be acted on", id)


def _read(mailer: Mailer, id: str) -> None:
    inbound = mailer.mail_queue.inbound(id)
    if inbound is None:
        return
    inbound.attempts += 1
    if inbound.attempts > MOST_TRIES:
        inbound.status = _give_up(mailer, inbound)
        mailer.mail_queue.read(inbound)
        return
    mailer.mail_queue.begin(inbound)
    try:
        inbound.status = _act(mailer, inbound, parse_message(mailer.mail_queue.raw(id)))
    except Exception as error:
        if is_away(error) or is_resource_error(error):  # which says nothing against the mail
            inbound.attempts -= 1
            mailer.mail_queue.begin(inbound)
        raise
    mailer.mail_queue.read(inbound, keep_raw=inbound.status == MessageStatus.HELD)


def _give_up(mailer: Mailer, inbound: InboundMessage) -> MessageStatus:
    """A mail that breaks us is answered too, to the player whom its token belongs to."""
    local, token = own_address(mailer, inbound.recipients)
    if player := owner(mailer, token if local == "play" else ""):
        answer(mailer, inbound, player, None, [words_of(player).say("answers.cut-off")])
    return MessageStatus.GIVEN_UP


def _unsigned(mailer: Mailer, inbound: InboundMessage, incoming: ParsedMessage, token: str) -> MessageStatus:
    """So much came before its sender's name that we did not get there. The player whom its token belongs to is told."""
    player = owner(mailer, token)
    if player is None or repeats(mailer, inbound, incoming, player):
        return MessageStatus.AUTOMATIC if player is None else MessageStatus.REPEATED
    answer(mailer, inbound, player, None, [words_of(player).say("answers.cut-off")])
    return MessageStatus.CUT_OFF


def _act(mailer: Mailer, inbound: InboundMessage, incoming: ParsedMessage) -> MessageStatus:
    """What becomes of it, in a word."""
    local, token = own_address(mailer, inbound.recipients or incoming.recipients, incoming.sender)
    if incoming.bounce or local == "bounce":
        return _bounced(mailer, incoming, token if local == "bounce" else "")
    if incoming.automatic or not (incoming.sender or incoming.truncated):
        return MessageStatus.AUTOMATIC
    if not incoming.sender:
        return _unsigned(mailer, inbound, incoming, token if local == "play" else "")
    reply = mailer.mail_queue.reply(token) if local == "play" and token else None
    leads_somewhere = reply is not None or local in ("new", "join")
    match _claim_message_id(mailer, inbound, incoming, leads_somewhere):
        case MessageIdUse.COPY:
            return MessageStatus.DUPLICATE
        case MessageIdUse.OTHER_TEXT:
            return _other_words(mailer, inbound, incoming, reply)
    if local == "new":
        return request_game(mailer, inbound, incoming, incoming.sender)
    if local == "join":
        return request_seat(mailer, inbound, incoming, incoming.sender, token)
    if (local, token) == PLAIN:
        return answer_plain(mailer, inbound, incoming, incoming.sender)
    return (
        _answered(mailer, inbound, incoming, incoming.sender, reply)
        if reply
        else answer_unknown_address(mailer, inbound, incoming, incoming.sender)
    )


def _claim_message_id(mailer: Mailer, inbound: InboundMessage, incoming: ParsedMessage, leads_somewhere: bool) -> MessageIdUse:
    """Under its Message-ID. One that went to a wrong address, where nothing was done, may be sent on to the right one."""
    if not incoming.message_id:
        return MessageIdUse.FIRST
    words = " ".join(word for line in incoming.lines for word in line.split())
    name = f"{incoming.sender} {incoming.message_id}"
    return mailer.mail_queue.claim_message_id(name if leads_somewhere else f"lost {name}", inbound, words)


def _other_words(mailer: Mailer, inbound: InboundMessage, incoming: ParsedMessage, reply: ReplyContext | None) -> MessageStatus:
    """Under the Message-ID of an earlier mail: perhaps a copy to which something was added on its way, so that doing it might be
    doing it twice. Perhaps another one, whose sender must know that it was not done."""
    player = mailer.ports.players.find(reply.player) if reply else None
    if (
        reply is None
        or player is None
        or player.email.casefold() != incoming.sender
        or repeats(mailer, inbound, incoming, player, thread=reply.game)
    ):
        return MessageStatus.DUPLICATE
    answer(mailer, inbound, player, reply, [words_of(player).say("answers.same-message-id")])
    return MessageStatus.SAME_MESSAGE_ID


def _answered(mailer: Mailer, inbound: InboundMessage, incoming: ParsedMessage, sender: str, reply: ReplyContext) -> MessageStatus:
    """A letter of ours, from its reader's own address or from another."""
    player = mailer.ports.players.find(reply.player)
    if player is None:
        return MessageStatus.PLAYER_ERASED
    if player.email.casefold() == sender.casefold():
        return act_on_reply(mailer, inbound, incoming, player, reply)
    game = mailer.ports.game(reply.game) if reply.game else None
    if repeats(mailer, inbound, incoming, player, game, classify_message(game, incoming, player), reply.game):
        return MessageStatus.REPEATED
    return hold_for_yes(mailer, inbound, incoming, player, reply)


def _bounced(mailer: Mailer, incoming: ParsedMessage, token: str) -> MessageStatus:
    """Only what came back to the address of that very letter counts; everything else may be forged."""
    player = owner(mailer, token)
    if player is None or incoming.bounce != "failed":
        return MessageStatus.BOUNCE_IGNORED
    mailer.ports.players.change(player, lambda known: {"bounces": known.bounces + 1})
    return MessageStatus.BOUNCE
