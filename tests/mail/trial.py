"""A game that hostile mails are thrown at, and what each of them may not do to it."""

import re
import resource
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from pathlib import Path

import msgspec

from marketpost.mail.inbound.receive import process_waiting, receive
from marketpost.play.table.talk import said
from marketpost.store.delivery_queue import EMAIL
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk

SECONDS = 1.0
MEGABYTES = 256
COMPOSED = 25
"""Of so many answers one is written out and looked at."""
REMEMBERED = 300


@dataclass(frozen=True, slots=True)
class Hostile:
    """A mail, where it goes, the only orders it may be taken for, and who may get an answer to it."""

    kind: str
    raw: bytes
    recipients: tuple[str, ...]
    orders: str = ""
    answered: tuple[str, ...] = ()


@dataclass
class Trial:
    """A game in which it is Ann's turn, and stays so: what a mail would have played is looked at and taken away again."""

    desk: Desk
    ruleset: str
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
        desk.table(self.ann, self.ben, rules=self.ruleset)
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
        id = receive(self.desk.mailer, hostile.raw, hostile.recipients)
        process_waiting(self.desk.mailer)
        took, used = time.perf_counter() - began, _peak() - resting
        self.slowest, self.biggest = max(self.slowest, took), max(self.biggest, used)
        inbound = self.desk.mailer.mail_queue.inbound(id)
        status = inbound.status if inbound else "lost"
        self.became.setdefault(hostile.kind, Counter())[status] += 1
        wrong = [*self._wrong_moves(hostile, id), *self._wrong_answers(hostile), *self._wrong_changes()]
        if status in ("waiting", "cannot-be-read", "lost"):
            wrong.append(f"could not be read: {status}")
            self.desk.mailer.mail_queue.redis.delete(self.desk.mailer.mail_queue.key("unread"))
        if took > SECONDS:
            wrong.append(f"took {took:.2f} s")
        if used > MEGABYTES:
            wrong.append(f"took {used:.0f} MB")
        self.failures += [f"{hostile.kind}: {each} ({len(hostile.raw)} bytes, {hostile.raw[:200]!r})" for each in wrong]

    def _wrong_moves(self, hostile: Hostile, id: str) -> Iterator[str]:
        games = self.desk.mailer.ports.games
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
            if not hostile.orders or self._meant(each.orders) != self._meant(hostile.orders):
                yield f"the wrong move {each.orders!r}"
            if (each.via, each.player) != (id, self.ann.id):
                yield f"a move by {each.player} in mail {each.via}"

    def _meant(self, orders: str) -> str:
        """However it was written."""
        rules = self.desk.game().rules
        return rules.notate(rules.parse(orders)).casefold()

    def _wrong_answers(self, hostile: Hostile) -> Iterator[str]:
        desk, written = self.desk, self.desk.waiting()
        desk.mailer.deliveries.redis.delete(desk.mailer.deliveries.line(EMAIL))
        if len(written) > 1:
            yield f"{len(written)} answers"
        for mail in written:
            self.answers += 1
            player = desk.mailer.ports.players.find(mail.player)
            if player is None or player.email not in hostile.answered:
                yield f"an answer to {player and player.email}"
            elif self.answers % COMPOSED == 0 or hostile.kind in ("injected headers", "a new game"):
                game = desk.mailer.ports.game(mail.game) if mail.game else None
                yield from _wrong_letter(desk.mailer.compose(desk.mailer, mail, player, game, {player.id: player}), player)

    def _wrong_changes(self) -> Iterator[str]:
        if self.desk.game().version != self.version:
            yield "the game went on"
            self.version = self.desk.game().version
        if said(self.desk.mailer.ports, "g1"):
            yield "something was said"
        if (people := self._people()) != self.before:
            yield f"players changed: {people!r}"
            self.before = people

    def _people(self) -> list[bytes]:
        return [msgspec.json.encode(self.desk.again(player)) for player in (self.ann, self.ben)]

    def close(self) -> None:
        """What can only be seen at the end."""
        if (games := self.desk.mailer.ports.games.all_games()) != ["g1"]:
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
