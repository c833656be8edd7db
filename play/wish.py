"""A game asked for in words: `portobello with bob@example.org and a greedy bot`."""

import re
from dataclasses import dataclass, field

from rules.bots import bot_names, usual_bot
from rules.refusal import Refused
from rules.ruleset import ruleset, rulesets
from rules.words import COMMON, fold, lexicon, plain, tokens

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PIECE = re.compile(rf"(?P<address>{ADDRESS.pattern})|[^\W_]+(?:'[^\W_]+)*|\S")
ELIDED = re.compile(r"\b[dl]'(?=\w)", re.IGNORECASE)
"""As in `une partie d'Alturien`."""
STOPS = frozenset(',.;:!?-&+()<>"“”„«»*')
LONGEST_PHRASE = 3
MOST_QUOTED = 200
SIGNS = {"small": " ", "bot": "b", "bots": "p", "1": "1", "2": "2", "3": "3", "4": "4", "5": "5", "6": "6"}
"""One sign for what each piece means, so that a pattern can find the bots among them; `?` is what nobody understands."""
BOTS = re.compile(r"(?P<many>[1-6])k?pk?|(?P<count>[1-6]?)(?:k?b|kb?)k?")


@dataclass(frozen=True, slots=True)
class Wish:
    rules: str
    addresses: tuple[str, ...]
    """Who is to be invited, each once."""
    bots: tuple[str, ...]


def read_wish(text: str) -> Wish | None:
    """Nothing where no game is named that we have. Otherwise every word must be understood: one that is not may be a player."""
    pieces = _pieces(text)
    name = next((fold(piece) for piece in pieces if fold(piece) in rulesets()), None)
    if name is None:
        return None
    read = _Reading(name, pieces)
    read.read()
    if read.unclear:
        raise Refused("wish-unclear", text=" ".join(read.unclear)[:MOST_QUOTED])
    return Wish(name, tuple(dict.fromkeys(read.addresses)), tuple(read.bots))


def _pieces(text: str) -> list[str]:
    """Addresses, phrases that mean something together, words, and every other sign by itself."""
    single = [found.group() for found in PIECE.finditer(ELIDED.sub("", plain(text)))]
    pieces: list[str] = []
    while single:
        length = next((many for many in range(LONGEST_PHRASE, 1, -1) if _meaning(" ".join(single[:many]))), 1)
        pieces.append(" ".join(single[:length]))
        single = single[length:]
    return pieces


def _meaning(piece: str) -> str:
    return next(iter(lexicon(COMMON, "wish").get(" ".join(tokens(fold(piece))), ())), "")


@dataclass(slots=True)
class _Reading:
    name: str
    pieces: list[str]
    addresses: list[str] = field(default_factory=list)
    bots: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)

    def read(self) -> None:
        signs, place = "".join(map(self._sign, self.pieces)), 0
        while place < len(signs):
            found = BOTS.match(signs, place)
            if found:
                self._seat(found)
            elif signs[place] not in "@ ":
                self.unclear.append(self.pieces[place])
            elif signs[place] == "@":
                self.addresses.append(self.pieces[place].casefold())
            place = found.end() if found else place + 1

    def _sign(self, piece: str) -> str:
        if piece in STOPS or fold(piece) == self.name:
            return " "
        if ADDRESS.fullmatch(piece):
            return "@"
        return "k" if fold(piece) in bot_names(ruleset(self.name)) else SIGNS.get(_meaning(piece), "?")

    def _seat(self, found: re.Match[str]) -> None:
        """So many of the kind that is named before or after the word `bot`; the usual one if none is."""
        kinds = [fold(self.pieces[place]) for place in range(*found.span()) if found.string[place] == "k"]
        if len(kinds) > 1:
            self.unclear += self.pieces[slice(*found.span())]
            return
        usual = usual_bot(ruleset(self.name))
        self.bots += [kinds[0] if kinds else usual] * int(found["many"] or found["count"] or 1)
