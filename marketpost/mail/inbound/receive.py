"""A mail has come in: whose is it, what does it say, and what is answered. Acted on once, answered once."""

import hashlib
import logging
from collections.abc import Iterable

from marketpost.mail.inbound.answering import answer, lost, repeats, said_in
from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.inbound.held import asks_for_a_seat, hold, take
from marketpost.mail.inbound.new_address import asks_for_a_game
from marketpost.mail.inbound.own_addresses import PLAIN, door, owner
from marketpost.mail.inbound.plain_address import answer_plain
from marketpost.mail.inbound.read_message import Incoming, read_mail
from marketpost.mail.outbound.delivery import Office, is_short
from marketpost.store.connections import is_away
from marketpost.store.mail_queue import Inbound, Reply

AT_ONCE = 20
MOST_TRIES = 3
log = logging.getLogger("marketpost.mail")


def receive(office: Office, raw: bytes, recipients: Iterable[str]) -> str:
    """Keep a mail durably; only then may the sender be told that we have it."""
    id = hashlib.sha256(raw).hexdigest()[:32]
    office.post.receive(Inbound(id, office.ports.clock(), sorted({each.casefold() for each in recipients})), raw)
    office.wake()
    return id


def read_waiting(office: Office) -> int:
    """Act on what came in; how many mails were looked at."""
    waiting = office.post.take_unread(office.ports.clock(), AT_ONCE)
    for id in waiting:
        _read_safely(office, id)
    return len(waiting)


def _read_safely(office: Office, id: str) -> None:
    """What is wrong with one mail does no harm to those behind it."""
    try:
        _read(office, id)
    except Exception as error:
        if is_away(error):
            raise
        log.exception("mail %s could not be acted on", id)


def _read(office: Office, id: str) -> None:
    inbound = office.post.inbound(id)
    if inbound is None:
        return
    inbound.tries += 1
    if inbound.tries > MOST_TRIES:
        inbound.status = _give_up(office, inbound)
        office.post.read(inbound)
        return
    office.post.begin(inbound)
    try:
        inbound.status = _act(office, inbound, read_mail(office.post.raw(id)))
    except Exception as error:
        if is_away(error) or is_short(error):  # which says nothing against the mail
            inbound.tries -= 1
            office.post.begin(inbound)
        raise
    office.post.read(inbound, keep_raw=inbound.status == "held")


def _give_up(office: Office, inbound: Inbound) -> str:
    """A mail that breaks us is answered too, to the player whom its token belongs to."""
    local, token = door(office, inbound.recipients)
    if player := owner(office, token if local == "play" else ""):
        answer(office, inbound, player, None, [words_of(player).say("answers.cut-off")])
    return "cannot-be-read"


def _unsigned(office: Office, inbound: Inbound, incoming: Incoming, token: str) -> str:
    """So much came before its sender's name that we did not get there. The player whom its token belongs to is told."""
    player = owner(office, token)
    if player is None or repeats(office, inbound, incoming, player):
        return "automatic" if player is None else "repeats-itself"
    answer(office, inbound, player, None, [words_of(player).say("answers.cut-off")])
    return "cut-off"


def _act(office: Office, inbound: Inbound, incoming: Incoming) -> str:
    """What becomes of it, in a word."""
    local, token = door(office, inbound.recipients or incoming.recipients, incoming.sender)
    if incoming.bounce or local == "bounce":
        return _bounced(office, incoming, token if local == "bounce" else "")
    if incoming.automatic or not (incoming.sender or incoming.truncated):
        return "automatic"
    if not incoming.sender:
        return _unsigned(office, inbound, incoming, token if local == "play" else "")
    reply = office.post.reply(token) if local == "play" and token else None
    leads_somewhere = reply is not None or local in ("new", "join")
    first = _is_first(office, inbound, incoming, leads_somewhere)
    if not first:
        return "seen" if first is not None else _other_words(office, inbound, incoming, reply)
    if local == "new":
        return asks_for_a_game(office, inbound, incoming, incoming.sender)
    if local == "join":
        return asks_for_a_seat(office, inbound, incoming, incoming.sender, token)
    if (local, token) == PLAIN:
        return answer_plain(office, inbound, incoming, incoming.sender)
    return _answered(office, inbound, incoming, incoming.sender, reply) if reply else lost(office, inbound, incoming, incoming.sender)


def _is_first(office: Office, inbound: Inbound, incoming: Incoming, leads_somewhere: bool) -> bool | None:
    """Under its Message-ID. One that went to a wrong address, where nothing was done, may be sent on to the right one."""
    if not incoming.message_id:
        return True
    words = " ".join(word for line in incoming.lines for word in line.split())
    name = f"{incoming.sender} {incoming.message_id}"
    return office.post.is_first(name if leads_somewhere else f"lost {name}", inbound, words)


def _other_words(office: Office, inbound: Inbound, incoming: Incoming, reply: Reply | None) -> str:
    """Under the Message-ID of an earlier mail: perhaps a copy to which something was added on its way, so that doing it might be
    doing it twice. Perhaps another one, whose sender must know that it was not done."""
    player = office.ports.people.find(reply.player) if reply else None
    if (
        reply is None
        or player is None
        or player.email.casefold() != incoming.sender
        or repeats(office, inbound, incoming, player, thread=reply.game)
    ):
        return "seen"
    answer(office, inbound, player, reply, [words_of(player).say("answers.same-message-id")])
    return "same-message-id"


def _answered(office: Office, inbound: Inbound, incoming: Incoming, sender: str, reply: Reply) -> str:
    """A letter of ours, from its reader's own address or from another."""
    player = office.ports.people.find(reply.player)
    if player is None:
        return "forgotten"
    if player.email.casefold() == sender.casefold():
        return take(office, inbound, incoming, player, reply)
    game = office.ports.game(reply.game) if reply.game else None
    if repeats(office, inbound, incoming, player, game, said_in(game, incoming, player), reply.game):
        return "repeats-itself"
    return hold(office, inbound, incoming, player, reply)


def _bounced(office: Office, incoming: Incoming, token: str) -> str:
    """Only what came back to the address of that very letter counts; everything else may be forged."""
    player = owner(office, token)
    if player is None or incoming.bounce != "failed":
        return "bounce-ignored"
    office.ports.people.change(player, lambda known: {"bounces": known.bounces + 1})
    return "bounce"
