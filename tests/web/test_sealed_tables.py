"""What a fast duplicate table drew is told to nobody but its players until the last table of the round is over."""

import re
import time
from collections.abc import Iterator
from io import BytesIO
from urllib.parse import urlsplit
from zipfile import ZipFile, is_zipfile

import pytest
from werkzeug.test import TestResponse

from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.entering import announce, enter
from marketpost.play.compete.plan_request import competition_clock
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from tests.service import PATIENCE, Person, Service

CUP = "c-sealed"
PARTS = re.compile(r"<(?:[^:<>]+:)?(\w+)>")
STREAM = "text/event-stream"
SAID = "so the bag gave three clerks"


@pytest.fixture(scope="module")
def people(house: Service) -> dict[str, Person]:
    found = [house.person(name) for name in ("dupann", "dupbob", "dupcarl", "dupdora")]
    plan = CompetitionPlan("Same luck", CompetitionFormat.DUPLICATE, "portobello", 2, competition_clock(None), house.ports.clock() + 300)
    announce(house.ports, CUP, found[0].id, plan)
    for person in found:
        enter(house.ports, CUP, person.id)
    return {person.id: person for person in found}


@pytest.fixture(scope="module")
def tables(house: Service, people: dict[str, Person]) -> list[Game]:
    """The fast table, where moves were made and a draw was agreed on, and the slow one, where nothing has happened."""
    host, until = next(iter(people.values())), time.monotonic() + PATIENCE
    games = list[Game]()
    while len(games) < 2:
        assert time.monotonic() < until, "the round is not paired"
        house.ports.enqueue(CUP)
        time.sleep(0.2)
        rounds = host.get(f"/v1/competitions/{CUP}").json["rounds"]
        games = [game for table in (rounds[0]["tables"] if rounds else []) if (game := house.ports.game(table["game"]))]
    fast = games[0].id
    sitting = [people[seat.player or ""] for seat in games[0].seats]
    for _ in range(4):
        seat = (house.ports.game(fast) or games[0]).deciders[0]
        sent = sitting[seat].post(f"/v1/games/{fast}/moves", {"orders": house.good_orders(fast, seat)})
        until = time.monotonic() + PATIENCE
        while sitting[seat].get(sent.headers["Location"]).json["status"] not in ("applied", "refused") and time.monotonic() < until:
            time.sleep(0.05)
    assert sitting[0].post(f"/v1/games/{fast}/messages", {"text": SAID}).status_code < 300
    end_by_draw(house, fast, sitting)
    return [house.ports.game(fast) or games[0], games[1]]


def end_by_draw(house: Service, id: str, sitting: list[Person]) -> None:
    proposed = sitting[0].post(f"/v1/games/{id}/proposals", {"what": "draw"})
    assert proposed.status_code < 300, proposed.text
    game = house.ports.game(id)
    assert game
    assert game.proposal
    assert sitting[1].post(f"/v1/games/{id}/proposals/{game.proposal.number}/yes").status_code == 200


def secrets_of(house: Service, table: Game) -> Iterator[str]:
    """What only the players of a table may know: its moves with what chance showed, their hashes, its talk, its secret."""
    yield from (SAID, table.head, house.ports.games.secret(table.id).hex(), house.ports.competitions.secret(CUP).hex())
    for stored in house.ports.games.read(table.id):
        entry = decode(stored.data)
        if isinstance(entry.action, Moved):
            yield from (entry.before, entry.action.move, bytes(entry.action.events).decode())


def paths(house: Service, table: Game) -> Iterator[str]:
    """Every operation and page that is read by GET, about this table, its players and its tournament."""
    moves = [decode(stored.data).action for stored in house.ports.games.read(table.id)]
    move = next((action.move for action in moves if isinstance(action, Moved)), "1")
    known = {"game": table.id, "competition": CUP, "tournament": CUP, "player": table.seats[0].player or "", "move": move}
    known |= {"ruleset_name": "portobello", "number": "1", "version": "5"}
    for rule in house.app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and "sign_out" not in rule.endpoint:
            yield PARTS.sub(lambda part: known.get(part[1], "1"), str(rule))


def text_of(answer: TestResponse) -> str:
    """The text of an answer; an archive is unpacked."""
    data = answer.get_data()
    if is_zipfile(file := BytesIO(data)):
        with ZipFile(file) as archive:
            data = b"".join(archive.read(name) for name in archive.namelist())
    return data.decode(errors="replace")


def readers(house: Service, slow: Game, people: dict[str, Person]) -> list[Person]:
    """A player of the slow table, and somebody who plays nowhere."""
    return [people[slow.seats[0].player or ""], house.person("dupzoe")]


def test_no_answer_tells_others_what_the_fast_table_drew(house: Service, tables: list[Game], people: dict[str, Person]) -> None:
    fast, slow = tables
    assert fast.ended
    needles, asked = list(secrets_of(house, fast)), list(paths(house, fast))
    assert len(needles) > 12
    assert {"/v1/games", "/tournaments", "/players"} & {*asked}
    assert len(asked) > 60
    for reader in readers(house, slow, people):
        browser = house.app.test_client()
        browser.set_cookie("session", reader.token)
        anonymous = house.app.test_client()
        feeds = [urlsplit(url).path for url in reader.post("/v1/players/me/feeds").json.values() if isinstance(url, str)]
        assert len(feeds) == 2
        for path in (*asked, *feeds):
            for client, headers in ((reader.client, {"Authorization": f"Bearer {reader.token}"}), (browser, {}), (anonymous, {})):
                answer = client.get(path, headers=headers)
                if fast.id in path:
                    asks_who = answer.status_code == 303 and "/sign-in" in answer.headers["Location"]
                    assert asks_who or answer.status_code in (401, 404, 405), (path, answer.status_code)
                elif answer.content_type == STREAM:
                    answer.close()
                    continue
                told = (str(answer.headers) + text_of(answer)).replace(path, "")
                assert not [needle for needle in needles if needle in told], path


def test_no_request_about_the_fast_table_is_for_others(house: Service, tables: list[Game], people: dict[str, Person]) -> None:
    """Previews, what-ifs, hints, orders and all else that is not read by GET."""
    fast, slow = tables
    needles, asked = list(secrets_of(house, fast)), 0
    known = {"game": fast.id, "number": "1", "version": "5", "player": fast.seats[0].player or "", "move": "1", "verb": "block"}
    for rule in house.app.url_map.iter_rules():
        for method in {"POST", "PUT", "PATCH", "DELETE"} & (rule.methods or set()):
            path = PARTS.sub(lambda part: known.get(part[1], "1"), str(rule))
            for reader in readers(house, slow, people) if fast.id in path else ():
                answer = reader.call(method, path, json={"orders": "bobby 5", "text": "Hello", "version": 1})
                assert answer.status_code in (400, 401, 403, 404, 405, 415, 422), (method, path, answer.status_code)
                assert not [needle for needle in needles if needle in text_of(answer).replace(path, "")], path
                asked += 1
    assert asked > 40


def test_the_players_of_the_fast_table_see_it_but_not_its_secret(house: Service, tables: list[Game], people: dict[str, Person]) -> None:
    fast, _ = tables
    own = people[fast.seats[0].player or ""]
    shown = own.get(f"/v1/games/{fast.id}").json
    assert (shown["status"], shown["secret"], shown["public"]) == ("over", None, False)
    secret = house.ports.games.secret(fast.id).hex()
    for path in paths(house, fast):
        answer = own.get(path)
        if answer.content_type == STREAM:
            answer.close()
        else:
            assert secret not in text_of(answer), path
    cup = own.get(f"/v1/competitions/{CUP}").json
    assert [table["scores"] for table in cup["rounds"][0]["tables"]] == [None, None]
    assert "same draws" in house.app.test_client().get(f"/tournaments/{CUP}").text


def test_when_the_last_table_is_over_everybody_may_see_all(house: Service, tables: list[Game], people: dict[str, Person]) -> None:
    fast, slow = tables
    end_by_draw(house, slow.id, [people[seat.player or ""] for seat in slow.seats])
    stranger, until = house.person("dupzoe"), time.monotonic() + PATIENCE
    while stranger.get(f"/v1/games/{fast.id}").status_code != 200:
        assert time.monotonic() < until, "the table is still sealed"
        house.ports.enqueue(CUP)
        time.sleep(0.2)
    shown = stranger.get(f"/v1/games/{fast.id}").json
    assert shown["secret"] == house.ports.games.secret(fast.id).hex()
    cup = stranger.get(f"/v1/competitions/{CUP}").json
    assert all(table["scores"] for table in cup["rounds"][0]["tables"])
    next(iter(people.values())).post(f"/v1/competitions/{CUP}/cancel")
