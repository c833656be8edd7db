"""Deliver letters that are due: in order for each player, with backoff, and not if they are no longer true."""

import errno
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeVar

from marketpost.mail.outbound.answer_time import count_answer
from marketpost.mail.outbound.attempt import DeliveryOutcome, OutcomeKind, retry_later
from marketpost.mail.outbound.fixed_texts import silence, to_stranger
from marketpost.mail.outbound.gate import LANE_OF, GateDecision, GateVerdict, HeldBack, Passing, has_accepted, pass_gate, uncount
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.strangers import stranger_written_to
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import seated
from marketpost.play.people.erasure import erase_letters
from marketpost.store.connections import is_away
from marketpost.store.leases import LEASE
from marketpost.store.mail_queue import LetterStatus, OutboundLetter, ReplyContext
from marketpost.store.players import MailPreference, Player

SOON, MINUTE, HOUR, DAY = 3_000, 60_000, 3_600_000, 86_400_000
GIVE_UP_AFTER = 5 * DAY
"""Milliseconds after which a letter that cannot be delivered is given up."""
LONGEST_WAIT = 4 * HOUR
"""Milliseconds of backoff at most."""
BEHIND = "an older letter to the same address goes first"
"""Why a letter waits although nothing is wrong with it."""
MOST_WRITTEN = 3
"""Attempts to compose a letter that raises an exception."""
SHORT_OF = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC)
"""Error numbers that say that the machine, not the letter, is at fault."""
NO_THREAD = "can't start new thread"
"""The text of the RuntimeError that Python raises if no thread can be started; it has no errno."""
AT_ONCE = 20
"""Letters that a worker leases at once."""
PARALLEL_DELIVERIES = 4
"""Threads that deliver letters; most of the time each waits for a mail server."""
log = logging.getLogger("marketpost.post")
T = TypeVar("T")
HELD = frozenset(map(str, HeldBack))
"""The reasons of letters that the gate holds back."""
KEPT = {"told", "said"}
"""Values that stay with a letter after it was sent: the version up to which it told the game, and the messages it told."""


@dataclass(frozen=True, slots=True)
class _Due:
    """A letter that is due, with everything that decides whether and how it is sent."""

    mail: OutboundLetter
    player: Player | None
    before: Sequence[OutboundLetter]
    """Older letters to the same player."""
    choice: MailPreference | None
    """The player's notification preference for the game."""
    game: Game | None
    people: Mapping[str, Player]

    def passing(self, recipient: Player) -> Passing:
        """Return the letter with what the gate needs."""
        return Passing(self.mail, recipient, self.game, self.choice, self.people)


def send_due(mailer: Mailer) -> int:
    """Deliver the letters that are due; return how many were leased.

    While one letter is delivered the next one is composed, except to the same player.
    """
    until = monotonic() + LEASE / 2000
    taken = sorted(mailer.mail_queue.take(mailer.ports.clock(), AT_ONCE), key=lambda each: (each.at, each.id))
    known = [mail for mail in taken if _is_known(mail)]
    carried: dict[str, Future[None]] = {}
    with ThreadPoolExecutor(PARALLEL_DELIVERIES) as hands:
        for mails in _rounds(known):
            for former in [carried.pop(mail.player) for mail in mails if mail.player in carried]:
                former.result()
            for due in _look_up(mailer, mails):
                if message := _safely(mailer, due.mail, partial(_written, mailer, due)):
                    deliver = partial(_deliver, mailer, due, message, until)
                    carried[due.mail.player] = hands.submit(_safely, mailer, due.mail, deliver)
        for each in carried.values():
            each.result()
    return len(taken)


def _is_known(mail: OutboundLetter) -> bool:
    """Whether this process can compose letters of this kind.

    Race: during a rolling update a newer process may enqueue a new kind. The letter is left as it is, and another worker takes it when the
    lease ends.
    """
    if mail.letter in set(LetterKind):
        return True
    log.warning("letter %s is of the kind %r, which this process does not know: it is left to newer ones", mail.id, mail.letter)
    return False


def _rounds(mails: Sequence[OutboundLetter]) -> Iterator[list[OutboundLetter]]:
    """Group letters so that each group has at most one to each player.

    The rate limit and the order of letters depend on the outcome of the previous letter to the same player.
    """
    while mails:
        firsts: dict[str, OutboundLetter] = {}
        for mail in mails:
            firsts.setdefault(mail.player, mail)
        yield [*firsts.values()]
        mails = [mail for mail in mails if mail is not firsts[mail.player]]


def _look_up(mailer: Mailer, mails: Sequence[OutboundLetter]) -> list[_Due]:
    """Load what the letters need in one go; if that fails, one by one, so that a broken letter does not stop the others."""
    try:
        return _looked_up(mailer, mails)
    except Exception as error:
        if is_away(error):
            raise
        log.info("%d letters could not be loaded together and are loaded one by one", len(mails), exc_info=True)
        alone = (_safely(mailer, mail, partial(_looked_up, mailer, [mail])) for mail in mails)
        return [due for found in alone for due in found or ()]


def _looked_up(mailer: Mailer, mails: Sequence[OutboundLetter]) -> list[_Due]:
    """Load players, games, preferences and older letters for these letters."""
    ports, readers = mailer.ports, [mail.player for mail in mails]
    before = mailer.mail_queue.of_all([(mail.player, mail.at + 1) for mail in mails])
    choices = ports.players.preferences_in([(mail.player, mail.game or "") for mail in mails])
    games = ports.games_now({mail.game for mail in mails if mail.game})
    causes = {mail.by for mail in mails if mail.by}
    people = ports.players.find_all({*readers}.union(causes, *map(seated, games.values())))
    for mail in mails:
        if game := games.get(mail.game or ""):
            mail.seat = game.seat_since(mail.seat, mail.version, mail.player)
    return [
        _Due(mail, people.get(mail.player) or stranger_written_to(mail), older, choice, games.get(mail.game or ""), people)
        for mail, older, choice in zip(mails, before, choices, strict=True)
    ]


def _safely(mailer: Mailer, mail: OutboundLetter, act: Callable[[], T]) -> T | None:
    """Run a step for one letter; an exception puts off or closes that letter and does not stop the others."""
    try:
        return act()
    except Exception as error:
        if is_away(error):  # the letter is as good as any other: whoever takes it when the store is back can send it
            raise
        if isinstance(error, WrittenByNewer):
            return None  # told when the game was read; when the lease ends, another worker takes the letter
        if isinstance(error, Tampered):
            _settle(mailer, mail, retry_later("the game is damaged"))
            return None
        log.exception("letter %s could not be composed or delivered", mail.id)
        if is_resource_error(error):
            _settle(mailer, mail, retry_later("it could not be written"))
        else:
            _not_written(mailer, mail)
        return None


def is_resource_error(error: Exception) -> bool:
    """Whether the machine ran out of memory, threads, files or disk: retry then, as nothing is wrong with the letter or message."""
    if isinstance(error, OSError):
        return error.errno in SHORT_OF
    return isinstance(error, MemoryError) or str(error) == NO_THREAD


def _written(mailer: Mailer, due: _Due) -> bytes | None:
    """Compose the message of a letter; None if the letter was closed or put off instead."""
    if due.player is None:
        _close(mailer, due.mail, LetterStatus.NOT_WANTED)
        return None
    if _is_put_aside(mailer, due):
        return None
    passing = due.passing(due.player)
    decision = pass_gate(mailer, passing)
    if decision.verdict in (GateVerdict.LATER, GateVerdict.DROP):
        _hold_back(mailer, due, decision)
        return None
    message = mailer.compose(mailer, _worded(mailer, passing, decision), due.player, due.game, due.people)
    if message is None:
        uncount(mailer, passing)
        _close(mailer, due.mail, LetterStatus.SUPERSEDED)
    return message


def _worded(mailer: Mailer, passing: Passing, decision: GateDecision) -> OutboundLetter:
    """Return the letter with the text that the gate allows."""
    if decision.full:
        return silence(mailer, passing.mail, passing.recipient, decision.full)
    return passing.mail if has_accepted(passing.recipient, passing.game) else to_stranger(passing.mail, passing.recipient)


def _is_put_aside(mailer: Mailer, due: _Due) -> bool:
    """Whether the letter waits behind an older one, or another letter has told its content; then it is put off or closed."""
    if reasons := _older_waiting(due.mail, due.before):
        _later(mailer, due.mail, reasons.pop() if reasons <= HELD else BEHIND, MINUTE)
    elif _receipt_is_due(due.mail, due.before):
        _later(mailer, due.mail, BEHIND, SOON)
    elif _was_told(due.mail, due.before):
        _close(mailer, due.mail, LetterStatus.SUPERSEDED)
    else:
        return False
    return True


def _hold_back(mailer: Mailer, due: _Due, decision: GateDecision) -> None:
    """Close or put off a letter that the gate holds back."""
    mail, reason = due.mail, decision.reason or HeldBack.RECIPIENT_LIMIT
    mailer.count_held(reason.label)
    if reason == HeldBack.COLLECTED and _is_collected(mailer, due):
        mailer.mail_queue.discard(mail)
    elif decision.verdict == GateVerdict.LATER:
        _later(mailer, mail, reason, decision.until - mailer.ports.clock())
    else:
        limited = reason in (HeldBack.RECIPIENT_LIMIT, HeldBack.CAUSE_LIMIT)
        _close(mailer, mail, LetterStatus.HELD_BACK if limited else LetterStatus.NOT_WANTED, reason)


def _is_collected(mailer: Mailer, due: _Due) -> bool:
    """Whether a later letter of the same game will include what this one says.

    Race: another worker may be composing that letter. It reads the table's messages only after it is due, and this message is stored
    already.
    """
    mail, soon = due.mail, mailer.ports.clock() + LEASE
    return any(
        each.letter == mail.letter and each.game == mail.game and each.status == LetterStatus.WAITING and each.due > soon
        for each in due.before
        if each.id != mail.id and each.reason == HeldBack.COLLECTED
    )


def _deliver(mailer: Mailer, due: _Due, message: bytes, until: float) -> None:
    """Deliver one message and record the outcome.

    Race: once the lease is over another worker may lease the same letter. After half of the lease, by the monotonic clock, this worker
    does not begin a delivery. The reply tokens are stored first: if Redis is away, that raises before the letter leaves.
    """
    mail, player = due.mail, due.player
    if player is None or monotonic() > until:
        return
    mailer.open_addresses(mail, _reply(mail, due.game))
    kept = _settle(mailer, mail, mailer.transport.deliver(mailer.bounce_address(mail), player.email, message))
    if mailer.transport.stores_mail or not kept:
        _erase_named_meanwhile(mailer, due)


def _erase_named_meanwhile(mailer: Mailer, due: _Due) -> None:
    """Erase stored letters that name a player who was erased while this letter was being delivered.

    Race: the letter was composed before the erasure and stored after it. Players are looked up again after the delivery.
    """
    told = {due.mail.player} | (seated(due.game) if due.game else set())
    here = mailer.ports.players.find_all(told)
    for gone in (person for id in told - here.keys() if (person := due.people.get(id))):
        erase_letters(mailer.ports, gone)


def _reply(mail: OutboundLetter, game: Game | None) -> ReplyContext:
    """Return what a reply to this letter refers to: the player, the game, the turn, and the question that the letter asks."""
    turn = game.state.turn if game and game.state is not None else None
    version, values = game.version if game else None, mail.values
    return ReplyContext(mail.player, mail.game, mail.seat, turn, version, values.get("held"), values.get("asks"), mail.letter)


def _older_waiting(mail: OutboundLetter, before: Sequence[OutboundLetter]) -> set[str]:
    """Return why older letters to the same player still wait.

    Letters arrive in order; one that the gate holds back delays only letters of its own lane.
    """
    tried = (each for each in before if each.status == LetterStatus.WAITING and each.attempts and (each.at, each.id) < (mail.at, mail.id))
    return {each.reason for each in tried if each.reason not in HELD or _shares_lane(each, mail)}


def _shares_lane(held: OutboundLetter, mail: OutboundLetter) -> bool:
    """Whether a letter that the gate holds back delays this one; collected messages delay nothing."""
    return held.reason != HeldBack.COLLECTED and LANE_OF[LetterKind(held.letter)] is LANE_OF[LetterKind(mail.letter)]


def _receipt_is_due(mail: OutboundLetter, before: Sequence[OutboundLetter]) -> bool:
    """Whether the answer to the player's own orders is to be sent before this letter about a turn.

    Race: one worker composes that answer while another has leased this letter. Bots may have moved already, and the answer then tells this
    turn, too.
    """
    waiting = (each for each in before if each.letter == LetterKind.RECEIPT and each.game == mail.game and each.at <= mail.at)
    return mail.letter == LetterKind.YOUR_TURN and any(each.status == LetterStatus.WAITING for each in waiting)


def _was_told(mail: OutboundLetter, before: Sequence[OutboundLetter]) -> bool:
    """Whether a receipt that was sent meanwhile already told the player about this turn."""
    receipts = (
        each for each in before if each.letter == LetterKind.RECEIPT and each.game == mail.game and each.status == LetterStatus.SENT
    )
    return mail.letter == LetterKind.YOUR_TURN and any(each.values.get("told", 0) >= (mail.version or 0) for each in receipts)


def _not_written(mailer: Mailer, mail: OutboundLetter) -> None:
    """Put off a letter that could not be composed; after a few attempts give it up, as later letters to the player wait behind it."""
    if mail.attempts >= MOST_WRITTEN:
        _close(mailer, mail, LetterStatus.GIVEN_UP, "it could not be written")
    else:
        _later(mailer, mail, "it could not be written", MINUTE)


def _settle(mailer: Mailer, mail: OutboundLetter, outcome: DeliveryOutcome) -> bool:
    """Record the outcome of an attempt; False if the letter was erased meanwhile."""
    match outcome.kind:
        case OutcomeKind.DELIVERED:
            count_answer(mailer, mail)
            return _close(mailer, mail, LetterStatus.SENT)
        case OutcomeKind.REJECTED:
            return _close(mailer, mail, LetterStatus.REFUSED, outcome.reason)
        case OutcomeKind.BOUNCED:
            if player := mailer.ports.players.find(mail.player):
                mailer.ports.players.change(player, lambda known: {"bounces": known.bounces + 1})
            return _close(mailer, mail, LetterStatus.REFUSED, outcome.reason)
        case _ if mailer.ports.clock() - mail.at > GIVE_UP_AFTER:
            return _close(mailer, mail, LetterStatus.GIVEN_UP, outcome.reason)
        case _:
            return _later(mailer, mail, outcome.reason, _backoff(mailer, mail))


def _backoff(mailer: Mailer, mail: OutboundLetter) -> int:
    """Compute the wait before the next attempt: half of the letter's age, within bounds.

    The number of attempts is no measure, because waiting behind another letter counts as one.
    """
    return max(MINUTE, min((mailer.ports.clock() - mail.at) // 2, LONGEST_WAIT))


def _close(mailer: Mailer, mail: OutboundLetter, status: LetterStatus, reason: str = "") -> bool:
    """Record the final status of a letter and delete its values, such as codes and other players' words."""
    mail.status, mail.reason, mail.done = status, reason, mailer.ports.clock()
    mail.values = {name: value for name, value in mail.values.items() if name in KEPT}
    return mailer.mail_queue.record_attempt(mail)


def _later(mailer: Mailer, mail: OutboundLetter, reason: str, wait: int) -> bool:
    """Put a letter off, with the reason; False if it was erased meanwhile."""
    mail.attempts += 1
    mail.reason, mail.due = reason, mailer.ports.clock() + wait
    return mailer.mail_queue.record_attempt(mail)
