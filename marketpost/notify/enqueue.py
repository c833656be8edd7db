"""Turn notices from games' outboxes into deliveries: a letter, and one delivery for each of the recipient's targets."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from marketpost.mail.outbound.letter_kind import IN_DIGEST, LETTER_OF_NOTICE, OPTIONAL, LetterKind
from marketpost.mail.outbound.mailer import enqueue
from marketpost.mail.outbound.part_answers import settle_part
from marketpost.notify.assembly import Notifier
from marketpost.play.outbox.notices import Notice, NoticeKind
from marketpost.play.people.preferences import Recipient, recipients
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import MailPreference, Player

TOLD_BY_CHANNELS = frozenset(LETTER_OF_NOTICE) - {NoticeKind.ANSWER}
"""Kinds of notices that go to targets: all but answers to the player's own messages."""

TELLS_THE_END = (LetterKind.OVER, LETTER_OF_NOTICE[NoticeKind.ANSWER])
HELD_FOR = 180_000
"""Milliseconds for which the last letter of a game waits for its analysis."""


def notify(notifier: Notifier, notices: Sequence[Notice]) -> None:
    """Enqueue what the recipients of these notices want. The ids follow from the notices, so repeating this adds nothing.

    Orders in a message with parts for several games share one letter.
    """
    found = recipients(notifier.mailer.ports, notices)
    alone = [each for each in found if each.notice.kind != NoticeKind.ANSWER or not settle_part(notifier.mailer, each.notice)]
    letters = [_letter(each) for each in alone if _wants_letter(each)]
    _hold(notifier, letters)
    enqueue(notifier.mailer, *letters)
    calls = [_call(each, target) for each in found if _wants_calls(each) for target in each.targets]
    if calls and notifier.mailer.deliveries.put(calls):
        notifier.wake()


def _hold(notifier: Notifier, letters: Sequence[Delivery]) -> None:
    """Let letters about the end of a game wait for its analysis, but not for long: one letter then tells both."""
    ending = [each for each in letters if each.letter in TELLS_THE_END and each.game and notifier.mailer.ports.analyses.holds(each.game)]
    for each in ending:
        each.due = max(each.due, each.at + HELD_FOR)
        notifier.mailer.deliveries.hold(each.game or "", [each.id])


def _wants_letter(recipient: Recipient) -> bool:
    """Whether the recipient wants a letter for this notice."""
    letter = LETTER_OF_NOTICE.get(recipient.notice.kind)
    return letter is not None and not (letter in OPTIONAL and recipient.preference.letters == MailPreference.NONE)


def _wants_calls(recipient: Recipient) -> bool:
    """Whether the recipient's targets are told of this notice."""
    return recipient.notice.kind in TOLD_BY_CHANNELS and recipient.preference.webhooks


def _letter(recipient: Recipient) -> Delivery:
    """Build the letter of a notice, or the digest that stands for it."""
    if LETTER_OF_NOTICE[recipient.notice.kind] in IN_DIGEST and recipient.preference.letters == MailPreference.DIGEST:
        return _digest(recipient.player, recipient.notice.at)
    return _delivery(recipient, recipient.notice.id)


def _call(recipient: Recipient, target: ChannelTarget) -> Delivery:
    """Build the delivery of a notice to one target."""
    call = _delivery(recipient, f"{recipient.notice.id}-{target.id}")
    call.channel, call.target = target.channel, target.id
    return call


def _delivery(recipient: Recipient, id: str) -> Delivery:
    notice = recipient.notice
    values: dict[str, Any] = {"move": notice.move, "inbound": notice.via} if notice.move or notice.via else {}
    if notice.about:
        values["about"] = notice.about
    if notice.ahead:
        values["ahead"] = msgspec.to_builtins(notice.ahead)
    seat, letter = (notice.seat if notice.seat >= 0 else None), LETTER_OF_NOTICE[notice.kind]
    return Delivery(id, recipient.player.id, letter, notice.at, notice.at, notice.game, notice.version, seat, values, notice.by)


def _digest(player: Player, at: int) -> Delivery:
    """Build the digest that is due at the player's hour. Its id names that hour, so all notices until then share one letter."""
    now = datetime.fromtimestamp(at / 1000, ZoneInfo(player.timezone))
    hour = now.replace(hour=player.digest_hour, minute=0, second=0, microsecond=0)
    then = hour if hour > now else hour + timedelta(days=1)
    due = int(then.timestamp() * 1000)
    return Delivery(f"digest-{player.id}-{due}", player.id, LetterKind.DIGEST, at, due)
