"""Help and rules, for whoever asks for them."""

import re
from html import unescape
from pathlib import Path

import pytest

from marketpost import rules
from marketpost.mail.outbound import letters
from marketpost.mail.outbound.letters import FIRST_TURNS, Letter, own_moves
from marketpost.mail.outbound.render import read_words
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.table.seating import open_game
from marketpost.rules.guide import aim, primer, whole
from marketpost.rules.ruleset import Setting, ruleset, rulesets
from marketpost.rules.words import COMMON, fold, lexicon
from marketpost.store.players import Player
from tests import letter_gallery
from tests.mail.desk import Desk
from tests.mail.every_letter import all_letters, languages


@languages
def test_help_tells_of_vacation_language_and_coming_back_with_words_that_are_understood(language: str) -> None:
    own = read_words("words", language)["how-own"]
    known = lexicon(COMMON, "commands")
    quoted = [each.strip() for each in re.findall(r"[“„«]([^”“»]+)[”“»]", own)]

    meant = [known[fold(each.split()[0])][0] for each in quoted]

    assert meant == ["games", "digest", "every", "stop", "letters", "letters", "vacation", "back", "language"]
    told = " ".join(all_letters(language)["answer"].text.replace("\N{NO-BREAK SPACE}", " ").split())
    assert own in told
    assert own not in " ".join(all_letters(language)["your-turn"].text.replace("\N{NO-BREAK SPACE}", " ").split())


def answered_with_rules(name: str, language: str) -> Letter:
    game = Game("k3v9qd2m")
    game.rules = ruleset(name)
    game.setting = Setting(game.rules.colours[:2], game.rules.boards()[0])
    game.seats = [SeatPlan(player="p0"), SeatPlan(player="p1")]
    return letters.answer(
        Player("p0", "anna@example.org", "Anna", language, "UTC"), letter_gallery.LINKS, asked=["rules"], game=game, seat=0
    )


@pytest.mark.parametrize("name", rulesets())
@languages
def test_whoever_asks_for_the_rules_gets_them(language: str, name: str) -> None:
    letter = answered_with_rules(name, language)

    told = whole(ruleset(name).guide(Setting(ruleset(name).colours[:2], ruleset(name).boards()[0]), language))
    assert read_words("words", language)["shown-rules"].upper() in letter.text
    text, html = plain(letter.text), plain(unescape(letter.html))
    for section in told:
        assert plain(section.title.upper()) in text
        assert all(plain(statement) in text and plain(statement) in html for statement in section.statements.values())


@languages
def test_a_game_without_a_text_of_its_rules_says_so(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(Path(__file__).parents[1] / "rulesets")])

    letter = answered_with_rules("sticks", language)

    told = read_words("words", language)["no-rules"]
    assert told in " ".join(letter.text.replace("\N{NO-BREAK SPACE}", " ").split())
    assert told in unescape(letter.html).replace("\N{NO-BREAK SPACE}", " ")


@languages
def test_whoever_asks_for_rules_without_a_game_is_told_those_of_every_game_in_short(language: str) -> None:
    player = Player("p0", "anna@example.org", "Anna", language, "UTC")

    text = letters.answer(player, letter_gallery.LINKS, asked=["rules"]).text.upper()

    for each in rulesets().values():
        assert str(each.title(each.in_language(language))).upper() in text
    assert read_words("words", language)["shown-rules"].upper() not in text


@languages
def test_whoever_asks_for_a_board_without_a_game_is_told_where_to_ask(language: str) -> None:
    player = Player("p0", "anna@example.org", "Anna", language, "UTC")

    text = letters.answer(player, letter_gallery.LINKS, asked=["board"]).text

    assert read_words("answer", language)["no-game"] in " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize("question", [
    "What are the rules?", "how do I win?", "How does this work, please?", "Wie sind die Regeln?", "Wie gewinnt man?", "worum geht es?",
    "Quelles sont les règles du jeu ?", "Comment est-ce que je gagne ?", "Quel est le but du jeu ?", "Quali sono le regole?",
    "Come si vince?",
])  # fmt: skip
@pytest.mark.parametrize("name", rulesets())
def test_whoever_asks_like_a_person_how_to_win_gets_the_rules(desk: Desk, ann: Player, ben: Player, name: str, question: str) -> None:
    desk.table(ann, ben, rules=name)

    assert desk.answer(ann, f"Hello,\n{question}\nThanks") == "answered"

    assert read_words("words", "de")["shown-rules"].upper() in desk.newest(ann).text


@languages
@pytest.mark.parametrize("name", rulesets())
def test_first_letters_tell_how_the_game_is_won(desk: Desk, name: str, language: str) -> None:
    """The invitation, the letter that it begins and the first turn letters do; later ones do not any more."""
    people = [desk.person(each, language) for each in ("Ann", "Ben")]
    open_game(desk.mailer.ports, "g1", people[0].id, name, [SeatPlan(player=people[0].id), SeatPlan(invited=people[1].id)], {})
    desk.work()
    desk.answer(people[1], "yes", desk.newest(people[1]))
    first = desk.to_play()
    told = aim(desk.game().rules.guide(desk.game().setting, language))
    assert told
    sentences = plain(" ".join(told.statements.values()))
    assert 2 <= len(re.findall(r"[.!](?= |$)", sentences)) <= 5

    letters = [mail for each in people for mail in desk.box(each)]
    short = [plain(each) for each in primer(desk.game().rules.guide(desk.game().setting, language))]
    assert len(letters) == 3
    for text in (plain(text) for letter in letters for text in (letter.text, unescape(letter.html))):
        assert sentences in text or all(each in text for each in short)

    seat = desk.game().deciders[0]
    while desk.to_play() != first or own_moves(desk.game(), seat) < FIRST_TURNS or last_who_decided(desk.game()) == seat:
        desk.by_rest(desk.to_play(), desk.good_orders(language))
    desk.work()
    assert not any(each in plain(desk.newest(first).text) for each in short)


def last_who_decided(game: Game) -> int:
    """The seat of the newest decision: a figure that may go on has dice after it, in the same turn."""
    return next(played.seat for _, played in reversed(game.history) if played.seat is not None)


def plain(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
