"""One stream tells a player's program of everything in all games: nothing is missed, and nothing comes twice."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from api import account_events
from marketpost.play.outbox.account_events import publish
from marketpost.play.outbox.notices import Notice, NoticeKind
from marketpost.play.people.erasure import erase
from marketpost.rules.ruleset import rulesets
from marketpost.store.account_streams import MOST_EVENTS
from tests.service import PATIENCE, Person, Service

PATH = "/v1/events"
STREAM = {"Accept": "text/event-stream"}


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_events, "HEARTBEAT", 0.2)


class Stream:
    """A stream that is read event by event."""

    def __init__(self, answer: Any) -> None:
        self.chunks, self.last, self.comments = answer.iter_encoded(), "", 0

    def until(self, enough: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        end = time.monotonic() + PATIENCE
        while not found or not enough(found[-1]):
            assert time.monotonic() < end, found
            found += self._next()
        return found

    def begin(self) -> str:
        """Read the first lines, which name the id to begin with."""
        self._next()
        return self.last

    def _next(self) -> list[dict[str, Any]]:
        chunk = next(self.chunks).decode()
        lines = dict(line.split(": ", 1) for line in chunk.splitlines() if ": " in line and not line.startswith(":"))
        self.comments += chunk.startswith(":")
        self.last = lines.get("id", self.last)
        return [json.loads(lines["data"])] if "data" in lines else []


@contextmanager
def streamed(person: Person, query: str = "", last: str = "") -> Iterator[Stream]:
    headers = STREAM | ({"Last-Event-ID": last} if last else {})
    answer = person.get(PATH + query, headers=headers, buffered=False)
    assert answer.status_code == 200, answer.get_data()
    try:
        yield Stream(answer)
    finally:
        answer.close()


def kind(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda event: bool(event["event"] == name)


@pytest.mark.parametrize("rules", rulesets())
def test_moves_and_my_turn_come_at_once(house: Service, rules: str) -> None:
    ann = house.person(f"streamer-{rules}")
    with streamed(ann) as stream:
        stream.begin()
        game = house.against_bot(ann, rules=rules)
        before = stream.until(kind("turn"))
        seat = before[-1]["seat"]
        ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game, seat)}, headers={"Prefer": "wait=20"})
        moved = stream.until(kind("moved"))

    assert {event["game"] for event in before + moved} == {game}
    assert moved[-1]["version"] > before[-1]["version"]
    assert moved[-1]["seat"] == seat


def test_whoever_comes_back_goes_on_without_a_gap_and_without_a_copy(house: Service) -> None:
    ann, bob = house.person("resumer"), house.person("talker")
    game = _table(ann, bob)
    with streamed(ann) as stream:
        stream.begin()
        bob.post(f"/v1/games/{game}/messages", {"text": "one"})
        first = stream.until(kind("said"))
        last = stream.last
    for text in ("two", "three"):
        bob.post(f"/v1/games/{game}/messages", {"text": text})
    with streamed(ann, last=last) as stream:
        assert stream.begin() == last
        second = [stream.until(kind("said"))[-1] for _ in range(2)]
    whole = ann.get(f"{PATH}?after=0&events=said").json["items"]

    assert [event["message"] for event in [first[-1], *second]] == [event["message"] for event in whole]
    assert len({event["id"] for event in whole}) == 3


def _table(host: Person, guest: Person) -> str:
    game = str(host.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"player": guest.id}]}).json["id"])
    assert guest.post(f"/v1/games/{game}/join", {}).status_code == 200
    return game


def test_a_notice_that_a_dead_worker_has_told_already_comes_once(house: Service) -> None:
    ann = house.person("twice")
    game = house.against_bot(ann)
    house.ports.streams.follow(ann.id)
    notice = Notice("same-id", NoticeKind.REMINDER, game, 1, 0, ann.id, 1)

    for _ in range(2):
        publish(house.ports, [notice])

    assert [event["event"] for event in ann.get(f"{PATH}?events=reminder").json["items"]] == ["reminder"]


def test_whoever_was_away_for_too_long_is_told_so(house: Service) -> None:
    ann = house.person("sleeper")
    house.ports.streams.follow(ann.id)
    publish(house.ports, [_news(ann, 0)])
    last = house.ports.streams.newest(ann.id)
    publish(house.ports, [_news(ann, number) for number in range(1, MOST_EVENTS + 2)])

    with streamed(ann, last=last) as stream:
        told = stream.until(lambda event: bool(event["version"] == MOST_EVENTS + 1))
    with streamed(ann, last=stream.last) as again:
        again.begin()
        publish(house.ports, [_news(ann, 9999)])
        later = again.until(kind("news"))

    assert [event["event"] for event in told] == ["missed"] + ["news"] * MOST_EVENTS
    assert [event["event"] for event in later] == ["news"]


def _news(person: Person, version: int) -> Notice:
    return Notice(f"news-{version}", NoticeKind.NEWS, "somewhere", version, -1, person.id, 1)


def test_a_stream_can_be_filtered_and_shows_that_it_lives(house: Service) -> None:
    ann = house.person("chooser")
    house.ports.streams.follow(ann.id)
    with streamed(ann, "?events=over,reminder&game=here") as stream:
        stream.begin()
        publish(house.ports, [_news(ann, 1), Notice("a", NoticeKind.REMINDER, "there", 1, 0, ann.id, 1)])
        publish(house.ports, [Notice("b", NoticeKind.REMINDER, "here", 1, 0, ann.id, 1)])
        told = stream.until(kind("reminder"))
        end = time.monotonic() + PATIENCE
        while not stream.comments and time.monotonic() < end:
            stream.begin()

    assert [event["game"] for event in told] == ["here"]
    assert stream.comments
    assert ann.get(f"{PATH}?events=flying").status_code == 422
    assert ann.get(PATH, headers=STREAM | {"Last-Event-ID": "x"}).json["code"] == "bad-event-id"


def test_what_a_muted_player_says_is_not_streamed(house: Service) -> None:
    ann, bob = house.person("muter"), house.person("muted")
    game = _table(ann, bob)
    house.ports.streams.follow(ann.id)
    ann.post(f"/v1/games/{game}/mute", {"player": bob.id})

    publish(house.ports, [Notice("said", NoticeKind.SAID, game, 1, 0, ann.id, 1, "m", by=bob.id)])
    publish(house.ports, [_news(ann, 1)])

    assert [event["event"] for event in ann.get(f"{PATH}?events=said,news").json["items"]] == ["news"]


def test_nothing_is_stored_for_whoever_never_asked_nor_for_whoever_was_erased(house: Service) -> None:
    ann, bob = house.person("asker"), house.person("quiet")
    house.ports.streams.follow(ann.id)
    publish(house.ports, [_news(ann, 1), _news(bob, 1)])
    assert len(ann.get(PATH).json["items"]) == 1

    erase(house.ports, ann.id)

    assert not [key for person in (ann, bob) for key in house.ports.games.redis.scan_iter(f"account:{{{person.id}}}*", 1000)]


def test_games_that_wait_for_me_are_listed_by_deadline(house: Service) -> None:
    ann = house.person("debtor")
    slow = house.against_bot(ann, clock={"per_decision": "3d"})
    never = house.against_bot(ann)
    fast = house.against_bot(ann, clock={"per_decision": "1h"})

    def listed(query: str) -> list[str]:
        return [game["id"] for game in ann.get(f"/v1/games?{query}").json["items"]]

    assert listed("my_turn=true&sort=deadline") == [fast, slow, never]
    assert listed("my_turn=true") == [fast, never, slow]
    first = ann.get("/v1/games?my_turn=true&sort=deadline&limit=1").json
    assert listed(f"my_turn=true&sort=deadline&limit=1&cursor={first['next']}") == [slow]
    ann.post(f"/v1/games/{fast}/resign")
    assert listed("my_turn=true&sort=deadline") == [slow, never]
