"""Games for tests: opened, played out and written down."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from marketpost.play.moves.bot_moves import move_bots
from marketpost.play.moves.decide import DecideCallbacks
from marketpost.play.moves.decide import decide as decide_moves
from marketpost.play.outbox.dispatch import Notify
from marketpost.play.outbox.notices import Notice
from marketpost.play.ports import Ports
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Ruleset, Setting
from marketpost.rules.words import LANGUAGES

MOST_SUBMISSIONS = 20_000
"""No game takes nearly as many; one that does would never end."""
PLAIN_SIGNS = {*map(chr, range(32, 127)), "\N{NO-BREAK SPACE}", *"\näöüÄÖÜßàâçèéêëîïôùûœÀÂÇÈÉÊËÎÏÔÙÛŒìòÌÒ–×’“”„«»"}
"""What stands in one column of every mail program: ASCII, and the letters and quotes of our languages."""


def deciding(count_attempts: Callable[[Sequence[str]], list[int]] | None = None, notify: Notify | None = None) -> DecideCallbacks:
    """For a process that decides alone: each move is attempted once, and what is told goes into lists that nobody reads."""
    ignored = list[object]().extend
    return DecideCallbacks(notify or list[Notice]().extend, count_attempts or never_tried, list[str]().extend, ignored, ignored)


def decide(ports: Ports, ids: Iterable[str], callbacks: DecideCallbacks) -> None:
    """As the workers do together: judge moves, let the bots that are called decide, and judge again."""
    called = list(ids)
    while called:
        judged, called = called, []
        decide_moves(ports, judged, replace(callbacks, call_bots=called.extend))
        for game in called:
            move_bots(ports, game)


def never_tried(moves: Sequence[str]) -> list[int]:
    """Every move is begun for the first time."""
    return [1] * len(moves)


def sealed(seed: int) -> Sealed:
    return Sealed(seed.to_bytes(32, "big"), "test")


def open_game(rules: Ruleset[Any], setting: Setting, chance: Sealed) -> tuple[Any, list[Played]]:
    opening = rules.start(setting, chance)
    state = rules.fold(opening)
    played = [Played(None, opening)]
    _proceed(rules, state, chance, played)
    return state, played


def one_move(rules: Ruleset[Any], state: Any, seat: int, orders: str, chance: Sealed, played: list[Played]) -> None:
    """A submission that must be accepted."""
    verdict = rules.judge(state, seat, orders, chance)
    assert verdict.refusal is None, (orders, verdict.refusal)
    _apply(state, verdict.events)
    played.append(Played(seat, verdict.events))
    _proceed(rules, state, chance, played)


def play_to_the_end(rules: Ruleset[Any], setting: Setting, seed: int, bots: Sequence[str] = ()) -> tuple[Any, list[Played]]:
    chance = sealed(seed)
    state, played = open_game(rules, setting, chance)
    players = [bot(rules, name) for name in bots or ["random"] * len(setting.colours)]
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        one_move(rules, state, seat, players[seat](state, seat, chance), chance, played)
        assert len(played) < MOST_SUBMISSIONS, "the game does not end"
    return state, played


def told_in_every_language(rules: Ruleset[Any], setting: Setting) -> Iterator[tuple[str, str]]:
    """Every language, with each paragraph and choice that it has for a whole random game and a whole game among greedy bots."""
    for seed, name in ((1, "random"), (2, "greedy")):
        _, played = play_to_the_end(rules, setting, seed, [name] * len(setting.colours))
        state = rules.blank()
        for each in played:
            before = state.copy()
            _apply(state, each.events)
            for language in LANGUAGES:
                words = rules.in_language(language)
                choices = [choice for seat in range(len(setting.colours)) for choice in rules.story.choices(state, seat, words)]
                assert bool(choices) != state.over
                yield from ((language, text) for text in (*rules.story(before.copy(), each.events, words), *choices))


def assert_reads_well(text: str, language: str, english: str) -> None:
    """Whole sentences, with nothing left to be filled in and none of these English words in another language."""
    assert not re.search(r"[{}]|None|  |,,|\( |\(\)|: \.|\.\.", text), text
    assert text[0].isupper(), text
    assert text.endswith("."), text
    assert language == "en" or not re.search(rf"\b({english})\b", text), text


def _proceed(rules: Ruleset[Any], state: Any, chance: Sealed, played: list[Played]) -> None:
    if not rules.winners(state) and (due := rules.proceed(state, chance)):
        _apply(state, due)
        played.append(Played(None, due))


def _apply(state: Any, events: Sequence[Any]) -> None:
    for event in events:
        event.apply(state)
