"""Letters on their way: written down once, sent when due, tried again with patience, and never after they are stale."""

import base64
import errno
import hashlib
import hmac
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from marketpost.mail.outbound.attempt import DeliveryOutcome, OutcomeKind, retry_later
from marketpost.mail.outbound.letters import Links
from marketpost.mail.outbound.transport import MailTransport
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import seated
from marketpost.play.people.erasure import erase_letters
from marketpost.play.people.preferences import Recipient, preference_given
from marketpost.play.ports import Ports
from marketpost.store.connections import is_away
from marketpost.store.leases import LEASE
from marketpost.store.mail_queue import MailQueue, OutboundLetter, ReplyContext
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from marketpost.store.webhook_queue import WebhookQueue

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
LETTERS = {
    "turn": "your-turn",
    "over": "over",
    "started": "started",
    "invited": "invitation",
    "declined": "declined",
    "answer": "receipt",
    "said": "message",
    "proposed": "proposal",
    "news": "news",
    "reminder": "reminder",
    "timed-out": "timed-out",
}
"""Which letter tells which kind of notice."""
PUSHING = {"your-turn", "reminder", "timed-out", "over", "started", "message", "declined", "digest", "proposal", "news"}
"""Letters that a player can do without; the others answer something the player did."""
KEPT = {"told", "said"}
"""Values of a letter by which later ones know what it told: up to which version, and which messages."""
COLLECTED = {"your-turn", "started", "message"}
"""Letters that a digest stands for."""


class Composer(Protocol):
    def __call__(self, mail: OutboundLetter, player: Player, game: Game | None, people: Mapping[str, Player]) -> bytes | None:
        """The whole message; nothing if there is no more reason to send it. `people` are those at the game's table."""


@dataclass(slots=True)
class Mailer:
    """What sending and reading mail needs."""

    ports: Ports
    post: MailQueue
    settings: Settings
    transport: MailTransport
    compose: Composer
    wake: Callable[[], None]
    """Tell a mail worker that something waits. May fail: the sweeper comes by."""
    hooks: WebhookQueue

    @property
    def links(self) -> Links:
        look = partial(self.token, "look")
        return Links(self.settings.public_url, look, f"new@{self.settings.mail_domain}")

    def token(self, *parts: object) -> str:
        """A reply token: always the same for the same occasion, guessable by nobody."""
        digest = hmac.digest(self.settings.secret_key.encode(), "|".join(map(str, ("reply", *parts))).encode(), hashlib.sha256)
        return base64.b32encode(digest[:20]).decode().lower()

    def is_token(self, key: str, *parts: object) -> bool:
        """Whether this is the token of that occasion; how long we take tells nobody how near it was."""
        return hmac.compare_digest(self.token(*parts).encode(), key.encode(errors="replace"))

    def reply_address(self, mail: OutboundLetter) -> str:
        return f"play+{self.token(mail.id)}@{self.settings.mail_domain}"

    def bounce_address(self, mail: OutboundLetter) -> str:
        """Bounces come back to an address of their own for each mail (VERP), whatever else they say."""
        return f"bounce+{self.token('bounce', mail.id)}@{self.settings.mail_domain}"

    def open_addresses(self, mail: OutboundLetter, reply: ReplyContext) -> None:
        """Both lead somewhere from now on."""
        self.post.bind(self.token(mail.id), reply, self.token("bounce", mail.id))


def enqueue_letters(mailer: Mailer, heard: Sequence[Recipient]) -> None:
    """Notices from games' outboxes become letters to be sent, each once."""
    enqueue(mailer, *(_letter(each) for each in heard if _is_wanted(each)))


def _is_wanted(heard: Recipient) -> bool:
    letter = LETTERS.get(heard.notice.kind)
    return letter is not None and not (letter in PUSHING and heard.preference.letters == "none")


def _letter(heard: Recipient) -> OutboundLetter:
    notice, player, letter = heard.notice, heard.player, LETTERS[heard.notice.kind]
    if letter in COLLECTED and heard.preference.letters == "digest":
        return _digest(player, notice.at)
    values: dict[str, str | None] = {"move": notice.move, "inbound": notice.via} if notice.move or notice.via else {}
    if notice.about:
        values["about"] = notice.about
    seat = notice.seat if notice.seat >= 0 else None
    return OutboundLetter(notice.id, player.id, letter, notice.at, notice.at, notice.game, notice.version, seat, values)


def _digest(player: Player, at: int) -> OutboundLetter:
    """One for all that happens until the player's hour comes round, which may be another one the same day if the player changes it."""
    now = datetime.fromtimestamp(at / 1000, ZoneInfo(player.timezone))
    hour = now.replace(hour=player.digest_hour, minute=0, second=0, microsecond=0)
    then = hour if hour > now else hour + timedelta(days=1)
    due = int(then.timestamp() * 1000)
    return OutboundLetter(f"digest-{player.id}-{due}", player.id, "digest", at, due)


def enqueue(mailer: Mailer, *mails: OutboundLetter) -> None:
    if mailer.post.put(mails):
        mailer.wake()


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
    taken = sorted(mailer.post.take(mailer.ports.clock(), AT_ONCE), key=lambda each: (each.at, each.id))
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
    before = mailer.post.of_all([(mail.player, mail.at + 1) for mail in mails])
    lately = mailer.post.sent_lately(readers, ports.clock() // HOUR)
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
        _close(mailer, due.mail, "not-wanted")
        return None
    if _is_put_aside(mailer, due, due.player):
        return None
    message = mailer.compose(due.mail, due.player, due.game, due.people)
    if message is None:
        _close(mailer, due.mail, "superseded")
    return message


def _is_put_aside(mailer: Mailer, due: _Due, player: Player) -> bool:
    mail = due.mail
    if why := _not_wanted(mailer, due, player):
        _close(mailer, mail, "not-wanted", why)
    elif mail.letter in PUSHING and due.lately >= AT_MOST_AN_HOUR:
        _later(mailer, mail, TOO_MANY, HOUR)
    elif reasons := _older_waiting(mail, due.before):
        _later(mailer, mail, TOO_MANY if reasons == {TOO_MANY} else BEHIND, MINUTE)
    elif _was_told(mail, due.before):
        _close(mailer, mail, "superseded")
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
    if mail.game and mail.letter in PUSHING and preference_given(mailer.hooks, player, mail.game, due.choice).letters == "none":
        return "the player wants no such letters"
    return ""


def _older_waiting(mail: OutboundLetter, before: Sequence[OutboundLetter]) -> set[str]:
    """Why older letters wait. Those to one person arrive in order, but an answer does not wait for what is merely too much."""
    passed_by = TOO_MANY if mail.letter not in PUSHING else None
    tried = (each for each in before if each.status == "waiting" and each.attempts and (each.at, each.id) < (mail.at, mail.id))
    return {each.reason for each in tried} - {passed_by}


def _was_told(mail: OutboundLetter, before: Sequence[OutboundLetter]) -> bool:
    """Whether a receipt that was sent meanwhile tells of this turn."""
    receipts = (each for each in before if each.letter == "receipt" and each.game == mail.game and each.status == "sent")
    return mail.letter == "your-turn" and any(each.values.get("told", 0) >= (mail.version or 0) for each in receipts)


def _not_written(mailer: Mailer, mail: OutboundLetter) -> None:
    """It must not hold up those behind it for long."""
    if mail.attempts >= MOST_WRITTEN:
        _close(mailer, mail, "given-up", "it could not be written")
    else:
        _later(mailer, mail, "it could not be written", MINUTE)


def _settle(mailer: Mailer, mail: OutboundLetter, outcome: DeliveryOutcome) -> bool:
    """False if nobody knows of the letter any more."""
    match outcome.kind:
        case OutcomeKind.DELIVERED:
            return _close(mailer, mail, "sent", counted=mail.letter in PUSHING)
        case OutcomeKind.REJECTED:
            return _close(mailer, mail, "refused", outcome.reason)
        case _ if mailer.ports.clock() - mail.at > GIVE_UP_AFTER:
            return _close(mailer, mail, "given-up", outcome.reason)
        case _:
            return _later(mailer, mail, outcome.reason, _backoff(mailer, mail))


def _backoff(mailer: Mailer, mail: OutboundLetter) -> int:
    """By age and not by tries, for a letter that only waited behind others has tried nothing."""
    return max(MINUTE, min((mailer.ports.clock() - mail.at) // 2, LONGEST_WAIT))


def _close(mailer: Mailer, mail: OutboundLetter, status: str, reason: str = "", *, counted: bool = False) -> bool:
    """What stood in it is not kept: codes, and what others have said or are called."""
    mail.status, mail.reason, mail.done = status, reason, mailer.ports.clock()
    mail.values = {name: value for name, value in mail.values.items() if name in KEPT}
    return mailer.post.keep(mail, mail.done // HOUR if counted else None)


def _later(mailer: Mailer, mail: OutboundLetter, reason: str, wait: int) -> bool:
    mail.attempts += 1
    mail.reason, mail.due = reason, mailer.ports.clock() + wait
    return mailer.post.keep(mail)
