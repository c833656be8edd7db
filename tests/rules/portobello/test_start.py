"""The set-up, the editions and the options."""

from dataclasses import asdict

import pytest

from marketpost.rules.chance import RecordedChance
from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.options import choose
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Setting
from tests.rules.portobello.positions import opened, scores, then, tiles, to_move


@pytest.mark.parametrize(
    ("players", "colours", "stalls"),
    [(2, ("red", "yellow"), 30), (3, ("red", "yellow", "green"), 20), (4, ("red", "yellow", "green", "blue"), 16)],
)
def test_fewer_players_have_more_stalls(players: int, colours: tuple[str, ...], stalls: int) -> None:
    state = opened(players)

    assert state.colours == colours
    assert state.stalls == [stalls] * players


def test_a_game_begins_with_open_tiles_ten_customers_and_an_empty_board() -> None:
    state = opened(3)

    assert [tiles(state, colour) for colour in state.colours] == ["2 3 4"] * 3
    assert state.neutral == [3, 3, 2, 2, 1, 1, 1, 1]
    assert state.bag == {"clerk": 5, "citizen": 5}
    assert state.free_squares() == list("ABCDEFGHIJK")
    assert not any(any(seat is not None for seat in spaces) for spaces in state.lanes.values())
    assert scores(state) == {"red": 10, "yellow": 10, "green": 10}
    assert (state.bobby, state.turn) == (0, 0)


@pytest.mark.parametrize("colours", [(), ("red",), ("red", "yellow", "green", "blue", "red")])
def test_fewer_than_two_or_more_than_four_players_are_no_game(colours: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="players-number"):
        RULESET.start(Setting(colours, "portobello-classic"), RecordedChance([]))


@pytest.mark.parametrize(("colours", "code"), [(("red", "pink"), "unknown-colour"), (("red", "red"), "colour-twice")])
def test_every_player_needs_a_colour_of_the_game_and_of_their_own(colours: tuple[str, ...], code: str) -> None:
    with pytest.raises(Refused, match=code):
        RULESET.start(Setting(colours, "portobello-classic"), RecordedChance([]))


@pytest.mark.parametrize(
    ("placer", "players", "colour"),
    [
        ("right", 2, "yellow"),
        ("right", 4, "blue"),
        ("left", 2, "yellow"),
        ("left", 4, "yellow"),
        ("first", 4, "red"),
    ],
)
def test_the_bobby_is_put_down_before_turn_1_and_then_red_begins(placer: str, players: int, colour: str) -> None:
    state = opened(players, bobby_placer=placer)
    assert to_move(state) == colour

    placed = then(state, "bobby 7")

    assert (placed.bobby, placed.turn, to_move(placed)) == (7, 1, "red")
    assert scores(placed) == scores(state)


@pytest.mark.parametrize(
    ("option", "de", "fr", "it", "summary"),
    [
        ("start_score", 10, 10, 0, 10),
        ("lord", "automatic", "action", "action", "action"),
        ("co_majority", "pay", "pay", "pay", "free"),
        ("bobby_placer", "right", "right", "right", "left"),
        ("neutral_arrives", "open", "open", "open", "closed"),
        ("customers", "bag", "bag", "bag", "bag"),
    ],
)
def test_an_edition_is_a_preset_of_options(option: str, de: object, fr: object, it: object, summary: object) -> None:
    assert [asdict(choose(edition, {}))[option] for edition in ("de", "fr", "it", "2.0")] == [de, fr, it, summary]


@pytest.mark.parametrize("edition", ["de", "fr", "it", "2.0"])
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("start_score", 0),
        ("start_score", 50),
        *[("lord", value) for value in ("automatic", "action")],
        *[("co_majority", value) for value in ("pay", "free")],
        *[("bobby_placer", value) for value in ("right", "left", "first")],
        *[("neutral_arrives", value) for value in ("open", "closed")],
        *[("customers", value) for value in ("bag", "queue")],
    ],
)
def test_any_option_can_be_set_by_hand_over_its_edition(edition: str, option: str, value: object) -> None:
    assert asdict(choose(edition, {option: value})) == asdict(choose(edition, {})) | {option: value}


def test_the_start_score_is_what_everyone_begins_with() -> None:
    assert scores(opened(edition="it")) == {"red": 0, "yellow": 0}
    assert scores(opened(start_score=50)) == {"red": 50, "yellow": 50}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"start_score": 51}, "bad-option"),
        ({"start_score": -1}, "bad-option"),
        ({"start_score": True}, "bad-option"),
        ({"start_score": "many"}, "bad-option"),
        ({"lord": "never"}, "bad-option"),
        ({"customers": "Bag"}, "bad-option"),
        ({"weather": "fine"}, "unknown-option"),
    ],
)
def test_an_option_that_does_not_exist_is_refused(options: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as refused:
        choose("de", options)

    assert refused.value.code == code


def test_an_edition_that_does_not_exist_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        choose("en", {})

    assert refused.value.code == "unknown-edition"
