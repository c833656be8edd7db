"""smtplib's clients with a limit on the length of a server's reply."""

import smtplib
from typing import IO, Any

MOST_REPLY = 64_000
"""Bytes of one reply with all its lines; at more the connection is closed, and the letter is retried later."""


class EndlessReply(OSError):
    """Raised when one reply of a server is longer than any real one."""


class BoundedReply:
    """The stream of a server's replies, limited to so many bytes for each reply."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream, self.room = stream, MOST_REPLY

    def readline(self, size: int) -> bytes:
        """Read a line; `EndlessReply` if the reply has become too long."""
        line = self.stream.readline(size)
        self.room -= len(line)
        if self.room < 0:
            raise EndlessReply(f"the mail server said more than {MOST_REPLY} bytes in one reply")
        return line

    def close(self) -> None:
        """Close the stream."""
        self.stream.close()


class BoundedReplies(smtplib.SMTP):
    """An SMTP client that limits the length of a reply.

    Fault: a server may send reply lines without end. smtplib stores them all, and the worker would grow until it is killed.
    """

    file: Any

    def getreply(self) -> tuple[int, bytes]:
        """Read one reply."""
        if self.file is None and self.sock:
            self.file = BoundedReply(self.sock.makefile("rb"))
        elif self.file is not None:
            self.file.room = MOST_REPLY
        return super().getreply()


class BoundedSMTPS(BoundedReplies, smtplib.SMTP_SSL):
    """An SMTP client inside TLS, with limited replies."""


class BoundedLMTP(BoundedReplies, smtplib.LMTP):
    """An LMTP client with limited replies."""
