"""What can be done at a table from a page, and what the page says when it cannot."""

import re
from pathlib import Path

import pytest
from markupsafe import escape

from marketpost.play.keeping.backup import archive, restore_archived
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.talk import said
from marketpost.rules.words import LANGUAGES
from tests.finished import finished
from tests.play.test_broken import damage
from tests.service import Person, Service
from tests.web.conftest import Browser, Open


@pytest.fixture
def ann(house: Service) -> Person:
    return house.person("ann")


def table(house: Service, ann: Person, browser: Open) -> tuple[Browser, str]:
    return browser(ann), house.against_bot(ann)


def field(page: str) -> str:
    found = re.search(r'<textarea id="orders"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert found
    return found[1]


def version(page: str) -> str:
    found = re.search(r'name="version" value="(\d+)"', page)
    assert found
    return found[1]


def test_orders_go_through_the_door_and_count_once(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)
    form = {"orders": house.good_orders(game), "version": version(page.get(f"/games/{game}").text), "key": "once"}

    first, again = page.post(f"/games/{game}/moves", **form), page.post(f"/games/{game}/moves", **form)

    assert (first.status_code, again.status_code) == (303, 303)
    moved = [each for each in ann.get(f"/v1/games/{game}/events").json["items"] if each["kind"] == "moved" and each["by"] == ann.id]
    assert len(moved) == 1


def test_refused_orders_are_kept_with_the_reason(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)

    answer = page.post(f"/games/{game}/moves", orders="4: stall A-B; fly <away>")

    assert answer.status_code == 422
    assert field(answer.text) == "4: stall A-B; fly &lt;away&gt;"
    assert "fly &lt;away&gt;” as an order" in answer.text


def test_orders_for_an_older_position_are_refused(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)

    answer = page.post(f"/games/{game}/moves", orders=house.good_orders(game), version="1")

    assert "The game has gone on" in answer.text
    assert field(answer.text)


def test_steps_can_be_added_and_taken_away_without_a_script(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)

    added = page.post(f"/games/{game}/preview", orders="4:", add="stall A-B")
    dropped = page.post(f"/games/{game}/preview", orders="4: customer A; customer B", drop="1")

    assert field(added.text) == "4: stall A-B"
    assert field(dropped.text) == "4: customer A"
    assert "If chance brings" in dropped.text


@pytest.mark.parametrize("orders", ["", "x" * 3000, "\x00", "4: customer A\r\nif citizen: stall", "🎲" * 50])
def test_strange_orders_do_not_break_the_page(house: Service, ann: Person, browser: Open, orders: str) -> None:
    page, game = table(house, ann, browser)

    for verb in ("preview", "moves"):
        assert page.post(f"/games/{game}/{verb}", orders=orders, branch="99", version="x").status_code in (200, 303, 422)


@pytest.mark.parametrize("at", ["0", "1", "2", "999999", "-1", "x", "", "٣"])
def test_any_moment_of_a_game_can_be_asked_for(house: Service, ann: Person, browser: Open, at: str) -> None:
    page, game = table(house, ann, browser)

    assert page.get(f"/games/{game}?at={at}").status_code == 200


def test_what_was_taken_back_stays_told(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)
    page.post(f"/games/{game}/moves", orders=house.good_orders(game).partition(":")[0] + ":")
    before = page.get(f"/games/{game}").text
    page.post(f"/games/{game}/undo")
    after = page.get(f"/games/{game}").text

    assert "Take back my last orders" in before
    assert "Take back my last orders" not in after
    assert "Red took the last orders back." in after
    assert "Red took tile" in after


def test_nothing_can_be_taken_back_twice(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)

    answer = page.post(f"/games/{game}/undo")

    assert answer.status_code == 409
    assert 'class="outcome wrong"' in answer.text


def test_talk_is_shown_as_it_was_said(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)
    page.post(f"/games/{game}/talk", text="<script>hello</script>", key="k")
    page.post(f"/games/{game}/talk", text="<script>hello</script>", key="k")
    page.post(f"/games/{game}/talk", text="   ")

    assert [each.text for each in said(house.ports, game)] == ["<script>hello</script>"]
    assert "&lt;script&gt;hello" in page.get(f"/games/{game}").text


def test_for_strangers_a_private_game_has_no_page(house: Service, ann: Person, browser: Open) -> None:
    _, game = table(house, ann, browser)
    for other in (browser(), browser(house.person("stranger"))):
        for path in ("", "/replay.html", "/events", "?at=2"):
            assert other.get(f"/games/{game}{path}").status_code == 404
        for verb in ("moves", "preview", "talk", "undo", "resign", "leave"):
            assert other.post(f"/games/{game}/{verb}", orders="4:", text="hi").status_code in (401, 404)
        assert other.post(f"/join/{game}").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_damaged_game_is_told_of_on_its_page_as_to_a_program(house: Service, ann: Person, browser: Open, language: str) -> None:
    page, game = table(house, ann, browser)
    damage(house.ports, game)
    page.client.set_cookie("language", language)

    shown, said = page.get(f"/games/{game}"), ann.get(f"/v1/games/{game}", headers={"Accept-Language": language})

    assert (shown.status_code, said.status_code, said.json["code"]) == (500, 500, "game-damaged")
    assert shown.mimetype == "text/html"
    assert escape(said.json["detail"]) in shown.text


def test_whoever_is_known_here_is_told_of_the_archive_until_the_game_is_back(
    house: Service, ann: Person, browser: Open, tmp_path: Path
) -> None:
    game, mine = "archived", browser(ann)
    ended = finished(house.ports, game, [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], began=0).changed
    assert game in archive(house.ports, tmp_path / "archive", ended + 1)

    told = [ann.get(f"/v1/games/{game}", headers={"Accept-Language": language}) for language in LANGUAGES]
    page = mine.get(f"/games/{game}")

    assert {(each.status_code, each.json["code"]) for each in told} == {(410, "archived")}
    assert len({each.json["detail"] for each in told}) == len({each.json["title"] for each in told}) == len(LANGUAGES)
    assert page.status_code == 410
    assert "lies in the archive" in page.text
    assert browser().get(f"/games/{game}").status_code == 404

    restore_archived(house.ports, tmp_path / "archive")

    assert ann.get(f"/v1/games/{game}").status_code == mine.get(f"/games/{game}").status_code == 200


def test_a_spectator_of_a_public_game_looks_and_does_not_touch(house: Service, ann: Person, browser: Open) -> None:
    game = house.against_bot(ann, public=True)
    watcher = browser(house.person("watcher"))
    before = house.ports.games.read(game)

    assert watcher.get(f"/games/{game}").status_code == 200
    assert 'id="orders"' not in watcher.get(f"/games/{game}").text
    for verb in ("moves", "preview", "talk", "undo", "resign"):
        assert watcher.post(f"/games/{game}/{verb}", orders="4:", text="hi").status_code == 403
    assert house.ports.games.read(game) == before


def test_a_link_to_look_opens_the_page_without_an_account_and_no_more(house: Service, ann: Person, browser: Open) -> None:
    game = house.against_bot(ann)
    link = ann.post(f"/v1/games/{game}/links", {"what": "look"}).json
    key = link["url"].partition("key=")[2]

    seen = browser().get(f"/games/{game}?key={key}")

    assert seen.status_code == 200
    assert 'id="orders"' not in seen.text
    assert browser().get(f"/games/{game}?key={key[:-1]}").status_code == 404
    assert browser().post(f"/games/{game}/moves?key={key}", orders="bobby 3").status_code in (401, 403, 404)


def test_a_link_to_a_seat_shows_the_table_and_lets_anyone_sit_down(house: Service, ann: Person, browser: Open) -> None:
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}]}).json["id"]
    key = ann.post(f"/v1/games/{game}/links", {"what": "seat"}).json["key"]
    guest, visitor = browser(house.person("newcomer")), browser()

    assert guest.get(f"/games/{game}").status_code == 404
    assert f'name="key" value="{key}"' in guest.get(f"/games/{game}?key={key}").text
    assert guest.post(f"/join/{game}", key=key[:-1]).status_code == 404
    assert visitor.post(f"/join/{game}", key=key[:-1]).status_code == 404
    assert guest.post(f"/join/{game}", key=key).status_code == 303
    assert guest.get(f"/games/{game}").status_code == 200
    assert browser().get(f"/games/{game}?key={key}").status_code == 409, "nobody else can sit down"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_comes_from_a_letter_reads_on_in_its_language(house: Service, browser: Open, language: str) -> None:
    reader = house.person(f"reader-{language}")
    reader.call("PATCH", "/v1/players/me", json={"language": language})
    game = house.against_bot(reader)

    page = browser().get(house.mailer.links.game(game, reader.id).removeprefix(house.settings.public_url))

    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text


def test_orders_from_a_letters_button_are_written_down_to_be_sent(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)

    assert field(page.get(f"/games/{game}?orders=4: stall <A>").text) == "4: stall &lt;A&gt;"


def test_a_table_is_opened_for_people_bots_and_whoever_comes(house: Service, ann: Person, browser: Open) -> None:
    page = browser(ann)

    answer = page.post("/new/portobello", invite="bob@example.org", bots="1", bot="random", open="1", **{"option.lord": "action"})

    game = house.ports.game(answer.headers["Location"].rpartition("/")[2])
    assert sorted("me" if seat.player else "invited" if seat.invited else seat.bot or "open" for seat in game.seats) == [
        "invited", "me", "open", "random",
    ]  # fmt: skip
    assert game.public
    assert game.setting.options == {"lord": "action"}


def test_every_bot_can_be_chosen_and_the_usual_one_is_chosen_already(house: Service, ann: Person, browser: Open) -> None:
    offered = re.findall(r'<option value="(random|greedy|easy|medium|strong)"( selected)?>', browser(ann).get("/new/portobello").text)

    assert sorted(offered) == [("easy", ""), ("medium", " selected"), ("strong", "")]


@pytest.mark.parametrize(
    ("language", "edition"),
    [
        ("en", "Italian edition – 0 points at the start; "),
        ("de", "italienische Ausgabe – 0 Punkte zu Beginn; "),
        ("fr", "édition italienne – 0 point au départ; "),
        ("it", "edizione italiana – 0 punti all’inizio; "),
    ],
)
def test_the_form_says_what_each_edition_has_otherwise(ann: Person, browser: Open, language: str, edition: str) -> None:
    page = browser(ann)
    page.client.set_cookie("language", language)

    assert f"<li>{edition}" in page.get("/new/portobello").text


def test_a_table_in_the_lobby_is_joined_with_one_click(house: Service, ann: Person, browser: Open) -> None:
    opened = browser(ann).post("/new/portobello", open="1", bots="0").headers["Location"].rpartition("/")[2]
    newcomer = browser(house.person("newcomer"))
    assert f"/join/{opened}" in newcomer.get("/").text

    newcomer.post(f"/join/{opened}")

    assert house.ports.game(opened).status == "running"
    assert newcomer.get(f"/games/{opened}").status_code == 200


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"invite": "nobody"}, "no mail address"),
        ({}, "2 to 4 players"),
        ({"bots": "1", "option.lord": "dances"}, "cannot be “dances”"),
        ({"invite": "bob@example.org, bob@example.org"}, "invited twice"),
        ({"bots": "1", "edition": "3.0"}, "There is no edition"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_the_form_kept(ann: Person, browser: Open, form: dict[str, str], why: str) -> None:
    answer = browser(ann).post("/new/portobello", **form)

    assert answer.status_code == 422
    assert why in answer.text
    assert form.get("invite", "") in answer.text


def test_only_with_a_session_one_opens_a_table_for_others(browser: Open) -> None:
    answer = browser().get("/new/portobello")

    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in?back=/new/portobello")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_is_chosen_by_the_browser_the_profile_or_a_click(house: Service, browser: Open, language: str) -> None:
    by_browser = browser().get("/", headers={"Accept-Language": f"tlh, {language};q=0.8"})
    person = house.person(f"speaks-{language}")
    page = browser(person)
    page.post("/language", language=language, back="/")

    assert f'<html lang="{language}">' in by_browser.text
    assert f'<html lang="{language}">' in page.get("/").text
    assert house.ports.players.find(person.id).language == language
    assert f'<html lang="{language}">' in browser(person).get("/").text
    assert page.post("/language", language="tlh").status_code == 422


def test_the_stream_tells_that_something_changed_since_the_page_was_made(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)
    now = house.ports.game(game).version

    answer = page.get(f"/games/{game}/events?after={now - 1}")

    told = next(line for line in map(str, answer.iter_encoded()) if "changed" in line)
    answer.close()
    assert told == str(f"id: {now}\nevent: changed\ndata: {now}\n\n".encode())


def test_the_stream_of_a_finished_game_stays_open_and_tells_when_its_analysis_is_there(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)
    page.post(f"/games/{game}/propose", what="draw")
    house.ports.analyses.add(game, house.ports.clock() + 10**6)
    assert "are being computed" in page.get(f"/games/{game}").text
    told = list[str]()

    answer = page.get(f"/games/{game}/events?after={house.ports.game(game).version}")
    for line in map(str, answer.iter_encoded()):
        told += re.findall(r"event: analysis\\ndata: (\w+)", line)
        if "true" in told:
            house.ports.analyses.remove(game)
        if "false" in told:
            break
    answer.close()

    assert told == ["true", "false"]
    assert "are being computed" not in page.get(f"/games/{game}").text


def test_a_game_with_a_clock_shows_until_when_one_may_decide(house: Service, ann: Person, browser: Open) -> None:
    game = house.against_bot(ann, clock={"per_decision": 86400})

    assert re.search(r"<em>to decide until \w{3} \d+ \w+, \d\d:\d\d</em>", browser(ann).get(f"/games/{game}").text)


def test_whoever_resigns_is_told_of_in_the_log(house: Service, ann: Person, browser: Open) -> None:
    page, game = table(house, ann, browser)
    page.post(f"/games/{game}/resign")

    assert "Red resigned; a bot plays on." in page.get(f"/games/{game}").text


def test_a_game_that_the_table_cancelled_says_so(house: Service, ann: Person, browser: Open) -> None:
    opened = browser(ann).post("/new/portobello", open="1").headers["Location"].rpartition("/")[2]
    assert ann.post(f"/v1/games/{opened}/cancel").status_code == 200

    assert "The game was cancelled" in browser(ann).get(f"/games/{opened}").text
    assert "The game was cancelled" in browser(ann).get("/finished").text


def test_a_word_for_chance_is_brought_on_the_page(house: Service, ann: Person, browser: Open) -> None:
    bob = house.person("bob")
    anns, bobs = browser(ann), browser(bob)
    game = anns.post("/new/portobello", open="1", bots="0", join_later="1").headers["Location"].rpartition("/")[2]
    found = house.ports.game(game)
    assert found.seal in anns.get(f"/games/{game}").text
    assert found.words == {}

    anns.post(f"/join/{game}", word="ann-1")
    assert "ann-1" in anns.get(f"/games/{game}").text
    assert anns.post(f"/games/{game}/word", word="no blanks please").status_code == 422
    anns.post(f"/games/{game}/word", word="ann-2")
    assert bobs.post(f"/join/{game}", word="not a word").status_code == 422
    bobs.post(f"/join/{game}", word="bob-1")

    begun = house.ports.game(game)
    assert begun.status == "running"
    assert {seat.player: begun.words[number].word for number, seat in enumerate(begun.seats)} == {ann.id: "ann-2", bob.id: "bob-1"}
    assert "ann-2" in bobs.get(f"/games/{game}").text
