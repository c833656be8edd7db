"""Standing orders over REST: mine alone, and played when I am robbed in another's turn."""

import time

import pytest

from marketpost.rules.alturien import RULESET
from marketpost.rules.words import LANGUAGES
from tests.moments import Moment, before, is_robbed
from tests.service import PATIENCE, Person, Service

WHEN_ROBBED = "when robbed: sell house c1, then sell prestige"


@pytest.fixture(scope="module")
def robbery() -> Moment:
    return before(is_robbed)


@pytest.fixture
def game(house: Service, ann: Person, bob: Person, robbery: Moment) -> str:
    """Ann is about to rob Bob."""
    seats: list[dict[str, object]] = [{"bot": "greedy"}] * 4
    seats[robbery.seat], seats[robbery.after.decider] = {"me": True}, {"email": bob.email}
    opened = ann.post("/v1/records", {"record": robbery.record, "play_on": True, "seats": seats})
    id = str(opened.json["id"])
    assert bob.post(f"/v1/games/{id}/join").status_code == 200
    return id


def test_they_are_left_shown_and_taken_back(bob: Person, game: str) -> None:
    place = f"/v1/games/{game}/standing"

    left = bob.call("PUT", place, json={"orders": "quand volé : maison c1, puis prestige"})

    assert (left.status_code, left.json["orders"]) == (200, WHEN_ROBBED)
    assert bob.get(place).json == left.json
    assert bob.call("DELETE", place).status_code == 204
    assert bob.call("DELETE", place).status_code == 204
    assert bob.get(place).json == {"orders": "", "warnings": []}


@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_that_may_sell_in_vain_are_kept_with_a_warning(bob: Person, game: str, language: str) -> None:
    place, headers = f"/v1/games/{game}/standing", {"Accept-Language": language}

    bad = bob.call("PUT", place, json={"orders": "when robbed: house c1, then prestige"}, headers=headers).json
    good = bob.call("PUT", place, json={"orders": "when robbed: prestige, then house c1"}, headers=headers).json

    [warning] = bad["warnings"]
    words = RULESET.in_language(language)
    order, better = (RULESET.notate(RULESET.parse(each), words) for each in ("sell house c1", "sell prestige"))
    assert (warning["code"], warning["values"]) == ("sells-in-vain", {"order": order, "better": better})
    assert warning["detail"] == words.say("cautions.sells-in-vain", order=order, better=better)
    assert (bad["orders"], good["warnings"]) == (WHEN_ROBBED, [])


def test_nobody_else_sees_them(house: Service, ann: Person, bob: Person, game: str) -> None:
    place = f"/v1/games/{game}/standing"
    bob.call("PUT", place, json={"orders": WHEN_ROBBED})
    cleo, admin = house.person("cleo"), house.person("root", ("read", "play", "admin"))

    assert ann.get(place).json["orders"] == ""
    assert (cleo.get(place).status_code, cleo.get(place).json["code"]) == (404, "no-such-game")
    assert (admin.get(place).status_code, admin.get(place).json["code"]) == (403, "not-your-game")
    for page in ("", "/events", "/record", "/legal", "/board", "/messages"):
        ann.get(f"/v1/games/{game}{page}")
    assert not any(b"when robbed" in seen for seen in ann.seen)


def test_the_robbed_player_pays_without_being_asked_and_the_log_says_how(ann: Person, bob: Person, game: str, robbery: Moment) -> None:
    sales = "; ".join(RULESET.legal(robbery.after, robbery.after.decider))
    bob.call("PUT", f"/v1/games/{game}/standing", json={"orders": sales})

    moved = ann.post(f"/v1/games/{game}/moves", {"orders": robbery.orders}, headers={"Prefer": "wait=20"})

    assert moved.status_code == 200
    until = time.monotonic() + PATIENCE
    while not (entries := ann.get(f"/v1/games/{game}/events?after={moved.json['version']}").json["items"]):
        assert time.monotonic() < until
        time.sleep(0.005)
    assert entries[0]["by"] == bob.id
    assert entries[0]["action"]["standing"] is True
    assert entries[0]["action"]["orders"].startswith("sell ")


@pytest.mark.parametrize(
    ("orders", "status", "code", "step"),
    [
        ("fly away", 422, "unreadable-order", 1),
        ("thief >f4; c1-f1", 422, "not-standing", 2),
        ("when robbed: sell house z9", 422, "unknown-space", 1),
    ],
)
def test_what_cannot_be_left_is_told_with_its_number(bob: Person, game: str, orders: str, status: int, code: str, step: int) -> None:
    answer = bob.call("PUT", f"/v1/games/{game}/standing", json={"orders": orders}, headers={"Accept-Language": "de"})

    assert (answer.status_code, answer.json["code"], answer.json["step"]) == (status, code, step)
    assert answer.json["detail"]


@pytest.mark.parametrize("body", [{}, {"orders": 7}, {"orders": ""}, {"orders": "thief >f4", "seat": 1}, {"orders": "x" * 3000}, []])
def test_a_body_that_is_none_is_refused(bob: Person, game: str, body: object) -> None:
    assert bob.call("PUT", f"/v1/games/{game}/standing", json=body).status_code == 422


def test_a_token_that_may_only_read_leaves_nothing(house: Service, bob: Person, game: str) -> None:
    reader = house.person("bob", ("read",))

    assert reader.call("PUT", f"/v1/games/{game}/standing", json={"orders": "thief >f4"}).status_code == 403
    assert reader.call("DELETE", f"/v1/games/{game}/standing").status_code == 403
    assert reader.get(f"/v1/games/{game}/standing").status_code == 200


def test_a_game_without_such_decisions_has_none(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    for answer in (
        ann.get(f"/v1/games/{game}/standing"),
        ann.call("PUT", f"/v1/games/{game}/standing", json={"orders": "stall A-B"}),
        ann.call("DELETE", f"/v1/games/{game}/standing"),
    ):
        assert (answer.status_code, answer.json["code"]) == (409, "no-standing-orders")
