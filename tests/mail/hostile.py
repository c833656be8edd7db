"""Mails that mean harm. `python -m tests.mail.hostile 20000 [seed]` puts so many of each ruleset through the handler."""

import random
import secrets
import sys
from collections.abc import Iterator
from itertools import islice

import click

from marketpost.rules.ruleset import rulesets
from tests.mail.desk import DOMAIN, open_desk, two_redis
from tests.mail.trial import Hostile, Trial
from tests.mail.worsening import (
    AUTOMATIC,
    HEAVY,
    MEANING_KEPT,
    MEANING_LOST,
    NO_MEANING,
    Base,
    Worsen,
    addressed,
    big,
    frozen,
    of_another_charset,
    put,
    split,
    without,
    written,
)

BIGGEST = 25_000_000
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


def hostile_mails(trial: Trial, count: int, seed: int, biggest: int = BIGGEST) -> Iterator[Hostile]:
    """One after the other: later ones repeat what earlier ones did."""
    return islice(_endless(trial, random.Random(seed), biggest), count)


def _endless(trial: Trial, chance: random.Random, biggest: int) -> Iterator[Hostile]:
    makers = (_good_door, _good_door, _wrong_door, _wrong_door, _marked, _forged_bounce, _injected, _impostor, _again, _again)
    number = 0
    while True:
        number += 1
        base = chance.choice(written(trial.ruleset))
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
        raw = chance.choice([each.raw for each in frozen() if each.name in AUTOMATIC])
        return Hostile("automatic", of_another_charset(chance, addressed(raw, trial.ann.email, door)), (door,))
    fields, body = split(addressed(base.raw, trial.ann.email, trial.live))
    mark = chance.choice(MARKS).encode()
    return Hostile("automatic", put([*without(fields, mark.partition(b":")[0].lower()), mark], body), (door,))


def _forged_bounce(trial: Trial, chance: random.Random, base: Base) -> Hostile:
    """A report about a mail that never came back, sent to an address that anyone may know."""
    door = chance.choice((trial.live, trial.bens, trial.new, f"bounce+{'z' * 32}@{DOMAIN}", trial.bounce))
    action = "delayed" if door == trial.bounce else "failed"
    raw = next(each.raw for each in frozen() if each.name == f"bounce_{action}")
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


def main(count: int, seed: int, ruleset: str) -> int:
    with two_redis() as settings:
        trial = Trial(open_desk(settings), ruleset)
        click.echo(f"{count} hostile mails of {ruleset} from seed {seed}", err=True)
        with click.progressbar(hostile_mails(trial, count, seed), length=count, file=sys.stderr) as mails:
            for hostile in mails:
                trial.run(hostile)
        trial.close()
    click.echo(trial.report())
    return 1 if trial.failures else 0


if __name__ == "__main__":
    told = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbits(32)
    sys.exit(max(main(*told, name) for name in rulesets()))
