"""What broke a naive app must be a 4xx here that says what is wrong."""

import json
from typing import Any

import pytest

from api.http.strict_json import DEEPEST
from marketpost.rules.words import LANGUAGES
from tests.service import Person, Service

GAME = {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]}


def raw(person: Person, path: str, data: bytes | str, content_type: str = "application/json", method: str = "POST") -> Any:
    return person.call(method, path, data=data, content_type=content_type)


UNREADABLE = {
    "nothing": (b"", 400, "json-unreadable"),
    "no json": (b"{orders: 1}", 400, "json-unreadable"),
    "cut short": (b'{"text": "a', 400, "json-unreadable"),
    "two documents": (b"{} {}", 400, "json-unreadable"),
    "a byte order mark": (b"\xef\xbb\xbf{}", 400, "json-unreadable"),
    "not UTF-8": (b'{"text": "\xff"}', 400, "json-not-utf8"),
    "UTF-16": ('{"text": "a"}'.encode("utf-16"), 400, "json-not-utf8"),
    "not a number": (b'{"text": NaN}', 400, "json-number"),
    "infinity": (b'{"text": -Infinity}', 400, "json-number"),
    "too great a number": (b'{"text": 1e999}', 400, "json-number"),
    "too long a number": (b'{"text": ' + b"9" * 5000 + b"}", 400, "json-number"),
    "Arabic digits": ('{"text": ١٢}'.encode(), 400, "json-unreadable"),
    "a key twice": (b'{"text": "a", "text": "b"}', 400, "json-twice"),
    "a key twice, deep inside": (b'{"text": [{"a": 1, "a": 1}]}', 400, "json-twice"),
    "a lone surrogate": (b'{"text": "\\ud800"}', 400, "text-surrogate"),
    "a lone surrogate as key": (b'{"\\udfff": 1}', 400, "text-surrogate"),
    "NUL": (b'{"text": "a\\u0000b"}', 422, "text-nul"),
    "nested too deep": (b'{"text": ' + b"[" * DEEPEST + b"]" * DEEPEST + b"}", 400, "json-deep"),
    "nested very deep": (b'{"text": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", 400, "json-deep"),
    "a list": (b"[]", 422, "field-object"),
    "null": (b"null", 422, "field-object"),
    "a text": (b'"text"', 422, "field-object"),
    "a number": (b"7", 422, "field-object"),
    "no such field": (b'{"text": "a", "colour": "red"}', 422, "field-unknown"),
    "a missing field": (b"{}", 422, "field-missing"),
    "null in a field": (b'{"text": null}', 422, "field-null"),
    "true for a text": (b'{"text": true}', 422, "field-text"),
    "a number for a text": (b'{"text": 1}', 422, "field-text"),
    "blanks only": (b'{"text": "  "}', 422, "field-empty"),
    "a control character": (b'{"text": "\\u001b[31m"}', 422, "field-control"),
    "too long": (json.dumps({"text": "x" * 2001}).encode(), 422, "field-long"),
    "too large": (json.dumps({"text": "x" * 140_000}).encode(), 413, "too-large"),
}


@pytest.fixture(scope="module")
def game(house: Service) -> str:
    return house.against_bot(house.person("ann"))


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_body_that_is_wrong_is_told_why(game: str, ann: Person, case: str) -> None:
    data, status, code = UNREADABLE[case]

    answer = raw(ann, f"/v1/games/{game}/messages", data)

    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert answer.content_type == "application/problem+json"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "", "application/xml"]
)
def test_a_body_of_another_kind_is_not_read(game: str, ann: Person, kind: str) -> None:
    answer = raw(ann, f"/v1/games/{game}/messages", b'{"text": "hello"}', kind)

    assert (answer.status_code, answer.json["code"]) == (415, "wrong-media-type")


FIELDS: dict[str, tuple[str, str, Any, str, str]] = {
    "true is no seat number": ("POST", "/v1/games", GAME | {"seats": [{"me": 1}]}, "seats.0", "field-flag"),
    "two keys in a seat": ("POST", "/v1/games", GAME | {"seats": [{"me": True, "open": True}]}, "seats.0", "seat-one-key"),
    "no key in a seat": ("POST", "/v1/games", GAME | {"seats": [{}]}, "seats.0", "seat-one-key"),
    "no seats": ("POST", "/v1/games", GAME | {"seats": []}, "seats", "field-count"),
    "seats that are no list": ("POST", "/v1/games", GAME | {"seats": {"me": True}}, "seats", "field-list"),
    "nobody's address": ("POST", "/v1/games", GAME | {"seats": [{"email": "a@b"}]}, "seats.0", "field-email"),
    "a flag as a word": ("POST", "/v1/games", GAME | {"public": "true"}, "public", "field-flag"),
    "a clock that is nothing": ("POST", "/v1/games", GAME | {"clock": None}, "clock", "field-null"),
    "a clock that is a word": ("POST", "/v1/games", GAME | {"clock": "24h"}, "clock", "field-object"),
    "a clock without time": ("POST", "/v1/games", GAME | {"clock": {}}, "clock.per_decision", "field-missing"),
    "a clock with more": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "24h", "x": 1}}, "clock.x", "field-unknown"),
    "no time at all": ("POST", "/v1/games", GAME | {"clock": {"per_decision": 0}}, "clock.per_decision", "field-duration"),
    "a time below nothing": ("POST", "/v1/games", GAME | {"clock": {"per_decision": -60}}, "clock.per_decision", "field-duration"),
    "a time without end": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "999d"}}, "clock.per_decision", "field-duration"),
    "half a second": ("POST", "/v1/games", GAME | {"clock": {"per_decision": 90.5}}, "clock.per_decision", "field-duration"),
    "true as a time": ("POST", "/v1/games", GAME | {"clock": {"per_decision": True}}, "clock.per_decision", "field-duration"),
    "an empty time": ("POST", "/v1/games", GAME | {"clock": {"per_decision": ""}}, "clock.per_decision", "field-duration"),
    "a time in words": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "a day"}}, "clock.per_decision", "field-duration"),
    "a time in other digits": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "٢٤h"}}, "clock.per_decision", "field-duration"),
    "a bank without end": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "1d", "bank": "999d"}}, "clock.bank", "field-duration"),
    "hours that are none": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "1d", "quiet": "22-25"}}, "clock.quiet", "field-hours"),
    "hours that are all": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "1d", "quiet": "08-07"}}, "clock.quiet", "field-quiet"),
    "hours from now to now": (
        "POST",
        "/v1/games",
        GAME | {"clock": {"per_decision": "1d", "quiet": "08-08"}},
        "clock.quiet",
        "field-quiet",
    ),
    "another end": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "1d", "at_zero": "skip"}}, "clock.at_zero", "field-choice"),
    "weekends as a word": ("POST", "/v1/games", GAME | {"clock": {"per_decision": "1d", "weekends": "no"}}, "clock.weekends", "field-flag"),
    "a vacation without an end": ("PATCH", "/v1/players/me", {"vacation": {"from": "2026-12-20"}}, "vacation.to", "field-missing"),
    "a day that is none": (
        "PATCH",
        "/v1/players/me",
        {"vacation": {"from": "2026-02-30", "to": "2026-03-01"}},
        "vacation.from",
        "field-day",
    ),
    "a day as a number": ("PATCH", "/v1/players/me", {"vacation": {"from": 20261220, "to": "2026-03-01"}}, "vacation.from", "field-day"),
    "a day with its hour": (
        "PATCH",
        "/v1/players/me",
        {"vacation": {"from": "20261220", "to": "2026-03-01"}},
        "vacation.from",
        "field-day",
    ),
    "a vacation as a word": ("PATCH", "/v1/players/me", {"vacation": "always"}, "vacation", "field-object"),
    "true as an option": ("POST", "/v1/games", GAME | {"options": {"start_score": True}}, "options", "field-text"),
    "a board that is a number": ("POST", "/v1/games", GAME | {"board": 7}, "board", "field-board"),
    "an unknown order of seats": ("POST", "/v1/games", GAME | {"order": "best"}, "order", "field-choice"),
    "a language nobody speaks": ("PATCH", "/v1/players/me", {"language": "xx"}, "language", "field-choice"),
    "a name of two lines": ("PATCH", "/v1/players/me", {"name": "Ann\nBcc: all"}, "name", "field-control"),
    "a long name": ("PATCH", "/v1/players/me", {"name": "x" * 81}, "name", "field-long"),
    "an address that is none": ("PATCH", "/v1/players/me", {"email": "new at example.org"}, "email", "field-email"),
    "an admin's scope": ("POST", "/v1/tokens", {"email": "a@example.org", "code": "X", "scopes": ["admin"]}, "scopes.0", "field-choice"),
}


@pytest.mark.parametrize("case", FIELDS)
def test_a_field_that_is_wrong_is_named(house: Service, ann: Person, case: str) -> None:
    method, path, body, field, code = FIELDS[case]

    answer = ann.call(method, path, json=body)

    assert answer.status_code == 422
    assert {"field": field, "code": code}.items() <= answer.json["errors"][0].items()


def test_an_address_that_was_not_confirmed_cannot_be_the_main_one(house: Service, ann: Person) -> None:
    before = ann.get("/v1/players/me").json

    answer = ann.call("PATCH", "/v1/players/me", json={"email": "new@example.org", "name": "Other"})

    assert (answer.status_code, answer.json["code"]) == (404, "no-such-address")
    assert ann.get("/v1/players/me").json == before


REFUSED: dict[str, tuple[Any, str]] = {
    "rules that do not exist": (GAME | {"rules": "chess"}, "unknown-rules"),
    "a board that does not exist": (GAME | {"board": "nowhere"}, "unknown-board"),
    "an edition that does not exist": (GAME | {"edition": "xx"}, "unknown-edition"),
    "an option that does not exist": (GAME | {"options": {"speed": "fast"}}, "unknown-option"),
    "an option that cannot be": (GAME | {"options": {"start_score": 51}}, "bad-option"),
    "a bot that does not exist": (GAME | {"seats": [{"me": True}, {"bot": "hal"}]}, "unknown-bot"),
    "a player that does not exist": (GAME | {"seats": [{"me": True}, {"player": "0" * 16}]}, "no-such-player"),
    "too few": (GAME | {"seats": [{"me": True}]}, "players-number"),
    "too many": (GAME | {"seats": [{"me": True}] * 5}, "players-number"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_played_is_told_in_the_readers_language(house: Service, ann: Person, case: str, language: str) -> None:
    body, code = REFUSED[case]

    answer = ann.call("POST", "/v1/games", json=body, headers={"Accept-Language": f"{language}, en;q=0.1"})

    assert (answer.status_code, answer.json["code"]) == (422, code)
    assert "{" not in answer.json["detail"]


QUERIES = [
    "limit=abc",
    "limit=0",
    "limit=201",
    "limit=-1",
    "limit=1.0",
    "limit=%2B1",
    "limit=01",
    "limit=٣",
    "limit=",
    "limit=1&limit=2",
    "limit=1e1",
    "mine=1",
    "mine=yes",
    "open=TRUE",
    "status=lost",
    "cursor=x",
    "cursor=%00",
    "cursor=",
    "cursor=WzEsMl0",
    "cursor=%FF",
    "colour=red",
    "%00=1",
]


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_read_as_strictly(house: Service, ann: Person, query: str) -> None:
    answer = ann.get(f"/v1/games?{query}")

    assert answer.status_code in (400, 422)
    assert answer.content_type == "application/problem+json"
    assert answer.json["detail"]


@pytest.mark.parametrize("id", ["%00", "a%20b", "ü", "x" * 65, "..", "a.b", "%F0%9F%8E%B2", "{}", "%2e%2e%2fplayers"])
def test_an_id_that_cannot_be_is_not_found(house: Service, ann: Person, id: str) -> None:
    answer = ann.get(f"/v1/games/{id}/events")

    assert answer.status_code == 404
    assert answer.content_type == "application/problem+json"


GOOD = ["ann@example.org", "a.b+c@sub.example.co.uk", "o'brien@example.ie", "x_1%y@a-b.de", "A@B.CD"]
BAD = ["", "ann", "ann@", "@example.org", "a@b", "a b@example.org", "a@ex ample.org", "a@-x.org", "a..b@example.org", ".a@example.org"]
BAD += [
    "a@example.org\n",
    "a@example.org,b@example.org",
    "<a@example.org>",
    "a@[127.0.0.1]",
    "ä@example.org",
    "a@exämple.org",
    "x" * 65 + "@a.de",
]


@pytest.mark.parametrize(("email", "status"), [(each, 201) for each in GOOD] + [(each, 422) for each in BAD])
def test_addresses_are_taken_with_sense(house: Service, email: str, status: int) -> None:
    answer = house.app.test_client().post("/v1/players", json={"email": email, "name": "Ann"})

    assert answer.status_code == status
