"""Store inbound messages and act on them: find the player and what the message asks for, and answer it once."""

import hashlib
import logging
from collections.abc import Callable, Iterable

from msgspec import DecodeError

from marketpost.mail.canary import answer_canary, finish_round
from marketpost.mail.inbound.answering import answer, answer_unknown_address, classify_message, repeats
from marketpost.mail.inbound.command_context import game_words, words_of
from marketpost.mail.inbound.complaints import suppress_complainer
from marketpost.mail.inbound.header_fields import header_of
from marketpost.mail.inbound.held import act_on_reply, confirming_stranger, confirms, hold_for_yes, request_seat
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.new_address import request_game
from marketpost.mail.inbound.own_addresses import PLAIN, LocalPart, our_addresses, own_address, owner, sender_addresses
from marketpost.mail.inbound.plain_address import answer_plain
from marketpost.mail.inbound.read_message import ParsedMessage, parse_message
from marketpost.mail.outbound.attempt import is_resource_error
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.rules.refusal import Refusal
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.connections import is_away
from marketpost.store.mail_queue import NAMED_FOR, NOBODY_LIVES, REPLY_LIVES, InboundMessage, MessageIdUse, ReplyContext
from marketpost.store.players import Player

AT_ONCE = 20
"""Messages that a worker leases at once."""
MOST_TRIES = 3
"""Attempts to act on a message that raises an exception."""
FROM_NOBODY = {
    MessageStatus.STRANGER,
    MessageStatus.AUTOMATIC,
    MessageStatus.BOUNCE_IGNORED,
    MessageStatus.COMPLAINT_IGNORED,
    MessageStatus.CANARY,
    MessageStatus.TOO_MANY_REQUESTS,
    MessageStatus.TOO_MANY_HELD,
}
"""Statuses of messages that anybody may send; their ids are stored for a day only, so that they cannot fill the store."""
log = logging.getLogger("marketpost.mail")


def receive(mailer: Mailer, raw: bytes, recipients: Iterable[str], verdict: AuthVerdict = AuthVerdict.NONE) -> str:
    """Store a message durably, with its authentication verdict; the mail server gets its 250 only after this returns."""
    ours = our_addresses(mailer, [*recipients] or parse_message(header_of(raw) + b"\n\n").recipients)
    id = hashlib.sha256(b"\n".join([raw, *map(str.encode, ours)])).hexdigest()[:32]
    mailer.mail_queue.receive(InboundMessage(id, mailer.ports.clock(), ours, verdict=verdict), raw)
    log.info("inbound message %(mail)s was stored (%(verdict)s)", {"mail": id, "verdict": verdict})
    mailer.wake()
    return id


def process_waiting(mailer: Mailer) -> int:
    """Lease stored messages and act on them; return how many were leased."""
    waiting = mailer.mail_queue.take_unread(mailer.ports.clock(), AT_ONCE)
    for id in waiting:
        _read_safely(mailer, id)
    return len(waiting)


def _read_safely(mailer: Mailer, id: str) -> None:
    """Act on one message; an exception is logged and does not stop the others."""
    try:
        _read(mailer, id)
    except WrittenByNewer:
        return  # told when the game was read; when the lease ends, another worker reads the mail
    except Exception as error:
        if is_away(error):
            raise
        log.exception("acting on inbound message %(mail)s failed", {"mail": id})


def _read(mailer: Mailer, id: str) -> None:
    """Act on one message and record its status; give it up after a few attempts.

    Fault: if Redis is away or the machine lacks resources, the attempt is not counted, because the message is not at fault.
    """
    try:
        inbound = mailer.mail_queue.inbound(id)
    except DecodeError:
        log.exception("what is stored of inbound message %(mail)s cannot be read, and is left as it is", {"mail": id})
        mailer.mail_queue.set_aside(id)
        mailer.count_inbound(AuthVerdict.NONE, MessageStatus.GIVEN_UP)
        return
    if inbound is None:
        return
    inbound.attempts += 1
    if inbound.attempts > MOST_TRIES:
        _tell_owner(mailer, inbound, _cut_off)
        _close(mailer, inbound, MessageStatus.GIVEN_UP)
        return
    mailer.mail_queue.save_progress(inbound)
    try:
        parsed = parse_message(mailer.mail_queue.raw(id))
        status = _act(mailer, inbound, parsed)
    except Tampered:
        _tell_owner(mailer, inbound, _damaged)
        status = MessageStatus.GAME_DAMAGED
    except Exception as error:
        if is_away(error) or is_resource_error(error) or isinstance(error, WrittenByNewer):  # which says nothing against the mail
            inbound.attempts -= 1
            mailer.mail_queue.save_progress(inbound)
        raise
    _close(mailer, inbound, status)


def _close(mailer: Mailer, inbound: InboundMessage, status: MessageStatus) -> None:
    """Record the final status of a message, and count it."""
    inbound.status, inbound.done = status, mailer.ports.clock()
    lives = NOBODY_LIVES if status in FROM_NOBODY else REPLY_LIVES
    mailer.mail_queue.close_message(inbound, held=status == MessageStatus.HELD, lives=lives)
    log.info("inbound message %(mail)s: %(status)s", {"mail": inbound.id, "status": status})
    mailer.count_inbound(inbound.verdict, status)


def _tell_owner(mailer: Mailer, inbound: InboundMessage, sentence: Callable[[Player], str]) -> None:
    """Answer a message that cannot be acted on, to the player whom its reply token belongs to."""
    local, token = own_address(mailer, inbound.recipients)
    if player := owner(mailer, token if local == LocalPart.PLAY else ""):
        answer(mailer, inbound, player, None, [sentence(player)])


def _cut_off(player: Player) -> str:
    return words_of(player).say("answers.cut-off")


def _damaged(player: Player) -> str:
    return game_words(None, player).explain(Refusal("game-damaged"))


def _unsigned(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, token: str) -> MessageStatus:
    """Answer a message whose header is too long to find the sender, to the player whom its reply token belongs to."""
    player = owner(mailer, token)
    if player is None or repeats(mailer, inbound, parsed, player):
        return MessageStatus.AUTOMATIC if player is None else MessageStatus.REPEATED
    answer(mailer, inbound, player, None, [words_of(player).say("answers.cut-off")])
    return MessageStatus.CUT_OFF


def _act(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage) -> MessageStatus:
    """Act on a message by the address it was sent to."""
    own = sender_addresses(mailer, inbound.recipients, parsed.sender)
    local, token = own_address(mailer, own or inbound.recipients)
    reply = mailer.mail_queue.reply(token) if local == LocalPart.PLAY and token else None
    if status := _from_machine(mailer, inbound, parsed, local, token, reply):
        return status
    mailer.mail_queue.name_message(parsed.message_id or "", inbound.id, NAMED_FOR if reply else NOBODY_LIVES)
    if not parsed.sender:
        return _unsigned(mailer, inbound, parsed, token if local == LocalPart.PLAY else "")
    if (player := mailer.ports.players.at_address(parsed.sender)) and player.suspended:
        return _suspended(mailer, inbound, parsed, player)
    if len(own) > 1:
        return _split(mailer, inbound, own)
    inbound.recipients = own or inbound.recipients
    leads_somewhere = reply is not None or local in (LocalPart.NEW, LocalPart.JOIN)
    match _claim_message_id(mailer, inbound, parsed, leads_somewhere, _thread(reply)):
        case MessageIdUse.COPY:
            return MessageStatus.DUPLICATE
        case MessageIdUse.OTHER_TEXT:
            return _other_words(mailer, inbound, parsed, reply)
    if local == LocalPart.NEW:
        return request_game(mailer, inbound, parsed, parsed.sender)
    if local == LocalPart.JOIN:
        return request_seat(mailer, inbound, parsed, parsed.sender, token)
    if reply:
        return _answered(mailer, inbound, parsed, parsed.sender, reply)
    if inbound.verdict == AuthVerdict.FAIL:
        return MessageStatus.STRANGER
    answer_it = answer_plain if (local, token) == PLAIN else answer_unknown_address
    return answer_it(mailer, inbound, parsed, parsed.sender)


def _from_machine(
    mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, local: LocalPart, token: str, reply: ReplyContext | None
) -> MessageStatus | None:
    """Act on a message that no person wrote: a complaint, a bounce, the canary, or what nobody answers; None if somebody may have."""
    if local == LocalPart.COMPLAINTS:
        return _complained(mailer, inbound)
    if local == LocalPart.CANARY:
        return MessageStatus.CANARY if answer_canary(mailer, mailer.mail_queue.raw(inbound.id)) else MessageStatus.AUTOMATIC
    if parsed.bounce or local == LocalPart.BOUNCE:
        return _bounced(mailer, inbound, parsed, token if local == LocalPart.BOUNCE else "")
    if parsed.automatic or not (parsed.sender or parsed.truncated):
        return MessageStatus.AUTOMATIC
    if reply and reply.letter == LetterKind.CANARY:
        return MessageStatus.CANARY if finish_round(mailer, token, " ".join(parsed.lines)) else MessageStatus.STRANGER
    return None


def _suspended(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player) -> MessageStatus:
    """Tell a suspended player that nothing of their message is done."""
    if repeats(mailer, inbound, parsed, player):
        return MessageStatus.REPEATED
    answer(mailer, inbound, player, None, [game_words(None, player).explain(Refusal("suspended"))])
    return MessageStatus.SUSPENDED


def _split(mailer: Mailer, inbound: InboundMessage, addresses: list[str]) -> MessageStatus:
    """Store a copy of a message for each game that it was sent to, so that it is acted on and answered in all of them."""
    raw = mailer.mail_queue.raw(inbound.id)
    inbound.copies = [hashlib.sha256(f"{inbound.id} {address}".encode()).hexdigest()[:32] for address in addresses]
    for id, address in zip(inbound.copies, addresses, strict=True):
        mailer.mail_queue.receive(InboundMessage(id, inbound.at, [address], verdict=inbound.verdict), raw)
    mailer.wake()
    return MessageStatus.SEVERAL_ADDRESSES


def _thread(reply: ReplyContext | None) -> str:
    """Return what a Message-ID is claimed for: the game of the answered letter, or all the games that it names."""
    return (reply.game or " ".join(reply.games)) if reply else ""


def _claim_message_id(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, leads_somewhere: bool, thread: str) -> MessageIdUse:
    """Claim the message's Message-ID, once for each game that it was sent to.

    One sent to a wrong address claims another name, so that it may be sent again to the right one.
    """
    if not parsed.message_id:
        return MessageIdUse.FIRST
    words = " ".join(word for line in parsed.lines for word in line.split())
    name = f"{parsed.sender} {parsed.message_id}"
    if leads_somewhere:  # requests are known for a day only: anybody may send them, and none is done without a yes
        known_as, lives = (f"{name} {thread}", REPLY_LIVES) if thread else (name, NOBODY_LIVES)
        return mailer.mail_queue.claim_message_id(known_as, inbound, words, lives)
    return mailer.mail_queue.claim_message_id(f"lost {name}", inbound, words, NOBODY_LIVES)


def _other_words(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, reply: ReplyContext | None) -> MessageStatus:
    """Answer other words under the Message-ID of an earlier message, without acting on them.

    It may be a copy to which something was added on its way, and acting might do it twice; or another message, whose sender must know that
    it was not done.
    """
    player = mailer.ports.players.find(reply.player) if reply else None
    if (
        reply is None
        or player is None
        or not player.owns(parsed.sender or "")
        or repeats(mailer, inbound, parsed, player, thread=reply.game)
    ):
        return MessageStatus.DUPLICATE
    answer(mailer, inbound, player, reply, [words_of(player).say("answers.same-message-id")])
    return MessageStatus.SAME_MESSAGE_ID


def _answered(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, sender: str, reply: ReplyContext) -> MessageStatus:
    """Act on a reply to one of our letters; hold it if it comes from another address or may be forged."""
    player = mailer.ports.players.find(reply.player) or confirming_stranger(mailer, parsed, sender, reply)
    if player is None:
        return MessageStatus.PLAYER_ERASED
    inbound.other_address = not player.owns(sender)
    if not inbound.other_address and (inbound.verdict != AuthVerdict.FAIL or confirms(parsed, player, reply)):
        return act_on_reply(mailer, inbound, parsed, player, reply)
    game = mailer.ports.game(reply.game) if reply.game else None
    if repeats(mailer, inbound, parsed, player, game, classify_message(game, parsed, player), reply.game):
        return MessageStatus.REPEATED
    return hold_for_yes(mailer, inbound, parsed, player, reply)


def _bounced(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, token: str) -> MessageStatus:
    """Count a bounce for the player, once for each letter; only one to the letter's own bounce address counts, others may be forged."""
    taken = mailer.mail_queue.bounces.take(token, mailer.ports.clock()) if parsed.bounce == "failed" else None
    player = mailer.ports.players.find(taken[0]) if taken else None
    if taken is None or player is None:
        return MessageStatus.BOUNCE_IGNORED
    inbound.came_back = taken[1]
    mailer.ports.players.change(player, lambda known: {"bounces": known.bounces + 1})
    return MessageStatus.BOUNCE


def _complained(mailer: Mailer, inbound: InboundMessage) -> MessageStatus:
    """Stop letters to whoever complained about one of ours, whatever else the report says."""
    inbound.came_back = suppress_complainer(mailer, mailer.mail_queue.raw(inbound.id))
    return MessageStatus.COMPLAINT if inbound.came_back else MessageStatus.COMPLAINT_IGNORED
