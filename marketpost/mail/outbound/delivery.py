"""Letters on their way: written down once, sent when due, tried again with patience, and never after they are stale."""

import errno
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeVar

from marketpost.mail.outbound.attempt import DeliveryOutcome, OutcomeKind, retry_later
from marketpost.mail.outbound.letter_kind import OPTIONAL, LetterKind, LetterStatus
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import seated
from marketpost.play.people.erasure import erase_letters
from marketpost.play.people.preferences import preference_given
from marketpost.store.connections import is_away
from marketpost.store.leases import LEASE
from marketpost.store.mail_queue import OutboundLetter, ReplyContext
from marketpost.store.players import Player

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
GIVE_UP_AFTER = 5 * DAY
LONGEST_WAIT = 4 * HOUR
TOO_MANY = "too many letters in one hour"
BEHIND = "an older letter to the same address goes first"
AT_MOST_AN_HOUR = 120
"""Letters to one player that answer nothing. Whatever a player writes is answered."""
MOST_WRITTEN = 3
"""How often we try to write a letter that breaks its writer."""
DEAD_AFTER = 3
"""Bounces in a row after which nothing more is sent to an address."""
SHORT_OF = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC)
NO_THREAD = "can't start new thread"
"""What Python says, with an error that has no number."""
AT_ONCE = 20
PARALLEL_DELIVERIES = 4
"""Letters that are carried at once: most of the time a server is waited for."""
log = logging.getLogger("marketpost.post")
T = TypeVar("T")
KEPT = {"told", "said"}
"""Values that stay with a letter after it was sent: up to which version it told the game, and which messages."""


@dataclass(frozen=True, slots=True)
class _Due:
    """A letter, and what is to be known before it is sent."""

    mail: OutboundLetter
    player: Player | None
    before: Sequence[OutboundLetter]
    """Letters to the same reader that are older."""
    lately: int
    """How many the reader got in this hour."""
    choice: str | None
    """What the reader has chosen for the game."""
    game: Game | None
    people: Mapping[str, Player]


def send_due(mailer: Mailer) -> int:
    """Send what is due; how many letters were looked at. While one is carried the next is written, but not to the same reader."""
    until = monotonic() + LEASE / 2000
    taken = sorted(mailer.mail_queue.take(mailer.ports.clock(), AT_ONCE), key=lambda each: (each.at, each.id))
    carried: dict[str, Future[None]] = {}
    with ThreadPoolExecutor(PARALLEL_DELIVERIES) as hands:
        for mails in _rounds(taken):
            for former in [carried.pop(mail.player) for mail in mails if mail.player in carried]:
                former.result()
            for due in _look_up(mailer, mails):
                if message := _safely(mailer, due.mail, partial(_written, mailer, due)):
                    deliver = partial(_deliver, mailer, due, message, until)
                    carried[due.mail.player] = hands.submit(_safely, mailer, due.mail, deliver)
        for each in carried.values():
            each.result()
    return len(taken)


def _rounds(mails: Sequence[OutboundLetter]) -> Iterator[list[OutboundLetter]]:
    """The first to each reader, then the second: what is known before one is sent must tell what became of the one before."""
    while mails:
        firsts: dict[str, OutboundLetter] = {}
        for mail in mails:
            firsts.setdefault(mail.player, mail)
        yield [*firsts.values()]
        mails = [mail for mail in mails if mail is not firsts[mail.player]]


def _look_up(mailer: Mailer, mails: Sequence[OutboundLetter]) -> list[_Due]:
    """Together; if that fails each by itself, so that what is wrong with one does no harm to the others."""
    try:
        return _looked_up(mailer, mails)
    except Exception as error:
        if is_away(error):
            raise
        log.info("%d letters are looked at one by one", len(mails), exc_info=True)
        alone = (_safely(mailer, mail, partial(_looked_up, mailer, [mail])) for mail in mails)
        return [due for found in alone for due in found or ()]


def _looked_up(mailer: Mailer, mails: Sequence[OutboundLetter]) -> list[_Due]:
    ports, readers = mailer.ports, [mail.player for mail in mails]
    before = mailer.mail_queue.of_all([(mail.player, mail.at + 1) for mail in mails])
    lately = mailer.mail_queue.sent_lately(readers, ports.clock() // HOUR)
    choices = ports.players.choices_in([(mail.player, mail.game or "") for mail in mails])
    games = ports.games_now({mail.game for mail in mails if mail.game})
    people = ports.players.find_all({*readers}.union(*map(seated, games.values())))
    return [
        _Due(mail, people.get(mail.player), older, count, choice, games.get(mail.game or ""), people)
        for mail, older, count, choice in zip(mails, before, lately, choices, strict=True)
    ]


def _safely(mailer: Mailer, mail: OutboundLetter, act: Callable[[], T]) -> T | None:
    """What is wrong with one letter does no harm to those behind it."""
    try:
        return act()
    except Exception as error:
        if is_away(error):  # the letter is as good as any other: whoever takes it when the store is back can send it
            raise
        log.exception("letter %s could not be written", mail.id)
        if is_resource_error(error):
            _settle(mailer, mail, retry_later("it could not be written"))
        else:
            _not_written(mailer, mail)
        return None


def is_resource_error(error: Exception) -> bool:
    """What this process has none left of, memory, threads, files or room on the disk, says nothing against what it was doing."""
    if isinstance(error, OSError):
        return error.errno in SHORT_OF
    return isinstance(error, MemoryError) or str(error) == NO_THREAD


def _written(mailer: Mailer, due: _Due) -> bytes | None:
    """What is to be sent now; anything else is closed or put off."""
    if due.player is None:
        _close(mailer, due.mail, LetterStatus.NOT_WANTED)
        return None
    if _is_put_aside(mailer, due, due.player):
        return None
    message = mailer.compose(mailer, due.mail, due.player, due.game, due.people)
    if message is None:
        _close(mailer, due.mail, LetterStatus.SUPERSEDED)
    return message


def _is_put_aside(mailer: Mailer, due: _Due, player: Player) -> bool:
    mail = due.mail
    if why := _not_wanted(mailer, due, player):
        _close(mailer, mail, LetterStatus.NOT_WANTED, why)
    elif mail.letter in OPTIONAL and due.lately >= AT_MOST_AN_HOUR:
        _later(mailer, mail, TOO_MANY, HOUR)
    elif reasons := _older_waiting(mail, due.before):
        _later(mailer, mail, TOO_MANY if reasons == {TOO_MANY} else BEHIND, MINUTE)
    elif _was_told(mail, due.before):
        _close(mailer, mail, LetterStatus.SUPERSEDED)
    else:
        return False
    return True


def _deliver(mailer: Mailer, due: _Due, message: bytes, until: float) -> None:
    """Not when it has waited for slow ones for so long that another worker may soon take it, whatever the time of day.

    A store that is away says so when the addresses are opened, before a letter goes of which it would not know.
    """
    mail, player = due.mail, due.player
    if player is None or monotonic() > until:
        return
    mailer.open_addresses(mail, _reply(mail, due.game))
    kept = _settle(mailer, mail, mailer.transport.deliver(mailer.bounce_address(mail), player.email, message))
    if mailer.transport.stores_mail or not kept:
        _forget_the_gone(mailer, due)


def _forget_the_gone(mailer: Mailer, due: _Due) -> None:
    """Whoever was forgotten while a letter that names them was on its way."""
    told = {due.mail.player} | (seated(due.game) if due.game else set())
    here = mailer.ports.players.find_all(told)
    for gone in (person for id in told - here.keys() if (person := due.people.get(id))):
        erase_letters(mailer.ports, gone)


def _reply(mail: OutboundLetter, game: Game | None) -> ReplyContext:
    """What an answer to this letter stands for: this player, this game, this turn, or a mail that waits for a yes."""
    turn = game.state.turn if game and game.state is not None else None
    version, values = game.version if game else None, mail.values
    return ReplyContext(mail.player, mail.game, mail.seat, turn, version, values.get("held"), values.get("asks"), mail.letter)


def _not_wanted(mailer: Mailer, due: _Due, player: Player) -> str:
    if not player.email:
        return "a guest has no address"
    if player.bounces >= DEAD_AFTER:
        return "the address bounces"
    mail = due.mail
    if mail.game and mail.letter in OPTIONAL and preference_given(mailer.webhook_queue, player, mail.game, due.choice).letters == "none":
        return "the player wants no such letters"
    return ""


def _older_waiting(mail: OutboundLetter, before: Sequence[OutboundLetter]) -> set[str]:
    """Why older letters wait. Those to one person arrive in order, but an answer does not wait for what is merely too much."""
    passed_by = TOO_MANY if mail.letter not in OPTIONAL else None
    tried = (each for each in before if each.status == LetterStatus.WAITING and each.attempts and (each.at, each.id) < (mail.at, mail.id))
    return {each.reason for each in tried} - {passed_by}


def _was_told(mail: OutboundLetter, before: Sequence[OutboundLetter]) -> bool:
    """Whether a receipt that was sent meanwhile tells of this turn."""
    receipts = (
        each for each in before if each.letter == LetterKind.RECEIPT and each.game == mail.game and each.status == LetterStatus.SENT
    )
    return mail.letter == LetterKind.YOUR_TURN and any(each.values.get("told", 0) >= (mail.version or 0) for each in receipts)


def _not_written(mailer: Mailer, mail: OutboundLetter) -> None:
    """It must not hold up those behind it for long."""
    if mail.attempts >= MOST_WRITTEN:
        _close(mailer, mail, LetterStatus.GIVEN_UP, "it could not be written")
    else:
        _later(mailer, mail, "it could not be written", MINUTE)


def _settle(mailer: Mailer, mail: OutboundLetter, outcome: DeliveryOutcome) -> bool:
    """False if nobody knows of the letter any more."""
    match outcome.kind:
        case OutcomeKind.DELIVERED:
            return _close(mailer, mail, LetterStatus.SENT, counted=mail.letter in OPTIONAL)
        case OutcomeKind.REJECTED:
            return _close(mailer, mail, LetterStatus.REFUSED, outcome.reason)
        case _ if mailer.ports.clock() - mail.at > GIVE_UP_AFTER:
            return _close(mailer, mail, LetterStatus.GIVEN_UP, outcome.reason)
        case _:
            return _later(mailer, mail, outcome.reason, _backoff(mailer, mail))


def _backoff(mailer: Mailer, mail: OutboundLetter) -> int:
    """By age and not by tries, for a letter that only waited behind others has tried nothing."""
    return max(MINUTE, min((mailer.ports.clock() - mail.at) // 2, LONGEST_WAIT))


def _close(mailer: Mailer, mail: OutboundLetter, status: LetterStatus, reason: str = "", *, counted: bool = False) -> bool:
    """What stood in it is not kept: codes, and what others have said or are called."""
    mail.status, mail.reason, mail.done = status, reason, mailer.ports.clock()
    mail.values = {name: value for name, value in mail.values.items() if name in KEPT}
    return mailer.mail_queue.keep(mail, mail.done // HOUR if counted else None)


def _later(mailer: Mailer, mail: OutboundLetter, reason: str, wait: int) -> bool:
    mail.attempts += 1
    mail.reason, mail.due = reason, mailer.ports.clock() + wait
    return mailer.mail_queue.keep(mail)
