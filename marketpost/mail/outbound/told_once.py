"""Avoid telling a player the same in two letters: what was said, how the game ended, and what their own mail led to."""

from collections.abc import Sequence

from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.actions import AnyAction, Began, Ended, HandedOver, Undone
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.play.people.blocking import is_shut_out
from marketpost.play.ports import Ports
from marketpost.play.table.talk import Message, said
from marketpost.store.delivery_queue import Delivery, DeliveryQueue, DeliveryStatus
from marketpost.store.players import Player

LOOKED_AT = 200
"""How many of a player's newest letters are searched."""
NEWEST = 10
"""How many of them may be of the same minute."""
WITH_TALK = (LetterKind.YOUR_TURN, LetterKind.OVER, LetterKind.MESSAGE)
"""Letters that tell what was said; those about a move tell what its message said beside it."""


MAILS = ("mail ", "question ")
"""How the log names messages that caused an entry: see `InboundMessage.key`."""


def said_beside(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> list[Message]:
    """Return what others said in the message whose orders led to this letter, unless it was told already or they are muted."""
    beside = mail.values.get("inbound")
    found = [each for each in _heard(mailer, player, said(mailer.ports, game.id)) if each.beside == beside] if beside else []
    sent = (each for each in mailer.deliveries.of(player.id, most=LOOKED_AT) if each.status == DeliveryStatus.SENT) if found else ()
    told = {id for each in sent for id in each.values.get("said", ())}
    mail.values["said"] = [each.id for each in found if each.id not in told]
    return [each for each in found if each.id not in told]


def said_since(mailer: Mailer, mail: Delivery, player: Player) -> list[Message]:
    """Return what others said since the message that the letter is about, without what other letters tell."""
    talk = said(mailer.ports, mail.game or "")
    first = next((number for number, each in enumerate(talk) if each.id == mail.values["move"]), len(talk))
    others = _heard(mailer, player, talk[first:])
    letters = [each for each in mailer.deliveries.of(mail.player, most=LOOKED_AT) if each.game == mail.game and each.letter in WITH_TALK]
    return [each for each in others if not any(_tells(letter, each) for letter in letters)]


def _heard(mailer: Mailer, player: Player, talk: Sequence[Message]) -> list[Message]:
    """Return what others said, without those whom the player has muted or blocked."""
    return [each for each in talk if each.player != player.id and not is_shut_out(mailer.ports, each.player, player.silenced)]


def _tells(letter: Delivery, message: Message) -> bool:
    """Whether the letter told this message, or will: a letter about a move is stored together with what was said beside it."""
    if letter.status == DeliveryStatus.SENT:
        return message.id in letter.values.get("said", ())
    is_about_move = letter.letter != LetterKind.MESSAGE and letter.status == DeliveryStatus.WAITING
    return bool(message.beside) and is_about_move and letter.values.get("inbound") == message.beside


def is_end_told(ports: Ports, deliveries: DeliveryQueue, mail: Delivery) -> bool:
    """Whether the answer to the player's own last orders tells how the game ended, or will."""
    receipts = (
        each for each in deliveries.of(mail.player) if each.game == mail.game and each.letter == LetterKind.RECEIPT and each.at <= mail.at
    )
    return any(
        each.values.get("told", 0) >= (mail.version or 0) if each.status == DeliveryStatus.SENT else _will_tell_end(ports, each)
        for each in receipts
    )


def _will_tell_end(ports: Ports, receipt: Delivery) -> bool:
    decided = outcome(ports, receipt.game or "", receipt.values["move"]) if receipt.status == DeliveryStatus.WAITING else None
    return decided is not None and decided.status == OutcomeStatus.APPLIED


def is_turn_told(mailer: Mailer, mail: Delivery) -> bool:
    """Whether the answer to the player's message about several games has shown this turn."""
    newest = mailer.deliveries.of(mail.player, most=NEWEST)
    answers = (each for each in newest if each.letter == LetterKind.SEVERAL and each.status == DeliveryStatus.SENT)
    return any(each.values["told"].get(mail.game, 0) >= (mail.version or 0) for each in answers)


def is_own_doing(ports: Ports, game: Game, version: int, player: Player) -> bool:
    """Whether a message of this player without orders made this version; the answer to it then tells what it led to."""
    if any(made == version and played.seat is not None for made, played in game.history):
        return False
    first = max(version - 2, 0)
    *before, entry = (decode(each.data) for each in ports.games.read(game.id, first, version - first))
    if isinstance(entry.action, Began) and before:
        entry = before[-1]
    return entry.by == player.id and entry.via.startswith(MAILS)


def led_to(ports: Ports, game: Game, key: str) -> AnyAction | None:
    """Return the action by which the message with this key made somebody decide or ended the game."""
    if not any(via.startswith(f"{key} ") for via in game.done):
        return None
    entries = [decode(each.data) for each in ports.games.read(game.id)]
    own = {entry.version for entry in entries if entry.via.startswith(f"{key} ")}
    done = (entry.action for entry in entries if entry.version in own or (isinstance(entry.action, Began) and entry.version - 1 in own))
    return next((action for action in done if _is_followed(action)), None)


def _is_followed(action: AnyAction) -> bool:
    """Whether others are called to decide after the action, or the game is over. An undo within the own turn calls nobody."""
    return isinstance(action, Began | HandedOver | Ended) or (isinstance(action, Undone) and action.agreed)
