"""Sorting words: orders, commands, courtesies; everything else is strange."""

from functools import partial

import pytest

from marketpost.mail.inbound.classify import Said, classify
from marketpost.mail.inbound.command_lines import Command
from marketpost.mail.inbound.order_lines import is_order
from marketpost.play.log.game import Game
from marketpost.rules.portobello.orders import parse
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import COMMON, lexicon

GAME = Game("g1")
GAME.rules = ruleset("portobello")


def sort(text: str, *names: str) -> Said:
    return classify(text.split("\n"), partial(is_order, GAME), lexicon(COMMON, "commands"), names)


def test_a_broken_order_is_put_together() -> None:
    assert sort("3: stall A-B; customer\nC; bobby\n5").orders == ("3: stall A-B; customer C; bobby 5",)


def test_orders_that_can_be_read_alone_stay_apart() -> None:
    assert sort("customer\nlord").orders == ("customer", "lord")


def test_nothing_is_put_together_over_an_empty_line() -> None:
    assert sort("customer\n\nC").strange == ("C",)


def test_an_initial_below_the_orders_is_no_square() -> None:
    assert sort("stall A-B; customer\nC", "Carla").strange


def test_an_if_belongs_to_the_customer_before_it() -> None:
    said = sort("Kunde\nfalls Bürger : setze D\nwenn Gehilfe: setze C")

    assert len(said.orders) == 3
    assert not said.strange


@pytest.mark.parametrize(
    "text",
    [
        "3: stall A-B, customer C, bobby 5",
        "3: stall A-B, customer C and bobby 5.",
        "3: stall A-B. Customer C. Bobby 5.",
        "3: Stand A-B, dann Kunde C und Bobby 5",
        "3 : étal A-B, client C et puis bobby 5 svp",
        "3: bancarella A-B, cliente C e poi bobby 5, per favore",
        "1. 3: stall A-B\n2. customer C\n3. bobby 5",
        "1) 3: stall A-B\n- customer C\n(3) bobby 5",
        "3: stall A-B,\ncustomer C,\nand bobby 5",
        "3: stall A-B and customer C and then bobby 5",
        "Hi Bob, here is my move: 3: stall A-B, customer C, bobby 5 please",
    ],
)
def test_steps_may_be_listed_as_people_list_things(text: str) -> None:
    said = sort(text)

    assert not said.strange
    assert parse("\n".join(said.orders)) == parse("3: stall A-B; customer C; bobby 5")


@pytest.mark.parametrize(
    "text",
    [
        "cliente e bancarella A-B",  # the square E, or `and`
        "3) stall A-B",  # tile 3, or the third of something
        "1) stall A-B",  # tile 1, or the first
        "1. 3: stall A-B\n5. customer C",
        "3: stall A-B or customer C",
        "stall A-B, C-D",
    ],
)
def test_a_separator_that_may_be_a_part_of_the_order_is_not_read(text: str) -> None:
    assert sort(text).strange


def test_a_square_is_no_and() -> None:
    assert sort("3: bancarella D-E e cliente E e bobby 5").orders == ("3: bancarella D-E; cliente E; bobby 5",)


def test_nothing_is_put_together_behind_a_comment() -> None:
    said = sort("- 3:  # let's see\n2) customer G\n- stall E-I\n4) stall J-I")

    assert parse("\n".join(said.orders)) == parse("3: customer G; stall E-I; stall J-I")
    assert sort("3: # let's see\nwhat comes").strange
    assert sort("3: stall A-B; customer # here\nC").strange


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Hilfe!", Command("help")),
        ("plateau svp", Command("board")),
        ("vacation 7 days", Command("vacation", "7 days")),
        ("Urlaub: 7 Tage", Command("vacation", "7 Tage")),
        ("langue fr", Command("language", "fr")),
        ("say Good luck,\neverybody", Command("say", "Good luck, everybody")),
        ("dì ciao a tutti", Command("say", "ciao a tutti")),
        ("sì", Command("yes")),
    ],
)
def test_commands(text: str, command: Command) -> None:
    assert sort(text) == Said(commands=(command,))


def test_what_is_said_ends_at_an_order() -> None:
    assert sort("say hello\n3: stall A-B") == Said(("3: stall A-B",), (Command("say", "hello"),))


def test_an_order_may_be_the_end_of_a_long_said_line() -> None:
    assert sort("say this is a rather long sentence of which one may think that it is\nfine").strange == ("fine",)


def test_preview_takes_the_orders_behind_it() -> None:
    assert sort("Vorschau 3: Stand A-B") == Said(("3: Stand A-B",), (Command("preview"),))


@pytest.mark.parametrize(
    "line",
    [
        *("Hi Bob,", "Hello everyone!", "Thanks and best regards, Jan", "Good luck!", "Here is my move:", "🙂", "# my plan"),
        *("Hallo zusammen,", "Liebe Grüße aus Köln", "MfG", "Vielen Dank im Voraus!", "Schönes Wochenende", "Hier mein Zug:"),
        *("Bonjour à tous,", "Bien cordialement,", "Merci et bonne soirée !", "Voici mon coup :"),
        *("Ciao ragazzi!", "Cordiali saluti", "Grazie mille e buona serata, Luca", "Ecco la mia mossa:"),
        *("Thanks, this is really fun!", "Good game, well played", "Have fun, everyone!", "What a great game!"),
        *("Danke schön, das macht Spaß!", "Das macht richtig viel Spaß", "Gutes Spiel!", "Schöne Partie, viel Glück!"),
        *("Vielen Dank, gut gespielt, Ann", "Danke! Das hat wirklich Spaß gemacht :-)"),
        *("Bon jeu !", "Belle partie, merci beaucoup !", "Bonne chance à tous", "C’est vraiment amusant, bravo !"),
        *("Grazie mille, bella partita!", "Che bella partita, complimenti!", "Mi sto divertendo molto"),
    ],
)
def test_courtesies_mean_nothing(line: str) -> None:
    assert sort(line) == Said()


@pytest.mark.parametrize(
    "line",
    [
        "Hi, not this turn",
        "board looks good",
        "resign from my job",
        "stall A-B thanks a stall",
        "I pass",
        "Jan",
        "> bobby 5",
        "Viele Grüße\nPS: Stand A-B",
        "no idea",
        "das macht keinen Spaß",
        "this is fun, stall A",
        "Danke, das macht Spaß, aber warte",
        "really",
    ],
)
def test_what_is_none_of_these_is_strange(line: str) -> None:
    assert sort(line).strange


@pytest.mark.parametrize(
    "text",
    [
        "Right then:\n3: stall A-B\n\nSpeak soon\nTom x",
        "So, mein Zug:\n3: Stand A-B\nSchönes Wochenende wünscht\nTom",
        "Un saluto a tutti,\n3: bancarella A-B\nGrazie mille\nTom\n“Chi va piano va sano e va lontano”",
        "Greetings!\n3: stall A-B\nBest\n*Tom Bell*\n_mobile_: 0170-1234567",
        "Mes ordres :\n3 : étal A-B\nVeuillez agréer, Madame, Monsieur, mes salutations distinguées.\nTom Bell\nService achats",
        "Sorry für die späte Antwort.\n3: Stand A-B\nLG Tom\nDipl.-Ing. Tom Bell (er/ihm)",
        "Merci et\n3 : étal A-B",
    ],
)
def test_letters_are_polite_in_many_ways(text: str) -> None:
    said = sort(text, "Tom Bell")

    assert not said.strange
    assert parse("\n".join(said.orders)) == parse("3: stall A-B")


@pytest.mark.parametrize(
    "text",
    [
        "I will do this next turn:\n3: stall A-B",
        "Bob says:\n3: stall A-B",
        "3: stall A-B\nRegards\nTom\nRather later",
        "3: stall A-B\nRegards\nTom\nOnly if Ann agrees",
        "I play tomorrow\n3: stall A-B",
        "3: stall A-B\nlater\nTom",
    ],
)
def test_what_puts_orders_off_is_no_courtesy(text: str) -> None:
    assert sort(text, "Tom Bell").strange


def test_who_is_called_like_an_order_may_have_signed_with_it() -> None:
    assert sort("3: stall A-B\n\nLord", "Jack Lord").strange == ("Lord",)
    assert sort("3: stall A-B\nlord", "Jack Lord").orders == ("3: stall A-B", "lord")
    assert sort("3: stall A-B\n\nCheers\nLord", "Jack Lord") == Said(("3: stall A-B",))


def test_a_player_may_sign_with_the_own_name() -> None:
    assert sort("stall A-B\n\nJan Müller\nBeispiel GmbH\nTel. 0221-3-4", "Jan Müller") == Said(("stall A-B",))


def test_an_order_below_a_signature_is_asked_about() -> None:
    assert sort("3:\nBest regards,\nMark 5").strange == ("Mark 5",)
