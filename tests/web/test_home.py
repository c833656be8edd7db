"""The home page: all of one's games, what waits first, the lobby and games to watch."""

import re

import pytest

from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from tests.finished import finished
from tests.service import Person, Service
from tests.web.conftest import Open

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
    others = [f"busy-open{number}" for number in range(25)]
    for id in others:
        open_game(house.ports, id, busy.id, "portobello", [SeatPlan(player=busy.id), SeatPlan()], {})

    first, second = browser(busy).get("/").text, browser(busy).get("/?page=2").text

    assert listed(first)[0] == oldest
    assert "<title>(1) Marketpost" in first
    assert sorted(listed(first) + listed(second)) == sorted([oldest, *others])


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
