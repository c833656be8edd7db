"""Make the deliveries that are due, by any channel: leased, in order for each recipient, and no channel waits for another."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from marketpost.mail.outbound.attempt import DeliveryOutcome, is_resource_error, retry_later
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.assembly import Notifier
from marketpost.notify.calls import compose_message, wanted
from marketpost.notify.channel_message import ChannelMessage, Shows, Target, Transports
from marketpost.notify.channels import channels, target_channels
from marketpost.notify.letters_due import DueLetter, compose_due, erase_named_meanwhile, look_up
from marketpost.notify.pace import note_outcome
from marketpost.notify.record import MINUTE, close, put_off, record_call, record_letter
from marketpost.notify.targets import TEST, secret_of
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.connections import is_away
from marketpost.store.delivery_queue import EMAIL, Delivery, DeliveryStatus
from marketpost.store.leases import LEASE

AT_ONCE = 20
"""Deliveries of one channel that a worker leases at once, and that are composed and not yet made."""
PARALLEL_LETTERS, PARALLEL_CALLS = 4, 16
"""Threads that deliver letters, and those of each other channel; most of the time each waits for a server."""
LOOK_AGAIN = 0.2
"""Seconds after which the queues are read again while deliveries are under way."""
MOST_WRITTEN = 3
"""Attempts to compose a message that raises an exception."""
NOT_WRITTEN = "it could not be written"
UNREADABLE = "unreadable"
"""Counted as the kind of what cannot be decoded."""
GIVEN_UP = "given-up"
"""Counted for what could not be composed; no attempt to deliver it was made."""
log = logging.getLogger("marketpost.delivery")
T = TypeVar("T")


def send_letters(notifier: Notifier, seconds: float = 1.0) -> int:
    """Send the letters that are due; return how many were leased."""
    return deliver_due(notifier, [EMAIL], seconds)


def call_targets(notifier: Notifier, seconds: float, stopped: Callable[[], bool] = lambda: False) -> int:
    """Make the deliveries of all other channels that are due; return how many were leased."""
    return deliver_due(notifier, target_channels(), seconds, stopped)


def deliver_due(notifier: Notifier, names: Sequence[str], seconds: float, stopped: Callable[[], bool] = lambda: False) -> int:
    """Make the deliveries of these channels that are due, until none is left or the time is over; return how many were leased."""
    until = time.monotonic() + seconds
    with ExitStack() as stack:
        rounds = [_Round(notifier, name, stack.enter_context(ThreadPoolExecutor(_threads(name)))) for name in names]
        while time.monotonic() < until and not stopped():
            for each in rounds:
                each.take()
                each.begin()
            if not _settled(rounds):
                break
        while _settled(rounds):
            pass
        for each in rounds:
            each.give_back()
    return sum(each.leased for each in rounds)


def _threads(name: str) -> int:
    return PARALLEL_LETTERS if name == EMAIL else PARALLEL_CALLS


def _settled(rounds: "Sequence[_Round]") -> bool:
    """Wait until some delivery has ended; False if none is under way. Raises if the store is away."""
    under_way = [future for each in rounds for future in each.under_way]
    done, _ = wait(under_way, LOOK_AGAIN, FIRST_COMPLETED)
    for each in rounds:
        each.forget(done)
    return bool(under_way)


@dataclass(slots=True)
class _Round:
    """The deliveries of one channel that this worker has leased.

    Each player has a line with one delivery under way: the rate limit and the order depend on the outcome of the previous one, and a player
    with many slow receivers does not delay others. Each channel has its own threads: one that hangs delays no other.
    """

    notifier: Notifier
    name: str
    pool: ThreadPoolExecutor
    lines: dict[str, deque[tuple[Delivery, float]]] = field(default_factory=dict)
    """Leased deliveries of each player, each with the end of its time by the monotonic clock."""
    under_way: "dict[Future[None], str]" = field(default_factory=dict)
    leased: int = 0

    @property
    def mailer(self) -> Mailer:
        """The mailer of the engine."""
        return self.notifier.mailer

    def take(self) -> None:
        """Lease deliveries that are due.

        Race: once a lease is over another worker may lease the same delivery. After half of it this worker begins none.
        """
        if len(self.under_way) >= AT_ONCE:
            return
        until = time.monotonic() + LEASE / 2000
        found, unreadable = self.mailer.deliveries.take(self.mailer.ports.clock(), AT_ONCE, self.name)
        for _ in range(unreadable):
            self.notifier.count(self.name, UNREADABLE, GIVEN_UP, "")
        self.leased += len(found)
        for each in sorted(found, key=lambda each: (each.at, each.id)):
            if _is_known(each):
                self.lines.setdefault(each.player, deque()).append((each, until))

    def begin(self) -> None:
        """Compose and start the next delivery of each player who has none under way."""
        while firsts := self._firsts():
            for delivery, make in self._prepared([delivery for delivery, _ in firsts]):
                until = next(until for each, until in firsts if each is delivery)
                self.under_way[self.pool.submit(self._safely, delivery, partial(_in_time, until, make))] = delivery.player

    def _firsts(self) -> list[tuple[Delivery, float]]:
        """Take the first of each line that is free, as many as there is room for."""
        busy, room = set(self.under_way.values()), AT_ONCE - len(self.under_way)
        free = [player for player, line in self.lines.items() if player not in busy][: max(0, room)]
        firsts = [self.lines[player].popleft() for player in free]
        self.lines = {player: line for player, line in self.lines.items() if line}
        return firsts

    def _prepared(self, deliveries: Sequence[Delivery]) -> Iterator[tuple[Delivery, Callable[[], None]]]:
        """Compose deliveries, and yield each with the function that makes it; others are closed or put off."""
        if (shows := channels()[self.name].SHOWS) == Shows.LETTER:
            for due in self._loaded(look_up, deliveries):
                if message := self._safely(due.mail, partial(compose_due, self.mailer, due)):
                    yield due.mail, partial(self._send_letter, due, message)
            return
        for call, target in self._loaded(wanted, deliveries):
            if message := self._safely(call, partial(self._composed, call, shows)):
                yield call, partial(self._send_call, call, target, message)

    def _loaded(self, load: Callable[[Mailer, Sequence[Delivery]], list[T]], deliveries: Sequence[Delivery]) -> list[T]:
        """Load what deliveries need in one go; if that fails, one by one, so that a broken one does not stop the others."""
        try:
            return load(self.mailer, deliveries)
        except Exception as error:
            if is_away(error):
                raise
            log.info("%d deliveries could not be loaded together and are loaded one by one", len(deliveries), exc_info=True)
            alone = (self._safely(each, partial(load, self.mailer, [each])) for each in deliveries)
            return [found for each in alone for found in each or ()]

    def _composed(self, call: Delivery, shows: Shows) -> ChannelMessage | None:
        message = compose_message(self.mailer, call, shows)
        if message is None:
            close(self.mailer, call, DeliveryStatus.SUPERSEDED)
        return message

    def _send_letter(self, due: DueLetter, message: ChannelMessage) -> None:
        """Deliver one letter and record the outcome."""
        if due.player is None:
            return
        outcome = self._attempt(due.mail, message, due.player.email)
        note_outcome(self.mailer, due.player.email, outcome, due.deferrals)
        kept = record_letter(self.mailer, due.mail, outcome)
        if self.mailer.transport.stores_mail or not kept:
            erase_named_meanwhile(self.mailer, due)

    def _send_call(self, call: Delivery, target: ChannelTarget, message: ChannelMessage) -> None:
        """Send one message to a target and record the outcome."""
        record_call(self.mailer, call, target, self._attempt(call, message, target.url, secret_of(self.mailer, target.id)))

    def _attempt(self, delivery: Delivery, message: ChannelMessage, address: str, secret: str = "") -> DeliveryOutcome:
        """Make one attempt and count it. An exception in the channel counts as a failure that may pass."""
        by = Transports(self.mailer.settings, self.mailer.ports.clock, self.notifier.http, self.mailer.transport)
        try:
            outcome = channels()[self.name].send(message, Target(address, secret, by))
        except Exception as error:
            if is_away(error) or self.name == EMAIL:
                raise
            log.exception("the channel %s failed with an exception", self.name)
            outcome = retry_later("unreadable")
        log.info(
            f"{'game %(game)s: ' if delivery.game else ''}%(channel)s %(delivery)s (%(kind)s) to player %(player)s: %(outcome)s",
            {"game": delivery.game, "version": delivery.version, "channel": self.name, "delivery": delivery.id}
            | {"kind": delivery.letter, "player": delivery.player, "outcome": outcome.kind},
        )
        self.notifier.count(self.name, delivery.letter, outcome.kind, delivery.id)
        return outcome

    def _safely(self, delivery: Delivery, act: Callable[[], T]) -> T | None:
        """Run a step for one delivery; an exception puts off or closes that delivery and does not stop the others."""
        try:
            return act()
        except Exception as error:
            if is_away(error):  # the delivery is as good as any other: whoever takes it when the store is back can make it
                raise
            if isinstance(error, WrittenByNewer):
                return None  # told when the game was read; when the lease ends, another worker takes the delivery
            self._not_written(delivery, error)
            return None

    def _not_written(self, delivery: Delivery, error: Exception) -> None:
        """Put off what could not be composed; after a few attempts give it up, as later ones wait behind it."""
        if isinstance(error, Tampered):
            record_letter(self.mailer, delivery, retry_later("the game is damaged"))
            return
        log.error("delivery %(delivery)s could not be composed or made", {"delivery": delivery.id, "game": delivery.game}, exc_info=error)
        if is_resource_error(error):
            record_letter(self.mailer, delivery, retry_later(NOT_WRITTEN))
        elif delivery.attempts >= MOST_WRITTEN:
            close(self.mailer, delivery, DeliveryStatus.GIVEN_UP, NOT_WRITTEN)
            self.notifier.count(self.name, delivery.letter, GIVEN_UP, delivery.id)
        else:
            put_off(self.mailer, delivery, NOT_WRITTEN, self.mailer.ports.clock() + MINUTE)

    def forget(self, done: "set[Future[None]]") -> None:
        """Let the next delivery of a player begin when one has ended; raises if the store was away."""
        for future in done & self.under_way.keys():
            del self.under_way[future]
            future.result()

    def give_back(self) -> None:
        """Return deliveries that were leased and not begun to the queue.

        Only when nothing is under way: another worker would otherwise make the second of a line while the first still has no outcome.
        """
        self.mailer.deliveries.give_back(delivery for line in self.lines.values() for delivery, _ in line)
        self.lines.clear()


def _in_time(until: float, make: Callable[[], None]) -> None:
    """Make a delivery, unless too much of its lease has passed: it is left to whoever takes it next."""
    if time.monotonic() <= until:
        make()


def _is_known(delivery: Delivery) -> bool:
    """Whether this process can compose letters of this kind.

    Race: during a rolling update a newer process may enqueue a new kind. The delivery is left as it is, and another worker takes it when
    the lease ends.
    """
    if delivery.letter in {*LetterKind, TEST}:
        return True
    log.warning(
        "delivery %(delivery)s is of the kind %(kind)r, which this process does not know: it is left to newer ones",
        {"delivery": delivery.id, "kind": delivery.letter},
    )
    return False
