"""Every sentence of letters and pages beside the English one, for native readers: `python -m tests.sentences` writes docs/sentences.

Games are played and told in each language, and letters made of them, so that a sentence stands there with what it really told.
One that was not needed is filled with examples. What only programs and terminals show is left out, and the guides to the rules,
which are whole texts that can be read as they are.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from marketpost.mail.inbound.command_context import WORDS as MAILS
from marketpost.mail.outbound.render import TEMPLATES, Sentences
from marketpost.mail.outbound.render import letters as letter_names
from marketpost.mail.outbound.render import read_words as read_letter
from marketpost.play.moves.game_view import branches
from marketpost.rules.bots import bot
from marketpost.rules.ruleset import Ruleset, Setting, ruleset, rulesets
from marketpost.rules.words import COMMON, Words, plural, read_words, typeset
from marketpost.web.page_language import WORDS as PAGES
from tests import letter_gallery
from tests.games import one_move, open_game, sealed

FOLDER = Path(__file__).parents[1] / "docs" / "sentences"
NAMES = {"de": "Deutsch", "fr": "Français", "it": "Italiano"}
FOR_PROGRAMS = re.compile(
    r"(records|api|webhooks|terminal)\..*|refusals\.(board|record|json|field|text|query|bad|webhook|token|scope|outcome|wrong|key|streams)-.*"
)
MANY = 3
EXAMPLES: Mapping[str, object] = {
    "count": MANY, "who": "yellow", "colour": "yellow", "colours": ["yellow", "green"], "before": "green", "turn": 7, "text": "abc",
    "tile": 3, "tiles": [2, 4], "lane": "AB", "lanes": ["AB", "BE"], "square": "C", "squares": ["A", "C"], "district": 5,
    "districts": [3, 5], "bobby": 4, "site": "b1", "sites": ["b1", "c1"], "space": "c1", "spaces": ["c1", "e4"], "facing": "e5",
    "facings": ["e5", "d4"], "group": "cloth", "kind": "clerk", "card": "ship", "cards": ["ship", "cart"], "least": 2, "most": 6,
    "step": 2, "number": 2, "url": letter_gallery.URL, "name": "Anna", "host": "Bernard", "author": "Bernard", "others": "Bernard",
    "players": "Anna, Bernard", "address": "anna@example.org", "sender": "bob@example.org", "code": "K7MPX2QD", "bot": "greedy",
    "id": "k3v9qd2m", "first": "1.6.", "last": "8.6.", "version": 17, "newest": 17, "about": "yellow", "kinds": "–",
    "winners": "Bernard", "until": "12:30", "table": "Portobello Market", "status": 503, "scores": "12, 9", "rules": "portobello",
    "outcomes": "4", "open": [2, 3], "moves": "c1-f1", "example": "c1-e4>e5", "cost": 5, "all": 4, "year": 2027, "seconds": 30,
    "timezone": "Europe/Nowhere", "saved": "3 h", "price": 7, "part": "abc", "over": 2, "orders": "3:", "option": "setup",
    "options": ["setup", "variant"], "value": "abc", "values": ["auto", "manual"], "offers": "A, B", "names": ["Anna", "Bernard"],
    "money": 4, "has": 2, "needed": 6, "lengths": 4, "end": "f4", "ends": "A-B, B-A", "guest": "clerk", "customers": "–",
    "languages": "en, de, fr, it", "language": "xx", "known": "portobello, alturien", "games": "portobello, alturien",
    "edition": "xx", "editions": ["de", "fr"], "bots": ["greedy", "strong"], "board": "abc", "boards": ["portobello-classic"],
    "bank": "7 d", "why": "…", "roll": 4, "figure": "…", "figures": "…", "start": "c1", "goal": 5, "via": "4", "left": "…",
    "date": "12.5.", "time": "9:30", "zone": "UTC", "reason": "…", "amount": 4, "to": "green", "used": 1,
    "widest": 4000, "millions": 16, "offered": "image/png", "keys": "me, bot", "order": "house c1", "better": "prestige",
}  # fmt: skip
HEAD = (
    "Every sentence as it appears, below the English one. Written by `make sentences`;"
    " the rules are texts of their own, in `rules/*/guide`."
)
TITLED = ruleset("alturien")
"""Whose title is declined."""
Said = dict[tuple[Path, str], str]
"""Of each word file, by key, the first sentence that was told with it."""


@contextmanager
def listening(said: Said) -> Iterator[None]:
    of_game, of_letter = Words.say, Sentences.say

    def from_game(words: Words, key: str, /, **values: object) -> str:
        told = of_game(words, key, **values)
        key = key.replace("story.", "would.") if words.supposing else key
        said.setdefault((_file(words, key), key), told)
        return told

    def from_letter(sentences: Sentences, key: str, /, **values: object) -> str:
        own = key in read_letter(sentences.letter, sentences.language)
        told = of_letter(sentences, key, **values)
        said.setdefault((TEMPLATES / (sentences.letter if own else "words"), key), told)
        return told

    with pytest.MonkeyPatch.context() as listener:
        listener.setattr(Words, "say", from_game)
        listener.setattr(Sentences, "say", from_letter)
        yield


def _file(words: Words, key: str) -> Path:
    """Where the sentence stands: what a ruleset does not say itself, all say."""
    part, _, name = key.partition(".")
    return words.folder if name in read_words(words.folder, words.language).get(part, {}) else COMMON


def heard(language: str) -> Said:
    """Letters, and of every ruleset whole games told, drawn and tried out beforehand."""
    said: Said = {}
    with listening(said):
        for _ in letter_gallery.every_letter(language):
            pass
        for game in rulesets().values():
            for name in ("greedy", "random"):
                _play(game, game.in_language(language), name)
    return said


def _play(game: Ruleset[Any], words: Words, name: str) -> None:
    chance, player = sealed(3), bot(game, name)
    state, played = open_game(game, Setting(game.colours[: max(game.players)], game.boards()[0]), chance)
    told = game.blank()
    while not game.winners(state):
        seat = game.deciders(state)[0]
        orders = player(state, seat, chance)
        game.story.choices(state, seat, words)
        for branch in branches(game, state, seat, orders)[:2]:
            game.story(state.copy(), branch.events, words.if_played())
        _show(game, state, words)
        one_move(game, state, seat, orders, chance, played)
    game.story(told, [event for each in played for event in each.events], words)
    _show(game, state, words)


def _show(game: Ruleset[Any], state: Any, words: Words) -> None:
    game.draw(state, words)
    game.linear(state, words)


class Examples(dict[str, object]):
    """A value that has no example is left open."""

    def __missing__(self, name: str) -> str:
        return "…"


def filled(sentence: Any, words: Words) -> str:
    """A sentence that nobody needed, with examples."""
    form = sentence[plural(words.language, MANY)] if isinstance(sentence, dict) else sentence
    game = next(iter(rulesets().values())) if words.folder in (COMMON, MAILS, PAGES) else None
    known = game.in_language(words.language) if game else words
    told = {name: known.translate(value) for name, value in EXAMPLES.items()} | ({"who": "Bernard"} if game else {})
    return str(form).format_map(Examples(told | {"title": TITLED.title(TITLED.in_language(words.language))}))


def places() -> Iterator[tuple[str, Path, str]]:
    """Where sentences appear, and the part of the word file that has them; a letter's file has no parts."""
    for letter in (*letter_names(), "words"):
        yield ("Several letters" if letter == "words" else f"Letter “{letter}”"), TEMPLATES / letter, ""
    for title, folder in (("Answers to mails", MAILS), ("Pages", PAGES), ("Every game", COMMON)):
        yield from ((f"{title}: {part}", folder, part) for part in read_words(folder, "en"))
    for game in rulesets().values():
        yield from ((f"{game.title(game.in_language('en'))}: {part}", game.words, part) for part in read_words(game.words, "en"))


def sentences_of(folder: Path, part: str, language: str) -> dict[str, Any]:
    """By key. Lists are words that players write, not sentences; what a few keys hold for programs is left out."""
    found = read_words(folder, language).get(part, {}) if part else read_words(folder, language)
    keyed = {f"{part}.{key}" if part else key: said for key, said in found.items() if not isinstance(said, list)}
    return {key: said for key, said in keyed.items() if not FOR_PROGRAMS.fullmatch(key)}


def told(folder: Path, part: str, language: str, said: Said) -> dict[str, str]:
    """Every sentence of a part, as it appears."""
    words = Words(language, folder if part else COMMON)
    rows = sentences_of(folder, part, language)
    return {key: typeset(said.get((folder, key)) or filled(form, words), language).strip() for key, form in rows.items()}


def page(language: str, english: Said, own: Said) -> Iterator[str]:
    yield f"# {NAMES[language]}\n\n{HEAD}\n"
    for title, folder, part in places():
        rows = told(folder, part, language, own)
        before = told(folder, part, "en", english)
        if rows:
            yield f"## {title}\n\n" + "\n".join(_row(before[key], row) for key, row in rows.items()) + "\n"


def _row(english: str, row: str) -> str:
    return f"- {english}  \n  **{row}**" if "\n" not in row else f"```\n{english}\n\n{row}\n```"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    english = heard("en")
    for language in NAMES:
        (FOLDER / f"{language}.md").write_text("\n".join(page(language, english, heard(language))), "utf-8")


if __name__ == "__main__":
    main()
