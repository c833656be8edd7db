"""What happened and what may be done, as sentences."""

from typing import Any

import pytest

from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.state import State
from marketpost.rules.ruleset import Setting
from tests.games import assert_reads_well, told_in_every_language
from tests.rules.portobello.positions import FOUR_IS_FULL, TEN_GUESTS, after, applied, judged, opened, position

ENGLISH = r"the|and|with|took|built|lane|points?\b to|citizen|clerk|stalls?"


def told(state: State, *submissions: str, language: str = "en") -> str:
    """The story of these submissions, played from here."""
    events: list[Any] = []
    now = state
    for orders in submissions:
        verdict = judged(now, orders)
        assert verdict.refusal is None, (orders, verdict.refusal)
        events += verdict.events
        now = applied(now, verdict)
    return "\n".join(RULESET.story(state.copy(), events, RULESET.in_language(language)))


def may(state: State, seat: int | None = None, language: str = "en") -> str:
    return "\n".join(RULESET.story.choices(state, state.decider if seat is None else seat, RULESET.in_language(language)))


def test_a_turn_is_one_sentence() -> None:
    text = told(after("bobby 4"), "3: stall B-G; stall BG; customer C=citizen")

    assert text == "Red took tile 3, built 2 stalls in BG, drew a citizen and put it on C."


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "Yellow took tile 3, sent the Bobby from 3 to 4 (1 point to red), built a stall each in BG and FG, "
            "drew a clerk and put it on C.",
        ),
        (
            "de",
            "Gelb hat Plättchen 3 gewählt, den Bobby von Distrikt 3 nach 4 geschickt (1 Punkt an Rot), je einen Stand in BG und FG gebaut, "
            "einen Gehilfen gezogen und ihn auf C gesetzt.",
        ),
        (
            "fr",
            "Le jaune a pris la tuile 3, a envoyé le Bobby du district 3 au 4 (1 point au rouge), a construit un étal dans "
            "chacune des ruelles BG et FG, a tiré un commis et l’a placé sur C.",
        ),
        (
            "it",
            "Il giallo ha preso il gettone 3, ha mandato il Bobby dal distretto 3 al distretto 4 (1 punto al rosso), ha costruito "
            "una bancarella in ciascuno dei vicoli BG e FG, ha pescato un servo e l’ha messo su C.",
        ),
    ],
)
def test_a_turn_in_each_language(language: str, sentence: str) -> None:
    state = position("BF r...", bobby=3, to_move="yellow", players=2)

    assert told(state, "3: bobby 4; stall B-G; stall F-G; customer C=clerk", language=language) == sentence


def test_what_a_turn_scored_follows_it() -> None:
    state = position("FG r.", "F clerk, G citizen", to_move="yellow", players=2)

    assert told(state, "2: stall FG; stall B-F").endswith("built a stall each in FG and BF. Lane FG was scored: red 2, yellow 4.")


def test_a_customer_looked_at_first_is_told_in_one_sentence() -> None:
    state = after("bobby 4")

    assert told(state, "2: customer=clerk", "place C; stall B-G") == "Red took tile 2, drew a clerk, put it on C and built a stall in BG."


def test_a_customer_drawn_before_the_story_began_is_named() -> None:
    state = after("bobby 4", "2: customer=clerk")

    assert told(state, "place C; stall B-G") == "Red put the clerk on C and built a stall in BG."


def test_a_customer_from_the_queue_is_taken_not_drawn() -> None:
    state = after("bobby 4", queue="citizen clerk clerk citizen clerk citizen clerk citizen clerk citizen")

    assert "took a citizen from the queue and put it on C" in told(state, "2: stall B-G; customer C")


def test_a_mark_tells_its_points_and_the_neutral_tile() -> None:
    state = position("BF rr..", players=2)

    assert told(state, "4: mark 4") == "Red marked district 4 with tile 4 (8 points) and got a neutral 3 in its place."


def test_the_way_of_the_bobby_and_what_it_cost() -> None:
    state = position("BF yg..", bobby=3, players=3)

    straight = told(state, "2: bobby 3-4; stall B-G; stall BG")
    round_about = told(state, "2: bobby 9-10-4; stall B-G; stall BG")

    assert "sent the Bobby from 3 to 4 (cost: 2 points, of which 1 to yellow and 1 to green)" in straight
    assert "sent the Bobby from 3 through 9 and 10 to 4 (cost: 3 points)" in round_about


def test_a_lord_that_comes_by_itself_is_told_apart_from_one_that_is_put() -> None:
    guests = TEN_GUESTS.rpartition(",")[0]

    by_itself = told(position("", guests, players=2), "2: stall B-G; customer J=citizen")
    put = told(position("", TEN_GUESTS, players=2, edition="fr"), "2: stall B-G; lord")

    assert by_itself.endswith("All ten customers stand, so the lord took square K.")
    assert put == "Red took tile 2, built a stall in BG and put the lord on K."


def test_the_end_names_the_winner_and_all_scores() -> None:
    state = position("", players=2, to_move="yellow", supply={"yellow": 2}, scores={"red": 0, "yellow": 30})

    assert told(state, "2: stall B-G; stall BG").splitlines() == [
        "Yellow took tile 2 and built 2 stalls in BG. That was yellow’s last stall: the game ends with this round.",
        "The game is over: yellow wins with 30 points. Final scores: red 0, yellow 30.",
    ]


def test_the_lords_own_scoring_is_called_so() -> None:
    state = position("HK y.", TEN_GUESTS + ", K lord", players=2, to_move="yellow", supply={"yellow": 2})

    assert "\nLord scoring in lane HK: yellow " in told(state, "2: stall B-G; stall BG")


def test_a_shared_win() -> None:
    state = position("", players=2, to_move="yellow", supply={"yellow": 2}, scores={"red": 30, "yellow": 30})

    assert "red and yellow share the win with 30 points each" in told(state, "2: stall B-G; stall BG")
    assert "Rot und Gelb gewinnen gemeinsam mit je 30 Punkten" in told(state, "2: stall B-G; stall BG", language="de")


def test_the_setting_up_is_told() -> None:
    state = opened(players=3)
    started = RULESET.start(Setting(state.colours, "portobello-classic"), None)

    assert RULESET.story(State(), started, RULESET.in_language("en")) == ["The game has begun. Order of play: red, yellow, green."]
    assert told(state, "bobby 3") == "Green put the Bobby into district 3."


@pytest.mark.parametrize(("edition", "players", "queue"), [("de", 2, False), ("fr", 3, True), ("it", 4, False), ("2.0", 3, False)])
def test_every_event_of_whole_games_can_be_told(edition: str, players: int, queue: bool) -> None:
    options = {"customers": "queue"} if queue else {}
    for language, text in told_in_every_language(RULESET, Setting(RULESET.colours[:players], "portobello-classic", edition, options)):
        assert_reads_well(text, language, ENGLISH)


def test_nobody_is_told_choices_that_are_not_theirs() -> None:
    state = after("bobby 4")

    assert may(state, 1) == ""


def test_before_the_first_turn_there_is_only_the_bobby() -> None:
    assert may(opened()) == "Put the Bobby into one of the districts 1 to 12."


def test_whoever_has_drawn_is_told_how_many_actions_follow() -> None:
    assert "After that you have 2 actions left." in may(after("bobby 4", "4: stall B-G; customer=clerk"))
    assert "After that" not in may(after("bobby 4", "2: stall B-G; customer=clerk"))


def test_a_turn_begins_with_a_tile_and_the_rest_is_named() -> None:
    text = may(after("bobby 4"))

    assert "First choose one of your open tiles: 2, 3 or 4." in text
    assert "the Bobby stands in district 4, so it can go in BF, BG or FG." in text
    assert "Still in the bag: 5 citizens and 5 clerks." in text
    assert "for 1 point to 3, 5 or 10" in text
    assert "mark a district with your own 2 or 4" in text


def test_a_customer_in_hand_comes_first() -> None:
    text = may(after("bobby 4", "3: customer=clerk"))

    assert text.startswith("You hold a clerk: put it on a free square (A, B,")
    assert text.endswith("After that you have 2 actions left.")


def test_a_full_district_is_said_to_be_full() -> None:
    assert "whose lanes are all full" in may(position(FOUR_IS_FULL))


def test_where_nothing_is_possible_the_end_is_offered() -> None:
    state = position(FOUR_IS_FULL, TEN_GUESTS + ", K lord", players=2)

    assert "with “end” you end your turn" in may(applied(state, judged(state, "3: bobby 3; bobby 4")))
