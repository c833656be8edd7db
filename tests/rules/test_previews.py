"""A preview tells what would happen. Nothing of it is told as if it had happened, in any language."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from marketpost.play.moves.game_view import branches
from marketpost.rules.bots import bot
from marketpost.rules.ruleset import Ruleset, Setting
from marketpost.rules.words import LANGUAGES
from tests.games import one_move, open_game, sealed
from tests.rules.test_contract import ALL

SUPPOSED = {
    "en": re.compile(r"\b(would|could)\b"),
    "de": re.compile(r"\b(würden?|hätte|wären?|käme|bekäme|könnte|besäße|stünden|gingen)\b"),
    "fr": re.compile(r"rai(t|ent)\b"),
    "it": re.compile(r"ebbe(ro)?\b"),
}
"""Every verb of a preview is such a one, or an infinitive behind it."""
PAST = {
    "en": re.compile(r"\b(took|built|drew|sent|got|was|were|had|paid|rolled|moved|bought|sold|came|lost|ended|marked|robbed|added)\b"),
    "de": re.compile(r"\b((hat|haben) |(wurden?|war|waren|kam|bekam|zahlte|konnte|hatte)\b)"),
    "fr": re.compile(r"\b(a|ont|l’a|était|devait|pouvait) \w+(é|ée|i|u|is|it)\b"),
    "it": re.compile(r"\b(ha|hanno|l’ha|è|era|doveva|poteva) \w+(to|ta|so|sso)\b"),
}


def previews(game: Ruleset[Any]) -> Iterator[tuple[Any, Any]]:
    """Positions of whole games, and every branch of what a player orders there."""
    for seed, name in enumerate(["random", *game.bots]):
        chance, player = sealed(seed), bot(game, name)
        state, played = open_game(game, Setting(game.colours[: max(game.players)], game.boards()[0]), chance)
        while not game.winners(state):
            seat = game.deciders(state)[0]
            orders = player(state, seat, chance)
            yield from ((state, branch.events) for branch in branches(game, state, seat, orders)[:3])
            one_move(game, state, seat, orders, chance, played)


@pytest.mark.parametrize("game", ALL.values(), ids=ALL)
def test_a_preview_is_told_as_what_would_happen(game: Ruleset[Any]) -> None:
    for state, events in previews(game):
        for language in LANGUAGES:
            for paragraph in game.story(state.copy(), events, game.in_language(language).if_played()):
                assert SUPPOSED[language].search(paragraph), paragraph
                assert not PAST[language].search(paragraph), paragraph
