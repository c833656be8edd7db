"""The PettingZoo environment: PettingZoo's own checks, and the same games as in the service."""

import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from marketpost.env import MarketEnv, market_env
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from tests.env.service_games import same_in_both

ROOT = Path(__file__).parents[2]
NAMES = sorted(rulesets())


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_accepts_the_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it would rather have boxes than action masks, and agents with numbers
        api_test(market_env(name), num_cycles=100)
        seed_test(lambda: market_env(name), num_cycles=20)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_the_service_goes_the_same_way_in_the_environment(ports: Ports, name: str) -> None:
    same_in_both(ports, rulesets()[name], seed=1)


@pytest.mark.parametrize("name", NAMES)
def test_an_action_outside_the_mask_ends_the_game_for_its_player(name: str) -> None:
    env = market_env(name)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(int(np.argmin(env.observe(loser)["action_mask"])))
    assert env.rewards[loser] == -1
    assert all(env.truncations.values()) or all(env.terminations.values())


@pytest.mark.parametrize("name", NAMES)
def test_the_board_is_drawn_as_text(name: str) -> None:
    env = MarketEnv(name, render_mode="ansi")
    env.reset(seed=1)
    assert len((env.render() or "").splitlines()) > 10


def test_too_many_players_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        MarketEnv("portobello", players=9)
    assert refused.value.code == "players-number"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", (ROOT / "docs/library.md").read_text("utf-8"), re.DOTALL))
def test_what_the_page_about_the_library_shows_runs_with_every_ruleset(block: str, name: str) -> None:
    code = re.sub(r'ruleset\("\w+"\)', f'ruleset("{name}")', block)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_bots_are_compared_by_the_example(name: str, tmp_path: Path) -> None:
    picture = tmp_path / "scores.png"
    done = subprocess.run(
        [sys.executable, ROOT / "examples/compare_bots.py", name, "2", picture], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "points a game" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
