"""Servers for tests: our own listener as a process, and certificates for whoever speaks TLS."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from marketpost.mail.inbound.authentication import SmtpClient
from marketpost.mail.inbound.smtp_listener import ListenAddress, run

ROOT = Path(__file__).parents[2]
GAMES = "games.test"
"""The domain whose mail goes to our listener."""
PASSWORD = "s3cret/@#"
TOKEN = "0123456789abcdef0123456789abcdef"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eventually(look: Callable[[], object], within: float = 120.0) -> object:
    """What `look` finds, as soon as it finds something."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not happen in time")


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass(frozen=True, slots=True)
class Received:
    raw: bytes
    sender: str
    recipients: list[str]


@dataclass(frozen=True, slots=True)
class Listener:
    """Our listener as a process. It knows `play+TOKEN@…` and a few names that make trouble."""

    process: "subprocess.Popen[bytes]"
    port: int
    folder: Path

    def received(self) -> list[Received]:
        notes = [json.loads(path.read_text()) for path in sorted(self.folder.glob("*.json"), key=lambda path: int(path.stem))]
        return [Received((self.folder / note["raw"]).read_bytes(), note["sender"], note["recipients"]) for note in notes]


@contextmanager
def listener(folder: Path, *, lmtp: bool = False) -> Iterator[Listener]:
    port = free_port()
    where = f"{'lmtp' if lmtp else 'smtp'}://127.0.0.1:{port}"
    process = start([sys.executable, "-m", "tests.mail.servers", where, str(folder)])
    with stopping(process):
        eventually(lambda: answers(port) or process.poll() is not None)
        yield Listener(process, port, folder)


def start(command: list[str]) -> "subprocess.Popen[bytes]":
    """In a group of its own, which Postfix ends as a whole."""
    return subprocess.Popen(command, cwd=ROOT, process_group=0)


@contextmanager
def stopping(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _listen(where: str, folder: Path) -> None:
    """What the process of `listener` does."""

    def knows(address: str) -> bool:
        if address.startswith("lookup-fails"):
            raise RuntimeError("no store")
        return address.startswith(("play+0", "broken@", "slow@", "hangs@"))

    def receive(raw: bytes, client: SmtpClient, recipients: list[str]) -> None:
        if "broken@games.test" in recipients:
            raise RuntimeError("disk full")
        time.sleep(60 if "hangs@games.test" in recipients else 0.3 if "slow@games.test" in recipients else 0)
        number = time.time_ns()
        (folder / f"{number}.eml").write_bytes(raw)
        (folder / f"{number}.json").write_text(json.dumps({"raw": f"{number}.eml", "sender": client.mail_from, "recipients": recipients}))

    run(ListenAddress.parse(where, GAMES), receive, knows)


@dataclass(frozen=True, slots=True)
class Certificates:
    ca: Path
    certificate: Path
    key: Path


def make_certificates(folder: Path) -> Certificates:
    """A CA of our own and a certificate for localhost."""
    made = Certificates(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    ca_key = folder / "ca-key.pem"
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-addext"]
    _openssl([*new, "keyUsage=critical,keyCertSign,cRLSign", "-subj", "/CN=Test CA", "-keyout", str(ca_key), "-out", str(made.ca)])
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"]
    signed = [*names, "-CA", str(made.ca), "-CAkey", str(ca_key), "-subj", "/CN=localhost"]
    _openssl([*new, "extendedKeyUsage=serverAuth", *signed, "-keyout", str(made.key), "-out", str(made.certificate)])
    return made


def _openssl(command: list[str]) -> None:
    if not shutil.which("openssl"):
        pytest.skip("left out: TLS, because there is no openssl to make certificates with")
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


if __name__ == "__main__":
    _listen(sys.argv[1], Path(sys.argv[2]))
