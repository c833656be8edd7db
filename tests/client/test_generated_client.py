"""A client that a generator makes of openapi.yaml is typed and plays both games."""

import subprocess
import sys
from pathlib import Path

import pytest

from marketpost.rules.ruleset import rulesets
from tests.service import Service

DOCUMENT = Path(__file__).parents[2] / "openapi.yaml"
PLAYER = Path(__file__).parent / "generated_player.py"
GENERATOR = Path(sys.executable).with_name("openapi-python-client")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    command = [str(GENERATOR), "generate", "--path", str(DOCUMENT), "--output-path", str(folder / "generated"), "--meta", "none"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize("rules", rulesets())
def test_a_generated_client_plays_to_the_end_without_casts(house: Service, url: str, generated: Path, rules: str) -> None:
    token = house.person(f"generated-{rules}").token
    command = [sys.executable, str(PLAYER), url, token, rules]

    done = subprocess.run(command, env={"PYTHONPATH": str(generated)}, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
