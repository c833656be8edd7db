"""Draft orders on the game page: the legal next steps, the preview, and removing the last step."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import MOST_BRANCHES, PreviewBranch, legal_after, preview
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.words import Words
from marketpost.web.board_picture import board_patch, board_svg
from marketpost.web.page_language import explain, say

LONGEST = 2000
"""Most characters of orders that are previewed; orders that are submitted may be longer."""


@dataclass(frozen=True, slots=True)
class StepButton:
    """A button for a legal next step."""

    text: str
    """The step in the reader's language, as it is added to the orders."""
    places: str
    """The places of the board that the step names, separated by spaces."""


@dataclass(frozen=True, slots=True)
class Gain:
    """How the score of one colour changes."""

    colour: str
    told: str
    before: str
    after: str
    change: int | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the orders would do for these outcomes of chance."""

    outcomes: str
    told: list[str]
    gains: list[Gain]
    refusal: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Orders that are being written, with what they would do and what may follow."""

    orders: str
    choices: list[str] = field(default_factory=list)
    steps: list[StepButton] = field(default_factory=list)
    outlooks: list[Outlook] = field(default_factory=list)
    chosen: int = 0
    """Which of the outlooks is shown as a board."""
    board: str = ""
    wrong: str = ""
    """Why the orders are refused as written; empty if they are legal."""
    complete: bool = True
    done: bool = False
    """Whether the turn is complete and no step can follow."""
    further: list[tuple[str, str]] = field(default_factory=list)
    """Beginnings of a turn in two steps, and the places they name: what a click on the board may mean before the first step is chosen."""


def draft(game: Game, seat: int, orders: str, words: Words, chosen: int = 0, now: tuple[int, str] | None = None) -> Draft:
    """Preview orders and list the steps that may follow; without orders, list the first steps.

    `now` is the picture that a page shows, and after which entry of the log; with it, the board after the orders is what differs from it.
    """
    if len(orders) > LONGEST:
        return Draft(orders, wrong=explain(Refusal("orders-too-long", values={"most": LONGEST})))
    if not orders.strip():
        legal = list(game.rules.legal(game.state, seat))
        choices = game.rules.story.choices(game.state, seat, words)
        return Draft("", choices, _steps(game, legal, words), further=_further(game, seat, legal, words))
    branches = preview(game, seat, orders)
    chosen = chosen if 0 <= chosen < len(branches) else 0
    refusal = next((each.refusal for each in branches if each.refusal), None)
    legal = [] if refusal else legal_after(game, seat, branches)
    return Draft(
        orders,
        game.rules.story.choices(branches[0].state.copy(), seat, words) if legal else [],
        _steps(game, legal, words),
        [_outlook(game, each, words) for each in branches] if not _all_refused(branches) else [],
        chosen,
        _board_after(game, branches[chosen], words, now),
        why(game, refusal) if refusal else "",
        len(branches) < MOST_BRANCHES,
        not refusal and not legal,
    )


def _board_after(game: Game, branch: PreviewBranch, words: Words, now: tuple[int, str] | None) -> str:
    if not branch.events:
        return ""
    after = board_svg(game.rules, branch.state, words.language, "map" if now else "after", game.state)
    return board_patch(now[1], after, now[0]) if now else after


def _further(game: Game, seat: int, legal: Sequence[str], words: Words) -> list[tuple[str, str]]:
    """List what may follow each first step that names no place."""
    found = []
    for first in (step for step in legal if not game.rules.places(step)):
        follow = legal_after(game, seat, preview(game, seat, first))
        found += [(joined(in_words(game, first, words), each.text), each.places) for each in _steps(game, follow, words) if each.places]
    return found


def _all_refused(branches: Sequence[PreviewBranch]) -> bool:
    return all(each.refusal and not each.events for each in branches)


def why(game: Game, refusal: Refusal) -> str:
    """Explain a refusal, with the number of the step if it is not the first."""
    told = explain(refusal, game.rules)
    return say("compose.step-wrong", number=refusal.step, text=told) if refusal.step > 1 else told


def _steps(game: Game, legal: Sequence[str], words: Words) -> list[StepButton]:
    return [StepButton(in_words(game, step, words), " ".join(game.rules.places(step))) for step in legal]


def in_words(game: Game, step: str, words: Words) -> str:
    """Return a step in the reader's language."""
    return str(game.rules.notate(game.rules.parse(step), words))


def _outlook(game: Game, branch: PreviewBranch, words: Words) -> Outlook:
    rules = game.rules
    told = rules.story(game.state.copy(), branch.events, words.if_played()) if branch.events else []
    refusal = explain(branch.refusal, rules) if branch.refusal else ""
    return Outlook(", ".join(map(words.translate, branch.outcomes)), told, _gains(game, branch.state, words), refusal)


def _gains(game: Game, after: Any, words: Words) -> list[Gain]:
    scores = zip(game.setting.colours, game.rules.scores(game.state), game.rules.scores(after), strict=True)
    return [Gain(colour, words.translate(colour), old, new, _difference(old, new)) for colour, old, new in scores if old != new]


def _difference(old: str, new: str) -> int | None:
    """Return the difference of two scores that are single numbers; `None` for composite scores."""
    return None if "+" in old + new else int(new) - int(old)


def joined(orders: str, step: str) -> str:
    """Append a step to the orders."""
    orders = orders.rstrip().rstrip(";").rstrip()
    if not orders:
        return step
    return f"{orders} {step}" if orders.endswith(":") else f"{orders}; {step}"


def without_last(game: Game, orders: str, words: Words) -> str:
    """Remove the last step from the orders."""
    try:
        steps = game.rules.parse(orders)
    except Refused:
        return orders.rpartition(";")[0].rstrip()
    return str(game.rules.notate(steps[:-1], words)) if len(steps) > 1 else ""
