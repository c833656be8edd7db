"""The canary: the service writes a letter to itself and answers it, through the same queue, servers and doors as everybody's mail."""

import re
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from marketpost.mail.inbound.automatic import ADDRESS
from marketpost.mail.inbound.mime import parse_mime, value
from marketpost.mail.inbound.own_addresses import LocalPart, own_address
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.mail.strangers import stranger
from marketpost.store.delivery_queue import Delivery, DeliveryStatus

NUMBER = re.compile(r"canary-([0-9]{1,15})@")
WRITTEN = re.compile(r"[0-9]{1,15}")


def send_canary(mailer: Mailer) -> int | None:
    """Put a letter to ourselves into the queue, and return its number; None while the one before still waits to be sent.

    Fault: the mail server may be away for days. Letters would pile up, and come all at once when it is back.
    """
    last = mailer.deliveries.find(_id(mailer.canary.read().sent))
    if last and last.status == DeliveryStatus.WAITING:
        return None
    at, address = mailer.ports.clock(), f"{LocalPart.CANARY}@{mailer.settings.mail_domain}"
    mailer.canary.note(sent=at)
    enqueue(mailer, Delivery(_id(at), stranger(address, "en").id, LetterKind.CANARY, at, at, values={"stranger": address}))
    return at


def answer_canary(mailer: Mailer, raw: bytes) -> bool:
    """Answer a letter of the canary that came in, over the mail server; False if it is none. Its token proves that we wrote it."""
    message = parse_mime(raw).message
    found = NUMBER.search(value(message, "Message-ID"))
    _, token = own_address(mailer, ADDRESS.findall(value(message, "Reply-To"))[:1])
    if not found or not mailer.is_token(token, _id(int(found[1]))):
        return False
    mailer.canary.note(seen=mailer.ports.clock())
    domain = mailer.settings.mail_domain
    sender, recipient = f"{LocalPart.CANARY}@{domain}", f"{LocalPart.PLAY}+{token}@{domain}"
    mailer.transport.deliver(sender, recipient, _answer(mailer, sender, recipient, found[1]))
    return True


def _answer(mailer: Mailer, sender: str, recipient: str, number: str) -> bytes:
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, recipient, "Re: canary"
    mail["Date"] = format_datetime(datetime.fromtimestamp(mailer.ports.clock() / 1000, UTC))
    mail["Message-ID"] = f"<canary-answer-{number}@{mailer.settings.mail_domain}>"
    mail.set_content(f"{number}\n")
    return mail.as_bytes()


def finish_round(mailer: Mailer, token: str, text: str) -> bool:
    """Note how long the answer of the canary was under way, and delete what was stored for it; False if it is none."""
    found = WRITTEN.fullmatch(text.strip())
    if not found or not mailer.is_token(token, _id(int(found[0]))):
        return False
    sent, now = int(found[0]), mailer.ports.clock()
    mailer.canary.note(back=now, took=now - sent)
    if letter := mailer.deliveries.find(_id(sent)):
        mailer.deliveries.discard(letter)
    mailer.mail_queue.unbind(token)
    mailer.mail_queue.bounces.take(mailer.token("bounce", _id(sent)))
    return True


def _id(number: int) -> str:
    return f"canary-{number}"
