"""Reads new-game requests in words: `portobello fr with bob@example.org and a greedy bot, 1 day per move, weekends off`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from marketpost.play.log.actions import HintRule, TimeControl
from marketpost.rules.bots import LEVELS, bot_names, usual_bot
from marketpost.rules.refusal import Refused
from marketpost.rules.request_words import EDITION, ELIDED, NUMBER, Choice, phrase
from marketpost.rules.ruleset import Ruleset, ruleset, rulesets
from marketpost.rules.words import COMMON, LANGUAGES, fold, lexicon, plain, tokens

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
OPTION = re.compile(r"([A-Za-z_]+)=([\w.]+(?:-\w+)*)")
PIECE = re.compile(rf"{ADDRESS.pattern}|{OPTION.pattern}|[^\W_]+(?:'[^\W_]+)*|\S")
COMPACT = re.compile(r"(?=\d)(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,4})m)?")
STOPS = frozenset(',.;:!?-&+()<>"“”„«»*')
MOST_QUOTED = 200
SECOND = 1000
UNITS = {"week": 604_800 * SECOND, "day": 86_400 * SECOND, "hour": 3_600 * SECOND, "minute": 60 * SECOND}
SHORTEST, LONGEST = UNITS["minute"], 60 * UNITS["day"]
"""Shortest and longest time for a decision, the same as over REST."""
NUMBERS = ("1", "2", "3", "4", "5", "6")
SIGNS = {"small": " ", "bot": "b", "bots": "p", "no-clock": "z", "weekends-off": "w", "hints": "h", "no-hints": "h"}
SIGNS |= dict(zip(NUMBERS, NUMBERS, strict=True)) | dict.fromkeys(LEVELS, "k")
"""One character for the meaning of each piece, so that patterns find bots and times among them; `?` is not understood."""
BOTS = re.compile(r"(?P<many>[1-6])k?pk?|(?P<count>[1-6]?)(?:k?b|kb?)k?")
TIME = re.compile(r"[1-6n]?u|t")


@dataclass(frozen=True, slots=True)
class NewGameRequest:
    """A game that somebody asks for."""

    rules: str
    addresses: tuple[str, ...] = ()
    """Addresses to invite, each once."""
    bots: tuple[str, ...] = ()
    edition: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    clock: TimeControl | None = None
    hints: HintRule = HintRule.AGAINST_BOTS

    @property
    def setting(self) -> dict[str, Any]:
        """The arguments of `open_game` beside the seats and the clock."""
        return {"edition": self.edition, "options": dict(self.options), "hints": self.hints}


def read_request(text: str) -> NewGameRequest | None:
    """Read a request; None where no ruleset is named. Otherwise every word must be understood, because one that is not may be a player."""
    words = [found.group() for found in PIECE.finditer(ELIDED.sub("", plain(text)))]
    name = next((fold(word) for word in words if fold(word) in rulesets()), None)
    if name is None:
        return None
    read = _Reading(ruleset(name))
    read.read(_pieces(ruleset(name), words))
    if read.unclear:
        raise Refused("request-unclear", text=" ".join(read.unclear)[:MOST_QUOTED])
    clock = read.clock()
    if read.weekends_off and clock is None:
        raise Refused("request-untimed", text=" ".join(read.weekends_off)[:MOST_QUOTED])
    hints = read.hints or HintRule.AGAINST_BOTS
    return NewGameRequest(name, tuple(dict.fromkeys(read.addresses)), tuple(read.bots), read.edition, read.options, clock, hints)


def language_of(text: str) -> str | None:
    """Find the language of a request or command; None if undecided.

    The language with the most words that no other has wins, then the one with the most words. Figures belong to no language.
    """
    words = [fold(word) for word in tokens(plain(text)) if not word.isdecimal()]
    said = {*words, *map(" ".join, pairwise(words))}
    found = {
        language: said & (lexicon(COMMON, "request", language) | lexicon(COMMON, "commands", language)).keys() for language in LANGUAGES
    }
    counts = {
        language: (len(own - set().union(*(found[other] for other in LANGUAGES if other != language))), len(own))
        for language, own in found.items()
    }
    best = [language for language, count in counts.items() if count == max(counts.values())]
    return best[0] if len(best) == 1 else None


class _Piece(NamedTuple):
    """One or several words with one meaning, or one word without."""

    text: str
    sign: str
    means: str = ""
    choice: Choice | None = None


def _pieces(rules: Ruleset[Any], words: list[str]) -> list[_Piece]:
    """Split words into pieces, the longest phrases first."""
    pieces: list[_Piece] = []
    while words:
        after_name = bool(pieces) and fold(pieces[-1].text) == rules.name
        sizes = range(min(len(words), rules.longest_choice), 0, -1)
        found = next((each for size in sizes if (each := _piece(rules, words[:size], after_name))), _Piece(words[0], "?"))
        pieces.append(found)
        words = words[len(PIECE.findall(found.text)) :]
    return pieces


def _piece(rules: Ruleset[Any], words: list[str], after_name: bool) -> _Piece | None:
    """Find what these words mean together. The code of an edition may also be a small word; then it counts only right after the ruleset."""
    text = " ".join(words)
    common = next(iter(lexicon(COMMON, "request").get(phrase(text), ())), "")
    choice = rules.choices.get(phrase(text)) or _numbered(rules, words)
    if choice and not (common == "small" and not after_name):
        return _Piece(text, "c", choice=choice)
    if common in UNITS:
        return _Piece(text, "u", common)
    if common:
        return _Piece(text, SIGNS[common], common)
    return _single(rules, text) if len(words) == 1 else None


def _numbered(rules: Ruleset[Any], words: list[str]) -> Choice | None:
    """Find a choice with a number in it, such as `20 points at the start`."""
    numbers = [word for word in words if word.isdecimal()]
    found = rules.choices.get(phrase(" ".join(NUMBER if word.isdecimal() else word for word in words))) if len(numbers) == 1 else None
    return (found[0], numbers[0]) if found else None


def _single(rules: Ruleset[Any], word: str) -> _Piece:
    if word in STOPS or fold(word) == rules.name:
        return _Piece(word, " ")
    if ADDRESS.fullmatch(word):
        return _Piece(word, "@")
    if (option := OPTION.fullmatch(word)) and option[1] in rules.settle(None, {}):
        return _Piece(word, "c", choice=(option[1], option[2]))
    if fold(word) in bot_names(rules):
        return _Piece(word, "k")
    if COMPACT.fullmatch(fold(word)) and not word.isdecimal():
        return _Piece(word, "t")
    return _Piece(word, "n" if word.isdecimal() else "?")


@dataclass(slots=True)
class _Reading:
    """Collects what the pieces of a request say."""

    rules: Ruleset[Any]
    addresses: list[str] = field(default_factory=list)
    bots: list[str] = field(default_factory=list)
    edition: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    time: int = 0
    timed: list[str] = field(default_factory=list)
    """Words about the time for a decision."""
    weekends_off: list[str] = field(default_factory=list)
    """Words about free weekends."""
    no_clock: bool = False
    hints: HintRule | None = None
    unclear: list[str] = field(default_factory=list)

    def read(self, pieces: list[_Piece]) -> None:
        """Read all pieces."""
        signs, place = "".join(piece.sign for piece in pieces), 0
        while place < len(signs):
            bots, time = BOTS.match(signs, place), TIME.match(signs, place)
            end = max(each.end() if each else place + 1 for each in (bots, time))
            if bots:
                self._seat(bots, pieces[place:end])
            elif time:
                self._time(pieces[place:end])
            else:
                self._one(pieces[place])
            place = end
        self._check_clock()

    def _one(self, piece: _Piece) -> None:
        match piece.sign:
            case "@":
                self.addresses.append(piece.text.casefold())
            case "c" if piece.choice:
                self._choose(piece.text, piece.choice)
            case "z":
                self.no_clock = True
                self.timed.append(piece.text)
            case "w":
                self.weekends_off.append(piece.text)
            case "h":
                self._hint(piece.text, HintRule.OFF if piece.means == "no-hints" else HintRule.ALLOWED)
            case " ":
                pass
            case _:
                self.unclear.append(piece.text)

    def _choose(self, text: str, choice: Choice) -> None:
        """Set an option; a second, different value is unclear."""
        option, value = choice
        known = self.edition if option == EDITION else self.options.get(option)
        if known not in (None, value):
            self.unclear.append(text)
        elif option == EDITION:
            self.edition = value
        else:
            self.options[option] = value

    def _hint(self, text: str, rule: HintRule) -> None:
        """Allow or forbid hints; both at once is unclear."""
        if self.hints not in (None, rule):
            self.unclear.append(text)
        self.hints = rule

    def _seat(self, found: re.Match[str], pieces: list[_Piece]) -> None:
        """Add bots: so many of the kind that is named before or after the word `bot`, or of the usual kind."""
        kinds = [piece.means or fold(piece.text) for piece in pieces if piece.sign == "k"]
        if len(kinds) > 1:
            self.unclear += [piece.text for piece in pieces]
            return
        self.bots += [kinds[0] if kinds else usual_bot(self.rules)] * int(found["many"] or found["count"] or 1)

    def _time(self, pieces: list[_Piece]) -> None:
        """Add a time such as `3 days`, `a day` or `36h` to what was said before."""
        *count, last = pieces
        self.timed += [piece.text for piece in pieces]
        if last.sign == "u":
            self.time += (int(count[0].means or count[0].text[:4]) if count else 1) * UNITS[last.means]
        elif found := COMPACT.fullmatch(fold(last.text)):
            self.time += sum(int(much or 0) * UNITS[unit] for much, unit in zip(found.groups(), ("day", "hour", "minute"), strict=True))

    def _check_clock(self) -> None:
        """Mark contradictions about the clock as unclear: a time or free weekends together with no clock, or a time out of range."""
        if not self.timed or (self.no_clock and not self.time and not self.weekends_off):
            return
        if self.no_clock or not SHORTEST <= self.time <= LONGEST:
            self.unclear += [*self.timed, *self.weekends_off]

    def clock(self) -> TimeControl | None:
        """The time control that was asked for; None for none."""
        return TimeControl(self.time, weekends=not self.weekends_off) if self.time else None
