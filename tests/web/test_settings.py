"""Settings of one's own, and how people are called on pages."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from babel.dates import format_skeleton

from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.rules.words import LANGUAGES, Words
from marketpost.store.delivery_queue import DeliveryStatus
from marketpost.store.suppressions import SuppressionCause
from marketpost.web.page_language import WORDS
from tests.service import Person, Service
from tests.web.conftest import OURS, Browser, Open

TOMORROW = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
LATER = (datetime.now(UTC) + timedelta(days=4)).date().isoformat()


@pytest.fixture
def kim(house: Service) -> Person:
    return house.person("kim")


def settings(**changed: str) -> dict[str, str]:
    filled = {
        "name": "Kim",
        "language": "en",
        "timezone": "UTC",
        "mail": "every",
        "letters": "auto",
        "digest_hour": "7",
        "from": "",
        "to": "",
    }
    return {**filled, **changed}


def field(page: Browser, name: str) -> str:
    text = page.get("/settings").text
    told = re.search(rf'<input [^>]*name="{name}"[^>]* value="([^"]*)"', text)
    chosen = re.search(rf'<select [^>]*name="{name}">.*?value="([^"]*)"[^>]* selected', text)
    found = told or chosen
    assert found
    return found[1]


def test_what_is_saved_holds_everywhere(house: Service, kim: Person, browser: Open) -> None:
    page = browser(kim)
    wanted = {"name": "Kimberly", "language": "fr", "timezone": "Europe/Paris", "mail": "digest", "digest_hour": "18"}

    answer = page.post("/settings", **settings(**wanted, **{"from": TOMORROW, "to": LATER}))

    assert answer.headers["Location"] == "/settings?saved=1"
    me = kim.get("/v1/players/me").json
    assert {name: str(me[name]) for name in wanted} == wanted
    assert me["vacation"] == {"from": TOMORROW, "to": LATER}
    assert "Enregistré." in page.get("/settings?saved=1").text
    assert {name: field(page, name) for name in (*wanted, "from", "to")} == {**wanted, "from": TOMORROW, "to": LATER}
    page.post("/settings", **settings())
    assert kim.get("/v1/players/me").json["vacation"] is None


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": ""}, "must not be empty"),
        ({"timezone": "Moon/Crater"}, "Moon/Crater"),
        ({"language": "tlh"}, "must be one of"),
        ({"mail": "pigeon"}, "must be one of"),
        ({"digest_hour": "25"}, "0 to 23"),
        ({"digest_hour": "²"}, "0 to 23"),
        ({"from": LATER, "to": TOMORROW}, "cannot end before"),
        ({"from": TOMORROW}, "is needed"),
        ({"from": TOMORROW, "to": "9999-12-31"}, "days ahead"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(kim: Person, browser: Open, wrong: dict[str, str], why: str) -> None:
    browser(kim).post("/settings", **settings())
    before = kim.get("/v1/players/me").json

    answer = browser(kim).post("/settings", **settings(**{"name": "Other", **wrong}))

    assert answer.status_code == 422
    assert why in answer.text
    assert re.search(r'<span class="who">(<a [^>]*>)?Kim<', answer.text)
    assert kim.get("/v1/players/me").json == before


def test_from_the_settings_a_link_leads_to_no_more_letters(kim: Person, browser: Open) -> None:
    page = browser(kim)
    link = re.search(r'href="(/v1/unsubscribe/[^"]+)"', page.get("/settings").text)

    assert link
    assert page.get(link[1]).status_code == 200
    page.post(link[1])
    assert kim.get("/v1/players/me").json["mail"] == "none"


def test_every_page_leads_there_for_whoever_has_a_session(kim: Person, browser: Open) -> None:
    assert 'href="/settings"' in browser(kim).get("/").text
    assert 'href="/settings"' not in browser().get("/").text
    assert browser().get("/settings").headers["Location"] == "/sign-in?back=/settings"


def test_a_guest_chooses_a_name_and_is_offered_to_keep_the_games(house: Service, browser: Open) -> None:
    guest = browser()
    game = guest.against_bot()

    assert 'name="mail"' not in guest.get("/settings").text
    guest.post("/settings", name="Zoe", language="en", timezone="UTC")
    assert "Zoe" in guest.get(f"/games/{game}").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_is_called_so_in_the_readers_language(browser: Open, language: str) -> None:
    guest = browser()
    game = guest.against_bot()
    guest.post("/language", language=language)

    word, page = Words(language, WORDS).say("page.guest"), guest.get(f"/games/{game}").text
    assert re.search(rf'<span class="who guest">(<a [^>]*>)?{word}<', page)
    assert re.search(rf"<span>(<a [^>]*>)?{word}(</a>)? <small>", page)


def test_whoever_has_a_session_has_it_in_the_mailbox_too(kim: Person, browser: Open) -> None:
    guest = browser()
    guest.against_bot()

    for page in (guest, browser(kim)):
        shown = page.get("/mailbox").text
        assert 'action="/sign-out"' in shown
        form = {"token": page.token("/mailbox"), "language": "en"}
        assert page.client.post("/language", data=form, headers=OURS).status_code == 303
    assert 'href="/sign-in?back=/mailbox"' in browser().get("/mailbox").text


@pytest.mark.parametrize("orders", ["3: stall A-B; mark 5", "dance", "4: bobby 3; bobby 3"])
def test_a_refused_order_is_told_once(house: Service, kim: Person, browser: Open, orders: str) -> None:
    game = house.against_bot(kim)
    answer = browser(kim).post(f"/games/{game}/moves", orders=orders)

    told = re.search(r'id="outcome" class="outcome wrong"[^>]*>([^<]+)<', answer.text)
    assert told
    why = told[1].partition(": ")[2] or told[1]
    assert answer.text.count(why.partition(". ")[0]) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_token_may_do_and_when_it_was_used_is_told_in_the_readers_language(kim: Person, browser: Open, language: str) -> None:
    page = browser(kim)
    page.post("/settings", **settings(language=language))
    say = Words(language, WORDS).say

    text = unescape(page.get("/settings").text)

    today = format_skeleton("MMMEd", datetime.now(UTC), locale="en_GB" if language == "en" else language)
    assert f"{say('settings.scope-read')}, {say('settings.scope-play')}" in text
    since = re.findall(rf"{say('settings.since', text=today)}, (..:..), {say('settings.last-used', text=today)}, (..:..)", text)
    assert since
    assert all(used >= created for created, used in since)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_complaint_is_shown_and_undone_by_its_owner(house: Service, browser: Open, language: str) -> None:
    lou = house.person(f"lou-{language}")
    page = browser(lou)
    page.post("/settings", **settings(name="Lou", language=language))
    button = unescape(Words(language, WORDS).say("settings.undo-complaint"))
    assert button not in unescape(page.get("/settings").text)
    for undo in (lambda: page.post("/settings/complaint"), lambda: lou.call("DELETE", "/v1/players/me/complaint")):
        house.ports.suppressions.add(lou.email, SuppressionCause.COMPLAINT, 1_772_445_600_000)

        assert button in unescape(page.get("/settings").text)
        assert lou.get("/v1/players/me").json["complaint"] == "2026-03-02T10:00:00.000Z"
        undo()
        assert lou.get("/v1/players/me").json["complaint"] is None
        assert button not in unescape(page.get("/settings").text)


def test_a_target_is_added_tested_and_removed_on_the_page(house: Service, kim: Person, browser: Open) -> None:
    house.mailer.targets.erase(kim.id)
    page = browser(kim)
    wrong = page.post("/settings/channels", channel="ntfy", target="ntfy://10.0.0.1/topic")
    added = page.post("/settings/channels", channel="ntfy", target="ntfys://kim:pa55word@ntfy.example.org/topic")
    [target] = house.mailer.targets.of(kim.id)
    shown = page.get("/settings").text

    assert wrong.status_code == 422
    assert "10.0.0.1" in wrong.text
    assert added.headers["Location"] == "/settings?saved=1#channels"
    assert "ntfy.example.org" in shown
    assert "pa55word" not in shown
    assert page.post(f"/settings/channels/{target.id}", do="test").headers["Location"] == "/settings?tested=1#channels"
    assert [each.letter for each in house.mailer.deliveries.history(kim.id, 1)] == ["test"]
    page.post(f"/settings/channels/{target.id}", do="remove")
    assert house.mailer.targets.of(kim.id) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_sent_to_a_player_has_a_name_in_the_history(language: str) -> None:
    words, kinds = Words(language, WORDS), [*set(LetterKind) - {LetterKind.CANARY}, *(f"status-{status}" for status in DeliveryStatus)]

    assert [kind for kind in kinds if not words.knows(f"history.{kind}")] == []
