"""Write every kind of letter from plain values: subject, text, HTML and attachments. Nothing is read or sent here."""

from marketpost.mail.outbound.letters.ahead import ahead_told
from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.letters.answers import BesideOrders, answer, begun, called, drawn, receipt, refused
from marketpost.mail.outbound.letters.game_values import FIRST_TURNS, game_name, listed, own_moves, person, ranking, since
from marketpost.mail.outbound.letters.letter import Letter, LetterAttachment, LetterPicture, Links, Names
from marketpost.mail.outbound.letters.people import (
    bouncing,
    canary,
    complained,
    confirm,
    main_address,
    new_address,
    report,
    sign_in,
    webhook_off,
)
from marketpost.mail.outbound.letters.several import PartAnswer, several
from marketpost.mail.outbound.letters.tables import (
    LastOrders,
    declined,
    invitation,
    message,
    news,
    over,
    pace,
    proposal,
    started,
    taken_back,
)
from marketpost.mail.outbound.letters.times import TimeLeft, day, until
from marketpost.mail.outbound.letters.tournaments import tournament, tournament_invitation
from marketpost.mail.outbound.letters.turns import WaitingGame, digest, reminder, timed_out, your_turn

__all__ = [
    "FIRST_TURNS",
    "AnswerKind",
    "BesideOrders",
    "LastOrders",
    "Letter",
    "LetterAttachment",
    "LetterPicture",
    "Links",
    "Names",
    "PartAnswer",
    "TimeLeft",
    "WaitingGame",
    "ahead_told",
    "answer",
    "begun",
    "bouncing",
    "called",
    "canary",
    "complained",
    "confirm",
    "day",
    "declined",
    "digest",
    "drawn",
    "game_name",
    "invitation",
    "listed",
    "main_address",
    "message",
    "new_address",
    "news",
    "over",
    "own_moves",
    "pace",
    "person",
    "proposal",
    "ranking",
    "receipt",
    "refused",
    "reminder",
    "report",
    "several",
    "sign_in",
    "since",
    "started",
    "taken_back",
    "timed_out",
    "tournament",
    "tournament_invitation",
    "until",
    "webhook_off",
    "your_turn",
]
