"""Answer a message with parts for several games with one letter, as soon as all of them are decided."""

from marketpost.mail.outbound.hint_letters import enqueue_with_hints
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.play.outbox.notices import Notice
from marketpost.store.delivery_queue import Delivery
from marketpost.store.mail_queue import InboundMessage
from marketpost.store.message_parts import part_id, part_of


def settle_part(mailer: Mailer, notice: Notice) -> bool:
    """Store the move that a part of a message became, and answer the message if it was the last; False if the notice is about no part."""
    found = part_of(notice.via or "")
    if found is None:
        return False
    message, label = found
    mailer.mail_queue.parts.settle(message, label, notice.move or "")
    enqueue_answer(mailer, message)
    return True


def enqueue_answer(mailer: Mailer, id: str) -> None:
    """Enqueue the answer to a message if all its parts are decided.

    Race: a worker reads the message while others decide its parts. Each first stores what it has done and then looks at all the rest, so
    the last of them sees everything; the letter's id follows from the message's, so two of them enqueue one letter.
    """
    inbound = mailer.mail_queue.inbound(id)
    if inbound is None or inbound.reply is None or not inbound.complete:
        return
    moves = mailer.mail_queue.parts.settled(id)
    if not set(inbound.labels) <= moves.keys() or not any(moves[label] or _answer(mailer, inbound, label) for label in inbound.labels):
        return
    at = mailer.ports.clock()
    values = {"inbound": id, "moved": _moved(mailer, inbound, moves)}
    letter = Delivery(f"answer-{id}", inbound.reply.player, LetterKind.SEVERAL, at, at, values=values)
    enqueue_with_hints(mailer, letter, [inbound.reply.games[label].game or "" for label in inbound.labels if _is_hinted(mailer, id, label)])


def _is_hinted(mailer: Mailer, id: str, label: str) -> bool:
    """Whether the answer to a part shows a hint."""
    part = mailer.mail_queue.inbound(part_id(id, label))
    return part is not None and bool(part.answer and part.answer.get("hint"))


def _answer(mailer: Mailer, inbound: InboundMessage, label: str) -> bool:
    """Whether a part without orders is to be answered."""
    part = mailer.mail_queue.inbound(part_id(inbound.id, label))
    return part is not None and part.answer is not None


def _moved(mailer: Mailer, inbound: InboundMessage, moves: dict[str, str]) -> bool:
    """Whether any part moved its game on; the answer is not limited then."""
    games = inbound.reply.games if inbound.reply else {}
    decided = [outcome(mailer.ports, games[label].game or "", move) for label, move in moves.items() if move and label in games]
    parts = (mailer.mail_queue.inbound(part_id(inbound.id, label)) for label in inbound.labels)
    return any(each is None or each.status == OutcomeStatus.APPLIED for each in decided) or any(
        part is not None and part.answer is not None and part.answer["moved"] for part in parts
    )
