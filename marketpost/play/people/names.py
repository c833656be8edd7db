"""Rules for names. They stand in letters to others, so they are one short line without links or invisible characters."""

import re
import unicodedata

from marketpost.rules.refusal import Refused

LONGEST_NAME = 40
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories of characters that are invisible or change the direction of the text around them."""
BLANKS = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Invisible characters of other categories."""
LINK = re.compile(r"\w:/|//|\\\\|\bmailto:|\w@\w|[\w)\]]\.[^\W\d_]{2}", re.IGNORECASE)
"""Text that mail programs turn into a link: a scheme, an address, or a dot right before two letters, as in `example.org`."""
DOTS = str.maketrans("\u3002\u0701\u0702", "...")
"""Full stops that browsers read as the dot of a domain and that NFKC leaves as they are."""


def check_name(name: str) -> None:
    """Refuse a name that could carry a stranger's advertisement into a letter."""
    if len(name) > LONGEST_NAME:
        raise Refused("name-long", most=LONGEST_NAME)
    if any(map(_is_unseen, name)):
        raise Refused("name-unseen")
    if _links(name):
        raise Refused("name-link")
    if not name.strip():
        raise Refused("field-empty")


def plain_name(text: str) -> str:
    """Make a name of any text: drop invisible characters, break links at their dots and slashes, and cut it to the longest length."""
    shown = " ".join("".join(sign for sign in text if sign == " " or not _is_unseen(sign)).split())
    if _links(shown):
        shown = " ".join(re.sub(r"[^\w' -]|_", " ", unicodedata.normalize("NFKC", shown)).split())
    return shown[:LONGEST_NAME].strip() or "?"


def name_from_address(email: str) -> str:
    """Make a name from a mail address: the part before the @."""
    return plain_name(email.partition("@")[0])


def _is_unseen(sign: str) -> bool:
    return unicodedata.category(sign) in UNSEEN or sign in BLANKS


def _links(text: str) -> bool:
    return bool(LINK.search(unicodedata.normalize("NFKC", text).translate(DOTS)))
