"""Read a line that is a command: its name and its argument, whose form says whether the line is one or merely begins like it."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from marketpost.mail.inbound.address_words import ADDRESS_ARGUMENT
from marketpost.mail.inbound.command_words import as_phrase, split_command, without_please
from marketpost.mail.inbound.vacation_days import OFF
from marketpost.rules.chance import WORD
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, fold, lexicon

ALONE = frozenset({
    "help", "board", "rules", "record", "preview", "undo", "resign", "yes", "no", "vacation", "language", "cancel", "rematch", "draw",
    "abandon", "link", "note", "mute", "unmute", "block", "unblock", "standing", "back", "new", "games", "score", "digest", "every", "stop",
    "hide", "unhide", "tournament", "find", "profile", "ratings", "watch",
    "ahead", "hint",
})  # fmt: skip
"""Commands that need no argument."""
FREE_TEXT = frozenset({"say", "note", "report", "tournament"})
"""Commands whose argument is any text."""
CONFIRMED = frozenset({"resign", "hand-over"})
"""Commands that wait for a yes, unless they are written with an exclamation mark, which stays at the end of their name."""
SURE = re.compile(r"[\W_]*[^\W\d_]+(?: over)?\s*!")
NAMED = re.compile(r"[^\W_][\w.'@+ -]{0,80}")
NAMES_GAME = rf".*\b(?:{'|'.join(rulesets())})\b.*"
ONE_GAME = re.compile("|".join(rulesets()), re.IGNORECASE)
DATE = r"\d{1,4}(?:[./-]\d{1,2}){0,2}\.?(?:[./-]\d{2,4})?"
ARGUMENTS = {
    "vacation": re.compile(rf"(?:\w+'?\s?){{0,2}}{DATE}(?:(?: ?-| \w+){{1,3}} ?{DATE})?(?: \w+){{0,3}}|[^\W\d_]{{2,12}}"),
    "language": re.compile(r"(?:[^\W\d_]{2,3} )?[^\W\d_]{2,12}"),
    "standing": re.compile("|".join(lexicon(COMMON, "standing")), re.IGNORECASE),
    "ahead": re.compile("|".join(spelling for spelling, meanings in lexicon(COMMON, "ahead").items() if "off" in meanings), re.IGNORECASE),
    "letters": re.compile("|".join(lexicon(COMMON, "letters")), re.IGNORECASE),
    "hand-over": re.compile(
        r"(?!over$)(?:(?:over|to|an|à|a|ad|the|my|den|dem|einen|einem|un|il|le|la|ma|mio|meinen|seat|place|posto|Platz) )*"
        r"(?:\S+@\S+|(?:ro)?bot [^\W\d_]+|[^\W\d_]+(?: (?:ro)?bot)?)",
        re.IGNORECASE,
    ),
    "new": re.compile(NAMES_GAME, re.IGNORECASE),
    "find": re.compile(rf"{NAMES_GAME}|{'|'.join(OFF)}", re.IGNORECASE),
    "every": re.compile("letters?|mails?|Brief|Briefe|lettres?|messages?|lettera|lettere|messaggio|messaggi", re.IGNORECASE),
    "word": WORD,
    "address": ADDRESS_ARGUMENT,
    "mute": NAMED,
    "unmute": NAMED,
    "block": NAMED,
    "unblock": NAMED,
    "profile": NAMED,
    "watch": re.compile(r"<?\S+/games/[\w-]+>?\.?|(?=\S*\d)[\w-]+", re.IGNORECASE),
    "ratings": ONE_GAME,
    "games": ONE_GAME,
}


class Command(NamedTuple):
    """A command and its argument."""

    name: str
    argument: str = ""


def read_command(line: str, known: Mapping[str, str], order: Callable[[str], str | None]) -> Command | None:
    """Read a line as a command; None for one that merely begins like one.

    `known` maps words to commands; `order` returns a text as orders, which is what the command `preview` takes.
    """
    if (whole := known.get(as_phrase(line))) in ALONE:
        return Command(whole)
    head, argument = split_command(re.sub(r"^[*_\"'-]+\s*", "", line))
    name = known.get(fold(head))
    if name is None or (name in ("yes", "no") and "?" in line):
        return None
    if name in FREE_TEXT and argument:
        return Command(name, argument)
    if name == "preview" and argument:
        text = order(argument)
        return Command(name, text) if text else None
    if name in CONFIRMED and SURE.match(line):
        name, argument = f"{name}!", re.sub(r"^over\s*!", "over", argument)
    bare = without_please(argument)
    if not bare:
        return Command(name) if name.rstrip("!") in ALONE else None
    if (form := ARGUMENTS.get(name.rstrip("!"))) and form.fullmatch(bare):
        return Command(name, bare)
    return None
