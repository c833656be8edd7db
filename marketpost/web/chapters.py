"""Narrate the log of a game entry by entry, with the position after any of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from marketpost.play.log.actions import AnyAction, Began, Ended, Hinted, Moved, Proposed, Undone
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.rules.hint_told import orders_told
from marketpost.rules.motion import Motion
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.words import Words
from marketpost.store.changes import Stored
from marketpost.web.page_language import knows, say


@dataclass(frozen=True, slots=True)
class Chapter:
    """One entry of the log in sentences."""

    version: int
    seat: int | None
    """The seat that acted; `None` for what no seat did."""
    told: list[str]
    motions: Sequence[Motion] = ()
    """What travelled over the board."""


@dataclass(slots=True)
class GameStory:
    """All entries of a log in sentences, with the position after one of them."""

    chapters: list[Chapter]
    state: Any
    """The position after the requested version; `None` before the game begins."""
    before: Any
    """The position before that, so that the picture can mark what changed."""
    at: int


def narrate(game: Game, stored: Iterable[Stored], words: Words, at: int | None = None) -> GameStory:
    """Narrate every entry up to the last, including turns that were undone later; the position is the one after version `at`."""
    rules, played = game.rules, dict[int, Sequence[Any]]()
    state: Any = rules.blank()
    told = GameStory([], None, None, game.version if at is None else at)
    for entry in (decode(each.data) for each in stored):
        action = entry.action
        lines = _lines(rules, state, action, words)
        motions: Sequence[Motion] = ()
        if isinstance(action, (Began, Moved)):
            before = state.copy() if entry.version <= told.at and played else None
            played[entry.version] = rules.decode(action.events)
            motions = rules.motions(state.copy(), played[entry.version])
            for event in played[entry.version]:
                event.apply(state)
        elif isinstance(action, Undone):
            before = state
            played = {version: events for version, events in played.items() if version <= action.back_to}
            state = rules.fold([event for events in played.values() for event in events])
        elif lines and played:
            before = told.before
        else:
            continue
        told.chapters.append(Chapter(entry.version, getattr(action, "seat", None), lines, motions))
        if entry.version <= told.at:
            told.state, told.before = state.copy(), before
    return told


def _lines(rules: Ruleset[Any], state: Any, action: AnyAction, words: Words) -> list[str]:
    """Narrate one entry; nothing for entries that no page mentions."""
    if isinstance(action, (Began, Moved)):
        return rules.story(state.copy(), rules.decode(action.events), words)
    key = f"log.{_sentence_of(action)}"
    if not knows(key) or not state.colours or (isinstance(action, Hinted) and not action.orders):
        return []
    seat = getattr(action, "seat", None)
    who = words.translate(state.colours[seat]).capitalize() if seat is not None else ""
    return [say(key, who=who, text=orders_told(rules, action.orders, words) if isinstance(action, Hinted) else "")]


def _sentence_of(action: AnyAction) -> str:
    """Return the name of the sentence about an action."""
    if isinstance(action, Ended):
        return action.how
    tag = str(type(action).__struct_config__.tag)
    return f"{tag}-{action.what}" if isinstance(action, Proposed) else tag
