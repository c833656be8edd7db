"""What is said to a mail server to hand one mail over, and how its answers are taken."""

import re
import smtplib
from collections.abc import Sequence
from email import message_from_bytes
from email.generator import BytesGenerator
from email.policy import compat32
from io import BytesIO

from mail.fate import Fate, later, never

RSET, DATA = "RSET", "DATA"
GO_ON, CLOSING = 354, 421
OF_THE_SERVICE = {CLOSING, 503, 530, 534, 535, 538}
"""Answers that blame our login or our manners, not this mail: somebody must set things right, and then it can go."""
LINE_END = re.compile(rb"\r\n|\r|\n")
WITHIN_LINES = bytes({*range(256)} - {*b"\r\n"})


class Refusal(Exception):
    """A server's answer to one of our commands that is not a yes."""

    def __init__(self, code: int, text: bytes) -> None:
        super().__init__(code, text)
        self.code = code
        self.reason = f"{code} {text.decode(errors='replace')}"

    def fate(self) -> Fate:
        return never(self.reason) if 500 <= self.code <= 599 and self.code not in OF_THE_SERVICE else later(self.reason)


class CannotSend(Exception):
    """This mail cannot go by this server, whatever we do."""


def mail_from(client: smtplib.SMTP, sender: str, recipient: str, message: bytes) -> str:
    options = [f"SIZE={len(message)}"] if client.has_extn("size") else []
    if not message.isascii() and client.has_extn("8bitmime"):
        options.append("BODY=8BITMIME")
    if not (sender + recipient).isascii() or not _head(message).isascii():
        if client.has_extn("smtputf8"):
            client.command_encoding = "utf-8"
            options.append("SMTPUTF8")
        elif not (sender + recipient).isascii():
            raise CannotSend("the mail server takes no addresses with letters beyond a to z")
    return " ".join([f"MAIL FROM:<{sender}>", *options])


def ask(client: smtplib.SMTP, commands: Sequence[str]) -> None:
    """All at once (RFC 2920). The first no counts, but every answer is heard, so that none is taken for that to the next mail."""
    client.send("".join(f"{command}\r\n" for command in commands))
    refusals: list[Refusal] = []
    try:
        answers = [_hear(client, command, refusals) for command in commands]
        if refusals and answers[-1] == GO_ON:
            _give_nothing(client, answers[-2])
    except (OSError, smtplib.SMTPException):
        if not refusals:
            raise
    if refusals:
        raise refusals[0]


def _hear(client: smtplib.SMTP, command: str, refusals: "list[Refusal]") -> int:
    code, text = client.getreply()
    if code != GO_ON if command == DATA else not 200 <= code <= 299:
        refusals.append(Refusal(CLOSING if command == RSET else code, text))  # who cannot forget is not spoken to any more
    if code == CLOSING:
        raise refusals[0]
    return code


def _give_nothing(client: smtplib.SMTP, to_recipient: int) -> None:
    """A server waits for the mail although it has said no. Without a recipient an empty one goes to nobody; else only silence does."""
    if 200 <= to_recipient <= 299:
        client.close()
        return
    client.send(b".\r\n")
    client.getreply()


def give(client: smtplib.SMTP, message: bytes) -> None:
    client.send(_to_the_dot(message))
    code, text = client.getreply()
    if not 200 <= code <= 299:
        raise Refusal(code, text)


def _to_the_dot(message: bytes) -> bytes:
    """A dot alone in a line ends the mail, so that one at the beginning of a line is doubled."""
    dotted = (b"\r\n" + message).replace(b"\r\n.", b"\r\n..")[2:]
    return dotted + (b".\r\n" if dotted.endswith(b"\r\n") else b"\r\n.\r\n")


def fit(client: smtplib.SMTP, message: bytes) -> bytes:
    """For an old server, eight bits in seven. A signature over the body would not survive; ours are made over seven."""
    if message.isascii() or client.has_extn("8bitmime"):
        return message
    written = BytesIO()
    BytesGenerator(written, mangle_from_=False, policy=compat32.clone(cte_type="7bit", linesep="\r\n")).flatten(message_from_bytes(message))
    return written.getvalue()


def with_line_ends(message: bytes) -> bytes:
    """As mail demands them; our own letters have them already."""
    ends = message.translate(None, WITHIN_LINES)
    return message if ends == b"\r\n" * (len(ends) // 2) else LINE_END.sub(b"\r\n", message)


def _head(message: bytes) -> bytes:
    return message.partition(b"\r\n\r\n")[0]
