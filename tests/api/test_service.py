"""The service itself: its health, its metrics, its description."""

import re
import time
from operator import gt
from pathlib import Path
from typing import Any

import pytest
import yaml

from api.http.app import create_app
from marketpost.store.settings import Settings
from tests.api.schemathesis_run import all_runs
from tests.service import Person, Service, service
from tests.thorough import THOROUGH

ROOT = Path(__file__).parents[2]
NOWHERE = Settings("unix:///nowhere", "unix:///nowhere", secret_key="none")


PAGES = ("mailbox", "letters", "pages", "mcp")
"""For people, or by another protocol, so not in the description."""


def test_it_lives_and_is_ready(house: Service) -> None:
    client = house.app.test_client()

    assert client.get("/health").json == {"status": "alive"}
    assert client.get("/ready").json == {"status": "ready", "canary": None}


def test_metrics_count_moves_and_how_long_they_took(house: Service, ann: Person) -> None:
    def values() -> list[float]:
        told = ann.get("/metrics").get_data(as_text=True)
        return [float(re.findall(rf"^{re.escape(name)} ([0-9.e+-]+)$", told, re.MULTILINE)[0]) for name in names]

    names = (
        'marketpost_moves_total{outcome="refused"}',
        "marketpost_move_seconds_count",
        'marketpost_move_seconds_bucket{le="+Inf"}',
        "marketpost_queue_depth",
    )
    game = house.against_bot(ann)
    before = values()
    ann.post(f"/v1/games/{game}/moves", {"orders": "fly"}, headers={"Prefer": "wait=20"})
    until = time.monotonic() + 60  # it is counted just after it is decided
    while not all(map(gt, values()[:2], before)) and time.monotonic() < until:
        time.sleep(0.01)

    refused, timed, all_buckets, queued = values()
    assert refused == before[0] + 1
    assert timed == all_buckets > before[1], "a bot at another table may have moved too"
    assert queued >= 0


def test_metrics_tell_of_moves_that_nobody_judges() -> None:
    with service(workers=0) as house:
        ann = house.person("ann")
        game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"bot": "greedy"}, {"me": True}]}).json["id"]
        ann.post(f"/v1/games/{game}/moves", {"orders": "bobby 3"})

        told = ann.get("/metrics").get_data(as_text=True)

        assert "marketpost_inbox_moves 1.0" in told
        assert re.search(r"^marketpost_queue_depth [1-9]", told, re.MULTILINE)


def test_the_description_is_up_to_date() -> None:
    written = create_app(NOWHERE).extensions["marketpost-openapi"]

    assert (ROOT / "openapi.yaml").read_text("utf-8") == written, "run: python -m api.http.openapi > openapi.yaml"


def test_the_description_is_what_is_served_and_names_every_call(house: Service) -> None:
    served = yaml.load(house.app.test_client().get("/openapi.yaml").get_data(), yaml.CSafeLoader)
    rules = [rule for rule in house.app.url_map.iter_rules() if not rule.endpoint.startswith(PAGES)]

    assert served["openapi"] == "3.1.0"
    assert set(served["paths"]) == {re.sub(r"<\w+:(\w+)>", r"{\1}", str(rule)) for rule in rules}


def test_every_write_takes_a_key_and_every_guarded_call_needs_a_token(house: Service) -> None:
    served = yaml.load(house.app.test_client().get("/openapi.yaml").get_data(), yaml.CSafeLoader)
    for path, item in served["paths"].items():
        for method, operation in item.items():
            if method in ("post", "patch", "delete"):
                assert {"$ref": "#/components/parameters/IdempotencyKey"} in operation["parameters"], path
            if method != "parameters":
                assert bool(operation["security"]) == ("401" in operation["responses"]), path
                assert operation["summary"], path


def test_the_page_of_the_api_needs_nothing_from_elsewhere(house: Service) -> None:
    answer = house.app.test_client().get("/docs")
    page = answer.get_data(as_text=True)

    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?!#|/"|/openapi\.yaml|/static/|data:,)', page)
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    for rule in house.app.url_map.iter_rules():
        if not rule.endpoint.startswith(PAGES):
            assert re.sub(r"<\w+:(\w+)>", r"{\1}", str(rule)) in page
    assert 'id="stale-version"' in page


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
def test_no_answer_contradicts_the_description() -> None:
    with service() as house:
        found: list[Any] = all_runs(house, 2 * THOROUGH)

    assert [failure for run in found for failure in run.failures] == []
    assert sum(run.statuses[200] + run.statuses[201] for run in found) > 200
