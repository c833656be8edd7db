"""What an invitation tells of the clock."""

import re

import pytest

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.render import read_words
from marketpost.play.log import actions
from marketpost.play.log.actions import AtZero
from marketpost.store.players import Player
from tests import letter_gallery
from tests.mail.every_letter import ANNA, all_letters, languages


@languages
def test_an_invitation_tells_of_the_clock(language: str) -> None:
    said = {**read_words("words", language), **read_words("invitation", language)}
    letter = all_letters(language)["invitation"]
    text = " ".join(letter.text.split())

    for key in ("weekends", "zero-bot-takes", "languages"):
        assert " ".join(said[key].split()) in text.replace("\N{NO-BREAK SPACE}", " "), key
    assert re.search(r"\b3 (days|Tage|jours|giorni)\b", text)
    assert re.search(r"\b7 (days|Tage|Tagen|jours|giorni)\b", text)
    assert "22:00" in text
    assert "22:00" in letter.html


@pytest.mark.parametrize("at_zero", AtZero)
@languages
def test_an_invitation_tells_exact_times_and_what_happens_at_zero(language: str, at_zero: str) -> None:
    game = letter_gallery.table(turns=0)
    player = Player("p0", "anna@example.org", "Anna", language, "UTC")

    game.clock = actions.TimeControl(36 * 3_600_000, at_zero=at_zero)
    text = " ".join(letters.invitation(game, player, {}, "Ben", letter_gallery.LINKS).text.replace("\N{NO-BREAK SPACE}", " ").split())

    said = read_words("invitation", language)
    assert said[f"zero-{at_zero}"] in text
    assert said["keep-nothing"] in text
    assert said["weekends"] not in text
    assert re.search(r"\b1 (day|Tag|jour|giorno) (and|und|et|e) 12 (hours|Stunden|heures|ore)\b", text)


def test_an_invitation_to_a_game_without_a_clock_says_so() -> None:
    assert "There is no time limit." in letters.invitation(letter_gallery.table(turns=0), ANNA, {}, "Ben", letter_gallery.LINKS).text
