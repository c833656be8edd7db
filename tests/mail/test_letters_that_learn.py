"""A player's first letters of a ruleset explain it; later ones do not, unless the player wants them to."""

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.outbound import letters
from marketpost.mail.outbound.render import COLUMNS, items, read_words
from marketpost.rules.guide import primer
from marketpost.rules.ruleset import Setting, ruleset, rulesets
from marketpost.rules.words import LANGUAGES, typeset
from marketpost.store.players import LetterLength, Player
from tests.letter_gallery import LINKS, table
from tests.mail.desk import Desk

languages = pytest.mark.parametrize("language", LANGUAGES)
games = pytest.mark.parametrize("name", rulesets())
MOST_LINES = 10


@games
@languages
def test_the_game_is_explained_in_ten_lines(name: str, language: str) -> None:
    rules = ruleset(name)
    for edition in (*rules.editions, None):
        found = primer(rules.guide(Setting(rules.colours[:2], rules.boards()[0], edition), language))
        lines = items(found).splitlines()

        assert len(found) == 3
        assert len(lines) <= MOST_LINES, (len(lines), found)
        assert all(len(line) <= COLUMNS for line in lines)


@games
@languages
def test_first_letters_explain_and_later_ones_do_not(name: str, language: str) -> None:
    player = Player("p0", "a@example.org", "Ann", language)
    early, late = table(2, 1, name=name), table(2, 12, name=name)
    title, help = read_words("words", language)["primer"].upper(), _orders(name, language)

    def letter(game: object, **changed: object) -> str:
        reader = Player("p0", "a@example.org", "Ann", language, **changed)
        return " ".join(letters.your_turn(game, 0, reader, {}, LINKS).text.split())

    full = letter(early)
    assert typeset(title, language) in full
    assert help in full
    for short in (letter(late), letter(early, letters=LetterLength.SHORT), letter(early, learnt=[name])):
        assert typeset(title, language) not in short
        assert help not in short
        assert words_of(player).language == language
    assert help in letter(late, letters=LetterLength.FULL)
    assert len(letter(late)) < len(letter(late, letters=LetterLength.FULL)) - 1000


def _orders(name: str, language: str) -> str:
    """The first line that explains an order."""
    told = typeset(ruleset(name).in_language(language).say("help.orders"), language).strip("\n").splitlines()
    return " ".join(told[1].split())


def test_who_has_played_a_few_turns_of_one_game_is_not_told_again_in_another(desk: Desk) -> None:
    ann, ben = desk.person("Ann"), desk.person("Ben")
    desk.table(ann, ben)
    for _ in range(2 * letters.FIRST_TURNS + 2):
        desk.answer(desk.to_play(), desk.good_orders())
    desk.table(ann, ben, id="g2")
    desk.table(ann, ben, id="g3", rules="alturien")

    assert [desk.again(each).learnt for each in (ann, ben)] == [["portobello"], ["portobello"]]
    told = {id: [mail.text for mail in desk.box(desk.to_play(id)) if f"/games/{id}?" in mail.text][-1] for id in ("g2", "g3")}
    assert "THE GAME IN SHORT" not in told["g2"]
    assert "THE GAME IN SHORT" in told["g3"]


@pytest.mark.parametrize(
    ("written", "length"),
    [
        ("letters short", "short"), ("letters full", "full"), ("Letters: auto", "auto"), ("Briefe kurz", "short"), ("Briefe lang", "full"),
        ("lettres courtes", "short"), ("lettres longues", "full"), ("lettere brevi", "short"), ("lettere lunghe, grazie", "full"),
    ],
)  # fmt: skip
def test_the_length_is_chosen_by_mail(desk: Desk, playing: Player, written: str, length: str) -> None:
    assert desk.answer(playing, written) == "answered"
    assert desk.again(playing).letters == length
