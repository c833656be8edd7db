"""Letters out: complete in every language, readable in 80 columns, and mails that nothing can break out of."""

import base64
import re
import subprocess
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import unescape
from pathlib import Path
from typing import Any

import dkim
import pytest

import rules
from mail import gallery, letters
from mail.example_orders import example_orders
from mail.letters import Clock, Letter, Picture
from mail.message import BadHeader, Key, Mailbox, build, message_id, thread_root
from mail.render import TEMPLATES, read_words
from mail.render import letters as letter_names
from play import log
from play.game import Game
from play.log import AT_ZERO, SeatPlan
from rules.bots import bot
from rules.records import read, replay
from rules.ruleset import Setting, ruleset
from rules.words import COMMON, LANGUAGES, fold, lexicon, plural, spellings
from store.people import Player
from tests.games import one_move, open_game, sealed

EXPECTED = {
    "answer", "bouncing", "confirm", "declined", "digest", "drawn", "invitation", "message", "news", "over", "proposal", "receipt",
    "refused", "reminder", "sign-in", "started", "timed-out", "webhook-off", "your-turn",
}  # fmt: skip
FOLDERS = [*sorted(EXPECTED), "words"]
PLACEHOLDER = re.compile(r"{(\w+)}")
NOW = datetime(2027, 5, 12, 9, 30, tzinfo=UTC)
ANNA = Player("p0", "anna@example.org", "Anna", "en", "Europe/London")

languages = pytest.mark.parametrize("language", LANGUAGES)
folders = pytest.mark.parametrize("folder", FOLDERS)


def all_letters(language: str) -> dict[str, Letter]:
    if language not in _made:
        _made[language] = dict(gallery.every_letter(language))
    return _made[language]


_made: dict[str, dict[str, Letter]] = {}


def forms(text: Any) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def placeholders(words: Any) -> dict[str, set[str]]:
    return {key: set(PLACEHOLDER.findall(" ".join(forms(text)))) for key, text in words.items()}


def mailed(letter: Letter, **changes: Any) -> bytes:
    usual: dict[str, Any] = {
        "to": Mailbox("anna@example.org", "Anna Ärmel"),
        "sender": Mailbox("play@marketpost.example", "Marketpost"),
        "reply_to": "play+abc234@marketpost.example",
        "message_id": message_id("k3v9qd2m", 17, "p0", "your-turn", "marketpost.example"),
        "references": [thread_root("k3v9qd2m", "marketpost.example")],
        "list_id": "k3v9qd2m.marketpost.example",
        "unsubscribe_url": "https://marketpost.example/unsubscribe/" + "x" * 120,
        "date": NOW,
    }
    return build(letter, **usual | changes)


def parsed(data: bytes) -> EmailMessage:
    found = message_from_bytes(data, policy=default)
    assert isinstance(found, EmailMessage)
    return found


def body(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


# The words


def test_every_letter_that_was_promised_is_there() -> None:
    assert set(letter_names()) == EXPECTED


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


@languages
def test_the_words_we_offer_are_words_we_understand(language: str) -> None:
    offered = re.findall(r"[“„«] ?([^“”„«»]+?) ?[”“»]", read_words("words", language)["how-words"])
    known = lexicon(COMMON, "commands")

    assert len(offered) == 8
    for word in offered:
        assert any(spelling in known for spelling in spellings(word)), word


def test_templates_use_only_sentences_that_exist() -> None:
    for path in TEMPLATES.glob("**/*.[th]*"):
        if path.suffix == ".toml":
            continue
        for key in re.findall(r'say\("([a-z-]+)"', path.read_text("utf-8")):
            own = read_words(path.parent.name, "en") if path.parent.name in EXPECTED else {}
            shared = read_words("words", "en")
            part_of = [read_words(letter, "en") for letter in EXPECTED] if path.parent.name == "parts" else []
            assert key in own or key in shared or any(key in each for each in part_of) or key in ("result-", "subject-"), (path, key)


# What a reader sees


@languages
def test_every_letter_is_made(language: str) -> None:
    assert set(all_letters(language)) >= EXPECTED


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


@languages
def test_a_page_loads_nothing_from_elsewhere(language: str) -> None:
    for name, letter in all_letters(language).items():
        assert not re.search(r"<(link|script|iframe|object|video)\b|@import|url\(", letter.html, re.I), name
        assert re.findall(r'\bsrc="([^"]*)"', letter.html) == [f"cid:{picture.cid}" for picture in _in_order(letter)], name
        links = re.findall(r'href="([^"]*)"', letter.html)
        assert links, name
        assert all(link.startswith(gallery.URL) for link in links), name


def _in_order(letter: Letter) -> list[Picture]:
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
@pytest.mark.parametrize("name", ["your-turn", "drawn", "receipt", "refused", "reminder", "over", "started", "answer"])
def test_text_and_page_hold_the_whole_board(name: str, language: str) -> None:
    game = gallery.table() if name == "over" else gallery.table(turns=15)
    rules = game.rules
    letter = all_letters(language)[name]
    if name in {"your-turn", "reminder", "refused", "over", "answer"}:
        board = rules.draw(game.state, rules.in_language(language)).strip("\n")
        assert board in letter.text
    assert letter.text.count("<<K>>") == 1
    assert [picture.name for picture in letter.pictures if picture.name == "board"] == ["board"]


@languages
def test_whoever_sees_no_pictures_is_told_who_decides_and_what_everybody_has(language: str) -> None:
    game = gallery.table(turns=15)
    told = game.rules.linear(game.state, game.rules.in_language(language)).splitlines()[:4]
    found = re.search(r'<img [^>]*alt="([^"]*)"', all_letters(language)["your-turn"].html)

    assert found
    assert unescape(found[1]).replace("\N{NO-BREAK SPACE}", " ") == " ".join(told)


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
    assert {picture.name for picture in letter.pictures} == {"board", "chart"}
    assert [part.get_filename() for part in mail.iter_attachments()] == [each.name for each in letter.attachments]


@languages
def test_no_letter_weighs_more_than_110_kilobytes(language: str) -> None:
    for name, letter in all_letters(language).items():
        assert len(mailed(letter)) < 110_000, name


@languages
def test_who_is_asked_outside_the_own_turn_is_not_told_that_it_is_theirs(language: str) -> None:
    say = read_words("your-turn", language)
    robbed = all_letters(language)["alturien-robbed"]

    assert robbed.subject.startswith(say["subject-aside"].partition("{")[0].strip(" :"))
    assert all_letters(language)["alturien-turn"].subject.startswith(say["subject"].partition("{")[0].strip(" :"))


def test_readers_of_a_language_share_one_drawing() -> None:
    one, other = gallery.table(turns=15), gallery.table(turns=15)
    names = {"red": "Anna", "yellow": "Bernard"}
    asked = [
        letters.your_turn(game, 0, Player(f"p{n}", "a@example.org", "A", "en", "UTC"), names, gallery.LINKS)
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
    letter = letters.your_turn(gallery.table(turns=15), 0, ANNA, {"red": "Anna"}, gallery.LINKS)

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
    clock = Clock(NOW, NOW + timedelta(days=2, hours=8))

    text = letters.your_turn(gallery.table(turns=15), 0, player, {}, gallery.LINKS, clock).text

    assert told in " ".join(text.split()).replace("\N{NO-BREAK SPACE}", " ")


def test_a_name_cannot_write_html() -> None:
    player = Player("p0", "a@example.org", "<b>A</b>", "en")
    letter = letters.message(
        gallery.table(turns=3), 0, player, {}, gallery.LINKS, author="<i>x</i>", text="<script>alert(1)</script>{{ 7 * 7 }}"
    )

    assert "<script>" not in letter.html
    assert "<b>A" not in letter.html
    assert "<i>x" not in letter.html
    assert "<script>alert(1)</script>{{ 7 * 7 }}" in letter.text


def test_no_sign_is_too_strange_for_a_letter() -> None:
    player = Player("p0", "a@example.org", "A\ud800\x00", "en")

    letter = letters.message(gallery.table(turns=3), 0, player, {}, gallery.LINKS, author="\udfff", text="\x00\x1b[31m\ud83d!")

    assert b"[31m" in mailed(letter)
    assert not re.search("[\x00\x1b\ud800-\udfff]", letter.subject + letter.text + letter.html)


def test_a_very_long_name_or_message_keeps_to_80_columns() -> None:
    player = Player("p0", "a@example.org", "A" * 300, "en")
    letter = letters.message(gallery.table(turns=3), 0, player, {}, gallery.LINKS, author="B" * 200, text="c" * 500 + "\n\n" + "d " * 300)

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


# Example orders


def positions(seed: int, players: int, edition: str) -> Iterator[tuple[Any, int]]:
    rules, chance = ruleset("portobello"), sealed(seed)
    state, played = open_game(rules, Setting(rules.colours[:players], rules.boards()[0], edition), chance)
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        yield state, seat
        one_move(rules, state, seat, bot(rules, "random" if seed % 2 else "greedy")(state, seat, chance), chance, played)


class Told:
    """Chance that brings what it is asked for, again and again."""

    def __init__(self, wish: int) -> None:
        self.wish = wish

    def pick(self, options: Any) -> Any:
        return options[self.wish % len(options)]


@pytest.mark.parametrize(("seed", "players", "edition"), [(2, 2, "de"), (3, 3, "fr"), (4, 4, "2.0"), (5, 2, "it")])
def test_examples_are_accepted_whatever_chance_brings(seed: int, players: int, edition: str) -> None:
    rules = ruleset("portobello")
    for number, (state, seat) in enumerate(positions(seed, players, edition)):
        if number % 5 and not state.hand:
            continue
        before = repr(state)
        examples = example_orders(rules, state, seat, rules.in_language(LANGUAGES[number % 4]))
        assert examples
        assert len(set(examples)) == len(examples) <= 3
        assert repr(state) == before
        for orders in examples:
            for wish in (0, -1):
                assert rules.judge(state, seat, orders, Told(wish)).refusal is None, orders


# The mail


@languages
def test_a_mail_reads_back_as_it_was_written(language: str) -> None:
    for name, letter in all_letters(language).items():
        data = mailed(letter)
        mail = parsed(data)
        assert max(map(len, data.split(b"\r\n"))) <= 998, name
        assert b"\n" not in data.replace(b"\r\n", b"")
        assert body(mail, "plain").replace("\r\n", "\n") == letter.text
        assert body(mail, "html").replace("\r\n", "\n").strip() == letter.html.strip()
        assert mail["Subject"] == letter.subject
        attached = [each.get_content().replace("\r\n", "\n") for each in mail.iter_attachments()]
        assert attached == [each.text for each in letter.attachments]


def test_a_mail_has_the_headers_that_machines_go_by() -> None:
    mail = parsed(mailed(all_letters("en")["your-turn"]))

    assert mail["To"] == "Anna Ärmel <anna@example.org>"
    assert mail["Reply-To"].addresses[0].addr_spec == "play+abc234@marketpost.example"
    assert mail["Message-ID"] == "<k3v9qd2m.17.p0.your-turn@marketpost.example>"
    assert mail["In-Reply-To"] == mail["References"] == "<k3v9qd2m@marketpost.example>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Id"] == "<k3v9qd2m.marketpost.example>"
    assert mail["List-Unsubscribe"] == f"<https://marketpost.example/unsubscribe/{'x' * 120}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["Date"].datetime == NOW
    assert mail.get_content_type() == "multipart/alternative"


def test_what_answers_a_mail_says_so() -> None:
    assert parsed(mailed(all_letters("en")["refused"]))["Auto-Submitted"] == "auto-replied"
    assert parsed(mailed(all_letters("en")["receipt"]))["Auto-Submitted"] == "auto-replied"


def test_a_long_thread_keeps_its_ids() -> None:
    ids = [f"<{'r' * 90}{number}@marketpost.example>" for number in range(5)]

    mail = parsed(mailed(all_letters("en")["your-turn"], references=ids))

    assert str(mail["References"]).split() == ids
    assert mail["In-Reply-To"] == ids[-1]


def test_the_position_can_go_along_for_programs() -> None:
    mail = parsed(mailed(all_letters("en")["your-turn"], json_part=b'{"turn": 16}'))
    (attached,) = mail.iter_attachments()

    assert attached.get_content_type() == "application/json"
    assert attached.get_content() == b'{"turn": 16}'
    assert 'turn"' not in body(mail, "plain")


def test_the_same_letter_has_the_same_id_and_another_another() -> None:
    assert message_id("g", 1, "p", "over", "d.example") == message_id("g", 1, "p", "over", "d.example")
    assert len({message_id("g", version, player, "over", "d.example") for version in (1, 2) for player in ("p", "q")}) == 4


EVIL = "x\r\nBcc: victim@example.org\r\n\r\nboo"


@pytest.mark.parametrize("change", [
    {"to": Mailbox(f"a@example.org{EVIL}")},
    {"to": Mailbox("a@example.org, b@example.org")},
    {"to": Mailbox("a@example.org>")},
    {"to": Mailbox("no address")},
    {"to": Mailbox("jörg@example.org")},
    {"sender": Mailbox(f"{EVIL}@example.org")},
    {"reply_to": f"a@example.org{EVIL}"},
    {"message_id": f"<a@b>{EVIL}"},
    {"message_id": "<a@b>\n"},
    {"references": [f"<a@b>\r\n{EVIL}"]},
    {"list_id": EVIL},
    {"unsubscribe_url": f"https://x/{EVIL}"},
    {"unsubscribe_url": "javascript:alert(1)"},
], ids=str)  # fmt: skip
def test_nothing_breaks_out_of_a_header(change: dict[str, Any]) -> None:
    with pytest.raises(BadHeader):
        mailed(all_letters("en")["sign-in"], **change)


@pytest.mark.parametrize("part", ["game", "player", "letter", "domain"])
def test_an_id_is_made_of_plain_words(part: str) -> None:
    with pytest.raises(BadHeader):
        message_id(**{"game": "g", "version": 1, "player": "p", "letter": "over", "domain": "d"} | {part: EVIL})


@pytest.mark.parametrize(
    "name", [EVIL, "a\x00b", "\u2028evil", '"quoted" <x@y>', "=?utf-8?q?a=0D=0ABcc:_x?=", "ü" * 300, "a" * 3000, "\u202egnp"]
)
def test_a_name_is_cleaned_and_stays_a_name(name: str) -> None:
    letter = Letter(f"Hello {name}", "text\n", "<p>html</p>")

    mail = parsed(mailed(letter, to=Mailbox("anna@example.org", name)))

    assert mail["Bcc"] is None
    assert [each.addr_spec for each in mail["To"].addresses] == ["anna@example.org"]
    assert body(mail, "plain").strip() == "text"


def test_an_address_in_another_script_is_written_as_the_network_knows_it() -> None:
    mail = parsed(mailed(all_letters("de")["sign-in"], to=Mailbox("jo@bücher.example")))

    assert mail["To"].addresses[0].addr_spec == "jo@xn--bcher-kva.example"


# The signature


def openssl(*arguments: str, given: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True).stdout


def test_a_signed_mail_can_be_checked() -> None:
    private = openssl("genrsa", "2048")
    public = base64.b64encode(openssl("rsa", "-pubout", "-outform", "DER", given=private))
    key = Key("marketpost.example", "mp1", private)

    def dns(name: bytes, **_: object) -> bytes:
        assert name == b"mp1._domainkey.marketpost.example."
        return b"v=DKIM1; k=rsa; p=" + public

    data = mailed(all_letters("fr")["over"], dkim=key)

    assert dkim.verify(data, dnsfunc=dns)
    assert not dkim.verify(data.replace(b"List-Unsubscribe=One-Click", b"List-Unsubscribe=Two-Click"), dnsfunc=dns)
    assert not dkim.verify(data.replace(b"Portobello", b"Pontobello", 1), dnsfunc=dns)


def test_a_key_is_never_shown() -> None:
    assert "secret" not in repr(Key("d", "s", b"secret"))


def test_the_templates_are_toml_that_a_person_can_mend() -> None:
    for path in TEMPLATES.glob("*/*.toml"):
        assert tomllib.loads(path.read_text("utf-8")), path


@languages
def test_an_invitation_tells_of_the_clock(language: str) -> None:
    said = read_words("invitation", language)
    letter = all_letters(language)["invitation"]
    text = " ".join(letter.text.split())

    for key in ("weekends", "zero-bot-takes", "languages"):
        assert " ".join(said[key].split()) in text.replace("\N{NO-BREAK SPACE}", " "), key
    assert re.search(r"\b3 (days|Tage|jours|giorni)\b", text)
    assert re.search(r"\b7 (days|Tage|Tagen|jours|giorni)\b", text)
    assert "22:00" in text
    assert "22:00" in letter.html


@pytest.mark.parametrize("at_zero", AT_ZERO)
@languages
def test_an_invitation_tells_exact_times_and_what_happens_at_zero(language: str, at_zero: str) -> None:
    game = gallery.table(turns=0)
    player = Player("p0", "anna@example.org", "Anna", language, "UTC")

    game.clock = log.Clock(36 * 3_600_000, at_zero=at_zero)
    text = " ".join(letters.invitation(game, player, {}, "Ben", gallery.LINKS).text.replace("\N{NO-BREAK SPACE}", " ").split())

    said = read_words("invitation", language)
    assert said[f"zero-{at_zero}"] in text
    assert said["keep-nothing"] in text
    assert said["weekends"] not in text
    assert re.search(r"\b1 (day|Tag|jour|giorno) (and|und|et|e) 12 (hours|Stunden|heures|ore)\b", text)


def test_an_invitation_to_a_game_without_a_clock_says_so() -> None:
    assert "There is no time limit." in letters.invitation(gallery.table(turns=0), ANNA, {}, "Ben", gallery.LINKS).text


@languages
def test_help_tells_of_vacation_language_and_coming_back_with_words_that_are_understood(language: str) -> None:
    own = read_words("words", language)["how-own"]
    known = lexicon(COMMON, "commands")
    quoted = [each.strip() for each in re.findall(r"[“„«]([^”“»]+)[”“»]", own)]

    meant = [known[fold(each.split()[0])][0] for each in quoted]

    assert meant == ["vacation", "back", "language"]
    told = " ".join(all_letters(language)["answer"].text.replace("\N{NO-BREAK SPACE}", " ").split())
    assert own in told
    assert own not in " ".join(all_letters(language)["your-turn"].text.replace("\N{NO-BREAK SPACE}", " ").split())


def answered_with_rules(name: str, language: str) -> Letter:
    game = Game("k3v9qd2m")
    game.rules = ruleset(name)
    game.setting = Setting(game.rules.colours[:2], game.rules.boards()[0])
    game.seats = [SeatPlan(player="p0"), SeatPlan(player="p1")]
    return letters.answer(Player("p0", "anna@example.org", "Anna", language, "UTC"), gallery.LINKS, asked=["rules"], game=game, seat=0)


@pytest.mark.parametrize("name", ["alturien", "portobello"])
@languages
def test_whoever_asks_for_the_rules_gets_them(language: str, name: str) -> None:
    letter = answered_with_rules(name, language)

    last = ruleset(name).in_language(language).say("choices.rules").splitlines()[-1].split()[-4:]
    assert read_words("words", language)["shown-rules"].upper() in letter.text
    assert " ".join(last) in " ".join(letter.text.replace("\N{NO-BREAK SPACE}", " ").split())


@languages
def test_a_game_without_a_short_text_of_its_rules_says_so(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(Path(__file__).parents[1] / "rulesets")])

    letter = answered_with_rules("sticks", language)

    told = read_words("words", language)["no-rules"]
    assert told in " ".join(letter.text.replace("\N{NO-BREAK SPACE}", " ").split())
    assert told in unescape(letter.html).replace("\N{NO-BREAK SPACE}", " ")


@languages
def test_whoever_asks_for_rules_without_a_game_is_told_where_to_ask(language: str) -> None:
    player = Player("p0", "anna@example.org", "Anna", language, "UTC")

    text = letters.answer(player, gallery.LINKS, asked=["rules"]).text

    assert read_words("answer", language)["no-game"] in " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize("language", ["de", "it"])
def test_behind_the_greeting_a_sentence_begins_with_a_capital(language: str) -> None:
    hello = read_words("words", language)["hello"]
    assert hello.endswith("!")
    for name, letter in all_letters(language).items():
        _, _, rest = letter.text.partition(hello.format(name=gallery.PEOPLE[language][0]))
        assert rest.strip(), name
        assert not rest.strip()[0].islower(), name
