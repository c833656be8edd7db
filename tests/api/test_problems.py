"""Errors are problem+json, whatever goes wrong, in four languages."""

import re
from pathlib import Path
from typing import Any

import pytest

import api
from api.boards import refusals_in
from api.http.app import create_app
from api.http.problems import STATUS
from marketpost.rules.refusal import Refusal
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, LANGUAGES, Words
from marketpost.store.settings import Settings
from tests.service import Person, Service, service

CODE = re.compile(r'\b(?:Refused|Refusal|fault)\(\s*"([a-z0-9-]+)"')
VALUES = """limit amount period wait most least field line column number wanted methods offered seconds scope newest version
language languages timezone choices keys found board boards"""
EVERY_VALUE = dict.fromkeys(VALUES.split(), "x")
WRONG = {
    "no such page": ("GET", "/v2/games", 404),
    "no such game": ("GET", "/v1/games/nosuchgame", 404),
    "wrong method": ("PUT", "/v1/games", 405),
    "wrong method without a view": ("DELETE", "/health", 405),
    "wrong kind": ("POST", "/v1/games", 415),
    "wrong query": ("GET", "/v1/games?limit=x", 422),
}


def check(answer: Any, status: int) -> None:
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"
    assert answer.json["status"] == status
    assert {"type", "title", "status", "detail", "code", "instance"} <= answer.json.keys()
    assert answer.json["type"] == f"/docs#{answer.json['code']}"


@pytest.mark.parametrize("case", WRONG)
def test_problems_are_told_in_four_languages(house: Service, ann: Person, case: str) -> None:
    method, path, status = WRONG[case]

    answers = [ann.call(method, path, headers={"Accept-Language": language}) for language in LANGUAGES]

    for answer in answers:
        check(answer, status)
    assert len({answer.json["detail"] for answer in answers}) == 4
    assert len({answer.json["title"] for answer in answers}) == 4


def test_a_wrong_method_is_told_the_right_ones(house: Service, ann: Person) -> None:
    assert ann.call("PUT", "/v1/games").headers["Allow"] == "GET, HEAD, OPTIONS, POST"


def test_a_language_we_do_not_speak_is_answered_in_english(house: Service, ann: Person) -> None:
    assert ann.get("/v1/games/nosuchgame", headers={"Accept-Language": "tlh"}).json["detail"] == "There is no such game."


def test_every_code_of_the_api_has_its_sentence() -> None:
    sources = "".join(path.read_text() for path in Path(api.__file__).parent.glob("*.py") if path.stem != "mailbox")
    codes = set(CODE.findall(sources)) | set(STATUS)

    assert len(codes) > 50
    for language in LANGUAGES:
        words = Words(language, COMMON)
        for code in codes:
            assert words.knows(f"refusals.{code}"), (language, code)
            words.explain(Refusal(code, 0, EVERY_VALUE))
        assert all(words.knows(f"api.{status}") for status in {*STATUS.values(), 422})


def test_our_own_mistake_tells_nothing(
    house: Service, ann: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the word is swordfish")

    monkeypatch.setattr(type(house.ports), "game", broken)

    answer = ann.get("/v1/games/nosuchgame")

    check(answer, 500)
    assert "swordfish" not in answer.get_data(as_text=True)
    assert "RuntimeError" in caplog.text


def test_without_its_store_the_service_says_so_and_lives() -> None:
    with service(workers=0, REDIS_URL="unix:///tmp/there-is-no-such.sock") as house:
        client = house.app.test_client()

        assert client.get("/health", headers={"Authorization": "Bearer mp_x"}).status_code == 200
        for path in ("/ready", "/v1/players/me"):
            answer = client.get(path, headers={"Authorization": "Bearer mp_x"})
            check(answer, 503)
            assert answer.json["code"] == "store-away"
            assert int(answer.headers["Retry-After"]) > 0


def test_without_the_queue_moves_are_still_accepted() -> None:
    with service(workers=0, QUEUE_REDIS_URL="unix:///tmp/there-is-no-such.sock", LIMITS="") as house:
        ann = house.person("ann")
        game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"bot": "greedy"}, {"me": True}]}).json["id"]

        answer = ann.post(f"/v1/games/{game}/moves", {"orders": "bobby 3"})

        assert answer.status_code == 202
        assert len(house.ports.games.pending(game)) == 1


def test_every_answer_has_the_id_of_its_request(house: Service, ann: Person) -> None:
    good, wrong = ann.get("/v1/games"), ann.get("/v1/games/nosuchgame")

    assert good.headers["X-Request-Id"] != wrong.headers["X-Request-Id"]
    assert wrong.json["request"] == wrong.headers["X-Request-Id"]


def test_an_id_that_a_proxy_gave_is_kept_unless_it_is_odd(house: Service, ann: Person) -> None:
    assert ann.get("/health", headers={"X-Request-Id": "from-our-proxy-17"}).headers["X-Request-Id"] == "from-our-proxy-17"
    for odd in ("short", "x" * 65, "two words!", "é" * 10):
        assert ann.get("/health", headers={"X-Request-Id": odd}).headers["X-Request-Id"] != odd


@pytest.mark.parametrize("encoding", ["gzip", "br", "identity, gzip"])
def test_a_compressed_body_is_refused_by_name(house: Service, ann: Person, encoding: str) -> None:
    answer = ann.post("/v1/games", {"rules": "portobello"}, headers={"Content-Encoding": encoding})

    check(answer, 415)
    assert answer.json["code"] == "wrong-encoding"
    assert answer.headers["Accept-Encoding"] == "identity"


def test_what_went_wrong_is_logged_with_the_id_of_its_request(caplog: pytest.LogCaptureFixture) -> None:
    nowhere = create_app(Settings("unix:///nowhere", "unix:///nowhere", secret_key="none"))

    answer = nowhere.test_client().get("/v1/games", headers={"Authorization": "Bearer anything"})

    check(answer, 503)
    assert f"request {answer.json['request']}: the Redis of the games cannot be used" in caplog.text


def test_every_problem_has_a_place_of_its_own_in_the_documentation(house: Service) -> None:
    ids = re.findall(r'\bid="([^"]+)"', house.app.test_client().get("/docs").text)

    assert len(ids) == len(set(ids))
    folders = [COMMON, *(rules.words for rules in rulesets().values())]
    told = {code.partition("/")[0] for folder in folders for code in refusals_in(folder, "en")}
    assert told <= set(ids)
