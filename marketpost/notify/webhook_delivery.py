"""Deliver webhook calls from the queue: one at a time for each player, with backoff; a webhook that fails for days is switched off."""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import msgspec
from redis import RedisError

from marketpost.mail.outbound.compose import compose_letter, turn_letter
from marketpost.mail.outbound.letter_kind import LETTER_OF_NOTICE
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.mail.outbound.operator_reports import REPORTED
from marketpost.notify.webhook_body import SIGNATURE, WebhookEvent, encode_body, sign_body
from marketpost.notify.webhook_client import WebhookClient, explain
from marketpost.notify.webhook_registration import secret_of
from marketpost.play.moves.game_view import situation
from marketpost.play.outbox.notices import NoticeKind
from marketpost.play.people.preferences import Recipient, delivery_preference
from marketpost.play.table.talk import said
from marketpost.rules.words import COMMON, Words
from marketpost.store.mail_queue import OutboundLetter
from marketpost.store.webhook_queue import CallOutcome, Webhook, WebhookCall

SECOND, HOUR, DAY = 1000, 3_600_000, 86_400_000
EVENTS = tuple(kind for kind in LETTER_OF_NOTICE if kind != NoticeKind.ANSWER)
"""Kinds of notices that webhooks get: all but answers to the player's own messages."""
SHORTEST_WAIT = 2 * SECOND
"""Milliseconds of backoff after the first failure."""
LONGEST_WAIT = HOUR
"""Milliseconds of backoff at most."""
SWITCHED_OFF_AFTER = 3 * DAY
"""Milliseconds of failure after which a webhook is switched off."""
LEAST_FAILURES = 10
"""A webhook with fewer failed calls than this stays on, however long ago the first one failed."""
AT_ONCE = 16
"""Calls under way at the same time in one worker."""
LOOK_AGAIN = 0.2
"""Seconds after which the queue is read again while calls are under way."""
log = logging.getLogger("marketpost.hooks")


@dataclass(slots=True)
class WebhookSender:
    """The assembled webhook service: the mailer whose letters the calls are made of, the HTTP client, and the worker to wake."""

    mailer: Mailer
    caller: WebhookClient
    wake: Callable[[], None]
    """Wake a worker. If that fails, the sweeper finds the call."""
    count: Callable[[CallOutcome], None]
    """Count a call by its outcome, for the metrics."""


def enqueue_calls(webhook_sender: WebhookSender, recipients: Sequence[Recipient]) -> None:
    """Put a call in the queue for each recipient's webhooks. The id of a call follows from its notice, so repeating this adds nothing."""
    calls = [call for each in recipients if each.notice.kind in EVENTS and each.preference.webhooks for call in _calls(each)]
    if calls:
        webhook_sender.mailer.webhook_queue.put(calls)
        webhook_sender.wake()


def _calls(recipient: Recipient) -> list[WebhookCall]:
    """Build the calls of one notice, one for each webhook of the recipient."""
    notice = recipient.notice
    values = {name: value for name, value in (("move", notice.move), ("about", notice.about)) if value}
    what = (recipient.player.id, notice.kind, notice.at, notice.at, notice.game, notice.version, notice.seat, values)
    return [WebhookCall(f"{notice.id}-{hook.id}", hook.id, *what) for hook in recipient.hooks]


@dataclass(slots=True)
class _Round:
    """The calls that this worker has leased.

    Each player has a line with one call under way: a player with many slow receivers does not delay the calls of others.
    """

    webhook_sender: WebhookSender
    pool: ThreadPoolExecutor
    lines: dict[str, deque[WebhookCall]] = field(default_factory=dict)
    under_way: "dict[Future[str], tuple[Webhook, WebhookCall]]" = field(default_factory=dict)

    def take(self) -> None:
        """Lease calls that are due."""
        mailer = self.webhook_sender.mailer
        for call in mailer.webhook_queue.take(mailer.ports.clock(), AT_ONCE):
            self.lines.setdefault(call.player, deque()).append(call)

    def begin(self) -> None:
        """Start the next call of each player who has none under way."""
        busy = {call.player for _, call in self.under_way.values()}
        for player in [player for player in self.lines if player not in busy]:
            if len(self.under_way) >= AT_ONCE:
                return
            self._begin_next(player)

    def _begin_next(self, player: str) -> None:
        line = self.lines[player]
        while line:
            call = line.popleft()
            if prepared := _prepare(self.webhook_sender, call):
                hook, body, headers = prepared
                self.under_way[self.pool.submit(self.webhook_sender.caller, hook.url, body, headers)] = hook, call
                return
        del self.lines[player]

    def settle(self) -> None:
        """Record the outcomes of the calls that have ended."""
        done, _ = wait(self.under_way, LOOK_AGAIN, FIRST_COMPLETED)
        for future in done:
            hook, call = self.under_way.pop(future)
            _settle(self.webhook_sender, hook, call, _came_of(future))

    def give_back(self) -> None:
        """Return calls that were leased and not begun to the queue."""
        mailer = self.webhook_sender.mailer
        for call in (call for line in self.lines.values() for call in line):
            mailer.webhook_queue.later(call, mailer.ports.clock())
        self.lines.clear()


def _came_of(future: "Future[str]") -> str:
    """Return the result of a call; an exception in the client counts as a failed call."""
    if broken := future.exception():
        log.error("a webhook call failed with an exception in the client", exc_info=broken)
        return "unreadable"
    return future.result()


def make_due_calls(webhook_sender: WebhookSender, seconds: float, stopped: Callable[[], bool]) -> None:
    """Make the calls that are due, until none is left or the time is over.

    Threads make the HTTP calls; only this thread uses Redis.
    """
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(AT_ONCE) as pool:
        calls = _Round(webhook_sender, pool)
        while time.monotonic() < until and not stopped():
            calls.take()
            calls.begin()
            if not calls.under_way:
                return
            calls.settle()
        calls.give_back()
        while calls.under_way:
            calls.settle()


def _prepare(webhook_sender: WebhookSender, call: WebhookCall) -> tuple[Webhook, bytes, dict[str, str]] | None:
    """Build body and headers from the game as it is now; None if the call is no longer wanted, or its webhook is in backoff."""
    mailer = webhook_sender.mailer
    now = mailer.ports.clock()
    hook = mailer.webhook_queue.find(call.player, call.hook)
    if hook and hook.off is None and hook.again > now:
        mailer.webhook_queue.later(call, hook.again)
        return None
    event = _event(webhook_sender, call) if hook and hook.is_called_for(call.game) else None
    if hook is None or event is None:
        mailer.webhook_queue.done(call)
        return None
    body = encode_body(hook.kind, event)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Marketpost",
        SIGNATURE: sign_body(secret_of(mailer, hook.id), now // SECOND, body),
    }
    return hook, body, headers


def _event(webhook_sender: WebhookSender, call: WebhookCall) -> WebhookEvent | None:
    """Compose the event of a call; None, and a log entry, if that raises, so that one broken call does not stop the others."""
    try:
        return _told(webhook_sender.mailer, call)
    except RedisError:
        raise
    except Exception:
        log.exception("webhook call %s could not be composed", call.id)
        return None


def _told(mailer: Mailer, call: WebhookCall) -> WebhookEvent | None:
    """Compose the event from the letter of the same kind; None where that letter would not be sent.

    A turn is sent as long as it lasts: a program that died within its turn is called again for the rest of it.
    """
    if call.event == REPORTED:
        return _reported(mailer, call)
    player, game = mailer.ports.players.find(call.player), mailer.ports.game(call.game)
    if player is None or game is None or not delivery_preference(mailer.ports, mailer.webhook_queue, player, call.game).webhooks:
        return None
    seat = call.seat if call.seat >= 0 else None
    mail = OutboundLetter(
        call.id, player.id, LETTER_OF_NOTICE[NoticeKind(call.event)], call.at, call.at, call.game, call.version, seat, dict(call.values)
    )
    letter = turn_letter(mailer, mail, player, game) if call.event == NoticeKind.TURN else compose_letter(mailer, mail, player, game)
    if letter is None:
        return None
    link = f"{mailer.settings.public_url}/games/{game.id}"  # without a key: others may read it in the room it is posted to
    return WebhookEvent(call.id, call.event, letter.subject + _message(mailer, call), link, situation(game, player.id))


def _reported(mailer: Mailer, call: WebhookCall) -> WebhookEvent | None:
    """Compose the event of a report to the operator; None if its author was erased meanwhile."""
    found = mailer.ports.reports.find(call.values["report"])
    if found is None:
        return None
    return WebhookEvent(call.id, call.event, found.text, mailer.settings.public_url, msgspec.to_builtins(found))


def _message(mailer: Mailer, call: WebhookCall) -> str:
    """Return what was said, for the event of a message at the table."""
    spoken = (each.text for each in said(mailer.ports, call.game) if each.id == call.values.get("move"))
    return f"\n{next(spoken, '')}" if call.event == NoticeKind.SAID else ""


def _settle(webhook_sender: WebhookSender, hook: Webhook, call: WebhookCall, error: str) -> None:
    """Record the outcome of a call: reset the backoff, or retry later, or switch the webhook off."""
    hooks, now = webhook_sender.mailer.webhook_queue, webhook_sender.mailer.ports.clock()
    webhook_sender.count(CallOutcome.FAILED if error else CallOutcome.DELIVERED)
    if not error:
        hook.last_success, hook.failures, hook.failing_since, hook.again = now, 0, None, 0
        hooks.update(hook)
        hooks.done(call)
        return
    hook.failures += 1
    hook.last_error, hook.last_error_at, hook.failing_since = error, now, hook.failing_since or now
    failing = now - hook.failing_since
    hook.again = now + max(SHORTEST_WAIT, min(failing // 2, LONGEST_WAIT))
    hook.off = now if failing > SWITCHED_OFF_AFTER and hook.failures >= LEAST_FAILURES else None
    hooks.update(hook)
    if hook.off is None:
        hooks.later(call, hook.again)
    else:
        hooks.done(call)
        _tell_of_the_end(webhook_sender.mailer, hook)


def _tell_of_the_end(mailer: Mailer, hook: Webhook) -> None:
    """Send a letter that a webhook was switched off."""
    at, player = mailer.ports.clock(), mailer.ports.players.find(hook.player)
    reason = explain(Words(player.language if player else "en", COMMON), hook.last_error)
    values = {"host": urlsplit(hook.url).hostname, "reason": reason, "since": hook.failing_since}
    enqueue(mailer, OutboundLetter(f"webhook-off-{hook.id}", hook.player, "webhook-off", at, at, values=values))
