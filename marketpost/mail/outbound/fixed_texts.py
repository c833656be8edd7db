"""Answers with a fixed text: to people who have not accepted anything yet, and before silence. They quote nothing."""

import msgspec

from marketpost.mail.outbound.gate import DAY
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import AnswerKind
from marketpost.mail.outbound.mailer import WORDS, Mailer
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import Words
from marketpost.store.delivery_queue import Delivery
from marketpost.store.letter_counts import Window
from marketpost.store.players import Player

SHOWN = {"help", "rules"}
"""What a stranger may be shown, because it is our own text."""


def to_stranger(mail: Delivery, player: Player) -> Delivery:
    """Replace the text of an answer to somebody who has accepted nothing: the message may be forged, so none of it is quoted."""
    if mail.letter != LetterKind.ANSWER:
        return mail
    asked = [each for each in mail.values["asked"] if each in SHOWN]
    values = mail.values | {"lines": [] if asked else _lines(mail, player), "asked": asked}
    return msgspec.structs.replace(mail, game=None, seat=None, values=values)


def _lines(mail: Delivery, player: Player) -> list[str]:
    """Return the fixed lines: that a message is held, or how to ask for a game."""
    say = Words(mail.values.get("language") or player.language, WORDS).say
    if mail.values.get("held"):
        return [say("answers.stranger-held")]
    return [say(f"answers.{key}", games=list(rulesets())) for key in ("new-how", "new-more")]


def silence(mailer: Mailer, mail: Delivery, player: Player, full: Window) -> Delivery:
    """Build the letter that says that further messages are not answered for a while."""
    say = Words(player.language, WORDS).say
    lines = [say("answers.silence-day" if full.length >= DAY else "answers.silence-hour", amount=full.most, url=mailer.links.home)]
    values = {"lines": lines, "asked": [], "kind": AnswerKind.REFUSED}
    return msgspec.structs.replace(mail, letter=LetterKind.ANSWER, game=None, seat=None, values=values)
