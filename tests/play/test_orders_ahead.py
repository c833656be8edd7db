"""Orders for one's next turn: played in that turn or dropped and told, and seen by nobody else."""

import pytest

from marketpost.play.log.actions import Moved, SeatPlan
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import preview
from marketpost.play.moves.orders_ahead import cancel, leave, look
from marketpost.play.moves.submit import submit
from marketpost.play.outbox.notices import Notice
from marketpost.play.people.erasure import erase
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game, resign
from marketpost.rules.conditions import read_conditions
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.words import LANGUAGES, Words, read_words
from tests.games import decide, deciding

ENGLISH = ruleset("portobello").in_language("en")


class Table:
    """Red and yellow at a game of Portobello Market, in which it is red's turn. Workers are called by hand."""

    def __init__(self, ports: Ports, red: str, yellow: str) -> None:
        self.ports, self.red, self.yellow = ports, red, yellow
        self.told: list[Notice] = []
        chosen = {"colours": ["red", "yellow"], "options": {"bobby_placer": "first"}}
        open_game(ports, "g1", red, "portobello", [SeatPlan(player=red), SeatPlan(player=yellow)], chosen)
        self.work()
        self.play(red, "bobby 1")
        self.told.clear()

    @property
    def game(self) -> Game:
        game = self.ports.game("g1")
        assert game
        return game

    def work(self) -> None:
        decide(self.ports, ["g1"], deciding(notify=self.told.extend))

    def play(self, player: str, orders: str) -> None:
        submit(self.ports, self.game, player, orders)
        self.work()

    def moves(self) -> list[Moved]:
        actions = [decode(stored.data).action for stored in self.ports.games.read("g1")]
        return [action for action in actions if isinstance(action, Moved)]

    def ends(self, player: str) -> list[str]:
        return [notice.ahead.end for notice in self.told if notice.ahead and notice.player == player]


@pytest.fixture
def table(ports: Ports, ann: str, ben: str) -> Table:
    return Table(ports, ann, ben)


def whole_turn(table: Table, player: str) -> None:
    """Play on until it is the other's turn."""
    number = table.game.state.turn
    while table.game.state.turn == number:
        table.play(player, table.game.rules.legal(table.game.state, table.game.deciders[0])[-1])


def test_the_first_branch_that_holds_and_is_legal_is_played_when_the_turn_comes(table: Table) -> None:
    leave(table.ports, "g1", table.yellow, "if red leads: 4: stall A-B\nif not red leads: 9: stall A-B\nelse: 2:", ENGLISH)

    whole_turn(table, table.red)

    moved = table.moves()[-1]
    assert (moved.seat, moved.ahead, moved.orders) == (1, True, "2:")
    assert look(table.ports, "g1", table.yellow, ENGLISH) == ""
    assert [notice.seat for notice in table.told if notice.kind == "turn"] == [1], "the turn goes on, so yellow is asked for the rest"


def test_when_no_branch_fits_the_player_is_asked_and_told_why(table: Table) -> None:
    leave(table.ports, "g1", table.yellow, "if red has at least 999 points: 2:\nelse: 9:", ENGLISH)

    whole_turn(table, table.red)

    [asked] = [notice for notice in table.told if notice.kind == "turn"]
    assert asked.ahead
    assert [code for code, _, _ in asked.ahead.why] == ["", "tile-not-open"]
    assert not any(moved.ahead for moved in table.moves())
    assert look(table.ports, "g1", table.yellow, ENGLISH) == ""


def test_orders_that_were_taken_back_are_not_played(table: Table) -> None:
    leave(table.ports, "g1", table.yellow, "2:", ENGLISH)
    assert cancel(table.ports, "g1", table.yellow)

    whole_turn(table, table.red)

    assert not any(moved.ahead for moved in table.moves())
    assert not cancel(table.ports, "g1", table.yellow)


def test_orders_taken_back_while_the_worker_chooses_are_not_played(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(table.ports, "g1", table.yellow, "2:", ENGLISH)
    settle = table.ports.games.settle_orders_ahead

    def taken_back(*given: object, **more: object) -> bool:
        cancel(table.ports, "g1", table.yellow)
        return settle(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(table.ports.games, "settle_orders_ahead", taken_back)

    whole_turn(table, table.red)

    assert not any(moved.ahead for moved in table.moves())
    assert [notice.seat for notice in table.told if notice.kind == "turn"] == [1]


def test_they_are_for_the_next_turn_and_not_for_the_present_one(table: Table) -> None:
    leave(table.ports, "g1", table.red, "2:", ENGLISH)
    table.work()
    assert not any(moved.ahead for moved in table.moves())

    whole_turn(table, table.red)
    whole_turn(table, table.yellow)

    assert table.moves()[-1].ahead


def test_a_turn_that_was_played_otherwise_drops_them_and_says_so(table: Table) -> None:
    leave(table.ports, "g1", table.yellow, "2:", ENGLISH)
    while preview(table.game, 0, last := table.game.rules.legal(table.game.state, 0)[-1])[0].state.turn == 1:
        table.play(table.red, last)

    submit(table.ports, table.game, table.red, last)
    submit(table.ports, table.game, table.yellow, "3:")
    table.work()

    assert [moved.orders for moved in table.moves()][-2:] == [last, "3:"]
    assert table.ends(table.yellow) == ["passed"]


def test_whoever_resigns_is_told_that_they_are_dropped(table: Table) -> None:
    leave(table.ports, "g1", table.yellow, "2:", ENGLISH)

    resign(table.ports, "g1", table.yellow)
    table.work()

    assert table.ends(table.yellow) == ["seat-gone"]


def test_they_are_erased_with_their_player(table: Table) -> None:
    leave(table.ports, "g1", table.yellow, "2:", ENGLISH)

    erase(table.ports, table.yellow)

    assert not table.ports.games.all_orders_ahead(["g1"])


def test_a_condition_that_cannot_be_read_is_refused_with_its_text(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        leave(table.ports, "g1", table.yellow, "if red bilds in AB: 2:", ENGLISH)

    assert (refused.value.code, refused.value.refusal.values["text"]) == ("unreadable-condition", "red bilds in AB")


GAPS = {
    "number": "3", "lane": "AB", "square": "C", "district": "4", "kind": "clerk", "guest": "lord", "space": "c1", "figure": "duke",
    "group": "fish", "card": "ship", "face": "1-3",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(rulesets()))
def test_every_condition_is_read_in_every_language(name: str, language: str) -> None:
    rules, words = rulesets()[name], rulesets()[name].in_language(language)
    state = rules.fold([])
    state.colours = rules.colours
    if name == "portobello":
        state.lanes, state.squares = {"AB": ()}, {"C": None}
    known = read_words(rules.conditions.folder, language)["conditions"]

    for kind, form in ((kind, form) for kind, forms in known.items() for form in forms):
        text = form.format_map({gap: _named(value, words) for gap, value in {**GAPS, "who": rules.colours[0]}.items()})
        [found] = read_conditions(rules.conditions, state, text)
        assert found.name == kind, text

    assert known.keys() == rules.conditions.tests.keys()


def _named(value: str, words: Words) -> str:
    return words.translate(value)
