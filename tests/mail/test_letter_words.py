"""The words of letters: the same sentences with the same values in every language."""

import re
import tomllib
from typing import Any

import pytest

from marketpost.mail.outbound.render import TEMPLATES, read_words
from marketpost.mail.outbound.render import letters as letter_names
from marketpost.rules.words import COMMON, LANGUAGES, lexicon, plural, spellings
from tests import letter_gallery
from tests.mail.every_letter import all_letters, languages

EXPECTED = {
    "answer", "bouncing", "canary", "complained", "confirm", "declined", "digest", "drawn", "invitation", "main-address", "message",
    "new-address", "news", "over", "proposal", "receipt", "refused", "reminder", "report", "several", "sign-in", "started",
    "timed-out", "tournament", "tournament-invitation", "webhook-off", "your-turn",
}  # fmt: skip
FOLDERS = [*sorted(EXPECTED), "words"]
PLACEHOLDER = re.compile(r"{(\w+)(?:\.\w+)?}")
folders = pytest.mark.parametrize("folder", FOLDERS)


def forms(text: Any) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def placeholders(words: Any) -> dict[str, set[str]]:
    return {key: set(PLACEHOLDER.findall(" ".join(forms(text)))) for key, text in words.items()}


def test_every_letter_that_was_promised_is_there() -> None:
    assert set(letter_names()) == EXPECTED


@languages
def test_every_letter_is_made(language: str) -> None:
    assert set(all_letters(language)) >= EXPECTED


@folders
def test_a_letter_speaks_all_our_languages(folder: str) -> None:
    assert {path.stem for path in (TEMPLATES / folder).glob("*.toml")} == set(LANGUAGES)


@folders
@languages
def test_no_language_lacks_a_sentence_of_another(folder: str, language: str) -> None:
    ours, english = set(read_words(folder, language)), set(read_words(folder, "en"))

    assert sorted(english - ours) == [], "missing"
    assert sorted(ours - english) == [], "only here"


@folders
@languages
def test_a_sentence_tells_the_same_values_in_every_language(folder: str, language: str) -> None:
    assert placeholders(read_words(folder, language)) == placeholders(read_words(folder, "en"))


@folders
@languages
def test_a_sentence_with_forms_has_one_for_every_number(folder: str, language: str) -> None:
    needed = {plural(language, count) for count in range(200)}
    for key, text in read_words(folder, language).items():
        assert not isinstance(text, dict) or set(text) >= needed, key
        assert all(form.strip() for form in forms(text)), key


@folders
@languages
def test_an_apostrophe_is_a_round_one(folder: str, language: str) -> None:
    assert [form for text in read_words(folder, language).values() for form in forms(text) if re.search(r"\w'", form)] == []


@languages
def test_the_words_we_offer_are_words_we_understand(language: str) -> None:
    offered = re.findall(r"[“„«] ?([^“”„«»]+?) ?[”“»]", read_words("words", language)["how-words"])
    known = lexicon(COMMON, "commands")

    assert len(offered) == 10
    for word in offered:
        assert any(spelling in known for spelling in spellings(word.rstrip("’"))), word


def test_templates_use_only_sentences_that_exist() -> None:
    for path in TEMPLATES.glob("**/*.[th]*"):
        if path.suffix == ".toml":
            continue
        for key in re.findall(r'say\("([a-z-]+)"', path.read_text("utf-8")):
            own = read_words(path.parent.name, "en") if path.parent.name in EXPECTED else {}
            shared = read_words("words", "en")
            part_of = [read_words(letter, "en") for letter in EXPECTED] if path.parent.name == "parts" else []
            assert key in own or key in shared or any(key in each for each in part_of) or key in ("result-", "subject-", "part-"), (
                path,
                key,
            )


def test_the_templates_are_toml_that_a_person_can_mend() -> None:
    for path in TEMPLATES.glob("*/*.toml"):
        assert tomllib.loads(path.read_text("utf-8")), path


@pytest.mark.parametrize("language", ["de", "it"])
def test_behind_the_greeting_a_sentence_begins_with_a_capital(language: str) -> None:
    hello = read_words("words", language)["hello"]
    assert hello.endswith("!")
    for name, letter in all_letters(language).items():
        _, _, rest = letter.text.partition(hello.format(name=letter_gallery.PEOPLE[language][0]))
        assert rest.strip(), name
        assert not rest.strip()[0].islower(), name
