"""Prepare deliveries to targets: is it still wanted, does an older one wait, and what does the message say."""

from collections.abc import Sequence

import msgspec

from marketpost.mail.outbound.compose import news_letter
from marketpost.mail.outbound.letter_kind import LETTER_OF_NOTICE, LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.operator_reports import REPORTED
from marketpost.notify.channel_message import ChannelMessage, Shows
from marketpost.notify.record import SECOND, close, put_off
from marketpost.notify.targets import TEST, end_session, is_over
from marketpost.play.moves.game_view import situation
from marketpost.play.people.preferences import delivery_preference
from marketpost.play.table.talk import said
from marketpost.rules.words import COMMON, Words
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.delivery_queue import Delivery, DeliveryStatus

KIND_OF_LETTER = {letter: kind for kind, letter in LETTER_OF_NOTICE.items()} | {LetterKind.REPORT: REPORTED}
"""The kind of notice that each kind of letter tells."""
BEHIND = "an older message to the same target goes first"
"""Why a delivery waits although nothing is wrong with it."""


def wanted(mailer: Mailer, calls: Sequence[Delivery]) -> list[tuple[Delivery, ChannelTarget]]:
    """Find the targets of deliveries that can be made now; the others are closed or put off.

    Order: a target gets its messages one by one. While it is in backoff, or an older message to it that was tried still waits, later ones
    wait behind it.
    """
    before = mailer.deliveries.of_all([(call.player, call.at + 1) for call in calls], channel=calls[0].channel)
    now, found = mailer.ports.clock(), []
    for call, older in zip(calls, before, strict=True):
        target = mailer.targets.find(call.player, call.target)
        if target and is_over(mailer, target):
            end_session(mailer, call.player, target.session or "")
            target = None
        waiting = [each.due for each in older if _goes_first(each, call)]
        if target is None or not target.is_called_for(call.game or target.game or ""):
            close(mailer, call, DeliveryStatus.NOT_WANTED)
        elif waiting:
            put_off(mailer, call, BEHIND, max(now + SECOND, target.again, *waiting) + 1)
        elif target.again > now:
            put_off(mailer, call, target.last_error, target.again)
        else:
            found.append((call, target))
    return found


def _goes_first(older: Delivery, call: Delivery) -> bool:
    """Whether an older message to the same target, which was tried, still waits."""
    is_tried = older.status == DeliveryStatus.WAITING and older.attempts > 0 and older.target == call.target
    return is_tried and (older.at, older.id) < (call.at, call.id)


def compose_message(mailer: Mailer, call: Delivery, shows: Shows) -> ChannelMessage | None:
    """Compose the message from the letter of the same kind; None where that letter would no longer be true.

    A turn is told as long as it lasts: a program that died within its turn is called again for the rest of it.
    """
    if call.letter == LetterKind.REPORT:
        return _reported(mailer, call)
    player = mailer.ports.players.find(call.player)
    if player and call.letter == TEST:
        return ChannelMessage(call.id, TEST, None, Words(player.language, COMMON).say("channels.test"), mailer.settings.public_url)
    game = mailer.ports.game(call.game or "")
    if player is None or game is None or not delivery_preference(mailer.ports, mailer.targets, player, game.id).webhooks:
        return None
    letter = news_letter(mailer, call, player, game)
    if letter is None:
        return None
    text, link = letter.subject + _spoken(mailer, call), f"{mailer.settings.public_url}/games/{game.id}"
    position = situation(game, player.id) if shows == Shows.DATA else {}
    return ChannelMessage(call.id, KIND_OF_LETTER[LetterKind(call.letter)], game.id, text, link, position)


def _spoken(mailer: Mailer, call: Delivery) -> str:
    """Return what was said, for a message at the table."""
    if call.letter != LetterKind.MESSAGE:
        return ""
    return "\n" + next((each.text for each in said(mailer.ports, call.game or "") if each.id == call.values.get("move")), "")


def _reported(mailer: Mailer, call: Delivery) -> ChannelMessage | None:
    """Compose the message about a report to the operator; None if its author was erased meanwhile."""
    found = mailer.ports.reports.find(call.values["report"])
    if found is None:
        return None
    return ChannelMessage(call.id, REPORTED, None, found.text, mailer.settings.public_url, msgspec.to_builtins(found))
