"""Split a line into the words of a command and what follows them."""

import re

from marketpost.mail.inbound.habits import phrases
from marketpost.rules.words import fold, tokens

MOST_PHRASE = 12
"""Words and signs of a question such as “what are the rules?”."""


def split_command(line: str) -> tuple[str, str]:
    """Split a line into its first word and the rest; a colon may stand between."""
    found = re.match(r"([^\W\d_]+'?)\s*(?:[:,-]\s*|\s+|$|(?=[.!?]))(.*)$", line)
    return (found.group(1).rstrip("'"), found.group(2).strip()) if found else ("", "")


def as_phrase(line: str) -> str:
    """Return a line of a few words as the lexicon of commands spells it; empty for a longer one."""
    words = tokens(without_please(line.strip(" *_\"'-")))
    return fold(" ".join(words)) if 1 < len(words) <= MOST_PHRASE else ""


def without_please(argument: str) -> str:
    """The text without full stops around it and a please at its end."""
    bare = argument.strip(" .!,?:")
    told = fold(bare)
    please = next((each for each in phrases("courtesies", "please") if told.endswith(each)), "")
    return bare[: len(bare) - len(please)].strip(" .!,") if please and len(told) == len(bare) else bare
