"""The word files of every game, of the mails and of the pages: complete in every language, and never ambiguous."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from marketpost import mail, rules, web
from marketpost.rules.words import LANGUAGES, Words, lexicon, plural, spellings

ROOT = Path(rules.__file__).parent
PAGES = Path(web.__file__).parent / "words"
MAILS = Path(mail.__file__).parent / "words"
GUIDES = sorted(path for path in ROOT.glob("*/guide") if path.is_dir())
FOLDERS = [*sorted(path for path in ROOT.glob("**/words") if path.is_dir()), *GUIDES, PAGES, MAILS]
PLACEHOLDER = re.compile(r"{(\w*)(?:\.\w+)?}")
STRAIGHT = re.compile(r"\w'")
ANY_BRACE = re.compile(r"{[^{}]*}|[{}]")

folders = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT.parent)))
languages = pytest.mark.parametrize("language", LANGUAGES)


def read(folder: Path, language: str) -> dict[str, Any]:
    return tomllib.loads((folder / f"{language}.toml").read_text("utf-8"))


def entries(folder: Path, language: str) -> Iterator[tuple[str, Any]]:
    for part, keys in read(folder, language).items():
        yield from ((f"{part}.{key}", told) for key, told in keys.items())


def sentences(folder: Path, language: str) -> dict[str, list[str]]:
    """Every text by its key; a key with forms for one and for many has several."""
    return {
        key: list(told.values()) if isinstance(told, dict) else [told]
        for key, told in entries(folder, language)
        if isinstance(told, (str, dict))
    }


def test_there_are_words_for_the_house_the_pages_the_mails_and_every_game() -> None:
    games = {path.parent for path in ROOT.glob("*/__init__.py")}

    assert set(FOLDERS) == {ROOT / "words", PAGES, MAILS, *GUIDES, *(game / "words" for game in games)}


@folders
def test_a_word_file_speaks_all_our_languages_and_no_other(folder: Path) -> None:
    assert {path.stem for path in folder.iterdir()} == set(LANGUAGES)


@folders
@languages
def test_no_language_lacks_a_key_of_another(folder: Path, language: str) -> None:
    assert {key for key, _ in entries(folder, language)} == {key for key, _ in entries(folder, "en")}


@folders
@languages
def test_every_sentence_tells_the_same_values_in_every_language(folder: Path, language: str) -> None:
    """A number may be said by its word: *one* instead of {count}."""

    def values(of: str) -> dict[str, set[str]]:
        return {key: set(PLACEHOLDER.findall(" ".join(forms))) - {"count"} for key, forms in sentences(folder, of).items()}

    assert values(language) == values("en")


@folders
@languages
def test_every_form_of_a_sentence_tells_the_same_values(folder: Path, language: str) -> None:
    for key, forms in sentences(folder, language).items():
        assert len({frozenset(set(PLACEHOLDER.findall(form)) - {"count"}) for form in forms}) == 1, key


@folders
@languages
def test_every_brace_holds_the_name_of_a_value(folder: Path, language: str) -> None:
    for key, forms in sentences(folder, language).items():
        for brace in (brace for form in forms for brace in ANY_BRACE.findall(form)):
            assert re.fullmatch(r"{[a-z_]+(\.[a-z]+)?}", brace), (key, brace)


@folders
@languages
def test_a_sentence_with_forms_has_one_for_every_number(folder: Path, language: str) -> None:
    needed = {plural(language, count) for count in range(200)}

    for key, told in entries(folder, language):
        assert not isinstance(told, dict) or set(told) >= needed, key


@folders
@languages
def test_nothing_is_left_empty(folder: Path, language: str) -> None:
    for key, forms in sentences(folder, language).items():
        assert all(form.strip() for form in forms), key
    for meaning, words in read(folder, language).get("orders", {}).items():
        assert words, meaning
        assert all(word.strip() for word in words), meaning


@folders
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_sentence_is_left_in_english(folder: Path, language: str) -> None:
    english = sentences(folder, "en")

    for key, forms in sentences(folder, language).items():
        assert forms != english[key] or len(re.findall(r"[^\W\d_]{3,}", PLACEHOLDER.sub("", forms[0]))) < 3, key


@folders
@languages
def test_an_apostrophe_is_a_round_one(folder: Path, language: str) -> None:
    """What players may write is a list of words, and not looked at here."""
    assert [told for forms in sentences(folder, language).values() for told in forms if STRAIGHT.search(told)] == []


def test_no_line_breaks_before_french_punctuation() -> None:
    words = Words("fr", ROOT / "words")

    assert words.say("terminal.error", text="abc") == "Erreur\N{NO-BREAK SPACE}: abc"
    assert words.say("refusals.unreadable-order", text="abc").count("\N{NO-BREAK SPACE}") == 2


@folders
def test_no_order_word_has_two_meanings(folder: Path) -> None:
    assert {word: meanings for word, meanings in lexicon(folder).items() if len(meanings) > 1} == {}


@folders
@languages
def test_every_order_word_is_in_the_lexicon_with_and_without_accents(folder: Path, language: str) -> None:
    plain = {re.sub(r"\W", "", word) for word in lexicon(folder)}

    for words in read(folder, language).get("orders", {}).values():
        for word in words:
            assert {re.sub(r"\W", "", spelling) for spelling in spellings(word)} <= plain


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        (range(1, 13), "1–12"),
        ([1, 2], "1, 2"),
        ([1, 2, 3, 5, 7, 8, 9, 10], "1, 2, 3, 5, 7–10"),
        ([4, 3, 2], "4, 3, 2"),
        ([2, 2, 3], "2, 2, 3"),
        (["9", "10", "11", "12"], "9–12"),
        (["A", "A", "A"], "A, A, A"),
        ([], "–"),
    ],
)
@languages
def test_numbers_in_a_row_are_told_by_the_first_and_the_last(language: str, numbers: Iterable[int | str], told: str) -> None:
    assert Words(language, ROOT / "words").translate(numbers) == told


def test_no_page_and_no_letter_puts_a_sign_behind_a_sentence_that_french_writes_with_a_space_before_it() -> None:
    for folder in (Path("marketpost/web/templates"), Path("templates/email")):
        for path in [*folder.rglob("*.html"), *folder.rglob("*.txt")]:
            assert not re.search(r"say\([^}]*\)\s*\}\}\s*[:;!?]", path.read_text("utf-8")), path
