"""Runs the state machine for one ruleset."""

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from marketpost.rules.ruleset import Ruleset
from tests.model.fragile import Stores
from tests.model.machine import TableMachine

STEPS = 30


def check_model(stores: Stores, rules: Ruleset[Any], games: int, start: int | None = None) -> Counter[str]:
    """Play so many games, without a seed always the same ones, and count what was done. A failure shows every step, not shortened."""
    done = Counter[str]()
    machine = type(f"Table of {rules.name}", (TableMachine,), {"stores": stores, "ruleset": rules, "done": done})
    run_state_machine_as_test(
        machine if start is None else seed(start)(machine),
        settings=settings(
            max_examples=games,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=start is None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
    return done
