"""Answers with a fixed text: to people who have not accepted anything yet, and before we fall silent. Nothing in them is quoted."""

import msgspec

from marketpost.mail.outbound.gate import DAY
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import AnswerKind
from marketpost.mail.outbound.mailer import WORDS, Mailer
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import Words
from marketpost.store.letter_counts import Window
from marketpost.store.mail_queue import OutboundLetter
from marketpost.store.players import Player

SHOWN = {"help", "rules"}
"""What a stranger may be shown: it is ours."""


def to_stranger(mail: OutboundLetter, player: Player) -> OutboundLetter:
    """The answer to a mail in the name of somebody who has accepted nothing: the mail may be forged, so none of it is repeated."""
    if mail.letter != LetterKind.ANSWER:
        return mail
    asked = [each for each in mail.values["asked"] if each in SHOWN]
    values = mail.values | {"lines": [] if asked else _lines(mail, player), "asked": asked}
    return msgspec.structs.replace(mail, game=None, seat=None, values=values)


def _lines(mail: OutboundLetter, player: Player) -> list[str]:
    say = Words(mail.values.get("language") or player.language, WORDS).say
    if mail.values.get("held"):
        return [say("answers.stranger-held")]
    return [say(f"answers.{key}", games=list(rulesets())) for key in ("new-how", "new-more")]


def silence(mailer: Mailer, mail: OutboundLetter, player: Player, full: Window) -> OutboundLetter:
    """The letter that says that the next mails are not answered."""
    say = Words(player.language, WORDS).say
    lines = [say("answers.silence-day" if full.length >= DAY else "answers.silence-hour", amount=full.most, url=mailer.links.home)]
    values = {"lines": lines, "asked": [], "kind": AnswerKind.REFUSED}
    return msgspec.structs.replace(mail, letter=LetterKind.ANSWER, game=None, seat=None, values=values)
