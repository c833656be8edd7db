"""Letters that open and close in words nobody listed, and lines that look like it and take the orders back."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from marketpost.mail.inbound.classify import Said
from marketpost.rules.words import plain
from tests.games import sealed
from tests.mail.corpus import LANGUAGES, understood
from tests.mail.desk import Desk
from tests.mail.turns import Turn, every_ruleset, turns
from tests.thorough import some

DOUBTS = tomllib.loads((Path(__file__).parent / "doubts.toml").read_text("utf-8"))
FRIENDLY = tomllib.loads((Path(__file__).parent / "friendly.toml").read_text("utf-8"))
HEAD = "From: Tom Baker <tb@example.org>\nTo: play+aa@marketpost.example\nContent-Type: text/plain; charset=utf-8\n\n"
CLOSINGS = [
    *(
        "Yours in friendship,\nTom",
        "Tallyho!\nTom",
        "Hugs, honey\nTom Baker",
        "Mwah\n\nTom",
        "See you on Friday\nTom",
        "Later!\nTom",
        "Ben, your turn!",
    ),
    *("Mit marktschreierischen Grüßen\nTom", "Servus und ahoi\nTom", "Bis Freitag\nTom", "Hihihi\nTom", "Bussi aufs Bauchi\nTom"),
    *("Ludiquement vôtre,\nTom", "Grosses papouilles\nTom", "À vendredi !\nTom", "Salutations marchandes\nTom", "Hahaha"),
    *("Salutoni marinari\nTom", "Un bacio immenso\nTom", "Ci vediamo sabato\nTom", "Tanta allegria!\nTom", "Ahahah"),
]
OPENINGS = [
    *("Ahoy landlubbers!", "Dearest merchants,", "Sorry, dog at the vet."),
    *("Moinsen Marktvolk!", "Hochverehrtes Publikum,", "Sorry, Besuch aus Bremen."),
    *("Coucou les loulous,", "Vaillants marchands !", "Désolé, semaine infernale."),
    *("Prodi mercanti,", "Ciao ciurma!", "Scusate, ospiti a cena."),
]

BREAKS_OFF = ["Two turns ago it was", "Vor zwei Zügen war es", "Il y a deux tours c'était", "Due turni fa era"]
GREETS_OR_ENDS = ["Greetings,", "Grüße in die Runde,", "Salut à tous,", "Ciao a tutti,"]


def said(turn: Turn, text: str) -> Said:
    return understood(f"{HEAD}{text}\n".encode(), turn)[1]


def is_played(turn: Turn, text: str) -> bool:
    found = said(turn, text)
    if found.strange or not found.orders:
        return False
    return not turn.rules.judge(turn.state, turn.seat, "\n".join(found.orders), sealed(1)).refusal


@every_ruleset
@pytest.mark.parametrize("closing", CLOSINGS)
def test_a_few_short_words_above_the_own_name_close_a_letter(name: str, closing: str) -> None:
    for turn, language in zip(turns(name), LANGUAGES, strict=False):
        for gap in ("\n", "\n\n"):
            found = said(turn, f"{turn.written(language)}{gap}{closing}")
            assert not found.strange
            assert not found.commands
            assert turn.means("\n".join(found.orders))


@every_ruleset
@pytest.mark.parametrize("opening", OPENINGS)
def test_a_few_short_words_above_all_orders_open_a_letter(name: str, opening: str) -> None:
    for turn, language in zip(turns(name), LANGUAGES, strict=False):
        found = said(turn, f"{opening}\n\n{turn.written(language)}\n\nTom")
        assert not found.strange
        assert turn.means("\n".join(found.orders))


@every_ruleset
@pytest.mark.parametrize(("language", "opening"), list(zip(LANGUAGES, GREETS_OR_ENDS, strict=True)))
def test_a_farewell_in_the_first_line_is_a_greeting_if_orders_follow_further_below(name: str, language: str, opening: str) -> None:
    turn, sentence = turns(name)[0], FRIENDLY[language]["above"][0]

    assert is_played(turn, f"{opening}\n\n{sentence}\n\n{turn.written(language)}\n\nTom")
    assert not is_played(turn, f"{turn.written(language)}\n\n{opening}\n\n{sentence}\n{turn.written(language)}")


@every_ruleset
@pytest.mark.parametrize(("language", "line"), list(zip(LANGUAGES, BREAKS_OFF, strict=True)))
def test_orders_that_end_a_sentence_are_not_played_though_an_empty_line_stands_between(name: str, language: str, line: str) -> None:
    turn = turns(name)[0]

    assert not is_played(turn, f"{line}\n\n{turn.written(language)}")


@every_ruleset
def test_an_initial_signs_where_it_cannot_be_a_part_of_the_order(name: str) -> None:
    turn = turns(name)[0]

    assert is_played(turn, f"{turn.orders}\n\nCheers\nT.")
    assert not is_played(turn, f"{turn.orders}\n\nQ.")


ASIDE = {
    "en": [
        "What lovely weather today!",
        "How are the kids?",
        "That was a clever move last time, Ben.",
        "Wow, didn't see that coming.",
        "It is 30 degrees here in the shade.",
    ],
    "de": [
        "Was für ein Wetter heute!",
        "Wie geht es den Kindern?",
        "Dein letzter Zug war ganz schön gemein, Ben.",
        "Damit hast du nicht gerechnet, wette ich.",
        "Oma lässt grüßen!",
    ],
    "fr": [
        "Mon chat dort sur le clavier.",
        "Quel beau temps aujourd’hui !",
        "Comment vont les enfants ?",
        "J’étais partie pour le week-end, pardon.",
        "Désolé d’être si lent cette semaine.",
    ],
    "it": [
        "Il gatto dorme sulla tastiera.",
        "Che bel tempo oggi!",
        "Come stanno i bambini?",
        "Ero via per il fine settimana, scusa.",
        "Wow, questa non me l’aspettavo.",
    ],
}
ANNOUNCED = {
    "en": ["I play {orders}", "Well then, my turn now: {orders}", "Please, {orders} cheers, Tom", "**{orders}** :-)"],
    "de": ["Ich spiele {orders}", "Also gut, ich bin dran: {orders}", "Bitte {orders} danke dir, Tom", "„{orders}“ :-)"],
    "fr": ["Je joue {orders}", "Allez, à moi : {orders}", "{orders} merci bien, Tom", "« {orders} » :-)"],
    "it": ["Gioco {orders}", "Va bene, tocca a me: {orders}", "{orders} per piacere", "“{orders}” :-)"],
}


@pytest.mark.usefixtures("_from_outside")
@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_small_talk_beside_orders_is_left_aside_and_told(desk: Desk, name: str, language: str) -> None:
    desk.table(desk.person("Ann", language), desk.person("Ben", language), rules=name)
    for line in ASIDE[language]:
        player, version = desk.to_play(), desk.game().version

        assert desk.answer(player, f"{line}\n{desk.good_orders(language)}\n", to=desk.newest(player)) == "submitted"

        assert desk.game().version > version
        told = [" ".join(mail.text.split()) for mail in desk.box(player)]
        assert any(plain(line) in plain(text) for text in told)


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_courtesies_and_announcements_stand_on_the_line_of_the_orders(name: str, language: str) -> None:
    for turn in turns(name)[:12]:
        for form in ANNOUNCED[language]:
            text = form.format(orders="; ".join(turn.steps(language)))
            assert turn.means("\n".join(said(turn, text).orders)), text


def around(orders: str, line: str, number: int) -> Sequence[str]:
    """The line in two of six places, others for the next line."""
    places = [
        f"{orders}\n{line}",
        f"{orders}\n\n{line}\nTom",
        f"{orders}\n\nThanks!\n{line}\nTom",
        f"{orders}\n\nCheers\nTom\n{line}",
        f"{orders}\n\n{line}, Tom",
        f"{line}!\n{orders}",
    ]
    return some(places, one_in=3, number=number)


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_played_beside_a_line_that_takes_it_back(name: str, language: str) -> None:
    turn = turns(name)[1]
    orders = turn.written(language)

    below = enumerate(DOUBTS[language]["below"])
    played = [text for number, line in below for text in around(orders, line, number) if is_played(turn, text)]
    played += [text for line in DOUBTS[language]["above"] if is_played(turn, text := f"{line}\n{orders}\n\nCheers\nTom")]

    assert not played


@every_ruleset
@pytest.mark.parametrize(
    "before", ["Ben plays:", "Yesterday I played:", "Gestern habe ich gespielt:", "Hier j'ai joué :", "Ieri ho giocato:", "Maybe"]
)
def test_orders_of_somebody_else_or_of_long_ago_are_not_played(name: str, before: str) -> None:
    turn = turns(name)[0]

    assert not is_played(turn, f"{before} {turn.orders}")
    assert not is_played(turn, f"{before}\n{turn.orders}")


@every_ruleset
@pytest.mark.parametrize("heading", ["Turn 3:", "Zug 3:", "Tour 3 :", "Turno 3:"])
def test_the_number_of_a_turn_takes_no_tile(name: str, heading: str) -> None:
    turn = turns(name)[0]

    assert said(turn, f"{heading}\n{turn.orders}").strange == (heading,)


@every_ruleset
@pytest.mark.parametrize("command", ["Stop", "No", "Abbrechen", "Nein!", "Non", "undo"])
def test_a_command_that_may_be_about_the_orders_is_asked_about(name: str, command: str) -> None:
    turn = turns(name)[0]

    assert not is_played(turn, f"{turn.orders}\n\n{command}")


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_are_played_beside_a_friendly_sentence(name: str, language: str) -> None:
    turn = turns(name)[1]
    orders = turn.written(language)

    asked = [line for line in FRIENDLY[language]["above"] if not is_played(turn, f"{line}\n\n{orders}\n\nTom")]
    asked += [line for line in FRIENDLY[language]["below"] if not is_played(turn, f"{orders}\n{line}\n\nTom")]

    assert not asked


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_played_above_a_sentence_that_takes_it_back(name: str, language: str) -> None:
    turn = turns(name)[1]
    orders = turn.written(language)

    assert not [
        line for line in DOUBTS[language]["stated"] if is_played(turn, f"{orders}\n{line}.") or is_played(turn, f"{line}:\n{orders}")
    ]


@every_ruleset
def test_a_name_may_be_shortened_below_orders(name: str) -> None:
    turn = turns(name)[1]

    assert is_played(turn, f"{turn.orders}\n\nTo")
    assert not is_played(turn, f"{turn.orders}\n\nBo")


@every_ruleset
def test_a_tick_is_a_bullet_and_a_cross_may_be_a_no(name: str) -> None:
    turn = turns(name)[1]

    assert all(is_played(turn, "\n".join(f"{mark} {step}" for step in turn.steps("en"))) for mark in ("→", "✔", "▸", "\uf0b7"))
    assert not any(is_played(turn, f"{mark} {turn.orders}") for mark in ("✗", "❌", "✖"))


def test_a_dash_before_thanks_is_no_route() -> None:
    turn = next(turn for turn in turns("alturien") if "-" in turn.orders and ";" not in turn.orders and " " not in turn.orders)

    assert said(turn, f"{turn.orders} - thanks!").orders == (turn.orders,)


def test_a_number_before_a_star_is_no_smiley() -> None:
    assert said(turns("portobello")[0], "*bobby 8*").orders == ("bobby 8",)


def test_a_line_with_a_bullet_is_no_rest_of_the_line_above() -> None:
    turn = next(turn for turn in turns("alturien") if "-" in turn.orders and " " not in turn.orders)

    assert said(turn, f"Unsere Befehle sodann\n- {turn.orders}").strange == ("Unsere Befehle sodann",)
