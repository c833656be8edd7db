"""Choose the language of a page: the cookie's, else the player's, else that of the letter that led here, else the browser's."""

from functools import cache
from pathlib import Path
from typing import Any

from flask import g, request
from werkzeug.wrappers import Response

from api.http.context import ports
from marketpost.rules.refusal import Refusal
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.words import LANGUAGES, Title, Words
from marketpost.store.players import Player

WORDS = Path(__file__).parent / "words"
COOKIE = "language"
FOR_A_YEAR = 365 * 24 * 3600
NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}


def language() -> str:
    """Return the language of this request, computed once."""
    if "language" not in g:
        g.language = _chosen() or _of_player() or request.accept_languages.best_match(LANGUAGES, "en")
    found: str = g.language
    return found


def _chosen() -> str | None:
    found = request.cookies.get(COOKIE)
    return found if found in LANGUAGES else None


def _of_player() -> str | None:
    player = ports().players.find(g.token.player) if g.get("token") else None
    return player.language if player else None


def go_on_in(letters: str) -> None:
    """Show this page in the language of the letter that led here, unless the reader has chosen one."""
    g.language = _chosen() or _of_player() or letters


def set_language(response: Response, chosen: str) -> Response:
    """Store the chosen language in a cookie."""
    response.set_cookie(COOKIE, chosen, max_age=FOR_A_YEAR, path="/", samesite="Lax", httponly=True)
    return response


def name_of(name: str) -> str:
    """Return a player's name; that of an unnamed guest in the reader's language."""
    return say("page.guest") if name in _guest_names() else name


@cache
def _guest_names() -> frozenset[str]:
    """Return what unnamed guests are called in all languages."""
    return frozenset(Words(each, WORDS).say("page.guest") for each in LANGUAGES)


def called(player: Player) -> str:
    """Return a player's name; a bot account is said to be a bot."""
    return say("page.bot-account", text=player.name) if player.owner else name_of(player.name)


def say(key: str, /, **values: object) -> str:
    """Return a sentence of the pages in the reader's language."""
    return Words(language(), WORDS).say(key, **values)


def knows(key: str) -> bool:
    """Whether the pages have a sentence with this key."""
    return Words(language(), WORDS).knows(key)


def explain(refusal: Refusal, rules: Ruleset[Any] | None = None) -> str:
    """Explain a refusal: in the page's own sentence if there is one, else in that of the game."""
    if knows(f"refused.{refusal.code}"):
        return say(f"refused.{refusal.code}", **refusal.values)
    words = rules.in_language(language()) if rules else Words(language(), WORDS)
    return words.explain(refusal)


def title(rules: Ruleset[Any]) -> Title:
    """Return the title of the game in the reader's language."""
    return rules.title(rules.in_language(language()))
