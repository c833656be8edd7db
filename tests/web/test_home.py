"""The home page: all of one's games, what waits first, the lobby and games to watch."""

import re
import time

import pytest

from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from tests.finished import finished
from tests.service import Person, Service
from tests.web.conftest import Browser, Open

HOUR = 3600_000


def listed(page: str) -> list[str]:
    """The games of the list of one's own, in order."""
    return re.findall(r'<a href="/games/([\w-]+)"><strong>', page.partition('id="lobby"')[0])


def waiting_for(house: Service, person: Person, id: str, hours: int = 0) -> str:
    """A game in which this person has every decision, with a clock or without."""
    clock = TimeControl(hours * HOUR) if hours else None
    open_game(house.ports, id, person.id, "portobello", [SeatPlan(player=person.id)] * 2, {}, clock=clock)
    return id


def test_every_own_game_is_listed_page_by_page_with_those_that_wait_first(house: Service, browser: Open) -> None:
    busy = house.person("busy")
    oldest = waiting_for(house, busy, "busy-oldest")
    others = [f"busy-open{number}" for number in range(105)]
    for id in others:
        open_game(house.ports, id, busy.id, "portobello", [SeatPlan(player=busy.id), SeatPlan()], {})

    first, second = browser(busy).get("/").text, browser(busy).get("/?page=2").text

    assert listed(first)[0] == oldest
    assert "<title>(1) Marketpost" in first
    assert sorted(listed(first) + listed(second)) == sorted([oldest, *others])


def seconds(page: Browser, path: str) -> float:
    """The CPU time of a request, the least of several."""
    taken = []
    for _ in range(5):
        before = time.process_time()
        page.get(path)
        taken.append(time.process_time() - before)
    return min(taken)


def test_a_hundred_games_are_on_one_page_filtered_and_not_slower_than_in_proportion(house: Service, browser: Open) -> None:
    few, many = house.person("with-ten"), house.person("with-a-hundred")
    for person, count in ((few, 10), (many, 100)):
        for number in range(count):
            seats = [SeatPlan(player=person.id), SeatPlan(bot="random") if number % 2 else SeatPlan()]
            open_game(house.ports, f"{person.id}-{number}", person.id, ("portobello", "alturien")[number // 2 % 2], seats, {})
    page = browser(many)

    assert len(listed(page.get("/").text)) == 100
    assert len(listed(page.get("/?game=portobello").text)) == 50
    others, mine = (set(listed(page.get(f"/?whose={whose}").text)) for whose in ("others", "mine"))
    assert len(others | mine) == 100, "bots move meanwhile, so that a game may be in both"
    shown = page.get("/?game=portobello&whose=mine").text
    assert shown.count('class="waits"') == len(listed(shown))
    assert seconds(page, "/") < 10 * seconds(browser(few), "/")


def test_what_waits_is_sorted_by_deadline_and_the_next_game_is_one_click_away(house: Service, browser: Open) -> None:
    keen = house.person("keen")
    late, soon = waiting_for(house, keen, "keen-late", 48), waiting_for(house, keen, "keen-soon", 5)
    page = browser(keen)

    shown = page.get("/").text

    assert listed(shown) == [soon, late]
    assert "(in 5 hours)" in shown
    assert [page.get(path).headers["Location"] for path in ("/next", f"/next?after={soon}", f"/next?after={late}")] == [
        f"/games/{soon}", f"/games/{late}", f"/games/{soon}",
    ]  # fmt: skip
    assert browser(house.person("idle")).get("/next").headers["Location"] == "/"


def test_finished_games_have_a_list_of_their_own(house: Service, browser: Open) -> None:
    done = house.person("done")
    finished(house.ports, "done-over", [SeatPlan(player=done.id), SeatPlan(bot="greedy")], began=0)

    assert listed(browser(done).get("/").text) == []
    assert "/games/done-over" in browser(done).get("/finished").text


@pytest.mark.parametrize("rules", rulesets())
def test_the_lobby_is_filtered_by_game_and_number_of_players(house: Service, browser: Open, rules: str) -> None:
    host = house.person("host")
    for name, each in rulesets().items():
        open_game(
            house.ports, f"lobby-{rules}-{name}", host.id, name, [SeatPlan(player=host.id)] + [SeatPlan()] * each.players[0], {}, True
        )
    players = rulesets()[rules].players[0] + 1

    shown = browser().get(f"/?rules={rules}&players={players}").text
    other = browser().get(f"/?rules={rules}&players={players - 1}").text

    assert f"/games/lobby-{rules}-{rules}" in shown
    assert not any(f"lobby-{rules}-{name}" in shown for name in rulesets() if name != rules)
    assert f"lobby-{rules}-{rules}" not in other


def test_names_of_players_lead_to_their_pages_and_bots_have_none(house: Service, browser: Open) -> None:
    linker = house.person("linker")
    finished(house.ports, "linked-over", [SeatPlan(player=linker.id), SeatPlan(bot="greedy")], began=0)
    link = f'<a class="player" href="/players/{linker.id}">Linker</a>'

    for path in ("/finished", "/games/linked-over"):
        shown = browser(linker).get(path).text.partition("<main")[2]
        assert link in shown
        assert set(re.findall(r"/players/(\w+)", shown)) == {linker.id}


def test_public_games_have_a_list_of_their_own_page_by_page(house: Service, browser: Open) -> None:
    host = house.person("watched")
    for number in range(25):
        open_game(house.ports, f"watched-{number}", host.id, "portobello", [SeatPlan(player=host.id)] * 2, {}, public=True)
    visitor = browser()

    first = visitor.get("/watch").text
    assert len(listed(first)) == 20
    assert len(listed(visitor.get(re.findall(r'href="(/watch\?cursor=[^"]+)"', first)[0]).text)) >= 5
    assert 'href="/watch"' in visitor.get("/").text
