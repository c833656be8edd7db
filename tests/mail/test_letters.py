"""Letters out: complete in every language, readable in 80 columns, and safe whatever names people have."""

import re
from datetime import timedelta
from html import unescape
from io import BytesIO

import css_inline
import pytest
from PIL import Image

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.letters import Letter, LetterPicture, TimeLeft, game_values
from marketpost.mail.outbound.render import read_words
from marketpost.pictures.png import IN_LETTERS, png
from marketpost.rules.records import read
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.store.players import Player
from tests import letter_gallery
from tests.mail.desk import Desk
from tests.mail.every_letter import ANNA, NOW, all_letters, languages, mailed, parsed


@languages
def test_text_keeps_to_80_columns_and_leaves_nothing_unfilled(language: str) -> None:
    for name, letter in all_letters(language).items():
        assert max(map(len, letter.text.splitlines())) <= 80, name
        assert not re.search(r"[{}]|\bNone\b", letter.text + letter.subject), name
        assert "\t" not in letter.text
        assert "\n\n\n" not in letter.text.replace(_board(letter.text), ""), name


def _board(text: str) -> str:
    found = re.search(r"\n +\S[^\n]*\n(?:[^\n]*\n)*?[^\n]*<<A>>[^\n]*\n(?:[^\n]*\n){30,34}", text)
    return found.group() if found else ""


@languages
def test_a_subject_is_one_short_line(language: str) -> None:
    for name, letter in all_letters(language).items():
        assert "\n" not in letter.subject, name
        assert 5 < len(letter.subject) < 100, name


OWN_ADDRESS = letter_gallery.LINKS.reply.replace("+", "%2B")


@languages
def test_a_page_loads_nothing_from_elsewhere(language: str) -> None:
    for name, letter in all_letters(language).items():
        assert not re.search(r"<(link|script|iframe|object|video)\b|@import|url\(", letter.html, re.I), name
        assert re.findall(r'\bsrc="([^"]*)"', letter.html) == [f"cid:{picture.cid}" for picture in _in_order(letter)], name
        links = re.findall(r'href="([^"]*)"', letter.html)
        assert links, name
        assert all(link.startswith((letter_gallery.URL, f"mailto:{OWN_ADDRESS}?")) for link in links), name


def _in_order(letter: Letter) -> list[LetterPicture]:
    """Its pictures as the page shows them."""
    return sorted(letter.pictures, key=lambda picture: letter.html.index(picture.cid))


@languages
def test_styles_are_where_mail_programs_look_for_them(language: str) -> None:
    for name, letter in all_letters(language).items():
        cells = re.findall(r"<td class=\"sheet\"[^>]*>", letter.html)
        assert cells, name
        assert all("style=" in cell for cell in cells), name
        assert "prefers-color-scheme: dark" in letter.html


@languages
def test_every_tag_has_the_style_that_the_sheet_gives_it(language: str) -> None:
    inliner = css_inline.CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)

    for name, letter in all_letters(language).items():
        bare = re.sub(r' style="[^"]*"', "", letter.html)
        assert _tags(letter.html) == _tags(inliner.inline(bare)) != _tags(bare), name


def _tags(html: str) -> list[list[str]]:
    """Each with its attributes, in whatever order they are."""
    return [sorted(map(unescape, re.findall(r'[\w-]+(?:="[^"]*")?', tag))) for tag in re.findall(r"<\w[^>]*>", html)]


@languages
@pytest.mark.parametrize("name", ["your-turn", "drawn", "receipt", "refused", "reminder", "over", "started", "answer"])
def test_text_and_page_hold_the_whole_board(name: str, language: str) -> None:
    game = letter_gallery.table() if name == "over" else letter_gallery.table(turns=15)
    rules = game.rules
    letter = all_letters(language)[name]
    if name in {"your-turn", "reminder", "refused", "over", "answer"}:
        board = rules.draw(game.state, rules.in_language(language)).strip("\n")
        assert board in letter.text
    assert letter.text.count("<<K>>") == (4 if name == "over" else 1), "the last letter also shows three turning points"
    assert [picture.name for picture in letter.pictures if picture.name == "board"] == ["board"]


@languages
def test_whoever_sees_no_pictures_is_told_who_decides_and_what_everybody_has(language: str) -> None:
    game = letter_gallery.table(turns=15)
    told = game.rules.linear(game.state, game.rules.in_language(language)).splitlines()[:4]
    found = re.search(r'<img [^>]*alt="([^"]*)"', all_letters(language)["your-turn"].html)

    assert found
    assert unescape(found[1]) == " ".join(told)


def test_a_picture_goes_along_with_the_page_that_shows_it() -> None:
    letter = all_letters("fr")["over"]
    mail = parsed(mailed(letter))
    page = next(part for part in mail.walk() if part.get_content_type() == "multipart/related")
    html, *pictures = page.iter_parts()

    assert [part.get_content_type() for part in mail.walk() if part.is_multipart()] == [
        "multipart/mixed",
        "multipart/alternative",
        "multipart/related",
    ]
    assert html.get_content_type() == "text/html"
    assert [part["Content-ID"] for part in pictures] == [f"<{picture.cid}>" for picture in letter.pictures]
    assert [part.get_content() for part in pictures] == [picture.data for picture in letter.pictures]
    assert {part.get_content_disposition() for part in pictures} == {"inline"}
    assert {picture.name for picture in letter.pictures} == {"board", "chart", "turning-1", "turning-2", "turning-3"}
    assert [part.get_filename() for part in mail.iter_attachments()] == [each.name for each in letter.attachments]


@languages
def test_no_letter_weighs_more_than_115_kilobytes(language: str) -> None:
    for name, letter in all_letters(language).items():
        assert len(mailed(letter)) < max(115_000, 55_000 * len(letter.pictures)), name


@languages
def test_who_is_asked_outside_the_own_turn_is_not_told_that_it_is_theirs(language: str) -> None:
    say = read_words("your-turn", language)
    robbed = all_letters(language)["alturien-robbed"]

    assert robbed.subject.startswith(say["subject-aside"].partition("{")[0].strip(" :"))
    assert all_letters(language)["alturien-turn"].subject.startswith(say["subject"].partition("{")[0].strip(" :"))


def test_readers_of_a_language_share_one_drawing() -> None:
    one, other = letter_gallery.table(turns=15), letter_gallery.table(turns=15)
    names = {"red": "Anna", "yellow": "Bernard"}
    asked = [
        letters.your_turn(game, 0, Player(f"p{n}", "a@example.org", "A", "en", "UTC"), names, letter_gallery.LINKS)
        for n, game in enumerate((one, other))
    ]

    assert asked[0].pictures[0].data is asked[1].pictures[0].data


@languages
def test_your_turn_tells_things_in_the_order_a_reader_needs_them(language: str) -> None:
    say = {key: str(text) for key, text in (read_words("words", language) | read_words("your-turn", language)).items()}
    text = all_letters(language)["your-turn"].text
    heads = [say[key].upper() for key in ("happened", "board", "choices", "clock", "how")]

    places = [text.index(f"\n{head}\n") for head in heads]

    assert places == sorted(places)


def test_without_a_clock_the_letter_says_that_there_is_no_limit() -> None:
    letter = letters.your_turn(letter_gallery.table(turns=15), 0, ANNA, {"red": "Anna"}, letter_gallery.LINKS)

    assert "YOUR TIME\n\nThere is no time limit." in letter.text
    assert "decide by" not in letter.html


@pytest.mark.parametrize(
    ("language", "zone", "told"),
    [
        ("en", "Europe/London", "Friday, 14 May 2027, 18:30 (British Summer Time), which is in 2 days"),
        ("de", "Europe/Berlin", "Freitag, 14. Mai 2027, 19:30 Uhr (Mitteleuropäische Sommerzeit), also in 2 Tagen"),
        ("fr", "America/Montreal", "vendredi 14 mai 2027 à 13:30 (heure d’été de l’Est nord-américain), c’est-à-dire dans 2 jours"),
        ("it", "Europe/Rome", "venerdì 14 maggio 2027, ore 19:30 (ora legale dell’Europa centrale), cioè tra 2 giorni"),
    ],
)
def test_time_is_told_as_the_player_reads_it_at_home(language: str, zone: str, told: str) -> None:
    player = Player("p0", "a@example.org", "A", language, zone)
    clock = TimeLeft(NOW, NOW + timedelta(days=2, hours=8))

    text = letters.your_turn(letter_gallery.table(turns=15), 0, player, {}, letter_gallery.LINKS, clock).text

    assert told in " ".join(text.split()).replace("\N{NO-BREAK SPACE}", " ")


def test_a_name_cannot_write_html() -> None:
    player = Player("p0", "a@example.org", "<b>A</b>", "en")
    letter = letters.message(
        letter_gallery.table(turns=3), 0, player, {}, letter_gallery.LINKS, said=[("<i>x</i>", "<script>alert(1)</script>{{ 7 * 7 }}")]
    )

    assert "<script>" not in letter.html
    assert "<b>A" not in letter.html
    assert "<i>x" not in letter.html
    assert "<script>alert(1)</script>{{ 7 * 7 }}" in letter.text


def test_no_sign_is_too_strange_for_a_letter() -> None:
    player = Player("p0", "a@example.org", "A\ud800\x00", "en")

    letter = letters.message(letter_gallery.table(turns=3), 0, player, {}, letter_gallery.LINKS, said=[("\udfff", "\x00\x1b[31m\ud83d!")])

    assert b"[31m" in mailed(letter)
    assert not re.search("[\x00\x1b\ud800-\udfff]", letter.subject + letter.text + letter.html)


def test_a_very_long_name_or_message_keeps_to_80_columns() -> None:
    player = Player("p0", "a@example.org", "A" * 300, "en")
    letter = letters.message(
        letter_gallery.table(turns=3), 0, player, {}, letter_gallery.LINKS, said=[("B" * 200, "c" * 500 + "\n\n" + "d " * 300)]
    )

    assert max(map(len, letter.text.splitlines())) <= 80


def test_the_record_in_the_last_letter_replays() -> None:
    (attached,) = all_letters("de")["over"].attachments

    assert replay(read(attached.text)).record.names["yellow"] == "Bernard"


@languages
def test_a_refusal_names_the_step_and_the_steps_not_played(language: str) -> None:
    partly, whole = all_letters(language)["partly"], all_letters(language)["refused"]
    stall = ruleset("portobello").in_language(language).order("stall")

    assert partly.reply
    assert partly.text.count(f"{stall} XY") == 3
    assert whole.text.count(f"{stall} XY") == 2


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_the_picture_of_the_board_is_as_wide_as_mail_is_read(desk: Desk, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(game_values, "png", png)
    ann, ben = desk.person("Ann"), desk.person("Ben")

    desk.table(ann, ben, rules=name)

    (board, *_) = desk.newest(desk.to_play()).pictures
    assert Image.open(BytesIO(board.content)).width == IN_LETTERS
