"""smtplib's clients, with a bound on what a server may say at once."""

import smtplib
from typing import IO, Any

MOST_REPLY = 64_000
"""Bytes of one reply with all its lines; a server that says more is hung up on, and the letter is tried later."""


class EndlessReply(OSError):
    """Raised when one reply of a server is longer than any real one."""


class BoundedReply:
    """What a server says, up to so many bytes for each reply."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream, self.room = stream, MOST_REPLY

    def readline(self, size: int) -> bytes:
        line = self.stream.readline(size)
        self.room -= len(line)
        if self.room < 0:
            raise EndlessReply(f"the mail server said more than {MOST_REPLY} bytes in one reply")
        return line

    def close(self) -> None:
        self.stream.close()


class BoundedReplies(smtplib.SMTP):
    """Fault: a server sends reply lines without end. smtplib keeps them all, and the worker would grow until it is killed."""

    file: Any

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock:
            self.file = BoundedReply(self.sock.makefile("rb"))
        elif self.file is not None:
            self.file.room = MOST_REPLY
        return super().getreply()


class BoundedSMTPS(BoundedReplies, smtplib.SMTP_SSL):
    """By SMTP inside TLS."""


class BoundedLMTP(BoundedReplies, smtplib.LMTP):
    """By LMTP."""
