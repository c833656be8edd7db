"""Turn notices from games' outboxes into letters in the mail queue, by each player's preference."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from marketpost.mail.outbound.letter_kind import IN_DIGEST, LETTER_OF_NOTICE, OPTIONAL, LetterKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.people.preferences import Recipient
from marketpost.store.mail_queue import OutboundLetter
from marketpost.store.players import MailPreference, Player


def enqueue_letters(mailer: Mailer, recipients: Sequence[Recipient]) -> None:
    """Put a letter in the queue for each recipient who wants one. Its id is that of the notice, so repeating this adds nothing."""
    enqueue(mailer, *(_letter(each) for each in recipients if _is_wanted(each)))


def _is_wanted(recipient: Recipient) -> bool:
    """Whether the recipient wants a letter for this notice."""
    letter = LETTER_OF_NOTICE.get(recipient.notice.kind)
    return letter is not None and not (letter in OPTIONAL and recipient.preference.letters == MailPreference.NONE)


def _letter(recipient: Recipient) -> OutboundLetter:
    """Build the letter of a notice, or the digest that stands for it."""
    notice, player, letter = recipient.notice, recipient.player, LETTER_OF_NOTICE[recipient.notice.kind]
    if letter in IN_DIGEST and recipient.preference.letters == MailPreference.DIGEST:
        return _digest(player, notice.at)
    values: dict[str, str | None] = {"move": notice.move, "inbound": notice.via} if notice.move or notice.via else {}
    if notice.about:
        values["about"] = notice.about
    seat = notice.seat if notice.seat >= 0 else None
    return OutboundLetter(notice.id, player.id, letter, notice.at, notice.at, notice.game, notice.version, seat, values, notice.by)


def _digest(player: Player, at: int) -> OutboundLetter:
    """Build the digest that is due at the player's hour. Its id names that hour, so all notices until then share one letter."""
    now = datetime.fromtimestamp(at / 1000, ZoneInfo(player.timezone))
    hour = now.replace(hour=player.digest_hour, minute=0, second=0, microsecond=0)
    then = hour if hour > now else hour + timedelta(days=1)
    due = int(then.timestamp() * 1000)
    return OutboundLetter(f"digest-{player.id}-{due}", player.id, LetterKind.DIGEST, at, due)
