"""A mail that is clear but for a line or a word: its writer is asked, and a yes plays exactly what was quoted."""

from collections.abc import Callable

import pytest

from marketpost.play.moves.game_view import branches
from marketpost.rules.words import LANGUAGES, plain
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.mail.turns import every_ruleset

HARMLESS = {
    "en": "Sorry, I changed my mind:",
    "de": "Pardon, ich habe es mir anders überlegt:",
    "fr": "Pardon, j'ai changé d'avis :",
    "it": "Scusate, ho cambiato idea:",
}
YES = {"en": "yes", "de": "ja", "fr": "oui", "it": "sì"}
pytestmark = pytest.mark.usefixtures("_from_outside")


def sit_down(desk: Desk, name: str, language: str = "en") -> Player:
    """Whose turn it is in a game that has begun to be one."""
    ann, ben = desk.person("Ann", language), desk.person("Ben", language)
    desk.table(ann, ben, rules=name)
    while desk.game().state.turn < 3:
        desk.by_rest(desk.to_play(), desk.good_orders())
    desk.work()
    return desk.to_play()


def misspelt(orders: str) -> str:
    """Without the second letter of the first word that has enough of them."""
    word = next(each for each in orders.replace(":", " ").split() if each.isalpha() and len(each) > 3)
    return orders.replace(word, word[0] + word[2:], 1)


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_harmless_line_is_quoted_and_a_yes_plays_the_rest(desk: Desk, name: str, language: str) -> None:
    player = sit_down(desk, name, language)
    orders, version = desk.good_orders(language), desk.game().version

    assert desk.answer(player, f"{HARMLESS[language]}\n{orders}\n") == "asked"

    question = desk.newest(player)
    assert desk.game().version == version
    assert plain(HARMLESS[language]) in plain(" ".join(question.text.split()))
    assert " ".join(orders.split()) in " ".join(question.text.split())
    assert desk.answer(player, YES[language], question) == "submitted"
    assert desk.game().version > version


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_typing_error_is_corrected_only_after_a_yes(desk: Desk, name: str, language: str) -> None:
    player = sit_down(desk, name, language)
    while not any(word.isalpha() and len(word) > 3 for word in desk.good_orders(language).replace(":", " ").split()):
        desk.by_rest(player, desk.good_orders())
        desk.work()
        player = desk.to_play()
    orders, version = desk.good_orders(language), desk.game().version

    assert desk.answer(player, f"{misspelt(orders)}\n") == "asked"

    assert desk.game().version == version
    assert desk.answer(player, YES[language], desk.newest(player)) == "submitted"
    assert desk.game().version > version


@every_ruleset
def test_a_no_drops_it(desk: Desk, name: str) -> None:
    player = sit_down(desk, name)
    version = desk.game().version
    desk.answer(player, f"{HARMLESS['en']}\n{desk.good_orders()}\n")

    desk.answer(player, "no", desk.newest(player))

    assert desk.game().version == version


@every_ruleset
def test_a_yes_plays_nothing_in_another_position(desk: Desk, name: str) -> None:
    player = sit_down(desk, name)
    orders = desk.good_orders()
    desk.answer(player, f"{HARMLESS['en']}\n{orders}\n")
    question = desk.newest(player)
    desk.by_rest(player, orders)
    version = desk.game().version

    assert desk.answer(player, "yes", question) == "meanwhile"

    assert desk.game().version == version


@every_ruleset
@pytest.mark.parametrize(
    "spoilt",
    [
        lambda orders: f"not {orders}",
        lambda orders: f"{orders} 99",
        lambda orders: f"> {orders}\n{orders}\n> {orders}",
        lambda orders: f"{orders}\n{orders} or not",
    ],
)
def test_what_is_not_clear_but_for_a_line_is_not_proposed(desk: Desk, name: str, spoilt: Callable[[str], str]) -> None:
    player = sit_down(desk, name)
    version = desk.game().version

    assert desk.answer(player, spoilt(desk.good_orders())) == "strange"

    assert desk.game().version == version
    assert "“;”" in desk.newest(player).text, "how steps are separated"


@every_ruleset
def test_what_is_not_legal_is_not_proposed(desk: Desk, name: str) -> None:
    player = sit_down(desk, name)
    orders = desk.good_orders()

    assert desk.answer(player, f"{HARMLESS['en']}\n{'; '.join([orders] * 3)}\n") == "strange"


@every_ruleset
def test_orders_below_the_signature_are_asked_about(desk: Desk, name: str) -> None:
    player = sit_down(desk, name)
    orders, version = desk.good_orders(), desk.game().version

    assert desk.answer(player, f"Hello,\n-- \nAnn Smith\nTel. 0221-3-4-5\n{orders}\n") == "asked"

    question = desk.newest(player)
    assert "Below your signature" in question.text
    assert desk.game().version == version
    assert desk.answer(player, "yes", question) == "submitted"
    assert desk.game().version > version


@every_ruleset
def test_what_looks_like_an_order_below_a_signature_and_cannot_be_played_is_none(desk: Desk, name: str) -> None:
    player = sit_down(desk, name)

    assert desk.answer(player, f"{desk.good_orders()}\n-- \nAnne-Marie Smith\nKarl-Heinz\nStand 4-5, 0221-3-4-5\n") == "submitted"


@pytest.mark.parametrize("written", ["{tile}) {step}", "{tile}. {step}", "({tile}) {step}"])
def test_a_number_that_may_be_a_part_of_the_order_is_asked_about(desk: Desk, written: str) -> None:
    player = sit_down(desk, "portobello")
    game, seat = desk.game(), desk.game().deciders[0]
    tile = next(step for step in game.rules.legal(game.state, seat) if step.endswith(":"))
    (after,) = branches(game.rules, game.state, seat, tile)
    step = next(step for step in game.rules.legal(after.state, seat) if step.startswith("bobby"))
    text = written.format(tile=tile[:-1], step=step)

    assert desk.answer(player, text) == "asked"

    assert f"{tile} {step}" in " ".join(desk.newest(player).text.split())


@pytest.mark.parametrize("marks", ["{place}. {step}", "{place}) {step}", "{place}.) {step}", "{place} - {step}"])
def test_a_bare_tile_in_a_numbered_list_is_read(desk: Desk, marks: str) -> None:
    player = sit_down(desk, "portobello")
    tile, *steps = desk.good_orders(name="greedy").replace(":", ";").split("; ")
    lines = [marks.format(place=place, step=step) for place, step in enumerate([tile, *steps], 1)]

    assert desk.answer(player, "\n".join(lines)) == "submitted"

    assert desk.game().history[-1][1].seat is not None


def test_a_bare_tile_above_its_steps_is_proposed(desk: Desk) -> None:
    player = sit_down(desk, "portobello")
    orders, version = desk.good_orders(name="greedy"), desk.game().version

    assert desk.answer(player, orders.replace(": ", "\n", 1)) == "asked"
    assert desk.answer(player, "yes", desk.newest(player)) == "submitted"

    assert desk.game().version > version
