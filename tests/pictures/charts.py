"""The scores of whole games over their turns."""

from collections.abc import Iterator

from marketpost.pictures.png import png
from marketpost.rules.chart import chart
from marketpost.rules.svg import Style
from tests.pictures.boards import PHONE, game


def drawn(name: str, players: int, theme: str, width: int, language: str) -> bytes:
    rules, played = game(name, players)
    events = [event for each in played for event in each.events]
    return png(chart(rules, events, rules.in_language(language), Style(theme, "chart")), width)


def pictures() -> Iterator[tuple[str, bytes]]:
    yield "portobello.png", drawn("portobello", 4, "light", 720, "en")
    yield "portobello-phone.png", drawn("portobello", 3, "dark", PHONE, "de")
    yield "alturien.png", drawn("alturien", 6, "light", 720, "fr")
    yield "alturien-dark.png", drawn("alturien", 3, "dark", 720, "it")
