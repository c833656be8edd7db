"""What happened stays what happened: every log that was ever written replays to the same end."""

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import AnyAction
from marketpost.play.log.entries import decode
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.rules.ruleset import rulesets
from marketpost.store.formats import Formats, UnknownFormat
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


def test_every_action_is_in_a_log_that_is_kept() -> None:
    found = {type(decode(each.data).action) for file in LOGS for each in read(file)[1]}

    assert {action.__name__ for action in get_args(AnyAction)} - {action.__name__ for action in found} == set()


@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_every_event_is_in_a_log_that_is_kept(rules: str) -> None:
    game = rulesets()[rules]
    found = set()
    for file in LOGS:
        actions = [decode(each.data).action for each in read(file)[1]] if read(file)[0]["rules"] == rules else []
        found |= {type(event) for action in actions if hasattr(action, "events") for event in game.decode(action.events)}

    assert {event.__name__ for event in get_args(game.event)} - {event.__name__ for event in found} == set()


def test_an_entry_of_an_older_format_is_read_as_the_newest_has_it() -> None:
    """Made up: say that in format 1 moments were written in seconds, and that from format 2 on they are milliseconds."""
    version, _, *rest = msgspec.json.decode(read(LOGS[0])[1][-1].data)
    older, newer = msgspec.json.encode([version, 1_772_445_600, *rest]), msgspec.json.encode([version, 1_772_445_600_000, *rest, 2])
    formats: Formats[list[Any]] = Formats((lambda fields: [fields[0], fields[1] * 1000, *fields[2:]],))

    assert decode(older, formats) == decode(newer, formats)
    assert decode(older, formats).at == 1_772_445_600_000


def test_an_entry_of_a_format_that_is_not_known_yet_is_refused() -> None:
    fields = msgspec.json.decode(read(LOGS[0])[1][-1].data)
    formats: Formats[list[Any]] = Formats((lambda fields: fields,))

    with pytest.raises(UnknownFormat):
        decode(msgspec.json.encode([*fields, 3]), formats)
