"""Read yes and no as people write them: `Ja gerne`, `sure, why not`, `non merci`; only where something was asked."""

import re
from collections.abc import Collection
from functools import cache

from marketpost.mail.inbound.command_context import WORDS
from marketpost.mail.inbound.courtesies import SMILEY, courtesy_kind
from marketpost.mail.inbound.habits import tidy
from marketpost.rules.chance import WORD
from marketpost.rules.words import fold, lexicon, tokens

CLAUSE = re.compile(r"[,.!;:…()\"“”„«»]+|(?<=\s)-+(?=\s|$)")
LONGEST = 120
DIGIT = re.compile(r"\d")


def agreement(line: str, names: Collection[str] = ()) -> str:
    """Return `yes` or `no` if the line says one of them and nothing that could change it; empty otherwise.

    `names` are those of the writer and of the others at the table.
    """
    told = tidy(SMILEY.sub(" ", line))
    if len(told) > LONGEST or "?" in told or told.startswith(">"):
        return ""
    known = frozenset(fold(word) for name in names for word in tokens(name))
    clauses = [_meanings(clause, known) for clause in CLAUSE.split(told) if clause.strip()]
    if not all(clauses):
        return ""
    found = {meaning for clause in clauses for meaning in clause} - {"polite"}
    return found.pop() if len(found) == 1 else ""


def accepted(line: str, names: Collection[str] = ()) -> str:
    """Read a yes or no to a seat; a word for chance may stand behind the yes, as in `yes lucky-7`.

    The word must contain a digit: `yes tomorrow` and `yes but` have no word for chance.
    """
    said, _, word = tidy(line).rstrip(".! ").rpartition(" ")
    if not agreement(line, names) and WORD.fullmatch(word) and DIGIT.search(word) and agreement(said, names) == "yes":
        return f"yes {word}"
    return agreement(line, names)


def _meanings(clause: str, names: Collection[str]) -> list[str]:
    """Return what each phrase of a clause means, longest phrases first; empty if a word is left that means nothing here."""
    words, found = tokens(fold(clause)), list[str]()
    if courtesy_kind(clause) and " ".join(words) not in _phrases():
        return ["polite"]
    while words:
        size = next((many for many in range(min(len(words), _longest()), 0, -1) if " ".join(words[:many]) in _phrases()), 0)
        if not size and words[0] not in names:
            return []
        found.append(_phrases()[" ".join(words[:size])] if size else "polite")
        words = words[size or 1 :]
    return found


@cache
def _phrases() -> dict[str, str]:
    return {phrase: meaning for phrase, (meaning, *_) in lexicon(WORDS, "agreement").items()}


@cache
def _longest() -> int:
    return max(len(phrase.split()) for phrase in _phrases())
