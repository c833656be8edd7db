"""Keep two letters from telling a player the same: what was said beside a move, and how the game ended."""

from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.play.ports import Ports
from marketpost.play.table.talk import Message, said
from marketpost.store.mail_queue import LetterStatus, MailQueue, OutboundLetter
from marketpost.store.players import Player

WITH_TALK = (LetterKind.YOUR_TURN, LetterKind.OVER)
"""Letters about a move, which tell what its mail said beside it."""


def said_beside(ports: Ports, mail: OutboundLetter, player: Player, game: Game) -> list[Message]:
    """What came in the mail whose orders this letter tells of, unless its reader wants to hear nothing of the speaker."""
    beside = mail.values.get("inbound")
    found = [each for each in said(ports, game.id) if each.beside == beside and each.player not in player.unheard] if beside else []
    mail.values["said"] = [each.id for each in found]
    return found


def is_said_elsewhere(mail_queue: MailQueue, mail: OutboundLetter, message: Message) -> bool:
    """Whether a letter about the move tells it, or will: both are written down together, and either may be sent first."""
    about_move = (
        (each for each in mail_queue.of(mail.player) if each.game == mail.game and each.letter in WITH_TALK) if message.beside else ()
    )
    return any(
        message.id in each.values.get("said", ()) if each.status == LetterStatus.SENT else _waits_with(each, message.beside)
        for each in about_move
    )


def _waits_with(mail: OutboundLetter, inbound: str) -> bool:
    return mail.status == LetterStatus.WAITING and mail.values.get("inbound") == inbound


def is_end_told(ports: Ports, mail_queue: MailQueue, mail: OutboundLetter) -> bool:
    """Whether the answer to the reader's own last orders tells how the game ended, or will."""
    receipts = (
        each for each in mail_queue.of(mail.player) if each.game == mail.game and each.letter == LetterKind.RECEIPT and each.at <= mail.at
    )
    return any(
        each.values.get("told", 0) >= (mail.version or 0) if each.status == LetterStatus.SENT else _will_tell_end(ports, each)
        for each in receipts
    )


def _will_tell_end(ports: Ports, receipt: OutboundLetter) -> bool:
    decided = outcome(ports, receipt.game or "", receipt.values["move"]) if receipt.status == LetterStatus.WAITING else None
    return decided is not None and decided.status == OutcomeStatus.APPLIED
