"""Find orders ahead in a message: `ahead: if red builds in AB: 3: stall B-C`."""

import re
from functools import cache

from marketpost.rules.words import COMMON, LANGUAGES, fold, plain, read_words


def ahead_in(line: str) -> str:
    """Return what follows `ahead:` in a line, or `ahead` where an if or otherwise follows; empty for a line that is no such order.

    Without the colon a sentence such as “ahead we go” would count.
    """
    found = _form().match(fold(plain(line)))
    return plain(line)[found.end() :].strip() if found and len(fold(plain(line))) == len(plain(line)) else ""


@cache
def _form() -> re.Pattern[str]:
    called = [fold(word) for language in LANGUAGES for word in read_words(COMMON, language)["commands"]["ahead"]]
    begins = [fold(word) for language in LANGUAGES for meaning in ("if", "else") for word in read_words(COMMON, language)["ahead"][meaning]]
    longest = sorted(called, key=len, reverse=True)
    return re.compile(rf"[\W_]*(?:{'|'.join(map(re.escape, longest))})(?:\s*:|\s+(?=(?:{'|'.join(map(re.escape, begins))})\b))")
