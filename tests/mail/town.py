"""Real mail servers for tests: Debian's Postfix and Dovecot in a folder of their own.

Nothing of the system's own mail is touched: configuration, queue, mails and sockets lie in the folder, ports are high
ones of 127.0.0.1, and only processes that were started here are stopped, by their own ids.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from imaplib import IMAP4
from pathlib import Path

import pytest

from tests.mail.servers import (
    GAMES,
    PASSWORD,
    Certificates,
    Listener,
    answers,
    eventually,
    free_port,
    listener,
    make_certificates,
    start,
    stopping,
)

POSTFIX = Path("/usr/lib/postfix/sbin/master")
PLAYERS = "players.test"
PACKAGES = {"postfix": POSTFIX, "dovecot-imapd": Path("/usr/lib/dovecot/imap"), "dovecot-lmtpd": Path("/usr/lib/dovecot/lmtp")}


def why_not(*packages: str) -> str:
    """Why Postfix and Dovecot, or those of their packages that are named, cannot be used here; empty if they can."""
    if os.geteuid() != 0:
        return "only root can start a Postfix"
    missing = [name for name in packages or PACKAGES if not PACKAGES[name].exists()]
    return f"{', '.join(missing)} not installed: run tests/debian.sh" if missing else ""


@dataclass(frozen=True, slots=True)
class Town:
    """A post office: Postfix takes mail for everyone, Dovecot keeps that of the players, our listener that of the games."""

    folder: Path
    certificates: Certificates
    smtp_port: int
    submission_port: int
    imap_port: int
    imaps_port: int
    lmtp_port: int
    listener: Listener

    def box(self, user: str, folder: str = "INBOX", search: str = "ALL") -> list[bytes]:
        """The mails of a player, as a mail program would fetch them."""
        with IMAP4("127.0.0.1", self.imap_port, timeout=60) as client:
            client.login(user, PASSWORD)
            client.select(folder, readonly=True)
            numbers = client.search(None, search)[1][0].split()
            return [client.fetch(number.decode(), "(BODY.PEEK[])")[1][0][1] for number in numbers]

    def log(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))


@contextmanager
def listener_alone(folder: Path, smtp_port: int) -> Iterator[Listener]:
    """Keeps what comes for the games, and nobody reads it."""
    (folder / "received").mkdir()
    with listener(folder / "received", lmtp=True) as ours:
        yield ours


@contextmanager
def town(door: Callable[[Path, int], AbstractContextManager[Listener]] = listener_alone) -> Iterator[Town]:
    """With that door for the mail of the games. Skips the test, with a line that says why, where there can be none."""
    if why := why_not():
        pytest.skip(f"left out: real Postfix and Dovecot, because {why}")
    folder = Path(tempfile.mkdtemp(prefix="mp-"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        smtp, submission, imap, imaps, lmtp = (free_port() for _ in range(5))
        ours = stack.enter_context(door(folder, smtp))
        made = Town(folder, make_certificates(folder), smtp, submission, imap, imaps, lmtp, ours)
        stack.enter_context(_dovecot(made))
        stack.enter_context(_postfix(made))
        yield made


@contextmanager
def _dovecot(town: Town) -> Iterator[None]:
    home = town.folder / "dovecot"
    mails = home / "mails"
    mails.mkdir(parents=True)
    owner = "nobody"
    shutil.chown(mails, owner, "nogroup")
    users = "".join(f"{name}@{PLAYERS}:{{PLAIN}}{PASSWORD}::::::\n" for name in ("ann", "bob", "carl", "desk"))
    (home / "users").write_text(users)
    (home / "dovecot.conf").write_text(f"""
base_dir = {home}/run
state_dir = {home}/state
log_path = {town.folder}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <{town.certificates.certificate}
ssl_key = <{town.certificates.key}
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:{mails}/%u
first_valid_uid = 1
mail_uid = {owner}
mail_gid = nogroup
default_process_limit = 20
default_client_limit = 200
passdb {{
  driver = passwd-file
  args = {home}/users
}}
userdb {{
  driver = passwd-file
  args = {home}/users
  override_fields = uid={owner} gid=nogroup home={mails}/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {town.imap_port}
  }}
  inet_listener imaps {{
    port = {town.imaps_port}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {town.lmtp_port}
  }}
}}
service auth {{
  unix_listener {town.folder}/sasl {{
    mode = 0666
  }}
}}
""")
    process = start(["/usr/sbin/dovecot", "-F", "-c", str(home / "dovecot.conf")])
    with stopping(process):
        _must_answer(town, process, (town.imap_port, town.imaps_port, town.lmtp_port))
        yield


@contextmanager
def _postfix(town: Town) -> Iterator[None]:
    home = town.folder / "postfix"
    submission = (
        "-o smtpd_tls_security_level=encrypt -o smtpd_sasl_auth_enable=yes -o smtpd_client_restrictions=permit_sasl_authenticated,reject"
    )
    doors = {town.smtp_port: "", town.submission_port: submission}
    with _postfix_in(home, _main_cf(home) + _of_town(town), doors) as process:
        _must_answer(town, process, (*doors,))
        yield


@contextmanager
def discarding_postfix() -> Iterator[int]:
    """The port of a Postfix that takes every mail as it always does, into a queue on the disk, and then throws it away."""
    folder, port = Path(tempfile.mkdtemp(prefix="mp-")), free_port()
    folder.chmod(0o755)
    try:
        with _postfix_in(folder / "postfix", _main_cf(folder / "postfix") + "default_transport = discard\n", {port: ""}):
            eventually(lambda: answers(port))
            yield port
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _postfix_in(home: Path, main_cf: str, doors: Mapping[int, str]) -> "Iterator[subprocess.Popen[bytes]]":
    """With these ports, each with options of its own."""
    queue = home / "queue"
    queue.mkdir(parents=True)
    (home / "data").mkdir()
    shutil.chown(home / "data", "postfix", "postfix")
    for name in ("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace"):
        (queue / name).mkdir(mode=0o700)
        shutil.chown(queue / name, "postfix", "root")
    for name, mode, group in (("maildrop", 0o730, "postdrop"), ("public", 0o710, "postdrop")):
        (queue / name).mkdir()
        (queue / name).chmod(mode)
        shutil.chown(queue / name, "postfix", group)
    (queue / "pid").mkdir()
    (home / "main.cf").write_text(main_cf)
    (home / "master.cf").write_text(_master_cf(doors))
    process = start([str(POSTFIX), "-c", str(home), "-d"])
    with stopping(process):
        yield process


def _main_cf(home: Path) -> str:
    return f"""
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
command_directory = /usr/sbin
daemon_directory = {POSTFIX.parent}
meta_directory = /etc/postfix
maillog_file = {home.parent}/postfix.log
maillog_file_prefixes = {home.parent}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.{PLAYERS}
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
mynetworks = 127.0.0.0/8
smtp_dns_support_level = disabled
"""


def _of_town(town: Town) -> str:
    return f"""
virtual_mailbox_domains = {PLAYERS}
virtual_transport = lmtp:inet:127.0.0.1:{town.lmtp_port}
relay_domains = {GAMES}
transport_maps = inline:{{{GAMES}=lmtp:inet:127.0.0.1:{town.listener.port}}}
default_transport = error:5.4.4 this town has no roads out
smtpd_relay_restrictions = permit_mynetworks permit_sasl_authenticated reject_unauth_destination
smtpd_sasl_type = dovecot
smtpd_sasl_path = {town.folder}/sasl
smtpd_tls_cert_file = {town.certificates.certificate}
smtpd_tls_key_file = {town.certificates.key}
smtpd_tls_security_level = may
smtputf8_enable = yes
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
"""


def _master_cf(doors: Mapping[int, str]) -> str:
    listening = "\n".join(f"127.0.0.1:{port} inet n - n - - smtpd {options}" for port, options in doors.items())
    return f"""
{listening}
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def _must_answer(town: Town, process: "subprocess.Popen[bytes]", ports: tuple[int, ...]) -> None:
    eventually(lambda: all(map(answers, ports)) or process.poll() is not None)
    assert process.poll() is None, town.log()
