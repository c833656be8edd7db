"""The table of verdicts and commands for operators, cell by cell."""

from pathlib import Path

import pytest

from marketpost.mail.inbound.trust import TRUSTED_WITH, WEIGHTS
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, lexicon
from marketpost.store.auth_verdict import AuthVerdict
from tests.mail.desk import Desk

TEXT = (Path(__file__).parents[2] / "docs/operate-mail.md").read_text()
COLUMNS = [
    (AuthVerdict.PASS, False),
    (AuthVerdict.PASS, True),
    (AuthVerdict.NONE, False),
    (AuthVerdict.NONE, True),
    (AuthVerdict.FAIL, False),
]
HEAD, *ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT[TEXT.index("| a reply says") :].partition("\n\n")[0].splitlines()
    if "---" not in line
]
WRITTEN = {
    "say": "say Hello",
    "note": "note remember this",
    "standing": "standing off",
    "ahead": "ahead off",
    "tournament": "tournament Cup: portobello, swiss, 2 players, 2030-01-01",
    "find": "find portobello 2 players",
    "letters": "letters short",
    "language": "language English",
    "vacation": "vacation 3 days",
    "mute": "mute Ben",
    "unmute": "unmute Ben",
    "block": "block Ben",
    "unblock": "unblock Ben",
    "report": "report Ben",
    "word": "word lucky-7",
    "resign": "resign!",
    "hand-over": "hand over! to eve@example.org",
    "new": "new portobello with a bot",
    "address": "address add ann@work.example",
}
"""How a command is written where its name alone is not enough."""
STATUS = {"done": {"answered", "submitted"}, "refused": {"answered"}, "held": {"asked", "held"}}
CELLS = [(command.strip(), column, row[1 + place]) for row in ROWS for command in row[0].split(",") for place, column in enumerate(COLUMNS)]


def test_the_columns_are_those_of_the_code() -> None:
    assert [f"`{verdict}`{', turn over' if over else ''}" for verdict, over in COLUMNS] == HEAD[1:]
    assert set(TRUSTED_WITH) == {column for column in COLUMNS if column[0] != AuthVerdict.FAIL}


def test_every_command_stands_in_the_table() -> None:
    known = {name for found in lexicon(COMMON, "commands").values() for name in found}

    assert {command for command, _, _ in CELLS} == (known - {"yes", "no"}) | {"orders"}
    assert {name for names in WEIGHTS.values() for name in names} <= known


@pytest.mark.parametrize("rules", sorted(rulesets()))
@pytest.mark.parametrize("column", COLUMNS, ids=HEAD[1:])
def test_each_cell_holds(desk: Desk, column: tuple[AuthVerdict, bool], rules: str) -> None:
    asked = {command for command, _, _ in CELLS} if rules == "portobello" else {"orders", "board", "say", "undo", "resign"}
    cells = [(number, command, outcome) for number, (command, at, outcome) in enumerate(CELLS) if at == column and command in asked]

    wrong = {
        command: (status, outcome)
        for number, command, outcome in cells
        if (status := _outcome(desk, number, command, column, rules)) not in STATUS[outcome]
    }

    assert wrong == {}


def _outcome(desk: Desk, number: int, command: str, column: tuple[AuthVerdict, bool], rules: str) -> str:
    """What becomes of a mail with this command in a game of its own; where nothing may be done, the game must be as it was."""
    verdict, over = column
    game = f"g{number}"
    desk.table(desk.person(f"Ann{number}"), desk.person(f"Ben{number}"), id=game, rules=rules)
    player = desk.to_play(game)
    letter = desk.turn_letter(player)
    while over and desk.to_play(game).id == player.id:
        desk.by_rest(player, desk.good_orders(id=game), game)
    before = desk.game(game)
    text = WRITTEN.get(command, command if command != "orders" else desk.good_orders(id=game))
    status = desk.answer(
        player, text.replace("Ben", f"Ben{number}" if player.name.startswith("Ann") else f"Ann{number}"), letter, verdict=verdict
    )
    if (over and command == "orders") or status in STATUS["held"]:
        assert desk.game(game).version == before.version, command
    return status
