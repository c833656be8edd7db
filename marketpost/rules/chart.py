"""Draws the scores over the turns of any game: a line for each seat, distinct in colour and shape."""

import re
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import Any

from marketpost.rules.analysis import Analysis
from marketpost.rules.ruleset import Event, Ruleset
from marketpost.rules.svg import LARGE, SMALL, WIDTH, Point, Style
from marketpost.rules.words import Words

LEFT, RIGHT, TOP, BOTTOM = 62, 172, 54, 44
SLACK = 1.1
"""By how much the letters of a reader's font may be wider than those that are measured."""
"""Around the lines: numbers to the left, names to the right, a title above, turns below."""
HEIGHTS = (340, 280)
"""Of the numbers that count first, and of each that counts after them."""
APART = 27
"""So far are two names from each other."""
MARKS = 12
"""So many shapes at most along a line."""
SHAPES = (
    "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z", "M-6-6h12v12h-12z", "M0-8l8 14h-16z", "M0-9l8 9-8 9-8-9z", "M0 8l8-14h-16z",
    "M-8-3h5v-5h6v5h5v6h-5v5h-6v-5h-5z",
)  # fmt: skip

Scores = list[tuple[int, list[list[int]]]]
"""After each turn: what each seat had, the number that counts first in front."""


def chart(rules: Ruleset[Any], events: Sequence[Event], words: Words, style: Style = Style("light", "chart")) -> str:
    """Draw the scores as SVG."""
    scores = over_turns(rules, events)
    colours = rules.fold(events).colours
    parts: list[str] = []
    top = 0.0
    for number in range(len(scores[-1][1][0])):
        height = HEIGHTS[min(number, 1)]
        panel = _Panel(style, top + TOP, height - TOP - BOTTOM, [(turn, [each[number] for each in seats]) for turn, seats in scores])
        title = f"chart.score-{number + 1}"
        parts += panel.drawn([words.translate(colour) for colour in colours], colours, words.say(title) if words.knows(title) else "")
        top += height
    told = ", ".join(f"{words.translate(colour)} {score}" for colour, score in zip(colours, rules.scores(rules.fold(events)), strict=True))
    parts.append(style.text((LEFT + WIDTH - RIGHT) / 2, top + 4, words.say("chart.turn"), SMALL, anchor="middle", fill="faint"))
    return style.document(top + 18, words.say("chart.title"), told, parts)


def chances_chart(analysis: Analysis, colours: Sequence[str], words: Words, style: Style = Style("light", "chances")) -> str:
    """Draw the chances to win over the turns as SVG, in percent."""
    chances = {each.turn: [round(chance / 10) for chance in each.before] for each in reversed(analysis.moments)}
    chances[max(chances) + 1] = [round(share.result / 10) for share in analysis.shares]
    panel = _Panel(style, TOP, HEIGHTS[1] - TOP - BOTTOM, sorted(chances.items()))
    names = [words.translate(colour) for colour in colours]
    parts = list(panel.drawn(names, colours, words.say("analysis.chart")))
    parts.append(style.text((LEFT + WIDTH - RIGHT) / 2, HEIGHTS[1] + 4, words.say("chart.turn"), SMALL, anchor="middle", fill="faint"))
    told = ", ".join(f"{name} {share.start / 10:.0f}–{share.result / 10:.0f}" for name, share in zip(names, analysis.shares, strict=True))
    return style.document(HEIGHTS[1] + 18, words.say("analysis.chart"), told, parts)


def curve(values: Sequence[float], name: str, title: str, below: str, style: Style = Style("light", "curve")) -> str:
    """Draw one number over the games or moments in which it changed, as SVG."""
    height = HEIGHTS[1]
    panel = _Panel(style, TOP, height - TOP - BOTTOM, [(number, [round(value, 1)]) for number, value in enumerate(values, 1)])
    parts = [*panel.drawn([name], ["blue"], title)]
    parts.append(style.text((LEFT + WIDTH - RIGHT) / 2, height + 4, below, SMALL, anchor="middle", fill="faint"))
    return style.document(height + 18, title, f"{name}: {', '.join(f'{value:.1f}' for value in (values[0], values[-1]))}", parts)


def over_turns(rules: Ruleset[Any], events: Sequence[Event]) -> Scores:
    """Collect everybody's score at the end of each turn; turn 0 is before the first."""
    state = rules.blank()
    scores: dict[int, list[list[int]]] = {}
    for event in events:
        turn = state.turn
        told = rules.scores(state) if state.colours else ()
        event.apply(state)
        if state.turn != turn and told:
            scores[turn] = [_numbers(score) for score in told]
    scores[state.turn] = [_numbers(score) for score in rules.scores(state)]
    return sorted(scores.items())


def _numbers(score: str) -> list[int]:
    return [int(number) for number in reversed(re.findall(r"-?\d+", score))]


class _Panel:
    def __init__(self, style: Style, top: float, height: float, lines: Sequence[tuple[int, Sequence[float]]]) -> None:
        self.style, self.top, self.height, self.lines = style, top, height, lines
        self.turns = lines[0][0], max(lines[-1][0], lines[0][0] + 1)
        everything = [score for _, scores in lines for score in scores]
        self.low = floor(min(0, *everything))
        self.step = _step(ceil(max(everything)) - self.low)
        self.high = max(self.step, ceil(max(everything) / self.step) * self.step)

    def at(self, turn: int, score: float) -> Point:
        first, last = self.turns
        x = LEFT + (turn - first) / (last - first) * (WIDTH - LEFT - RIGHT)
        return x, self.top + (self.high - score) / (self.high - self.low) * self.height

    def drawn(self, names: Sequence[str], colours: Sequence[str], title: str) -> Iterator[str]:
        yield self.style.fitted(LEFT, self.top - 24, title, LARGE - 4, (WIDTH - LEFT) / SLACK, bold=True)
        yield from self._grid()
        ends = [self.at(self.turns[1], score)[1] for score in self.lines[-1][1]]
        labels = _apart(ends, self.top, self.top + self.height)
        for seat, colour in enumerate(colours):
            yield from self._line(seat, colour)
            name = f"{names[seat]} {self.lines[-1][1][seat]}"
            yield self._shape(seat, colour, (WIDTH - RIGHT + 24, labels[seat]), 1.2)
            yield self.style.fitted(WIDTH - RIGHT + 40, labels[seat] + 7, name, LARGE - 5, RIGHT - 48, bold=True)

    def _grid(self) -> Iterator[str]:
        style = self.style
        for score in range(-(-self.low // self.step) * self.step, self.high + 1, self.step):
            (x, y), (end, _) = self.at(self.turns[0], score), self.at(self.turns[1], score)
            yield style.line((x, y), (end, y), style.paint(None, "rule", 1.5 if score else 3))
            yield style.text(LEFT - 12, y + 6, str(score), SMALL, anchor="end", fill="faint")
        first, last = self.turns
        step = _step(last - first)
        for turn in range(-(-first // step) * step, last + 1, step):
            yield style.text(self.at(turn, 0)[0], self.top + self.height + 26, str(turn), SMALL, anchor="middle", fill="faint")

    def _line(self, seat: int, colour: str) -> Iterator[str]:
        places = [self.at(turn, scores[seat]) for turn, scores in self.lines]
        way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        # A dark line below lets pale colours be seen on pale paper.
        for ink, width in (("ink", 6.5), (colour, 4.5)):
            yield self.style.path(way, self.style.paint(None, ink, width) + ' stroke-linejoin="round"')
        every = ceil(len(places) / MARKS)
        for place in (*places[:-1][::every], places[-1]):
            yield self._shape(seat, colour, place)

    def _shape(self, seat: int, colour: str, at: Point, scale: float = 1) -> str:
        return self.style.path(SHAPES[seat % len(SHAPES)], self.style.paint(colour, "ink", 1.5), at, scale)


def _step(span: int) -> int:
    """Choose the distance of grid lines, 1, 2, 5, 10, 20 …, so that there are four to eight."""
    least = max(span, 1) / 7
    power = int(10 ** floor(log10(least))) if least >= 1 else 1
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least)


def _apart(wanted: Sequence[float], top: float, bottom: float) -> dict[int, float]:
    """Place names from the top down, each as near to the end of its line as the others allow."""
    order = sorted(range(len(wanted)), key=lambda seat: wanted[seat])
    found: dict[int, float] = {}
    last = top - APART
    for index, seat in enumerate(order):
        lowest = bottom - APART * (len(order) - 1 - index)
        last = found[seat] = max(last + APART, min(wanted[seat], lowest))
    return found
