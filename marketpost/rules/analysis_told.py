"""Tells an analysis in the reader's language: luck and skill of each seat, and the turning points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from marketpost.rules.analysis import Analysis, Moment
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.words import Words


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A moment that changed much."""

    version: int
    """The entry of the log before it, whose position is shown."""
    told: str


def percent(thousandths: int, words: Words, *, sign: bool = False) -> str:
    """Write a chance as the language does, such as 12.3 %."""
    number = f"{thousandths / 10:{'+' if sign else ''}.1f}".replace(".", words.say("analysis.point"))
    return words.say("analysis.percent", number=number)


def shares_told(analysis: Analysis, names: Sequence[str], words: Words) -> list[str]:
    """Say for each seat how luck and skill led from the start to the result."""
    return [
        words.say(
            "analysis.share",
            who=name,
            start=percent(share.start, words),
            result=percent(share.result, words),
            luck=percent(share.luck, words, sign=True),
            skill=percent(share.skill, words, sign=True),
            own=percent(share.own, words, sign=True),
            error=percent(share.error, words),
            others=percent(share.skill - share.own, words, sign=True),
        )
        for name, share in zip(names, analysis.shares, strict=True)
    ]


def basis_told(analysis: Analysis, words: Words) -> str:
    """Say where the figures come from and how far they can be trusted."""
    return words.say("analysis.basis", playouts=analysis.playouts, error=percent(analysis.error, words))


def turning_points_told(rules: Ruleset[Any], analysis: Analysis, names: Sequence[str], words: Words) -> list[TurningPoint]:
    """Say what happened at each turning point, and what would have been better."""
    found = {each.version: each for each in analysis.moments}
    return [TurningPoint(version - 1, _told(rules, found[version], names, words)) for version in analysis.turning_points]


def _told(rules: Ruleset[Any], moment: Moment, names: Sequence[str], words: Words) -> str:
    when = words.say("analysis.turn", turn=moment.turn) if moment.turn else words.say("analysis.set-up")
    if moment.lost and moment.lost >= max(map(abs, moment.drawn)):
        lost, error = percent(moment.lost, words), percent(moment.error, words)
        orders, better = (_in_words(rules, each, words) for each in (moment.orders, moment.better))
        return words.say("analysis.decided", when=when, who=names[moment.seat], orders=orders, lost=lost, error=error, text=better)
    changes = [
        words.say("analysis.change", who=name, change=percent(change, words, sign=True))
        for name, change in zip(names, moment.drawn, strict=True)
    ]
    return words.say("analysis.drawn", when=when, who=names[moment.seat], changes=words.listed(changes, "and"))


def _in_words(rules: Ruleset[Any], orders: str, words: Words) -> str:
    try:
        return str(rules.notate(rules.parse(orders), words))
    except Refused:
        return orders
