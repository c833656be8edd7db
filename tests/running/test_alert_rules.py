"""The alert rules that are shipped: promtool runs their own tests, and every metric they name is one that we have."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy/prometheus/marketpost.rules.yml"


def test_the_rules_say_what_they_should() -> None:
    if not shutil.which("promtool"):
        pytest.skip("left out: the tests of the alert rules, because there is no promtool (Debian package prometheus)")

    done = subprocess.run(["promtool", "test", "rules", RULES.with_suffix(".test.yml")], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_name_metrics_that_exist() -> None:
    rules = [rule for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"] for rule in group["rules"]]
    named = {name for rule in rules for name in re.findall(r"\bmarketpost_\w+", rule["expr"])}
    written = "".join(path.read_text("utf-8") for path in (ROOT / "api").glob("*metrics.py"))

    assert {name for name in named if f'"{re.sub("_(total|bucket)$", "", name)}"' not in written} == set()
