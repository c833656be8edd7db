"""Guests may play against bots, nothing more; they share the budget of their network address, and are erased when they stay away."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Thread

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.http.context import inside
from api.http.guest_gate import GuestGate
from marketpost.play.people.guests import IDLE, IDLE_IF_FULL, erase_idle_guests
from marketpost.store.game_logs import PARTS
from tests.abuse.large_board import largest_board
from tests.service import PATIENCE, Person, Service, service
from tests.web.conftest import OURS

ONLY_BOTS = (403, "guest-bots-only")
FREE = {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]}


@pytest.fixture(scope="module")
def house() -> Iterator[Service]:
    """With the usual limits, but for the guests that these tests make."""
    with service(workers=0, LIMITS="guests-address=1000, sign-ins-address=20, codes-address=1000") as running:
        yield running


def from_address(house: Service, address: str) -> FlaskClient:
    client = house.app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def guest(house: Service, address: str = "192.0.2.1") -> tuple[Person, str]:
    """Somebody who has clicked to play at once, and their game."""
    client = from_address(house, address)
    answer = client.post("/play", data={"rules": "portobello"}, headers=OURS)
    assert answer.status_code == 303, answer.text
    cookie = client.get_cookie("session")
    game = answer.headers["Location"].rpartition("/")[2]
    host = house.ports.game(game).host
    return Person(host, "", cookie.value, client), game


def told(answer: TestResponse) -> tuple[int, str]:
    problem = answer.json["error"]["data"] if "jsonrpc" in answer.json else answer.json
    return answer.status_code, problem["code"]


FORBIDDEN: dict[str, Callable[[Person, str], TestResponse]] = {
    "invite": lambda eve, game: eve.post("/v1/games", FREE | {"seats": [{"me": True}, {"email": "ann@example.org"}]}),
    "a free seat": lambda eve, game: eve.post("/v1/games", FREE | {"seats": [{"me": True}, {"open": True}]}),
    "a public game": lambda eve, game: eve.post("/v1/games", FREE | {"public": True}),
    "a board": lambda eve, game: eve.post("/v1/games", FREE | {"rules": "alturien", "board": largest_board()}),
    "talk": lambda eve, game: eve.post(f"/v1/games/{game}/messages", {"text": "hello"}),
    "a webhook": lambda eve, game: eve.post("/v1/players/me/channels", {"channel": "webhook", "target": "https://example.org/hook"}),
    "a link": lambda eve, game: eve.post(f"/v1/games/{game}/links", {"what": "look"}),
    "a report": lambda eve, game: eve.post("/v1/reports", {"player": eve.id, "text": "look here"}),
    "an agent": lambda eve, game: eve.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    "an heir": lambda eve, game: eve.post(f"/v1/games/{game}/hand-over", {"email": "ann@example.org"}),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_a_guest_reaches_nobody(house: Service, what: str) -> None:
    eve, game = guest(house)

    assert told(FORBIDDEN[what](eve, game)) == ONLY_BOTS


def test_a_guest_sits_down_with_nobody(house: Service) -> None:
    ann = house.person("ann")
    game = ann.post("/v1/games", FREE | {"seats": [{"me": True}, {"open": True}], "public": True}).json["id"]
    eve, _ = guest(house)

    assert told(eve.post(f"/v1/games/{game}/join", {})) == ONLY_BOTS
    assert eve.client.post(f"/join/{game}", headers=OURS, data={"token": ""}).status_code in (303, 403)
    assert house.ports.game(game).status == "open"


def test_a_guest_plays_one_game_of_each_kind_at_a_time(house: Service) -> None:
    eve, game = guest(house)

    refused = eve.post("/v1/games", FREE, headers={"Accept-Language": "de"})
    eve.post(f"/v1/games/{game}/proposals", {"what": "abandon"})

    assert told(refused) == (429, "over-limit")
    assert int(refused.headers["Retry-After"]) > 0
    assert "Partien desselben Spiels, die ein Gast eröffnet hat, höchstens 1 gleichzeitig" in refused.json["detail"]
    assert eve.post("/v1/games", FREE).status_code == 201


def test_a_request_that_is_sent_again_finds_its_game_and_is_no_second_one(house: Service) -> None:
    eve, game = guest(house)
    eve.post(f"/v1/games/{game}/proposals", {"what": "abandon"})

    first, again = (eve.post("/v1/games", FREE, headers={"Idempotency-Key": "once"}) for _ in range(2))

    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json["id"] == again.json["id"]


def test_a_game_needs_a_person(house: Service) -> None:
    answer = house.person("ann").post("/v1/games", FREE | {"seats": [{"bot": "strong"}, {"bot": "strong"}]})

    assert told(answer) == (422, "no-person")


def test_more_tokens_are_no_more_requests() -> None:
    with service(workers=0, LIMITS="requests-address=20, requests-guest=15") as house:
        guests = [guest(house)[0] for _ in range(3)]
        elsewhere, _ = guest(house, "192.0.2.2")

        served = sum(eve.get("/v1/players/me").status_code == 200 for _ in range(10) for eve in guests)

        assert served == 20 - 3
        assert elsewhere.get("/v1/players/me").status_code == 200
        assert house.person("ann").get("/v1/players/me").status_code == 200


def test_the_addresses_of_one_network_are_one_actor() -> None:
    with service(workers=0, LIMITS="requests-address=20") as house:
        answers = [from_address(house, f"2001:db8:1:2::{number:x}").get("/v1/boards").status_code for number in range(60)]
        other = from_address(house, "2001:db8:1:3::1").get("/v1/boards").status_code

    assert (answers.count(200), answers.count(429), other) == (20, 40, 200)


def test_behind_a_proxy_of_our_own_the_client_is_counted() -> None:
    with service(workers=0, LIMITS="requests-address=2", PROXIES="1") as house:
        client = house.app.test_client()
        headers = [{"X-Forwarded-For": f"203.0.113.9, 192.0.2.{number}"} for number in (1, 1, 1, 2)]

        assert [client.get("/v1/boards", headers=each).status_code for each in headers] == [200, 200, 429, 200]


def test_the_form_for_codes_counts_like_the_api(house: Service) -> None:
    client = from_address(house, "192.0.2.77")

    answers = [client.post("/sign-in/code", data={"email": f"p{number}@example.org"}, headers=OURS) for number in range(30)]

    assert [answer.status_code for answer in answers].count(200) == 20
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert "at most 20 a minute" in answers[-1].text


def test_new_guests_of_one_address_are_limited() -> None:
    with service(workers=0, LIMITS="guests-address=3") as house:
        client = from_address(house, "192.0.2.1")
        answers = []
        for _ in range(5):
            client.delete_cookie("session")
            answers.append(client.post("/play", data={"rules": "portobello"}, headers=OURS).status_code)

    assert answers == [303, 303, 303, 429, 429]


def test_what_a_guest_stores_is_bounded() -> None:
    with service(workers=0, LIMITS="bytes-guest=60000, requests-guest=10000, requests-address=10000") as house:
        eve, game = guest(house)
        before = house.ports.games.redis.info("memory")["used_memory"]

        answers = [
            eve.post(f"/v1/games/{game}/moves", {"orders": "x" * 15_000}, headers={"Idempotency-Key": f"{number}"}) for number in range(40)
        ]

        assert 1 < [answer.status_code for answer in answers].count(202) < 5
        assert told(answers[-1]) == (429, "over-limit")
        assert house.ports.games.redis.info("memory")["used_memory"] - before < 1_000_000


def test_a_guest_who_stays_away_is_erased_with_their_games(house: Service) -> None:
    away, game = guest(house)
    here, other = guest(house)
    later = replace(house.ports, clock=lambda: house.ports.clock() + IDLE + 1000)
    later.guests.seen(here.id, later.clock())

    while later.guests.idle_since(later.clock() - IDLE, 1):  # a few at one go
        erase_idle_guests(later)

    assert house.ports.players.find(away.id) is None
    assert away.get("/v1/players/me").status_code == 401
    assert not house.ports.games.redis.exists(*(house.ports.games.key(game, part) for part in PARTS))
    assert house.ports.index.lists_with(game) == set()
    assert house.ports.players.find(here.id)
    assert house.ports.game(other)


def test_what_people_without_a_confirmed_address_store_is_bounded_and_makes_room_again() -> None:
    with service(workers=0, LIMITS="guests-service=5") as house:
        known = house.person("ann")
        house.ports.guests.drop(known.id)

        answers = [
            from_address(house, f"2001:db8:{number}::1").post("/v1/players", json={"email": f"p{number}@example.org", "name": "P"})
            for number in range(8)
        ]
        again = from_address(house, "192.0.2.8").post("/v1/players", json={"email": known.email, "name": "Ann"})

        assert {answer.status_code for answer in (*answers, again)} == {201}
        assert [bool(house.ports.players.player_of(f"p{number}@example.org")) for number in range(8)] == [True] * 5 + [False] * 3
        assert house.mailer.deliveries.of(known.id)
        assert from_address(house, "192.0.2.8").post("/play", data={"rules": "portobello"}, headers=OURS).status_code == 429
        erase_idle_guests(replace(house.ports, clock=lambda: house.ports.clock() + IDLE_IF_FULL + 1000))
        assert house.ports.guests.count() == 0
        assert house.ports.players.find(known.id)
        assert guest(house)


def test_one_request_of_a_guest_is_computed_at_once_and_people_do_not_wait_for_it(house: Service) -> None:
    eve, game = guest(house)
    gate = inside(house.app).gate
    gate.enter()
    waiting = Thread(target=eve.get, args=("/v1/games",), daemon=True)
    try:
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        assert house.person("ann").get("/v1/games").status_code == 200
    finally:
        gate.leave()
    waiting.join(30)
    assert not waiting.is_alive()

    for answer in (eve.get(f"/v1/games/{game}"), eve.get("/v1/games/none"), eve.post(f"/v1/games/{game}/moves", {"orders": "x"})):
        assert answer.status_code < 500
    gate.enter()
    gate.leave()


def test_more_guests_and_visitors_than_can_be_served_are_turned_away_and_nobody_else(
    house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, game = guest(house)
    monkeypatch.setattr("api.http.guest_gate.LONGEST_IN_QUEUE", 0.01)
    gate = inside(house.app).gate
    gate.enter()
    try:
        for turned_away in (eve.get("/v1/games"), house.app.test_client().get("/v1/boards"), from_address(house, "192.0.2.5").get("/docs")):
            assert told(turned_away) == (503, "guests-waiting")
            assert turned_away.headers["Retry-After"]
        assert from_address(house, "192.0.2.5").get("/").status_code == 503
        signing_in = from_address(house, "192.0.2.5").post("/v1/tokens", json={"email": "ann@example.org"})
        assert (signing_in.status_code, house.person("ann").get("/v1/games").status_code) == (202, 200)
    finally:
        gate.leave()

    assert eve.get(f"/v1/games/{game}").status_code == 200


def test_a_long_computation_lets_people_go_first(house: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuestGate.stand_back, "__defaults__", (PATIENCE,))
    ann = house.person("ann")
    game = ann.post("/v1/games", FREE).json["id"]
    gate = inside(house.app).gate
    gate.enter_person()
    replaying = Thread(target=ann.get, args=(f"/games/{game}/replay.html",), daemon=True)
    try:
        replaying.start()
        replaying.join(0.5)
        assert replaying.is_alive()
    finally:
        gate.leave_person()
    replaying.join(30)

    assert not replaying.is_alive()


def test_no_request_of_a_guest_begins_while_a_persons_is_computed(house: Service) -> None:
    eve, _ = guest(house)
    gate = inside(house.app).gate
    gate.enter_person()
    waiting = Thread(target=eve.get, args=("/v1/games",), daemon=True)
    try:
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
    finally:
        gate.leave_person()
    waiting.join(30)

    assert not waiting.is_alive()


def test_guests_together_have_at_most_half_of_the_time_of_a_process() -> None:
    gate, began = GuestGate(), time.monotonic()
    for _ in range(3):
        gate.enter()
        time.sleep(0.05)
        gate.leave()
    gate.enter()

    assert time.monotonic() - began >= 6 * 0.05
