"""What every ruleset must hold, checked by playing it at random. A new one is checked without a word here."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marketpost import rules
from marketpost.mail.outbound.example_orders import MOST_STEPS
from marketpost.rules import records
from marketpost.rules.guide import summary
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Ruleset, Setting, Verdict, rulesets
from marketpost.rules.words import LANGUAGES
from tests.games import one_move, open_game, play_to_the_end, sealed

TINY = str(Path(__file__).parents[1] / "rulesets")
GAMES_EACH = 4


def with_the_tiny_one() -> dict[str, Ruleset[Any]]:
    rules.__path__.append(TINY)
    try:
        return rulesets()
    finally:
        rules.__path__.remove(TINY)


ALL = with_the_tiny_one()


@pytest.fixture(autouse=True)
def _tiny_ruleset_is_installed() -> Iterator[None]:
    rules.__path__.append(TINY)
    yield
    rules.__path__.remove(TINY)


class NoChance:
    """Nobody may draw now."""

    def pick(self, options: Any) -> Any:
        raise AssertionError("something was drawn")


def settings(game: Ruleset[Any]) -> Iterator[Setting]:
    for players in game.players:
        for edition in game.editions or (None,):
            yield Setting(game.colours[:players], game.boards()[0], edition)


def all_settings() -> list[Any]:
    return [
        pytest.param(game, setting, id=f"{game.name}-{len(setting.colours)}-{setting.edition}")
        for game in ALL.values()
        for setting in settings(game)
    ]


def test_a_folder_is_all_a_new_game_needs() -> None:
    assert set(ALL) - set(rulesets_at_home()) == {"sticks"}


def rulesets_at_home() -> set[str]:
    return {path.parent.name for path in Path(rules.__file__).parent.glob("*/__init__.py")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(rulesets_at_home()))
def test_every_game_tells_its_rules_in_short(name: str, language: str) -> None:
    lines = summary(ALL[name].guide(Setting(ALL[name].colours[:2], ALL[name].boards()[0]), language))

    assert len(lines) >= 5
    assert all(line.strip() for line in lines)


@pytest.mark.parametrize(("game", "setting"), all_settings())
def test_random_games_end_and_replay_to_the_same_position(game: Ruleset[Any], setting: Setting) -> None:
    for seed in range(GAMES_EACH):
        state, played = play_to_the_end(game, setting, seed)
        events = [event for each in played for event in each.events]

        decoded = game.decode(game.encode(events))

        assert decoded == events
        assert game.fold(decoded) == state
        assert replay(records.read(records.write(game, played))).state == state


@pytest.mark.parametrize(("game", "setting"), all_settings())
def test_what_is_listed_is_legal_and_nothing_else_happens(game: Ruleset[Any], setting: Setting) -> None:
    rng = random.Random(7)
    chance = sealed(11)
    state, played = open_game(game, setting, chance)
    seen: list[str] = []
    while not game.winners(state):
        seat = game.deciders(state)[0]
        listed = game.legal(state, seat)
        before = repr(state)
        outcomes = [game.judge(state, seat, orders, sealed(3)) for orders in listed]
        assert all(outcome.refusal is None for outcome in outcomes)
        everything = [outcome.events for outcome in outcomes]
        for orders in [orders for orders in rng.sample(seen, min(12, len(seen))) if orders not in listed]:
            verdict = game.judge(state, seat, orders, sealed(3))
            assert verdict.refusal or verdict.events in everything, orders
        assert repr(state) == before, "judging changed the position"
        seen = sorted({*seen, *listed})
        one_move(game, state, seat, rng.choice(listed), chance, played)


@pytest.mark.parametrize(("game", "setting"), all_settings())
def test_steps_of_a_turn_do_one_by_one_what_they_do_together(game: Ruleset[Any], setting: Setting) -> None:
    rng, chance = random.Random(5), sealed(12)
    state, played = open_game(game, setting, chance)
    while not game.winners(state):
        seat, one_by_one, drawn = game.deciders(state)[0], state.copy(), sealed(3)
        steps: list[str] = []
        while one_by_one.turn == state.turn and len(steps) < MOST_STEPS and (listed := game.legal(one_by_one, seat)):
            steps.append(rng.choice(listed))
            happen(one_by_one, game.judge(one_by_one, seat, steps[-1], drawn))
        together, verdict = state.copy(), game.judge(state, seat, "; ".join(steps), sealed(3))
        happen(together, verdict)
        assert verdict.refusal is None, steps
        assert together == one_by_one, steps
        one_move(game, state, seat, steps[0], chance, played)


def happen(state: Any, verdict: Verdict) -> None:
    for event in verdict.events:
        event.apply(state)


@pytest.mark.parametrize(("game", "setting"), all_settings())
def test_orders_are_read_as_they_are_written_in_every_language(game: Ruleset[Any], setting: Setting) -> None:
    chance = sealed(5)
    state, played = open_game(game, setting, chance)
    while not game.winners(state):
        seat = game.deciders(state)[0]
        for text in game.legal(state, seat)[:5]:
            orders = game.parse(text)
            for language in LANGUAGES:
                assert game.parse(game.notate(orders, game.in_language(language))) == orders
        one_move(game, state, seat, chance.pick(game.legal(state, seat)), chance, played)


@pytest.mark.parametrize(("game", "setting"), [each for each in all_settings() if each.values[0].standing])
def test_whatever_may_be_decided_outside_ones_turn_can_be_left_as_a_standing_order(game: Ruleset[Any], setting: Setting) -> None:
    chance = sealed(5)
    state, played = open_game(game, setting, chance)
    standing, asked = game.standing, 0
    assert standing
    while not game.winners(state):
        seat = game.deciders(state)[0]
        legal = game.legal(state, seat)
        for orders in legal if standing.concerns(state, seat) else ():
            asked += 1
            standing_orders = standing.read(state, orders)
            for language in LANGUAGES:
                assert standing.read(state, standing.notate(standing_orders, game.in_language(language))) == standing_orders
            assert standing.candidates(state, standing_orders) == [orders]
        one_move(game, state, seat, chance.pick(legal), chance, played)
    assert asked


@pytest.mark.parametrize(("game", "setting"), all_settings())
def test_only_the_deciders_may_decide(game: Ruleset[Any], setting: Setting) -> None:
    state, _ = open_game(game, setting, sealed(2))
    deciders = game.deciders(state)
    for seat in range(len(setting.colours)):
        if seat not in deciders:
            assert not game.legal(state, seat)
            refusal = game.judge(state, seat, game.legal(state, deciders[0])[0], NoChance()).refusal
            assert refusal
            assert refusal.code == "not-your-turn"


@pytest.mark.parametrize(("game", "setting"), all_settings())
def test_nobody_can_see_what_chance_will_bring(game: Ruleset[Any], setting: Setting) -> None:
    """Looking draws nothing, and a position tells only what its events told."""
    _, played = play_to_the_end(game, setting, 9)
    middle = [event for each in played[: len(played) // 2] for event in each.events]
    one, other = game.fold(middle), game.fold(game.decode(game.encode(middle)))
    for viewer in (None, *range(len(setting.colours))):
        assert json.loads(json.dumps(game.document(one, viewer))) == game.document(other, viewer)
    words = game.in_language("en")
    assert game.draw(one, words) == game.draw(other, words)
    assert game.linear(one, words) == game.linear(other, words)


@pytest.mark.parametrize("game", ALL.values(), ids=list(ALL))
def test_the_better_bots_beat_chance(game: Ruleset[Any]) -> None:
    for name in game.bots:
        won = sum(_wins(game, name, seat, seed) for seat in (0, 1) for seed in range(4))
        assert won >= 6, name


def _wins(game: Ruleset[Any], name: str, seat: int, seed: int) -> bool:
    bots = ["random", "random"]
    bots[seat] = name
    state, _ = play_to_the_end(game, Setting(game.colours[:2], game.boards()[0]), seed, bots)
    return game.winners(state) == (seat,)


@pytest.mark.parametrize("game", ALL.values(), ids=list(ALL))
def test_a_wrong_number_of_players_is_refused(game: Ruleset[Any]) -> None:
    for players in (0, 1, game.players.stop):
        with pytest.raises(Refused) as refused:
            game.start(Setting(("red",) * players, game.boards()[0]), NoChance())
        assert refused.value.code in {"players-number", "colour-twice"}


@pytest.mark.parametrize("game", ALL.values(), ids=list(ALL))
@pytest.mark.parametrize(
    "junk", ["", "\x00", "\ud800", "a" * 100_000, ";" * 5000, "if " * 400, "9" * 5000 + ":", "-" * 300, "é\u0301" * 90]
)
def test_no_text_is_too_strange_to_be_refused(game: Ruleset[Any], junk: str) -> None:
    setting = next(settings(game))
    state, _ = open_game(game, setting, sealed(1))
    refusal = game.judge(state, game.deciders(state)[0], junk, NoChance()).refusal
    assert refusal
    assert refusal.code == "unreadable-order"
