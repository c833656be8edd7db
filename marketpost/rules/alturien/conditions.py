"""What orders ahead may depend on: the roll, what a player did, what stands where, money, cards and supremacy."""

from collections.abc import Callable
from typing import Any

from marketpost.rules.alturien.board import WORDS
from marketpost.rules.alturien.events import (
    CardBought,
    CustomerBought,
    DebtArose,
    FigureMoved,
    ShopBought,
    ShopDeveloped,
    ShopPlaced,
)
from marketpost.rules.alturien.state import CUSTOMERS, PRICES, THIEF, State
from marketpost.rules.conditions import Conditions, Gaps, Since, Test, named
from marketpost.rules.words import fold

BUILT = (ShopPlaced, ShopBought, ShopDeveloped)


def _space(state: State, words: list[str]) -> str | None:
    return state.board.spellings.get(fold(words[0])) if len(words) == 1 else None


def _figure(state: State, words: list[str]) -> str | None:
    return named(WORDS, words, (*CUSTOMERS, THIEF))


def _group(state: State, words: list[str]) -> str | None:
    return named(WORDS, words, tuple(state.board.groups))


def _card(state: State, words: list[str]) -> str | None:
    return named(WORDS, words, tuple(PRICES))


def _face(state: State, words: list[str]) -> str | None:
    face = "".join(words)
    return face if face in state.board.faces else None


def _did(kinds: type | tuple[type, ...], is_meant: Callable[[Since, Any, Gaps], bool]) -> Test:
    """Test whether a player did something, or something happened to them: an event of these classes with `who` as its seat."""

    def has_done(since: Since, gaps: Gaps) -> bool:
        found: list[Any] = [event for event in since.events if isinstance(event, kinds)]
        return any(since.is_by(gaps["who"], event.seat) and is_meant(since, event, gaps) for event in found)

    return has_done


def _stands_on(since: Since, gaps: Gaps) -> bool:
    pairs = zip(since.state.kinds, since.state.spaces, strict=True)
    return (gaps["figure"], gaps["space"]) in pairs


def _owns(since: Since, gaps: Gaps) -> bool:
    return since.state.owners.get(gaps["space"]) in since.seats(gaps["who"])


def _is_free(since: Since, gaps: Gaps) -> bool:
    return gaps["space"] not in since.state.owners


CONDITIONS = Conditions(
    WORDS,
    {
        "rolled": lambda since, gaps: gaps["face"] in since.state.dice,
        "builds-on": _did(BUILT, lambda since, event, gaps: event.site == gaps["space"]),
        "buys-card": _did(CardBought, lambda since, event, gaps: event.card == gaps["card"]),
        "buys-prestige": _did(CardBought, lambda since, event, gaps: event.card == "prestige"),
        "moves-figure": _did(FigureMoved, lambda since, event, gaps: since.state.kinds[event.figure] == gaps["figure"]),
        "robbed": _did(DebtArose, lambda since, event, gaps: True),
        "sells": _did(CustomerBought, lambda since, event, gaps: True),
        "stands-on": _stands_on,
        "shop-of": _owns,
        "site-free": _is_free,
        "supremacy": lambda since, gaps: since.state.supremacy.get(gaps["group"]) in since.seats(gaps["who"]),
        "has-card": lambda since, gaps: any(gaps["card"] in since.state.cards[seat] for seat in since.seats(gaps["who"])),
        "guarded": lambda since, gaps: since.state.guard in since.seats(gaps["who"]),
        "money-least": lambda since, gaps: any(since.state.money[seat] >= int(gaps["number"]) for seat in since.seats(gaps["who"])),
        "money-most": lambda since, gaps: any(since.state.money[seat] <= int(gaps["number"]) for seat in since.seats(gaps["who"])),
        "prestige-least": lambda since, gaps: any(since.state.prestige[seat] >= int(gaps["number"]) for seat in since.seats(gaps["who"])),
        "last-round": lambda since, gaps: since.state.last_round,
    },
    {"space": _space, "figure": _figure, "group": _group, "card": _card, "face": _face},
)
