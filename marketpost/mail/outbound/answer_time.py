"""Measure how long players wait for the answer to a mail."""

from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.store.delivery_queue import Delivery


def count_answer(mailer: Mailer, mail: Delivery) -> None:
    """Count the time since the message came in that this letter answers, if it answers one. Call it when the letter is delivered."""
    match mail.letter:
        case LetterKind.RECEIPT:
            id = mail.values.get("inbound", "")
        case LetterKind.ANSWER:
            id = mail.id.removeprefix("answer-")
        case _:
            return
    if inbound := mailer.mail_queue.inbound(id):
        mailer.count_answer((mailer.ports.clock() - inbound.at) / 1000)
