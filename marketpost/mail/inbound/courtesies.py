"""Recognise what people write around their orders: greetings, thanks, names and signatures."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache

from marketpost.mail.inbound.habits import folded, pattern, phrases, tidy

LONGEST_COURTESY = 120
MOST_WORDS = 12
LONGEST_NAME = 24
MOST_TITLE = 6
SMALL = 3


class CourtesyKind(StrEnum):
    """The kind of a courtesy; of several in one line the last in this order counts."""

    NONE = ""
    INTRO = "intro"
    GREETING = "greeting"
    WISH = "wish"
    THANKS = "thanks"
    SIGNOFF = "signoff"
    NAME = "name"
    """The name of whom a courtesy is for; it is no courtesy by itself."""


BAGS = (CourtesyKind.THANKS, CourtesyKind.WISH, CourtesyKind.GREETING, CourtesyKind.INTRO, CourtesyKind.SIGNOFF)
"""Kinds that a phrase has if all its words belong to that kind."""
FRIENDLY = (CourtesyKind.THANKS, CourtesyKind.WISH, CourtesyKind.GREETING)
"""Kinds below which a name may stand."""
RANK = {kind: place for place, kind in enumerate(CourtesyKind)}

WORD = re.compile(r"[^\W\d_][^\W\d_'.-]*(?:['.-][^\W\d_]+)*\.?")
CLAUSE = re.compile(r"[,.!?;:()…/|+*~\"“”„«»]+|(?<=\s)-+(?=\s|$)|^-+\s")
SMILEY = re.compile(r"[:;=8xX][-o']?[)(\]DPp|/\\*3]+|<3|\^\^|[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B50\u2190-\u21FF]+")
THINKING = re.compile(r"hm+", re.IGNORECASE)
CONTACT = re.compile(r"\S@\S|https?://|\bwww\.|\+?\d[\d ()/.-]{6,}\d|\b\d{4,5} +[^\W\d]")


def is_nothing(line: str) -> bool:
    """Whether a line is a comment, a rule, or signs without words."""
    return line.startswith("#") or (not any(sign.isalnum() for sign in SMILEY.sub("", line)) and not line.startswith(">"))


def is_doubtful(text: str) -> bool:
    """Whether a text asks something, or a word of it may deny, put off or correct what stands beside it."""
    return len(text) > LONGEST_COURTESY or "?" in text or bool(pattern("doubts", "words").search(folded(text)))


@cache
def _kinds() -> dict[str, CourtesyKind]:
    """Return the kind of each known phrase; one that may end a letter counts as a sign-off."""
    kinds: dict[str, CourtesyKind] = {}
    keys = {
        CourtesyKind.SIGNOFF: ["signoffs"],
        CourtesyKind.INTRO: ["intros"],
        CourtesyKind.WISH: ["wishes", "praise"],
        CourtesyKind.THANKS: ["thanks"],
        CourtesyKind.GREETING: ["greetings"],
    }
    for kind, told in keys.items():
        kinds |= dict.fromkeys(phrases("courtesies", *told), kind)
    return kinds


def courtesy_kind(line: str) -> CourtesyKind:
    """Return the kind of a line that consists of courtesies only; NONE for any other line."""
    if len(line) > LONGEST_COURTESY or line.startswith(">") or any(sign.isdigit() for sign in line):
        return CourtesyKind.NONE
    whole = folded(SMILEY.sub(" ", line)).strip(" ,.!?;:()-")
    if pattern("courtesies", "farewell").fullmatch(line) or pattern("courtesies", "greetings_from").fullmatch(whole):
        return CourtesyKind.SIGNOFF
    if whole in _kinds():
        return _kinds()[whole]
    found = CourtesyKind.NONE
    for clause in _behind_a_name(_clauses(line)):
        kind = _clause_kind(clause, found)
        if not kind:
            return CourtesyKind.NONE
        if kind != CourtesyKind.NAME:
            found = max(found, kind, key=RANK.__getitem__)
    if found == CourtesyKind.INTRO and not _announces(line):
        return CourtesyKind.NONE
    return found


def _behind_a_name(clauses: list[str]) -> list[str]:
    """Remove the name at the beginning of `Ben, your turn!`, and the sound at that of `Hm, hard one!`"""
    if len(clauses) > 1 and THINKING.fullmatch(clauses[0]):
        return clauses[1:]
    is_called = len(clauses) > 1 and bool(WORD.fullmatch(clauses[0])) and is_name(clauses[0]) and not _phrase_kind(clauses[0])
    return clauses[1:] if is_called else clauses


def names_another_time(line: str) -> bool:
    """Whether a line says farewell until a time for which orders below it may be meant: `Until next turn:`"""
    return courtesy_kind(line) == CourtesyKind.SIGNOFF and bool(pattern("courtesies", "another_time").search(folded(line)))


def _announces(line: str) -> bool:
    """Whether a line announces orders by a colon, by `below` or as a known phrase, and does not question them as `Does this work:`"""
    if pattern("doubts", "decisive").search(folded(line)):
        return False
    is_pointing = line.rstrip().endswith(":") or bool(pattern("courtesies", "below").search(folded(line)))
    return is_pointing or all(is_listed(clause.split()) for clause in _clauses(line))


def is_kind(lines: Sequence[str]) -> bool:
    """Whether the lines contain greetings, thanks or wishes, and announce no orders."""
    kinds = {courtesy_kind(tidy(line)) for line in lines} - {CourtesyKind.NONE}
    return bool(kinds) and CourtesyKind.INTRO not in kinds


@lru_cache(maxsize=4096)
def _phrase_kind(phrase: str) -> CourtesyKind:
    """Return the kind of a phrase: as it stands, without intensifiers, or because all its words are of one kind."""
    plainer = _plainer(phrase)
    if pattern("courtesies", "until").fullmatch(folded(phrase)):
        return CourtesyKind.SIGNOFF
    if pattern("courtesies", "laughter").fullmatch(folded(phrase)):
        return CourtesyKind.WISH
    return (
        _kinds().get(folded(phrase))
        or _kinds().get(" ".join(plainer))
        or next((kind for kind in BAGS if _is_made_of(plainer, kind)), CourtesyKind.NONE)
    )


def _plainer(phrase: str) -> list[str]:
    """Return the words of a phrase without intensifiers such as `very`."""
    return [word for word in folded(phrase).split() if word not in phrases("courtesies", "very")]


def _follows(words: list[str], rest: list[str]) -> bool:
    """Whether one phrase follows another with nothing between them; each must be known as it stands."""
    return is_listed(words) and any(is_listed(rest[:size]) for size in range(1, len(rest) + 1))


def is_listed(words: list[str]) -> bool:
    """Whether the words are a known courtesy, apart from intensifiers."""
    phrase = " ".join(words)
    return folded(phrase) in _kinds() or " ".join(_plainer(phrase)) in _kinds()


def _is_made_of(words: list[str], kind: CourtesyKind) -> bool:
    """Whether all words are of a kind, not only small ones such as `for` and `to`, and one of those of thanks means thanks by itself."""
    is_thanking = kind != CourtesyKind.THANKS or any(_kinds().get(word) == kind for word in words)
    return is_thanking and len(words) > 1 and any(len(word) > SMALL for word in words) and phrases("bags", kind).issuperset(words)


def _clauses(line: str) -> list[str]:
    return [clause.strip() for clause in CLAUSE.split(SMILEY.sub(" , ", line)) if clause.strip(" -'")]


def _clause_kind(clause: str, before: CourtesyKind) -> CourtesyKind:
    """Return the kind of a clause: a phrase, a phrase and a name, phrases joined by `and`, or a name after a phrase."""
    words = clause.split()
    if not 0 < len(words) <= MOST_WORDS:
        return CourtesyKind.NONE
    for size in range(len(words), 0, -1):
        kind = _phrase_kind(" ".join(words[:size]))
        if not kind:
            continue
        rest = words[size:]
        if not rest or _is_addressed(rest, kind):
            return kind
        if folded(rest[0]) in phrases("courtesies", "and") and (other := _clause_kind(" ".join(rest[1:]), kind)):
            return max(kind, other if other != CourtesyKind.NAME else CourtesyKind.NONE, key=RANK.__getitem__)
        if kind in FRIENDLY and _follows(words[:size], rest) and (other := _clause_kind(" ".join(rest), CourtesyKind.NONE)):
            return max(kind, other, key=RANK.__getitem__)
    if not before:
        return CourtesyKind.NONE
    if folded(words[0]) in phrases("courtesies", "and") and len(words) > 1:
        return _clause_kind(" ".join(words[1:]), before)
    return CourtesyKind.NAME if _is_addressed(words, before) else CourtesyKind.NONE


def _is_addressed(words: list[str], kind: CourtesyKind) -> bool:
    """Whether the words name whom a greeting is for, or who signs."""
    told = folded(" ".join(words))
    if told in phrases("courtesies", "all"):
        return True
    if is_doubtful(told) or any(folded(word) in phrases("courtesies", "sentences") for word in words):
        return False
    if kind == CourtesyKind.INTRO or (kind == CourtesyKind.WISH and len(words) > 1):
        return False
    return (len(words) <= 4 and all(_is_name_word(word) for word in words)) or (
        len(words) == 1 and kind in (CourtesyKind.GREETING, CourtesyKind.SIGNOFF) and bool(WORD.fullmatch(words[0]))
    )


def _is_name_word(word: str) -> bool:
    if len(word) > LONGEST_NAME:
        return False
    return (word[:1].isupper() and bool(WORD.fullmatch(word))) or folded(word) in phrases("signatures", "particles")


def is_name(line: str) -> bool:
    """Whether a line looks like a person's name."""
    words = line.strip(" .,!-*_").split()
    return 0 < len(words) <= 4 and not is_doubtful(line) and all(_is_name_word(word) for word in words)


def is_below_a_name(line: str) -> bool:
    """Whether a line may stand in a signature: a name, a firm, an address, and no sentence."""
    line = re.sub(r"(?<!\w)[*_]+|[*_]+(?!\w)", "", line)
    told = folded(line)
    if line.startswith(">") or told.startswith(("ps", "p.s", "n.b", "nb")):
        return False
    if is_nothing(line) or courtesy_kind(line) or CONTACT.search(line):
        return True
    if pattern("signatures", "labels").match(told) and not is_doubtful(line):
        return True
    if len(line) > 80:
        return False
    if pattern("signatures", "firms").search(told) or pattern("signatures", "streets").search(told):
        return True
    if pattern("signatures", "titles").match(told) and len(line.split()) <= MOST_TITLE:
        return True
    if re.fullmatch(r"[\"“„«»'].*[\"”“»«']", line):
        return True
    if is_doubtful(line):
        return False
    words = [word.strip(",;:()'\"") for word in re.sub(r"\(.*?\)", " ", line).split()]
    if _is_title(line, words):
        return True
    return (len(words) <= 8 and all(not word or _is_name_word(word) or not word[0].isalpha() or word.isupper() for word in words)) or (
        len(words) == 1 and bool(WORD.fullmatch(words[0]))
    )


def _is_title(line: str, words: list[str]) -> bool:
    """Whether a line is a few words like a title, and neither asks, denies nor puts anything off: `Service achats`."""
    told = {folded(word) for word in words}
    return (
        line[:1].isupper()
        and len(words) < MOST_TITLE
        and not any(sign.isdigit() or sign in "?!;:" for sign in line)
        and not told & phrases("courtesies", "sentences")
        and not pattern("doubts", "about_orders").search(folded(line))
    )
