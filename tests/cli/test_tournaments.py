"""Tournaments from the command line."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.words import COMMON, LANGUAGES, Words
from tests.cli.conftest import Desk
from tests.service import Service

LATER = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()


def test_a_tournament_is_announced_listed_entered_shown_left_and_cancelled(ann: Desk, bob: Desk) -> None:
    made = json.loads(ann.done("competition", "new", "Terminal Cup", "portobello", "--starts", LATER, "--seats", "2", "--json"))
    id = made["id"]

    assert "Terminal Cup Swiss system open" in " ".join(bob.done("competition", "list").split())
    assert "You take part in Terminal Cup." in bob.done("competition", "join", id)
    assert "1. Bob: 0.00 points" in bob.done("competition", "show", id)
    assert "You do not take part in Terminal Cup any more." in bob.done("competition", "leave", id)
    assert bob.run("competition", "cancel", id).exit_code != 0
    assert "Terminal Cup is cancelled." in ann.done("competition", "cancel", id)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", rulesets())
def test_a_tournament_is_told_in_every_language_and_an_unnamed_entrant_by_no_id(
    house: Service, ann: Desk, bob: Desk, language: str, rules: str
) -> None:
    id = json.loads(ann.done("competition", "new", "Tongue Cup", rules, "--starts", LATER, "--seats", "2", "--json"))["id"]
    hidden = house.person("hidden-entrant")
    hidden.call("PATCH", "/v1/players/me", json={"hidden": True})
    hidden.post(f"/v1/competitions/{id}/join")
    ann.done("competition", "join", id)
    for each in (ann, bob):
        each.person.call("PATCH", "/v1/players/me", json={"language": language})
    words = Words(language, COMMON)
    title = ruleset(rules).title(ruleset(rules).in_language(language))

    shown = bob.done("competition", "show", id)
    assert title in shown.splitlines()[0]
    assert words.say("terminal.competition-open") in shown.splitlines()[0]
    assert f"1. {words.say('terminal.somebody')}" in shown
    assert hidden.id not in shown
    ann.done("competition", "cancel", id)
    listed = next(line for line in bob.done("competition", "list", "--limit", "100").splitlines() if line.startswith(id))
    assert words.say("terminal.competition-cancelled-stage") in listed
    for each in (ann, bob):
        each.person.call("PATCH", "/v1/players/me", json={"language": "en"})
