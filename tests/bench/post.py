"""Mail in and mail out, against smtplib alone sending as many bytes over a connection that is kept.

`python -m tests.bench.post DATA SMTP_URL` is one of several workers that send the letters of the same store.
"""

import os
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache, partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import click

from marketpost.mail.inbound.receive import receive
from marketpost.mail.outbound.smtp import SmtpTransportPool
from marketpost.notify.engine import send_letters
from marketpost.play.log.game import Game
from marketpost.rules.ruleset import rulesets
from marketpost.store.connections import connect
from marketpost.store.delivery_queue import Delivery
from marketpost.store.local_mailbox import MailboxMessage as Letter
from marketpost.store.players import Player
from tests.bench.measure import Case, Measured, compared
from tests.bench.rules import SEED, play
from tests.bench.rules import Game as Played
from tests.bench.service import ROUNDS, timed
from tests.mail.desk import DOMAIN, Clock, Desk, Street, mailer_elsewhere, open_desk, reply, two_redis
from tests.mail.servers import ROOT, answers, eventually, free_port, stopping
from tests.mail.town import discarding_postfix, why_not
from workers.notifier import make_callbacks, make_notifier
from workers.queue import WorkQueue

LETTERS = 20
"""In one round, each from another game."""
WARM, GAMES = 20, 4
"""Rounds before it counts, and how many games the letters of these, and others of those that count, come from."""
WORKERS = (1, 2, 4)
"""Processes that work side by side; those that send to other servers than the fastest are as many as the middle one."""
LETTER, REPLY = "turn letter written and sent", "reply stored, read, judged and answered"
TO_CARRY = {REPLY: 48, LETTER: 74 - 48}
"""So many a second are what E4EC carried in twenty years, 4.1 million mails in and 6.4 million out, within one day; each reply is
answered by one letter."""
E4EC_CORES = 4
Process = subprocess.Popen[str]


def measured(bar: Any) -> Iterator[Measured]:
    with two_redis() as settings:
        for server, name in _servers():
            with server as port, smtplib.SMTP("127.0.0.1", port, DOMAIN) as alone:
                url = f"smtp://127.0.0.1:{port}"
                transport = _Copying(url, DOMAIN)
                desk = open_desk(settings, transport)
                yield from _turn_letters(desk, transport, alone, name, bar)
                for workers in WORKERS[1:2] if name else WORKERS:
                    yield _by_workers(desk, transport.copies, alone, url, name, workers, bar)
                for workers in () if name else WORKERS:
                    yield _replies(desk, transport, alone, url, workers, bar)


def _servers() -> Iterator[tuple[AbstractContextManager[int], str]]:
    yield _running(_sink), ""
    yield _running(_aiosmtpd), " to aiosmtpd"
    if why := why_not("postfix"):
        click.echo(f"left out: turn letters to Postfix, because {why}")
    else:
        yield discarding_postfix(), " to Postfix"


class _Copying(SmtpTransportPool):
    """Keeps what it carried, so that another can deliver the same."""

    def __init__(self, url: str, hello: str) -> None:
        super().__init__(url, hello)
        self.copies: list[bytes] = []

    def deliver(self, sender: str, recipient: str, message: bytes) -> Any:
        self.copies.append(message)
        return super().deliver(sender, recipient, message)


def _turn_letters(desk: Desk, transport: _Copying, alone: smtplib.SMTP, server: str, bar: Any) -> Iterator[Measured]:
    """Positions from all over the games of both rulesets, as they come when many play. The first rounds, of other games, warm it up."""
    rounds, usual = [], []
    for number in range(0 if server else WARM):
        _put_letters(desk, f"warm-{number}{server[-3:]}", _positions(SEED + number % GAMES, number))
        _send_all(desk)
    for number in range(ROUNDS):
        bar.update(1)
        _put_letters(desk, f"out-{number}{server[-3:]}", _positions(SEED + GAMES + number % GAMES, number))
        transport.copies = []
        ours = timed(partial(_send_all, desk))
        assert len(transport.copies) == LETTERS, f"{len(transport.copies)} letters were sent"
        copies = transport.copies
        again, written = partial(_deliver, alone, copies), partial(_write_and_carry, alone, [*map(_parts, copies)])
        rounds.append((timed(again), ours, timed(again)))
        usual.append((timed(written), ours, timed(written)))
    against = f"smtplib alone, {_size(transport.copies)}{server}"
    yield compared(_case(f"turn letter written and sent{server}", against, LETTERS), rounds)
    yield compared(_case("the same", "Python’s email + smtplib, the same parts", LETTERS), usual)


def _by_workers(desk: Desk, copies: Sequence[bytes], alone: smtplib.SMTP, url: str, server: str, count: int, bar: Any) -> Measured:
    """Several processes send what lies in one outbox. They have written of the games before, as of any but those that just began."""
    rounds, again, spent = [], partial(_deliver, alone, copies), list[float]()
    with _workers(desk, url, count) as workers:
        for number in range(WARM // 2 + ROUNDS):
            bar.update(number >= WARM // 2)
            seed = SEED + (number % GAMES if number < WARM // 2 else GAMES + number % GAMES)
            shares = range(number * count, (number + 1) * count)
            games = [game for share in shares for game in _put_letters(desk, f"by-{count}-{share}{server[-3:]}", _positions(seed, share))]
            _order(workers, "look", *games)
            ours = timed(lambda: spent.append(_cpu_of(desk, partial(_order, workers, "send", str(desk.clock())))))
            rounds.append((timed(again), ours, timed(again)))
    assert not desk.waiting(), "letters were left"
    case = replace(_case(f"{LETTER}{server}{_by(count)}", f"smtplib alone, {_size(copies)}{server}", LETTERS), units=count * LETTERS)
    return replace(compared(case, rounds[WARM // 2 :]), cpu=median(spent[WARM // 2 :]) / case.units)


def _by(count: int) -> str:
    return f" by {count} worker{'s' if count > 1 else ''}"


@contextmanager
def _workers(desk: Desk, url: str, count: int) -> Iterator[list[Process]]:
    with ExitStack() as stack:
        yield [stack.enter_context(_worker(desk, url)) for _ in range(count)]


def _cpu_of(desk: Desk, work: Callable[[], float]) -> float:
    """Seconds of CPU that this process, both Redis servers and the workers, who tell it themselves, spent on some work."""
    began = process_time() + _cpu_of_redis(desk)
    spent = work()
    return spent + process_time() + _cpu_of_redis(desk) - began


def _cpu_of_redis(desk: Desk) -> float:
    told = [redis.info("cpu") for redis in (desk.mailer.deliveries.redis, desk.work_queue.redis)]
    return float(sum(each["used_cpu_user"] + each["used_cpu_sys"] for each in told))


@contextmanager
def _worker(desk: Desk, url: str) -> Iterator[Process]:
    command = [sys.executable, "-m", "tests.bench.post", str(desk.mailer.settings.data), url]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process  # it ends when nobody speaks to it any more


def _order(workers: Sequence[Process], *words: str) -> float:
    """To all of them at once, until the last is done; returns the seconds of CPU that they took."""
    for each in workers:
        assert each.stdin
        each.stdin.write(" ".join(words) + "\n")
        each.stdin.flush()
    spent = 0.0
    for each in workers:
        assert each.stdout
        done, seconds = each.stdout.readline().split()
        assert done == "done"
        spent += float(seconds)
    return spent


def _work(data: Path, url: str) -> None:
    """What the process of `_worker` does."""
    clock = Clock()
    mailer = mailer_elsewhere(data, url, clock)
    work_queue = WorkQueue(connect(mailer.settings.queue_redis_url))
    desk = Desk(mailer, work_queue, clock, Street(clock), make_callbacks(mailer, work_queue), make_notifier(mailer, work_queue))
    for line in sys.stdin:
        began = process_time()
        match line.split():
            case ["look", *games]:
                mailer.ports.games_now(games)
            case ["send", now]:
                clock.now = int(now)
                _send_all(desk)
            case ["answer", now]:
                clock.now = int(now)
                desk.work()
        sys.stdout.write(f"done {process_time() - began}\n")
        sys.stdout.flush()


def _replies(desk: Desk, transport: _Copying, alone: smtplib.SMTP, url: str, count: int, bar: Any) -> Measured:
    """From the bytes at the door to the answer on its way: stored, read, submitted, judged, answered."""
    rounds, spent = [], list[float]()
    with _workers(desk, url, count) as workers:
        for number in range(ROUNDS + 1):
            bar.update(1)
            transport.copies = []
            shares = range(number * count, (number + 1) * count)
            games = [
                game for share in shares for game in _put_letters(desk, f"in-{count}-{share}", _positions(SEED + number % GAMES, share))
            ]
            _send_all(desk)
            _order(workers, "look", *games)
            mails, again = [*map(partial(_reply, desk), transport.copies)], partial(_deliver, alone, transport.copies)
            ours = timed(partial(_take_in, desk, workers, mails, spent))
            rounds.append((timed(again), ours, timed(again)))
    assert not desk.waiting(), "answers were left"
    case = replace(_case(f"{REPLY}{_by(count)}", f"smtplib alone, {_size(transport.copies)}", LETTERS), units=count * LETTERS)
    return replace(compared(case, rounds[1:]), cpu=median(spent[1:]) / case.units)


def _reply(desk: Desk, letter: bytes) -> tuple[bytes, str]:
    """What a player answers to a letter about a turn, and where to."""
    found = Letter(letter)
    asked = desk.mailer.mail_queue.reply(found.reply_to.partition("@")[0].partition("+")[2])
    assert asked
    return reply(found, found.header("To"), desk.good_orders(id=asked.game or "")), found.reply_to


def _take_in(desk: Desk, workers: Sequence[Process], mails: Sequence[tuple[bytes, str]], spent: list[float]) -> None:
    def work() -> float:
        for raw, to in mails:
            receive(desk.mailer, raw, [to])
        return _order(workers, "answer", str(desk.clock()))

    spent.append(_cpu_of(desk, work))


def letters_a_second(measured: Sequence[Measured]) -> Iterator[str]:
    """Letters a second by the number of workers, and how many the cores can carry at most."""
    by_name = {each.case.what: each for each in measured}
    found = {count: by_name[LETTER + _by(count)] for count in WORKERS if LETTER + _by(count) in by_name}
    cores = os.cpu_count() or 1
    if found and (scarce := [each.cpu for count, each in found.items() if count <= cores]):
        rates = ", ".join(f"{1 / each.figure:.0f}{_by(count)}" for count, each in found.items())
        yield (
            f"Turn letters a second: {rates}. With their pictures they take {min(scarce) * 1e3:.1f} ms of CPU each, so that {cores} cores"
            f" carry {cores / min(scarce):.0f} at most, less what the mail server takes: more workers than cores send no more."
        )


def e4ec(measured: Sequence[Measured]) -> Iterator[str]:
    """What the load of E4EC takes of this machine, by the CPU time of each thing that is carried."""
    by_name = {each.case.what: each for each in measured}
    for workers in map(_by, WORKERS):
        found = {what: by_name[what + workers] for what in TO_CARRY if what + workers in by_name}
        if found.keys() == TO_CARRY.keys():
            busy, alone = (sum(getattr(found[what], kind) * many for what, many in TO_CARRY.items()) for kind in ("cpu", "figure"))
            yield (
                f"E4EC’s twenty years in one day, 48 mails in and 74 letters out a second: {busy:.2f} of {E4EC_CORES} cores by the CPU time"
                f" of each. The {os.cpu_count()} cores here carried{workers} {1 / alone:.2f} times that load."
            )


def _size(letters: Sequence[bytes]) -> str:
    return f"{sum(map(len, letters)) / len(letters) / 1000:.0f} kB"


def _case(what: str, against: str, letters: int, goal: float | None = None) -> Case:
    return Case(what, lambda: None, letters, against, lambda: None, letters, goal)


@cache
def _games(seed: int) -> list[Played]:
    return [play(rules, seed) for rules in rulesets().values() if rules.name != "sticks"]


def _positions(seed: int, number: int) -> Iterator[list[bytes]]:
    """Logs of games that wait for somebody, each with people of its own."""
    for letter in range(number * LETTERS, (number + 1) * LETTERS):
        games = _games(seed)
        game = games[letter % len(games)]
        ends = 3 + letter * 7919 % (len(game.submissions) - 1)
        yield [entry.data for entry in game.log(4 * letter)[:ends]]


def _put_letters(desk: Desk, round: str, logs: Iterable[list[bytes]]) -> list[str]:
    """The games, their players and a letter to whoever is to decide."""
    ports, games = desk.mailer.ports, []
    for place, log in enumerate(logs):
        id = f"{round.replace(' ', '')}-{place}"
        games.append(id)
        ports.games.open(id, bytes(32), log, "")
        game = ports.game(id)
        assert isinstance(game, Game)
        seat = game.deciders[0]
        ports.players.save(Player(game.seats[seat].player or "", f"p{seat}@example.org", f"Player {seat}", confirmed=True))
        at = desk.clock()
        desk.mailer.deliveries.put([Delivery(f"letter-{id}", game.seats[seat].player or "", "your-turn", at, at, id, game.version, seat)])
    desk.clock.forward(hours=1)
    return games


def _send_all(desk: Desk) -> None:
    while send_letters(desk.notifier):
        pass


def _deliver(alone: smtplib.SMTP, messages: Sequence[bytes]) -> None:
    for message in messages:
        alone.sendmail(f"play@{DOMAIN}", "ann@example.org", message)


def _write_and_carry(alone: smtplib.SMTP, letters: Sequence[tuple[str, str, bytes]]) -> None:
    """As most programs send mail: the standard library puts it together from its parts, and gives it to smtplib."""
    for text, page, picture in letters:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = f"play@{DOMAIN}", "ann@example.org", "Your turn"
        mail.set_content(text)
        mail.add_alternative(page, subtype="html")
        list(mail.iter_parts())[1].add_related(picture, "image", "png", cid="<board>")
        alone.send_message(mail)


def _parts(message: bytes) -> tuple[str, str, bytes]:
    whole = message_from_bytes(message, policy=policy.default)
    text, page, picture = (part.get_content() for part in whole.walk() if not part.is_multipart())
    return text, page, picture


def _sink(port: int) -> list[str]:
    """A mail server that takes everything, as fast as can be."""
    return [str(Path(__file__).with_name("sink.py")), str(port)]


def _aiosmtpd(port: int) -> list[str]:
    """A real one, which reads what it takes."""
    return ["-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Sink"]


@contextmanager
def _running(server: Callable[[int], list[str]]) -> Iterator[int]:
    """In a process of its own."""
    port = free_port()
    with subprocess.Popen([sys.executable, *server(port)]) as process, stopping(process):
        eventually(lambda: answers(port))
        yield port


if __name__ == "__main__":
    _work(Path(sys.argv[1]), sys.argv[2])
