"""Every letter we send: from plain values to subject, text, HTML and attachments. Nothing is read or sent here."""

from marketpost.mail.outbound.letters.answers import Beside, answer, drawn, receipt, refused
from marketpost.mail.outbound.letters.letter import Attachment, Letter, Links, Names, Picture
from marketpost.mail.outbound.letters.people import bouncing, confirm, sign_in, webhook_off
from marketpost.mail.outbound.letters.tables import Last, declined, invitation, message, news, over, pace, proposal, started, taken_back
from marketpost.mail.outbound.letters.telling import game_name, listed, person, ranking
from marketpost.mail.outbound.letters.times import Clock, day, until
from marketpost.mail.outbound.letters.turns import Waiting, digest, reminder, timed_out, your_turn

__all__ = [
    "Attachment",
    "Beside",
    "Clock",
    "Last",
    "Letter",
    "Links",
    "Names",
    "Picture",
    "Waiting",
    "answer",
    "bouncing",
    "confirm",
    "day",
    "declined",
    "digest",
    "drawn",
    "game_name",
    "invitation",
    "listed",
    "message",
    "news",
    "over",
    "pace",
    "person",
    "proposal",
    "ranking",
    "receipt",
    "refused",
    "reminder",
    "sign_in",
    "started",
    "taken_back",
    "timed_out",
    "until",
    "webhook_off",
    "your_turn",
]
