"""An IMAP server on a real socket that fails as it is told to, for chosen mails."""

import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass(slots=True)
class BrokenImap:
    """A mailbox with mails numbered from 1 on. `faults` says for a UID what goes wrong with it."""

    mails: dict[int, bytes]
    faults: dict[int, str]
    """`bad`, `drop` or `huge` at FETCH, `no` at STORE."""
    port: int = 0
    seen: set[int] = field(default_factory=set)
    heard: Counter[str] = field(default_factory=Counter)
    """Commands by name, and `FETCH 3` for that of one mail."""
    connections: list[socket.socket] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"imap://desk:secret@127.0.0.1:{self.port}/INBOX?starttls=no"

    def serve(self, connection: socket.socket) -> None:
        self.connections.append(connection)
        with connection, suppress(OSError), connection.makefile("rwb") as stream:
            stream.write(b"* OK ready\r\n")
            stream.flush()
            for line in stream:
                tag, _, command = line.decode().strip().partition(" ")
                answer = self._answer(command)
                if answer is None:
                    return
                stream.write(answer.replace(b"TAG", tag.encode()))
                stream.flush()

    def hang_up(self) -> None:
        """Cut off whoever is connected."""
        while self.connections:
            with suppress(OSError):
                self.connections.pop().shutdown(socket.SHUT_RDWR)

    def _answer(self, command: str) -> bytes | None:
        name = re.sub(r"^UID ", "", command.upper()).partition(" ")[0]
        self.heard[name] += 1
        match name:
            case "CAPABILITY":
                return b"* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n"
            case "SELECT":
                return b"* %d EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\nTAG OK [READ-WRITE] done\r\n" % len(self.mails)
            case "SEARCH":
                return b"* SEARCH %s\r\nTAG OK done\r\n" % " ".join(str(uid) for uid in list(self.mails) if uid not in self.seen).encode()
            case "FETCH":
                return self._fetch(int(command.split()[2]), command)
            case "STORE":
                return self._store(int(command.split()[2]))
            case "LOGOUT":
                return b"* BYE\r\nTAG OK done\r\n"
            case _:
                return b"TAG OK done\r\n"

    def _fetch(self, uid: int, command: str) -> bytes | None:
        self.heard[f"FETCH {uid}"] += 1
        fault, mail = self.faults.get(uid), self.mails[uid]
        if fault == "drop":
            return None
        if fault == "bad":
            return b"TAG BAD internal error\r\n"
        if "SIZE" in command:
            return b"* 1 FETCH (UID %d RFC822.SIZE %d)\r\nTAG OK done\r\n" % (uid, len(mail))
        if fault == "huge":
            return b"* 1 FETCH (UID %d BODY[] {9000000000}\r\n" % uid + bytes(100_000)
        return b"* 1 FETCH (UID %d BODY[] {%d}\r\n%s)\r\nTAG OK done\r\n" % (uid, len(mail), mail)

    def _store(self, uid: int) -> bytes:
        if self.faults.get(uid) == "no":
            return b"TAG NO the mailbox is read-only\r\n"
        self.seen.add(uid)
        return b"TAG OK done\r\n"


@contextmanager
def broken_imap(mails: dict[int, bytes], faults: dict[int, str]) -> Iterator[BrokenImap]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = BrokenImap(mails, faults, listener.getsockname()[1])

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=server.serve, args=(listener.accept()[0],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield server
        listener.shutdown(socket.SHUT_RDWR)
