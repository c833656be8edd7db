"""Find lines that are no part of the orders beside them; they are left aside, and the player is told so."""

import re
from collections.abc import Callable

from marketpost.mail.inbound.courtesies import courtesy_kind
from marketpost.mail.inbound.habits import folded, habits, pattern, phrases

LONGEST_ASIDE = 400
"""Characters of a line that may be left aside."""
SENTENCE = 6
"""From this many words on, a common word such as `last` or `wie` in a sentence does not put orders off."""
FRAGMENT = 3
"""Words up to which a line above orders, such as `after Ben`, may be about them."""
QUESTION = 4
"""From this many words on, a question asks for more than consent."""
MEASURED = 3
"""From this many other words on, a number with a unit belongs to small talk."""
SHORT = 3
"""Letters up to which a word of doubt may be another word in another language: `si`, `se`, `ma`, `was`."""
CLEAR = 2
"""By so many small words more than any other, a language is shown well."""
LANGUAGES = ("en", "de", "fr", "it")
ARTICLE = re.compile(r"\b(?:[Dd](?:as|ies\w*)|[Mm]eine?[mnrs]?) (?=(?:[a-zäöüß]+ )?[A-ZÄÖÜ])")
"""Before a German noun; otherwise a pronoun, or what somebody means."""
VOCATIVE = re.compile(r"^\w+,\s|,\s*\w+\W*$")
ENDS = re.compile(r"(?<=[.!?…])\s+")

Test = Callable[[str], bool]


def is_aside(line: str, is_prose: Test, is_above: bool = False) -> bool:
    """Whether the line names nothing of the game, and no sentence of it may deny, put off, condition or question orders.

    A line that ends in a colon, or breaks off above orders, speaks of what follows and is never left aside. `is_above` says that no
    orders stand before it.
    """
    told = without_measures(line)
    return (
        len(line) <= LONGEST_ASIDE
        and not line.endswith(":")
        and not (is_above and pattern("doubts", "breaks_off").search(folded(line)))
        and not any(sign.isdigit() or sign in ">#@" for sign in told)
        and is_prose(told)
        and not any(takes_back(sentence) and not (is_above and opens(sentence)) for sentence in ENDS.split(line))
    )


def without_measures(line: str) -> str:
    """Return `It is 30 degrees here` without the number and its unit; a line of little else stays, because it may be an order."""
    told = re.sub(pattern("doubts", "measures").pattern, " ", line, flags=re.IGNORECASE) if len(line) <= LONGEST_ASIDE else line
    return told if len(told.split()) >= MEASURED else line


def without_sayings(text: str) -> str:
    """Return the folded text without sayings such as `not bad` that deny nothing."""
    return pattern("doubts", "harmless").sub(" ", folded(text))


def takes_back(sentence: str) -> bool:
    """Whether a sentence may deny, put off, condition, correct or question the orders beside it.

    A sentence that refers to them takes them back unless it only judges them: `That was hard.` Any other may contain a `not` if it
    reports something, and words such as `again` if it is a statement; a fragment such as `as before` may not.
    """
    if courtesy_kind(sentence):
        return False
    sentence = re.sub(rf"^(?:{pattern('doubts', 'postscript').pattern})(?=[^\W\d_])", "", sentence, flags=re.IGNORECASE)
    whole = folded(sentence)
    if pattern("doubts", "decisive").search(whole):
        return True
    told = without_sayings(ARTICLE.sub("", sentence))
    doubts = doubts_in(told)
    strong = [each for each in doubts if not pattern("doubts", "common").fullmatch(each)]
    if "?" in told:
        if pattern("doubts", "asks_back").match(told):
            return bool(strong) or (_plays(told) and not _in_own_language("past", told))
        return bool(strong) or refers(told) or len(told.split()) < QUESTION
    if refers(told):
        return not _comments(sentence, told, doubts)
    if strong:
        return not _reports(whole, strong) or _plays(told)
    if _tells(sentence, told) or _states(whole, doubts):
        return _plays(told) and bool(not _are_adverbs(doubts) or pattern("statements", "elsewhere").search(told))
    return (bool(doubts) or _plays(told)) and not _comments(sentence, told, doubts)


def opens(sentence: str) -> bool:
    """Whether a sentence above all orders leads to them: it tells of a time that is over, or neither doubts them nor speaks of them."""
    whole = folded(sentence)
    told = without_sayings(ARTICLE.sub("", sentence))
    if "?" in whole or pattern("doubts", "decisive").search(whole) or _in_own_language("hedges", told):
        return False
    doubts = doubts_in(told)
    strong = [each for each in doubts if not pattern("doubts", "common").fullmatch(each)]
    if pattern("statements", "past").search(whole):
        return all(
            pattern("statements", "reported").fullmatch(each) or pattern("statements", "remembered").fullmatch(each) for each in strong
        )
    fragment = FRAGMENT if _are_adverbs(doubts) else FRAGMENT + 1
    return not strong and not refers(told) and not _plays(told) and len(whole.split()) > fragment


def _in_own_language(key: str, told: str) -> bool:
    """Whether a pattern of the sentence's language occurs in it; one of any language, if its language is not clear."""
    language = language_of_sentence(told)
    own = zip(LANGUAGES, habits()["statements"][key], strict=True)
    return any(re.search(each, told) for spoken, each in own if language in ("", spoken))


def refers(told: str) -> bool:
    """Whether a sentence speaks of the orders: by a pronoun, as a move or a plan, or by a verb such as to mean, to send, to finish."""
    return _in_own_language("refers", pattern("statements", "pointless").sub(" ", told))


def _comments(sentence: str, told: str, doubts: list[str]) -> bool:
    """Whether a sentence only judges how hard, good or lucky something is: `That was a clever move!`"""
    harmless = pattern("doubts", "common") if _tells(sentence, told) else pattern("statements", "adverbs")
    return (
        bool(pattern("statements", "evaluates").search(folded(sentence)))
        and all(harmless.fullmatch(each) or pattern("statements", "adverbs").fullmatch(each) for each in doubts)
        and not pattern("statements", "elsewhere").search(told)
    )


def _plays(told: str) -> bool:
    """Whether a sentence speaks of playing or of the round, which is about these orders if it also dates or doubts."""
    return bool(pattern("statements", "plays").search(told))


def doubts_in(told: str) -> list[str]:
    """Return the words that may deny, put off, condition or correct.

    If the sentence shows its language, short ones count only in that, and all others too if it shows it well: a `garden` is no `gardez`.
    """
    language, is_clear = language_of_sentence(told), bool(language_of_sentence(told, CLEAR))
    return [
        each.group()
        for own, doubts in zip(LANGUAGES, habits()["doubts"]["words"], strict=True)
        for each in re.finditer(doubts, told)
        if language in ("", own) or (len(each.group()) > SHORT and not is_clear)
    ]


def language_of_sentence(told: str, margin: int = 1) -> str:
    """Return the language that more small words of the sentence belong to than to any other, by a margin; nothing if there is none."""
    words = re.findall(r"[^\W\d_]+", told)
    counts = {language: sum(word in phrases("languages", language) for word in words) for language in LANGUAGES}
    second, best = sorted(counts.values())[-2:]
    return max(LANGUAGES, key=counts.__getitem__) if best >= second + margin else ""


def _reports(told: str, strong: list[str]) -> bool:
    """Whether a sentence tells what somebody did or does, and denies or dates nothing but that: `Yesterday I had no time.`"""
    return bool(pattern("statements", "reports").search(told)) and all(pattern("statements", "reported").fullmatch(each) for each in strong)


def _states(told: str, doubts: list[str]) -> bool:
    """Whether a sentence has a subject and a verb, so that words such as `again` are about what it tells."""
    return bool(pattern("statements", "finite").search(told)) and _are_adverbs(doubts)


def _are_adverbs(doubts: list[str]) -> bool:
    return all(pattern("statements", "adverbs").fullmatch(each) for each in doubts)


def _tells(sentence: str, told: str) -> bool:
    """Whether a sentence is long enough to be about something else, or is an exclamation."""
    return len(VOCATIVE.sub("", sentence).split()) >= SENTENCE or bool(pattern("doubts", "exclaims").fullmatch(told))
