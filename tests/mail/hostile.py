"""Mails that mean harm. `python -m tests.mail.hostile 20000 [seed]` puts so many through the handler and says what they did."""

import base64
import random
import re
import resource
import secrets
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from functools import cache
from itertools import islice
from pathlib import Path

import click
import msgspec

from mail.incoming import read_waiting, receive
from play.talk import said
from rules.portobello.orders import parse
from store.people import Player
from tests.mail.office import DOMAIN, Desk, open_desk, two_redis

FOLDER = Path(__file__).parent.parent / "mails"
BIGGEST = 25_000_000
MOST_PARTS = 50_000
SECONDS = 1.0
MEGABYTES = 256
COMPOSED = 25
"""Of so many answers one is written out and looked at."""
REMEMBERED = 300
AUTOMATIC = frozenset(
    (
        *("abwesenheit", "auto_submitted", "reponse_automatique", "risposta_automatica", "list", "empty_return_path"),
        *("calendar_reply", "read_receipt", "bounce_failed", "bounce_delayed", "bounce_relayed", "bounce_exim"),
    )
)
HARMLESS = (0, 1, 2, 7, 8, 14, 27, 31, 127, 0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xC0, 0xC1, 0xFE, 0xFF)
"""Bytes that make no order out of another."""
CHARSETS = (
    *("utf-7", "utf-16", "utf-32-be", "idna", "punycode", "zlib", "rot13", "hex", "unicode_escape", "undefined", "x-user-defined", "mbcs"),
    *("cp037", "iso-2022-jp", "gb18030", "shift_jis", "", "\x00", "utf-8'en'%FF", "a" * 5000, "../../etc/passwd"),
)
ENCODINGS = ("base64", "quoted-printable", "7bit", "8bit", "binary", "x-uuencode", "uue", "gzip", "", "base64, base64", "\xff")
MARKS = (
    *("Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated", "Precedence: bulk", "Precedence: list", "X-Autoreply: yes"),
    *("List-Id: <a.b>", "List-Unsubscribe: <https://lists.test/u>", "X-Auto-Response-Suppress: All", "Return-Path: <>"),
)
INJECTED = (
    b"Subject: =?utf-8?q?x=0D=0ABcc:_victim@elsewhere.test?=",
    b"Subject: x\r\n\r\nBcc: victim@elsewhere.test",
    b"Subject: x\rBcc: victim@elsewhere.test",
    b"Subject: x\x0bBcc: victim@elsewhere.test\x85Bcc: victim@elsewhere.test",
    "Subject: x\u2028Bcc: victim@elsewhere.test".encode(),
    b"Subject: " + b"=?utf-8?b?" * 3000,
    b"Subject: " + b"=?utf-8?q?=41?= " * 5000,
    b"Reply-To: victim@elsewhere.test\nSender: victim@elsewhere.test\nErrors-To: victim@elsewhere.test",
    b"Disposition-Notification-To: victim@elsewhere.test\nReturn-Receipt-To: victim@elsewhere.test",
    b"References: " + b"<a@b> " * 20_000,
    b"In-Reply-To: " + b"<" * 50_000,
    b"MIME-Version: " + b"(" * 50_000,
)
SENDERS = (
    b'From: "ann@example.org" <mallory@elsewhere.test>',
    b"From: ann@example.org, mallory@elsewhere.test",
    b"From: mallory@elsewhere.test\nFrom: ann@example.org",
    b"From: ann@example.org\nFrom: mallory@elsewhere.test",
    b"From: ann@example.org <mallory@elsewhere.test>",
    b"From: <mallory@elsewhere.test> <ann@example.org>",
    b"From: mallory@elsewhere.test (<ann@example.org>)",
    b"From: =?utf-8?q?ann=40example.org?= <mallory@elsewhere.test>",
    b"From: ann@example.org\x00@elsewhere.test",
    b"From: ann@example.org.elsewhere.test",
    b"From: @elsewhere.test:ann@example.org",
    b"From: undisclosed: ann@example.org;",
    b"From: ann@example.org<mallory@elsewhere.test>",
    b'From: "' + b"\\" * 20_000 + b'" <mallory@elsewhere.test>',
    b"From: " + b"a" * 100_000 + b"@elsewhere.test",
    b"From: " + b"a@" * 30_000 + b"elsewhere.test",
    b"From:",
    b"From: ",
)


@dataclass(frozen=True, slots=True)
class Base:
    name: str
    raw: bytes
    orders: str


@dataclass(frozen=True, slots=True)
class Hostile:
    """A mail, where it goes, the only orders it may be taken for, and who may get an answer to it."""

    kind: str
    raw: bytes
    recipients: tuple[str, ...]
    orders: str = ""
    answered: tuple[str, ...] = ()


@cache
def corpus() -> tuple[Base, ...]:
    expected = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))
    return tuple(Base(path.stem, path.read_bytes(), expected.get(path.stem, "")) for path in sorted(FOLDER.glob("*.eml")))


@cache
def written() -> tuple[Base, ...]:
    return tuple(base for base in corpus() if base.name not in AUTOMATIC)


@dataclass
class Trial:
    """A game in which it is Ann's turn, and stays so: what a mail would have played is looked at and taken away again."""

    desk: Desk
    failures: list[str] = field(default_factory=list)
    became: dict[str, Counter[str]] = field(default_factory=dict)
    played: list[Hostile] = field(default_factory=list)
    """Mails that were taken for a move."""
    moves: int = 0
    answers: int = 0
    slowest: float = 0.0
    biggest: float = 0.0

    def __post_init__(self) -> None:
        desk = self.desk
        self.ann, self.ben = desk.person("Ann"), desk.person("Ben")
        desk.table(self.ann, self.ben)
        while desk.game().state.turn < 3 or desk.to_play() != self.ann:
            desk.by_rest(desk.to_play(), desk.good_orders())
            desk.work()
        letters = [mail.reply_to for mail in desk.box(self.ann) if "-turn-" in mail.header("Message-ID")]
        self.live, self.dead = letters[-1], letters[0]
        self.bens = desk.newest(self.ben).reply_to
        self.bounce = desk.street.brought[-1].sender
        self.unknown = f"play+{'q' * 32}@{DOMAIN}"
        self.new = f"new@{DOMAIN}"
        self.version = desk.game().version
        self.before = self._people()

    def run(self, hostile: Hostile) -> None:
        _forget_peak()
        resting = _resident() - len(hostile.raw) / 1024**2
        began = time.perf_counter()
        id = receive(self.desk.office, hostile.raw, hostile.recipients)
        read_waiting(self.desk.office)
        took, used = time.perf_counter() - began, _peak() - resting
        self.slowest, self.biggest = max(self.slowest, took), max(self.biggest, used)
        inbound = self.desk.office.post.inbound(id)
        status = inbound.status if inbound else "lost"
        self.became.setdefault(hostile.kind, Counter())[status] += 1
        wrong = [*self._wrong_moves(hostile, id), *self._wrong_answers(hostile), *self._wrong_changes()]
        if status in ("waiting", "cannot-be-read", "lost"):
            wrong.append(f"could not be read: {status}")
            self.desk.office.post.redis.delete(self.desk.office.post.key("unread"))
        if took > SECONDS:
            wrong.append(f"took {took:.2f} s")
        if used > MEGABYTES:
            wrong.append(f"took {used:.0f} MB")
        self.failures += [f"{hostile.kind}: {each} ({len(hostile.raw)} bytes, {hostile.raw[:200]!r})" for each in wrong]

    def _wrong_moves(self, hostile: Hostile, id: str) -> Iterator[str]:
        games = self.desk.office.ports.games
        found = games.pending("g1")
        games.redis.delete(games.key("g1", "pending"), games.key("g1", "moves"))
        if not found:
            return
        self.moves += 1
        if len(self.played) < REMEMBERED:
            self.played.append(hostile)
        else:
            self.played[self.moves % REMEMBERED] = hostile
        if len(found) > 1:
            yield f"{len(found)} moves"
        for each in found:
            if not hostile.orders or parse(each.orders) != parse(hostile.orders):
                yield f"the wrong move {each.orders!r}"
            if (each.via, each.player) != (id, self.ann.id):
                yield f"a move by {each.player} in mail {each.via}"

    def _wrong_answers(self, hostile: Hostile) -> Iterator[str]:
        desk, written = self.desk, self.desk.waiting()
        desk.office.post.redis.delete(desk.office.post.key("due"))
        if len(written) > 1:
            yield f"{len(written)} answers"
        for mail in written:
            self.answers += 1
            player = desk.office.ports.people.find(mail.player)
            if player is None or player.email not in hostile.answered:
                yield f"an answer to {player and player.email}"
            elif self.answers % COMPOSED == 0 or hostile.kind in ("injected headers", "a new game"):
                yield from _wrong_letter(desk.office.compose(mail, player), player)

    def _wrong_changes(self) -> Iterator[str]:
        if self.desk.game().version != self.version:
            yield "the game went on"
            self.version = self.desk.game().version
        if said(self.desk.office.ports, "g1"):
            yield "something was said"
        if (people := self._people()) != self.before:
            yield f"players changed: {people!r}"
            self.before = people

    def _people(self) -> list[bytes]:
        return [msgspec.json.encode(self.desk.again(player)) for player in (self.ann, self.ben)]

    def close(self) -> None:
        """What can only be seen at the end."""
        if (games := self.desk.office.ports.games.all_games()) != ["g1"]:
            self.failures.append(f"there are games {games}")
        if not self.moves:
            self.failures.append("not even the good ones were understood")

    def report(self) -> str:
        lines = [f"{kind:22} {sum(found.values()):6}  {_told(found)}" for kind, found in sorted(self.became.items())]
        total = sum(sum(found.values()) for found in self.became.values())
        figures = f"{total} mails: {self.moves} moves, {self.answers} answers, slowest {self.slowest:.3f} s, biggest {self.biggest:.0f} MB"
        return "\n".join([*lines, figures, *self.failures[:40], f"{len(self.failures)} failures"])


def _told(found: Counter[str]) -> str:
    return ", ".join(f"{status} {count}" for status, count in found.most_common())


def _wrong_letter(raw: bytes | None, player: Player) -> Iterator[str]:
    if raw is None:
        yield "an answer that cannot be written"
        return
    letter = message_from_bytes(raw, policy=policy.default)
    if any(letter[name] for name in ("Bcc", "Cc", "Resent-To")) or [each.addr_spec for each in letter["To"].addresses] != [player.email]:
        yield f"a letter with strange headers {letter.items()}"


def _forget_peak() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _status(name: str) -> float:
    """Megabytes that the system counts for this process."""
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def _peak() -> float:
    return _status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _resident() -> float:
    return _status("VmRSS")


# How a mail is made worse


def split(raw: bytes) -> tuple[list[bytes], bytes]:
    """The fields of the header, and the body."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    return re.split(rb"\n(?![ \t])", head), body


def put(fields: list[bytes], body: bytes) -> bytes:
    return b"\n".join(fields) + b"\n\n" + body


def named(fields: list[bytes], *names: bytes) -> list[bytes]:
    return [each for each in fields if each.partition(b":")[0].strip().lower() in names]


def without(fields: list[bytes], *names: bytes) -> list[bytes]:
    return [each for each in fields if each.partition(b":")[0].strip().lower() not in names]


def addressed(raw: bytes, sender: str, to: str, id: str = "") -> bytes:
    """From this sender under the name that stands there, and with a Message-ID of its own."""
    fields, body = split(raw)
    name = next((each.partition(b":")[2].partition(b"<")[0] for each in named(fields, b"from") if b"<" in each), b" ")
    kept = without(fields, b"from", b"to", b"cc", b"message-id", b"delivered-to")
    own = [
        b"From:" + name + f"<{sender}>".encode(),
        f"To: {to}".encode(),
        f"Message-ID: <{id or secrets.token_hex(12)}@example.org>".encode(),
    ]
    return put([*own, *kept], body)


Worsen = Callable[[random.Random, bytes], bytes]


def unchanged(chance: random.Random, raw: bytes) -> bytes:
    return raw


def sprinkled(chance: random.Random, raw: bytes) -> bytes:
    """Bytes that nobody can type, anywhere in the body."""
    fields, body = split(raw)
    data = bytearray(body)
    for _ in range(chance.choice((1, 2, 5, 30))):
        data[(place := chance.randrange(len(data) + 1)) : place] = bytes([chance.choice(HARMLESS)]) * chance.choice((1, 1, 3))
    return put(fields, bytes(data))


def of_another_charset(chance: random.Random, raw: bytes) -> bytes:
    label = chance.choice(CHARSETS).encode("latin-1")
    return re.sub(rb"charset=\"?[\w-]+\"?", lambda found: b'charset="' + label + b'"', raw)


def of_another_encoding(chance: random.Random, raw: bytes) -> bytes:
    label = chance.choice(ENCODINGS).encode("latin-1")
    return re.sub(rb"(?i)content-transfer-encoding: *[\w-]+", lambda found: b"Content-Transfer-Encoding: " + label, raw)


CONTENT = (b"content-type", b"content-transfer-encoding", b"content-disposition", b"mime-version")


def wrapped(raw: bytes, kind: str, before: bytes = b"", after: bytes = b"") -> bytes:
    """The mail's content as a part of another."""
    fields, body = split(raw)
    bound = secrets.token_hex(8).encode()
    part = put(named(fields, *CONTENT) or [b"Content-Type: text/plain"], body)
    head = [*without(fields, *CONTENT), b"MIME-Version: 1.0", f'Content-Type: multipart/{kind}; boundary="'.encode() + bound + b'"']
    pieces = [each for each in (before, part, after) if each]
    return put(head, b"".join(b"--" + bound + b"\n" + each + b"\n" for each in pieces) + b"--" + bound + b"--\n")


def nested(chance: random.Random, raw: bytes) -> bytes:
    for _ in range(chance.choice((1, 2, 5, 12, 40, 200))):
        raw = wrapped(raw, chance.choice(("mixed", "alternative", "related", "signed", "x-unknown")))
    return raw


def bottomless(chance: random.Random, raw: bytes) -> bytes:
    """Boxes in boxes that are never closed."""
    fields, body = split(raw)
    deep = chance.choice((100, 1000, 10_000))
    boxes = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (each, each) for each in range(deep))
    return put(without(fields, *CONTENT), b"")[:-1] + boxes + put(named(fields, *CONTENT), body)


def many_parts(chance: random.Random, raw: bytes) -> bytes:
    count = chance.choice((100, 5000, MOST_PARTS))
    fields, body = split(raw)
    small = chance.choice(
        (b"", b"Content-Type: text/plain\n\nx\n", b"Content-Type: text/html\n\n<p>x\n", b"Content-Type: message/rfc822\n\nA: b\n\nc\n")
    )
    head = [*without(fields, *CONTENT), b"MIME-Version: 1.0", b'Content-Type: multipart/mixed; boundary="b"']
    part = put(named(fields, *CONTENT) or [b"Content-Type: text/plain"], body)
    return put(head, b"--b\n" + part + b"\n" + (b"--b\n" + small) * count + b"--b--\n")


def many_headers(chance: random.Random, raw: bytes) -> bytes:
    fields, body = split(raw)
    more = chance.choice(
        ([b"X-%d: y" % each for each in range(20_000)], [b"X: " + b"y" * 900_000], [b"X: a" + b"\n b" * 50_000], [b":" * 3000] * 100)
    )
    return put([*fields, *more] if chance.random() < 0.5 else [*more, *fields], body)


def monstrous_text(chance: random.Random, raw: bytes) -> bytes:
    """Text that makes a reader's head spin, below what was written."""
    more = chance.choice(
        (
            b"> " * 200_000,
            b"\n".join([b"On Mon, Ann wrote:"] * 20_000),
            b"x" * 500_000,
            b"stall A-B; " * 40_000,
            b"stall A-B\n" * 20_000,
            b" " * 300_000 + b"x",
            b"-- \n" * 20_000,
            b"a@" * 100_000,
            b"(" * 100_000,
            b"\n" * 300_000,
            "é̈".encode() * 100_000,
            b"http://" * 60_000,
            b"Best regards, " * 20_000,
            b"1-" * 100_000,
        )
    )
    return wrapped(raw, "mixed", after=b"Content-Type: text/plain; charset=utf-8\n\n" + more)


def monstrous_html(chance: random.Random, raw: bytes) -> bytes:
    more = chance.choice(
        (
            b"<div>" * 50_000,
            b"<blockquote>" * 20_000 + b"x",
            b"<table><tr><td>" * 20_000,
            b"&lt;" * 100_000,
            b"&" * 200_000,
            b"<!--" * 50_000,
            b"<p style='" + b"a:b;" * 100_000 + b"'>x",
            b"<a href='" * 30_000,
            b"<br>" * 200_000,
            b"<![CDATA[" * 20_000,
            b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><p>&b;&b;",
            b"<" * 200_000,
            b"\x00" * 200_000,
        )
    )
    return wrapped(raw, "mixed", after=b"Content-Type: text/html; charset=utf-8\n\n<html><body>" + more)


def enclosed(chance: random.Random, raw: bytes) -> bytes:
    """Forwarded as a file: what is in it was said to somebody else."""
    fields, _ = split(raw)
    keep = without(fields, *CONTENT)
    inside = b"Content-Type: message/rfc822\n\n" + raw
    return put([*keep, b'Content-Type: multipart/mixed; boundary="f"'], b"--f\nContent-Type: text/plain\n\n\n--f\n" + inside + b"\n--f--\n")


def cut_off(chance: random.Random, raw: bytes) -> bytes:
    """The end of the mail was lost on its way, and with it the end of its last part."""
    whole = wrapped(raw, "mixed").rstrip(b"\n-")
    return whole[: chance.randrange(whole.find(b"\n\n") + 2, whole.rfind(b"\n--"))]


def noisy(chance: random.Random, raw: bytes) -> bytes:
    """Whatever."""
    data = bytearray(raw)
    for _ in range(chance.choice((1, 10, 100, 1000))):
        place = chance.randrange(len(data))
        data[place : place + chance.choice((0, 1, 1, 20))] = chance.randbytes(chance.choice((0, 1, 1, 40)))
        if not data:
            break
    return bytes(data)


def spliced(chance: random.Random, raw: bytes) -> bytes:
    other = chance.choice(corpus()).raw
    return raw[: chance.randrange(len(raw))] + other[chance.randrange(len(other)) :]


def big(chance: random.Random, raw: bytes, size: int) -> bytes:
    if chance.random() < 0.5:
        data = base64.b64encode(chance.randbytes(3000)) + b"\n"
        after = b'Content-Type: image/jpeg\nContent-Disposition: attachment; filename="x.jpg"\nContent-Transfer-Encoding: base64\n\n'
        return wrapped(raw, "mixed", after=after + data * (size // len(data)))
    return wrapped(raw, "mixed", after=b"Content-Type: text/plain\n\n" + chance.choice((b"x", b"x\n", b"> x\n", b"\xff")) * (size // 4))


MEANING_KEPT: dict[str, Worsen] = {
    "as written": unchanged,
    "untypable bytes": sprinkled,
    "charset lies": of_another_charset,
    "encoding lies": of_another_encoding,
    "nested": nested,
    "bottomless": bottomless,
    "many parts": many_parts,
    "many headers": many_headers,
    "monstrous text": monstrous_text,
    "monstrous html": monstrous_html,
    "cut off": cut_off,
}
MEANING_LOST: dict[str, Worsen] = {"forwarded as a file": enclosed}
NO_MEANING: dict[str, Worsen] = {"noise": noisy, "spliced": spliced, **MEANING_KEPT}
HEAVY = {"many parts", "many headers", "monstrous text", "monstrous html", "bottomless", "nested"}


def hostile_mails(trial: Trial, count: int, seed: int, biggest: int = BIGGEST) -> Iterator[Hostile]:
    """One after the other: later ones repeat what earlier ones did."""
    return islice(_endless(trial, random.Random(seed), biggest), count)


def _endless(trial: Trial, chance: random.Random, biggest: int) -> Iterator[Hostile]:
    makers = (_good_door, _good_door, _wrong_door, _wrong_door, _marked, _forged_bounce, _injected, _impostor, _again, _again)
    number = 0
    while True:
        number += 1
        base = chance.choice(written())
        if number % 400 == 0:
            yield _big(trial, chance, base, biggest)
        elif made := chance.choice(makers)(trial, chance, base):
            yield made


def _worsened(chance: random.Random, raw: bytes, ways: dict[str, Worsen]) -> tuple[str, bytes]:
    kinds = [kind for kind in ways if kind not in HEAVY or chance.random() < 0.3]
    kind = chance.choice(kinds)
    return kind, ways[kind](chance, raw)


def _good_door(trial: Trial, chance: random.Random, base: Base) -> Hostile:
    """From Ann, to the address of her turn: only what she wrote may be played."""
    raw = addressed(base.raw, chance.choice(("ann@example.org", "Ann@Example.ORG")), trial.live)
    kind, worse = _worsened(chance, raw, MEANING_KEPT | MEANING_LOST)
    return Hostile(kind, worse, (trial.live,), base.orders if kind in MEANING_KEPT else "", (trial.ann.email,))


def _wrong_door(trial: Trial, chance: random.Random, base: Base) -> Hostile:
    """Nothing may be played, whatever it says."""
    doors = {
        "another's token": ("ann@example.org", trial.bens, (trial.ben.email,)),
        "a dead token": ("ann@example.org", trial.dead, (trial.ann.email,)),
        "an unknown token": ("ann@example.org", trial.unknown, (trial.ann.email,)),
        "a stranger": ("mallory@elsewhere.test", trial.live, (trial.ann.email,)),
        "a stranger, no token": ("mallory@elsewhere.test", trial.unknown, ()),
        "a new game": ("ann@example.org", trial.new, (trial.ann.email,)),
        "a bounce's address": ("ann@example.org", trial.bounce, ()),
    }
    kind = chance.choice(list(doors))
    sender, door, answered = doors[kind]
    _, raw = _worsened(chance, addressed(base.raw, sender, door), MEANING_KEPT if door == trial.new else NO_MEANING)
    return Hostile(kind, raw, (door,), "", answered)


def _marked(trial: Trial, chance: random.Random, base: Base) -> Hostile:
    """A programme wrote this, or says so."""
    door = chance.choice((trial.live, trial.new, trial.dead, trial.unknown, trial.bens))
    if chance.random() < 0.5:
        raw = chance.choice([each.raw for each in corpus() if each.name in AUTOMATIC])
        return Hostile("automatic", of_another_charset(chance, addressed(raw, trial.ann.email, door)), (door,))
    fields, body = split(addressed(base.raw, trial.ann.email, trial.live))
    mark = chance.choice(MARKS).encode()
    return Hostile("automatic", put([*without(fields, mark.partition(b":")[0].lower()), mark], body), (door,))


def _forged_bounce(trial: Trial, chance: random.Random, base: Base) -> Hostile:
    """A report about a mail that never came back, sent to an address that anyone may know."""
    door = chance.choice((trial.live, trial.bens, trial.new, f"bounce+{'z' * 32}@{DOMAIN}", trial.bounce))
    action = "delayed" if door == trial.bounce else "failed"
    raw = next(each.raw for each in corpus() if each.name == f"bounce_{action}")
    if chance.random() < 0.5:
        raw = addressed(raw, chance.choice((trial.ann.email, "mailer-daemon@elsewhere.test")), door)
    return Hostile(
        "forged bounce", raw.replace(b"player@example.org", trial.ann.email.encode()) + b"%d\n" % chance.getrandbits(60), (door,)
    )


def _injected(trial: Trial, chance: random.Random, base: Base) -> Hostile:
    fields, body = split(addressed(base.raw, trial.ann.email, trial.live))
    injected = chance.choice(INJECTED)
    raw = put([*without(fields, injected.partition(b":")[0].lower()), injected], body)
    door = chance.choice((trial.live, trial.new))
    return Hostile("injected headers", raw, (door,), base.orders if door == trial.live else "", (trial.ann.email,))


def _impostor(trial: Trial, chance: random.Random, base: Base) -> Hostile:
    """Not Ann, though it may look so. She may be asked."""
    fields, body = split(addressed(base.raw, "mallory@elsewhere.test", trial.live))
    raw = put([chance.choice(SENDERS), *without(fields, b"from")], body)
    return Hostile("impostor", raw, (trial.live,), "", (trial.ann.email,))


def _again(trial: Trial, chance: random.Random, base: Base) -> Hostile | None:
    """What was played once must not be played or answered again."""
    if not trial.played:
        return None
    first = chance.choice(trial.played)
    raw, door = first.raw, first.recipients
    match chance.randrange(4):
        case 0:
            raw = b"Received: by door %d\n" % chance.getrandbits(60) + raw
        case 1:
            raw = raw + b"\n\n" * chance.randrange(1, 9)
        case 2:
            door = (trial.live, trial.bens, trial.new)
        case _:
            pass
    return Hostile("again", raw, door)


def _big(trial: Trial, chance: random.Random, base: Base, biggest: int) -> Hostile:
    raw = big(chance, addressed(base.raw, trial.ann.email, trial.live), chance.choice((biggest // 25, biggest // 5, biggest)))
    return Hostile("big", raw, (trial.live,), base.orders, (trial.ann.email,))


def main(count: int, seed: int) -> int:
    with two_redis() as settings:
        trial = Trial(open_desk(settings))
        click.echo(f"{count} hostile mails from seed {seed}", err=True)
        with click.progressbar(hostile_mails(trial, count, seed), length=count, file=sys.stderr) as mails:
            for hostile in mails:
                trial.run(hostile)
        trial.close()
    click.echo(trial.report())
    return 1 if trial.failures else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbits(32)))
