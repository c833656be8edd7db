"""Orders as people write them, in four languages."""

import unicodedata

import pytest

from marketpost.rules.portobello import RULESET
from marketpost.rules.portobello.orders import (
    Bobby,
    ChooseTile,
    Draw,
    DrawAndSee,
    End,
    IfDrawn,
    Lord,
    MarkDistrict,
    Orders,
    Place,
    Stall,
    parse,
)
from marketpost.rules.refusal import Unreadable
from tests.games import sealed
from tests.rules.portobello.positions import after, why

WHOLE_TURN: Orders = (ChooseTile(3), Stall("AB", "A"), Draw("C", "C"), Bobby((4, 5)), Stall("BG"))
BOTH_KINDS: Orders = (
    ChooseTile(2),
    DrawAndSee((IfDrawn("citizen", (Place("C"), Stall("AB", "A"))), IfDrawn("clerk", (Place("D"),)))),
)


def unreadable(text: str) -> tuple[int, object]:
    """The step that cannot be read, and the closer reason if there is one."""
    with pytest.raises(Unreadable) as refused:
        parse(text)
    return refused.value.refusal.step, refused.value.refusal.values.get("why")


# Reading


@pytest.mark.parametrize(
    "text",
    [
        "3: stall A-B; customer C; bobby 4-5; stall BG",
        "3:\nstall A-B\ncustomer C\nbobby 4-5\nstall BG",
        "3: STALL a-b; Customer c; BOBBY 4-5; stall bg",
        "tile 3; stall A-B; customer C; bobby 4-5; stall GB",
        "Tile 3: stall A-B; customer C; bobby 4-5; stall BG",
        "tile 3: stall A-B; customer C; bobby 4-5; stall BG",
        "3:stall A-B;customer C;bobby 4-5;stall BG",
        "  3 :  stall  A - B ;; customer\tC ;\n\n bobby 4 - 5 ; stall BG ; ",
        "3: stall A-B # my best lane; end\n# and now?\ncustomer C; bobby 4-5; stall BG # bye",
        "3: stall A–B; customer C; bobby 4—5; stall BG",
        "3: stall A‑B; customer C; bobby 4−5; stall BG",
        "3:\u00a0stall\u00a0A-B; customer\u202fC;\u00a0bobby 4-5; stall BG",
        "3: stall A-B\r\ncustomer C\r\nbobby 4-5\r\nstall BG\r\n",
        "3: Stand A-B; Kunde C; Bobby 4-5; Stand BG",
        "3: étal A-B; client C; Bobby 4-5; étal BG",
        "3: bancarella A-B; cliente C; Bobby 4-5; bancarella BG",
        "Plättchen 3: bancarella A-B; client C; bobby 4-5; Marktstand BG",
    ],
)
def test_a_turn_may_be_written_in_many_ways(text: str) -> None:
    assert parse(text) == WHOLE_TURN


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("4: mark 5", (ChooseTile(4), MarkDistrict(5))),
        ("2:", (ChooseTile(2),)),
        ("2: 3: end", (ChooseTile(2), ChooseTile(3), End())),
        ("customer clerk C citizen D", (Draw("C", "D"),)),
        ("customer citizen D clerk C", (Draw("C", "D"),)),
        ("customer; place C", (DrawAndSee(), Place("C"))),
        ("lord; end", (Lord(), End())),
        ("bobby 12", (Bobby((12,)),)),
        ("bobby 3-4-10", (Bobby((3, 4, 10)),)),
        ("stall B-A", (Stall("AB", "B"),)),
        ("stall XY", (Stall("XY"),)),
        ("customer Z", (Draw("Z", "Z"),)),
        ("mark 007", (MarkDistrict(7),)),
    ],
)
def test_each_order_is_read(text: str, orders: Orders) -> None:
    assert parse(text) == orders


WORDS_OF_THE_RULES = {
    "tile 3": "Plättchen, Aktions-Plättchen, Aktionsplättchen, Plaettchen, Plattchen, tuile, tuiles, tuile d'action, tuile d’action, "
    "horloge, gettone, gettone azione, gettoni, tiles",
    "stall AB": "Stand, Stände, Staende, Stande, Marktstand, Marktstände, étal, étals, étaux, etal, échoppe, echoppe, échoppes, "
    "bancarella, bancarelle, stalls",
    "customer C": "Kunde, Kunden, client, clients, cliente, clienti, customers",
    "place C": "setze, place, metti",
    "lord": "Lord, LORD",
    "bobby 4": "Bobby, BOBBY",
    "mark 5": "markiere, marque, marca",
    "end": "Ende, fin, fine, ENDE",
}


@pytest.mark.parametrize(
    ("english", "word"), [(english, word.strip()) for english, words in WORDS_OF_THE_RULES.items() for word in words.split(",")]
)
def test_the_words_of_the_rules_are_understood_from_anyone(english: str, word: str) -> None:
    _, _, rest = english.partition(" ")

    for written in (word, word.lower(), word.upper(), unicodedata.normalize("NFD", word)):
        assert parse(f"{written} {rest}") == parse(english)


@pytest.mark.parametrize(
    ("clerk", "citizen"),
    [
        ("clerk", "citizen"),
        ("clerks", "citizens"),
        ("Gehilfe", "Bürger"),
        ("Gehilfen", "Buerger"),
        ("gehilfe", "BURGER"),
        ("commis", "citoyen"),
        ("commis", "citoyens"),
        ("servo", "borghese"),
        ("servi", "borghesi"),
    ],
)
@pytest.mark.parametrize("when", ["if", "falls", "wenn", "si", "se", "IF"])
def test_kinds_and_conditions_are_understood_in_four_languages(clerk: str, citizen: str, when: str) -> None:
    assert parse(f"customer {clerk} C {citizen} D") == (Draw("C", "D"),)
    assert parse(f"2: customer; {when} {citizen}: place C; stall A-B\n{when} {clerk}: place D") == BOTH_KINDS


@pytest.mark.parametrize(
    "text",
    [
        "2: customer\nif citizen: place C; stall A-B\nif clerk: place D",
        "2: customer;\n\nif citizen:place C;stall A-B\n# hm\nif clerk: place D;",
        "2: customer; if citizen: place C; stall A-B; # good\nif clerk: place D # well",
    ],
)
def test_an_if_takes_the_rest_of_its_line(text: str) -> None:
    assert parse(text) == BOTH_KINDS


def test_an_if_may_be_alone_or_empty() -> None:
    assert parse("customer; if clerk: place C") == (DrawAndSee((IfDrawn("clerk", (Place("C"),)),)),)
    assert parse("customer\nif clerk:") == (DrawAndSee((IfDrawn("clerk", ()),)),)


def test_a_hundred_steps_are_enough() -> None:
    assert len(parse("end;" * 100)) == 100
    assert unreadable("end;" * 101) == (101, "too-many")


def test_the_steps_of_both_branches_are_counted() -> None:
    half = "; ".join(["stall AB"] * 49)

    assert parse(f"3: customer\nif clerk: {half}\nif citizen: {half}")
    assert unreadable(f"3: customer\nif clerk: {half}\nif citizen: {half}; end")[1] == "too-many"


# What cannot be read


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("wait", 1),
        ("3", 1),
        ("3: 4", 2),
        ("3: stall", 2),
        ("stall A", 1),
        ("stall ABC", 1),
        ("stall A-B-C", 1),
        ("stall A-B 3", 1),
        ("stall A B", 1),
        ("stall 1-2", 1),
        ("stall Ä-B", 1),
        ("end; stall A-", 2),
        ("customer 3", 1),
        ("customer to C", 1),
        ("customer AB", 1),
        ("customer clerk C", 1),
        ("customer clerk C clerk D", 1),
        ("customer clerk C citizen", 1),
        ("customer lord C citizen D", 1),
        ("customer=citizen", 1),
        ("customer C=citizen", 1),
        ("place", 1),
        ("place 3", 1),
        ("lord K", 1),
        ("bobby", 1),
        ("bobby C", 1),
        ("bobby 3-", 1),
        ("bobby 3 4", 1),
        ("bobby -3", 1),
        ("bobby 3.5", 1),
        ("bobby ³", 1),
        ("bobby ٣", 1),
        ("mark", 1),
        ("mark C", 1),
        ("mark 3-4", 1),
        ("end now", 1),
        ("tile", 1),
        ("tile three", 1),
        ("tile 3 stall A-B", 1),
        ("clerk", 1),
        (": stall A-B", 1),
        ("roll 4: c1-g1", 1),
        ("stall A-B, stall AB", 1),
        ("end; end; end; hello", 4),
        ("end\nend # fine\n\nhello", 3),
        ("x" * 100_000, 1),
        ("bobby " + "1-" * 200 + "1", 1),
    ],
)
def test_what_is_no_order_is_unreadable_at_its_step(text: str, step: int) -> None:
    assert unreadable(text)[0] == step


@pytest.mark.parametrize("text", ["", "   ", "\n\n", ";;;", "# only a comment", " ; # nothing\n;\u00a0"])
def test_a_submission_without_a_step_is_unreadable(text: str) -> None:
    assert unreadable(text) == (1, "empty")


@pytest.mark.parametrize(
    ("text", "step", "reason"),
    [
        ("if clerk: place C", 1, "if-where"),
        ("3: if clerk: place C", 2, None),
        ("3:; if clerk: place C", 2, "if-where"),
        ("customer C; if clerk: place C", 2, "if-where"),
        ("customer; place C; if clerk: end", 3, "if-where"),
        ("customer\nif clerk: place C\nif clerk: place D", 2, "if-where"),
        ("customer; if lord: place C", 2, "if-kind"),
        ("customer; if clerk place C", 2, "if-kind"),
        ("customer; if: place C", 2, "if-kind"),
        ("customer\nif clerk: place C\nstall A-B", 2, "after-if"),
        ("customer\nif clerk: place C\nif citizen: place D\nend", 2, "after-if"),
        ("customer; if clerk: place C; customer; if clerk: place D", 4, None),
        ("customer; if clerk: place C; if citizen: place D", 3, None),
        ("customer; if clerk: place C; wait", 3, None),
        ("customer\nif clerk: place C; end\nif citizen: place D; wait", 3, None),
    ],
)
def test_an_if_stands_right_behind_a_bare_customer_once_for_each_kind(text: str, step: int, reason: str | None) -> None:
    assert unreadable(text) == (step, reason)


def test_names_that_do_not_exist_are_read_and_then_unknown() -> None:
    state = after("bobby 4")

    assert why(state, "3: stall A-Z") == ("unknown-lane", 2)
    assert why(state, "3: customer Z") == ("unknown-square", 2)
    assert why(state, "3: bobby 4-" + "9" * 200) == ("unknown-district", 2)
    assert why(state, "7" * 50 + ":") == ("tile-not-open", 1)


@pytest.mark.parametrize("text", ["2: customer=clerk", "2: customer C=clerk", "2: customer C = clerk; stall B-F"])
def test_a_player_cannot_tell_chance_what_to_bring(text: str) -> None:
    verdict = RULESET.judge(after("bobby 4"), 0, text, sealed(1))

    assert verdict.refusal is not None
    assert (verdict.refusal.code, verdict.refusal.step, list(verdict.events)) == ("unreadable-order", 2, [])
