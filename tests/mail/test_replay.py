"""A game as one file: whole, safe to open anywhere, and sent to those who want it."""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from marketpost.mail.outbound.letters import Links, over
from marketpost.mail.outbound.replay_page import replay_html
from marketpost.play.analyses import AnalysisStatus
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Setting, rulesets
from marketpost.rules.svg import Style
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import Player

LARGEST = 1_500_000
CHANCE = Sealed(bytes(32), "replay")


def played(name: str, seats: int) -> Game:
    """A game that bots play to its end."""
    rules = rulesets()[name]
    game = Game("abc")
    game.rules, game.setting = rules, Setting(rules.colours[:seats], rules.boards()[0])
    events = list(rules.start(game.setting, CHANCE))
    game.state = rules.fold(events)
    game.history = [(1, Played(None, events))]
    while not rules.winners(game.state):
        _take(game, rules.proceed(game.state, CHANCE))
        seat = rules.deciders(game.state)[0]
        orders = bot(rules, "greedy")(game.state.copy(), seat, CHANCE)
        _take(game, rules.judge(game.state, seat, orders, CHANCE).events)
    game.version = len(game.history)
    return game


def _take(game: Game, events: Sequence[Any]) -> None:
    for event in events:
        event.apply(game.state)
    if events:
        game.history.append((len(game.history) + 1, Played(0, list(events))))


@pytest.mark.parametrize(("name", "seats"), [("portobello", 4), ("alturien", 6)])
def test_the_largest_game_fits_a_letter_and_every_step_is_in_it(name: str, seats: int) -> None:
    game = played(name, seats)

    page = replay_html(game, "en")

    data = json.loads(re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)[1])
    assert len(page.encode()) < LARGEST
    assert len(data["steps"]) == len(game.history)
    assert data["steps"][-1]["scores"] == list(game.rules.scores(game.state))
    assert pictures(data)[-1] == game.rules.picture(
        game.state, game.rules.in_language("en"), before=before_last(game), style=Style("light", "map")
    )


def pictures(data: dict[str, Any]) -> list[str]:
    """As the script puts them together."""
    picture: list[int] = []
    made = []
    for step in data["steps"]:
        for start, gone, *come in step["edits"]:
            picture[start : start + gone] = come
        made.append("".join(data["pieces"][piece] for piece in picture))
    return made


def before_last(game: Game) -> Any:
    return game.rules.fold([event for _, each in game.history[:-1] for event in each.events])


@pytest.fixture(scope="module")
def game() -> Game:
    return played("portobello", 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_readers_language(game: Game, language: str) -> None:
    assert f'<html lang="{language}">' in replay_html(game, language)


def test_it_runs_its_own_script_and_nothing_else(game: Game) -> None:
    page = replay_html(game, "en", {"red": "</script><script>alert(1)</script>", "yellow": "<img src=x onerror=alert(1)>"})

    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert "alert(1)</script>" not in page
    assert "<img" not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_it_comes_with_the_last_letter_to_whoever_wants_it(game: Game) -> None:
    player = Player("p", "ann@example.org", "Ann")
    game.seats = [SeatPlan(player=player.id), SeatPlan(bot="greedy")]

    def names(wanted: bool) -> list[str]:
        player.replay = wanted
        letter = over(game, 0, player, {"red": "Ann"}, Links("http://127.0.0.1"), "record", (AnalysisStatus.NONE, None))
        return [each.name for each in letter.attachments]

    assert names(False) == ["portobello-abc.txt"]
    assert names(True) == ["portobello-abc.txt", "portobello-abc.html"]
