"""What happened, as sentences."""

import re
from typing import Any

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import State
from marketpost.rules.chance import RecordedChance
from marketpost.rules.ruleset import Setting
from tests.games import assert_reads_well, open_game, sealed, told_in_every_language
from tests.rules.alturien.positions import EMPTY_STREETS, GREEN, judged, opened, position, robbing, rolled, then

ENGLISH = r"the|and|with|rolled|moved|bought|shops?|houses?|duke|count|thief|yellow|green|blue|black|wine|fish"


def told(state: State, *submissions: str, rolls: str = "", language: str = "en") -> str:
    """The story of these submissions, played from here."""
    events: list[Any] = []
    now = state
    for orders in submissions:
        verdict = judged(now, orders, rolls)
        assert verdict.refusal is None, (orders, verdict.refusal)
        events += verdict.events
        now = then(now, orders, rolls)
    return "\n".join(RULESET.story(state.copy(), events, RULESET.in_language(language)))


@pytest.mark.parametrize(
    ("language", "paragraph"),
    [
        (
            "en",
            "Yellow rolled 1 and moved the duke from a1 to a2. On a2 the duke paid orange 3 Réal. "
            "Then yellow bought a shop on b1 (cloth) for 3 Réal.",
        ),
        (
            "de",
            "Gelb hat 1 gewürfelt und den Granden von a1 nach a2 gezogen. Auf a2 zahlte der Grande 3 Réal an Orange. "
            "Dann hat Gelb ein Geschäft auf b1 (Tuch) für 3 Réal gekauft.",
        ),
        (
            "fr",
            "Le jaune a obtenu 1 et a déplacé le duc de a1 à a2. Sur a2, le duc a payé 3 Réal à l’orange. "
            "Puis le jaune a acheté un commerce sur b1 (drap) pour 3 Réal.",
        ),
        (
            "it",
            "Il giallo ha tirato 1 e ha mosso il duca da a1 a a2. Su a2 il duca ha pagato 3 Réal all’arancione. "
            "Poi il giallo ha comprato un negozio su b1 (stoffe) per 3 Réal.",
        ),
    ],
)
def test_a_turn_in_each_language(language: str, paragraph: str) -> None:
    shops = ("b7 c7 d7 f7", "g7 h7 j7 k7", "j4 k4 l4 h4", "a2 b4 f4 i5")
    state = position(players=4, roll="1", figures=EMPTY_STREETS, shops=shops, money=(6, 6, 6, 1))

    assert told(state, "a1-a2; buy b1", language=language) == paragraph


def test_what_one_player_does_without_a_break_is_one_sentence() -> None:
    state = position(roll="4")

    assert told(state, "a1-a5; pass") == "Yellow rolled 4, moved the duke from a1 to a5 and invested nothing."


def test_the_roll_is_told_although_it_came_before_the_story_began() -> None:
    before = then(position(), "pass")
    due = RULESET.proceed(before, sealed(1))
    after = RULESET.story(before.copy(), due, RULESET.in_language("en"))

    assert after == [f"Green rolled {due[0].dice[0]}."]
    assert told(position(roll="2,1-3", cards=("staff",)), "a1-a3").startswith("Yellow rolled 2 and 1-3 and moved")


def test_where_a_figure_looks_is_told_on_crossings() -> None:
    assert "moved the duke from a1 to a4 (facing b4)" in told(position(roll="3"), "a1-a4>b4")


def test_grey_shops_sell_beside_the_customer_that_moved() -> None:
    state = position(roll="4", shops=("a5 m7 b1 f7", "g7 h7 j7 k7"))

    text = told(state, "a1-a5")

    assert text.endswith("On a5 the duke paid yellow 3 Réal. At the grey shop on m7 the count paid yellow 1 Réal.")


def test_a_roll_that_lets_nobody_move_is_told() -> None:
    """Each figure looks at another one next to it."""
    figures = "duke b1>a1, marquis a1>a2, marquis a2>a3, count a3>a2, count d1>e1, count e1>d1"
    before = position(figures=figures)
    turn = then(before, "pass")

    skipped = RULESET.proceed(turn, RecordedChance(["1"]))

    assert RULESET.story(turn, skipped, RULESET.in_language("en")) == ["Green rolled 1. No figure could move that far."]


def test_a_robbery_names_both_and_the_second_move_follows() -> None:
    state = rolled(then(robbing(houses=2), "e3-e2"), "4")

    assert told(robbing(houses=2), "e3-e2") == (
        "Yellow rolled 1 and moved the thief from e3 to e2. On e2 the thief robbed green, who paid yellow 4 Réal. Green got the city guard."
    )
    assert told(state, "a1-a5; pass") == "Yellow rolled again (4), moved the duke from a1 to a5 and invested nothing."


def test_who_moves_the_thief_onto_an_own_shop_pays_the_bank() -> None:
    state = robbing(shops=("e2 b7 c7 d7", "f7 h7 j7 k7"))

    assert "the thief robbed yellow, who paid the bank 2 Réal" in told(state, "e3-e2")
    assert "bestohlen: 2 Réal gingen an die Bank." in told(state, "e3-e2", language="de")


def test_the_city_guard_is_told_where_it_protects() -> None:
    assert told(robbing(guard=GREEN), "e3-e2").endswith("On e2 the city guard protected green from the thief.")


def test_sales_and_the_payment_are_told_of_whoever_was_robbed() -> None:
    state = robbing(houses=3, money=(6, 3), prestige=(0, 1))

    assert told(state, "e3-e2", "sell house e2; sell house e2") == (
        "Yellow rolled 1 and moved the thief from e3 to e2. "
        "On e2 the thief robbed green, who owed yellow 6 Réal but had only 3. "
        "Green sold a house on e2 for 1 Réal and sold another house on e2 for 1 Réal. "
        "Green lost the supremacy in cloth, and nobody holds it now. "
        "Then green had to sell a prestige card for 11 Réal and paid yellow 6 Réal. Green got the city guard."
    )


def test_what_cannot_be_paid_is_cancelled() -> None:
    short, broke = robbing(houses=1, money=(6, 1)), robbing(money=(6, 0))

    assert "Green could sell nothing more and paid yellow 1 Réal; the rest of the debt was cancelled." in told(short, "e3-e2")
    assert "who owed yellow 2 Réal but had no money. Green could sell nothing either, and the debt was cancelled." in told(broke, "e3-e2")


def test_a_payment_is_told_although_the_robbery_was_before_the_story_began() -> None:
    state = then(robbing(money=(6, 2), shops=("b7 c7 d7 f7", "e2:2 h7:3 j7:2 k7")), "e3-e2")

    assert told(state, "sell house h7; sell house j7") == (
        "Green sold a house on h7 for 1 Réal, sold a house on j7 for 1 Réal and paid yellow 4 Réal. Green got the city guard."
    )


def test_supremacy_is_told_when_it_changes_hands() -> None:
    alone = position(shops=("b1 c7 k4 h4", "g7 b7 j4 f4"))
    taken = position(shops=("b1 c1:2 k4 h4", "a1:3 b7 j4 f4"))
    taken.supremacy["cloth"] = GREEN

    assert told(alone, "develop b1").endswith("Yellow now holds the supremacy in cloth.")
    assert told(taken, "develop b1").endswith("Yellow now holds the supremacy in cloth, which green held before.")


def test_each_investment_is_named_with_its_price() -> None:
    state = position(money=(20, 6), shops=("b7 c7 d7 f7:2", "g7 h7 j7 k7"), expansion="on")

    assert told(state, "develop b7").startswith("Yellow added a house to the shop on b7 (fish) for 2 Réal.")
    assert told(state, "move-house f7 b7").startswith("Yellow moved a house from f7 to b7 for 2 Réal.")
    assert told(state, "prestige").startswith("Yellow bought a prestige card for 12 Réal.")
    assert told(state, "staff", language="de").startswith("Gelb hat Personal für 5 Réal gekauft.")


def test_the_thief_enters_and_is_faced() -> None:
    text = told(position(money=(10, 6)), "pass", "thief >f4")

    assert text == (
        "Yellow invested nothing. A player now owns 10 Réal or more, so the thief came to g4. "
        "Green got the city guard. Green turned the thief towards f4."
    )


def test_the_last_round_and_the_end() -> None:
    state = position(money=(12, 30), prestige=(2, 0), thief="e3>e2")

    assert told(state, "prestige") == "Yellow bought a prestige card for 12 Réal. With this round the game ends."
    ending = position(money=(3, 12), prestige=(2, 2), thief="e3>e2", active=GREEN)
    assert told(ending, "prestige").splitlines() == [
        "Green bought a prestige card for 12 Réal.",
        "The game is over: green wins with 3 prestige cards and 0 Réal. "
        "Final standing: yellow 2 prestige cards and 3 Réal; green 3 prestige cards and 0 Réal.",
    ]


def test_a_shared_win() -> None:
    state = position(money=(5, 17), prestige=(3, 2), thief="e3>e2", active=GREEN)

    assert "yellow and green share the win with 3 prestige cards and 5 Réal each" in told(state, "prestige")
    assert "Gelb und Grün gewinnen gemeinsam mit je 3 Prestigekarten und 5 Réal" in told(state, "prestige", language="de")
    assert "il giallo e il verde vincono insieme" in told(state, "prestige", language="it")


def test_setting_the_table_by_hand_is_told() -> None:
    state = opened(players=3)

    assert (
        told(state, "customer duke a1>b1", "customer count e1>f1")
        == "Blue put the duke on a1 (facing b1). Yellow put a count on e1 (facing f1)."
    )


def test_a_table_set_by_chance_is_told_in_one_paragraph() -> None:
    _, played = open_game(RULESET, Setting(RULESET.colours[:2], "alturien-classic"), sealed(4))

    started, dealt, roll = RULESET.story(State(), [event for each in played for event in each.events], RULESET.in_language("en"))

    assert started == "The game has begun. Order of play: yellow, green."
    assert dealt.startswith("The table was set by chance. Customers: ")
    assert dealt.count("facing") == 6
    assert roll.startswith("Yellow rolled ")


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {"setup": "manual"}), (3, {"expansion": "on"}), (4, {}), (6, {"expansion": "on", "setup": "manual", "customer_start": "plain"})],
)
def test_every_event_of_whole_games_can_be_told(players: int, options: dict[str, str]) -> None:
    for language, text in told_in_every_language(RULESET, Setting(RULESET.colours[:players], "alturien-classic", None, options)):
        assert_reads_well(text, language, ENGLISH)
        assert language != "it" or not re.search(r"\b(il|al|del) arancione", text), text
