"""What happened stays what happened: every log that any version has written replays to the same end."""

from pathlib import Path
from typing import Any, get_args

import pytest

from play.deeds import AnyDeed
from play.fold import follow
from play.game import Game
from play.log import decode
from play.verify import verify
from rules.ruleset import rulesets
from tests.logs import files, read, told

LOGS = list(files())
NOT_TOLD = {"form"}
"""Only for people who look into the file."""


@pytest.mark.parametrize("file", LOGS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_an_old_log_replays_to_the_end_it_had_then(file: Path) -> None:
    then, stored = read(file)

    now = told(follow(Game(then["game"]), stored))

    assert {name: value for name, value in now.items() if name != "position"} == {
        name: value for name, value in then.items() if name not in {"position", *NOT_TOLD}
    }
    assert _common(now["position"], then["position"]) == then["position"]


def _common(now: Any, then: Any) -> Any:
    """A position may have learnt new things since; what was known then is the same."""
    return now if then is None else {name: now[name] for name in then}


@pytest.mark.parametrize("file", LOGS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_hash_and_every_draw_of_an_old_log_is_right(file: Path) -> None:
    then, stored = read(file)

    checked = verify(then["game"], stored, then["head"])

    assert checked.faults == ()
    assert checked.sealed == (b'"revealed"' not in stored[-1].data)
    assert checked.draws > 0 or checked.sealed or then["version"] < 20, "a game that was played has draws"


def test_every_deed_is_in_a_log_that_is_kept() -> None:
    found = {type(decode(each.data).deed) for file in LOGS for each in read(file)[1]}

    assert {deed.__name__ for deed in get_args(AnyDeed)} - {deed.__name__ for deed in found} == set()


@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_every_event_is_in_a_log_that_is_kept(rules: str) -> None:
    game = rulesets()[rules]
    found = set()
    for file in LOGS:
        deeds = [decode(each.data).deed for each in read(file)[1]] if read(file)[0]["rules"] == rules else []
        found |= {type(event) for deed in deeds if hasattr(deed, "events") for event in game.decode(deed.events)}

    assert {event.__name__ for event in get_args(game.event)} - {event.__name__ for event in found} == set()
