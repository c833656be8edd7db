"""Looking at a game changes nothing, and shows what this reader may see."""

import json
import threading
import time
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from api import event_stream as stream
from marketpost.pictures.png import MOST_PIXELS
from tests.rules.alturien.test_movement import RING
from tests.service import Person, Service


def read_stream(answer: Any, enough: int) -> list[dict[str, str]]:
    """So many events of a stream, then hang up."""
    found: list[dict[str, str]] = []
    try:
        for chunk in answer.iter_encoded():
            lines = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if ": " in line and not line.startswith(":"))
            if "data" in lines:
                found.append(lines)
            if len(found) == enough:
                break
    finally:
        answer.close()
    return found


def test_a_preview_covers_every_branch_and_draws_nothing(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    before = ann.get(f"/v1/games/{game}").get_data()

    shown = ann.post(f"/v1/games/{game}/preview", {"orders": "3: customer A; customer B"}).json

    outcomes = {tuple(branch["outcomes"]) for branch in shown["branches"]}
    assert outcomes == {(one, other) for one in ("citizen", "clerk") for other in ("citizen", "clerk")}
    assert shown["complete"]
    for branch in shown["branches"]:
        assert [branch["position"]["squares"][square] for square in "AB"] == branch["outcomes"]
        assert branch["scores"]["red"]["change"] == 0
        assert branch["board"].count("\n") > 30
        assert branch["events"][0] == {"rules": "portobello", "event": "tile", "seat": 0, "number": 3}
    assert ann.get(f"/v1/games/{game}").get_data() == before


def test_a_preview_tells_why_a_branch_would_be_refused(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    [branch] = ann.post(f"/v1/games/{game}/preview", {"orders": "3: mark 5"}, headers={"Accept-Language": "de"}).json["branches"]

    assert branch["refusal"]["code"] == "tile-cannot-mark"
    assert "kann" in branch["refusal"]["detail"]


def test_legal_steps_are_mine_and_follow_what_i_have_written(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    now = ann.get(f"/v1/games/{game}/legal").json
    then = ann.get(f"/v1/games/{game}/legal?orders=3:").json
    wrong = ann.get(f"/v1/games/{game}/legal?orders=fly")

    assert now["steps"] == ["2:", "3:", "4:"]
    assert "customer A" in then["steps"]
    assert wrong.json["code"] == "unreadable-order"


def test_a_known_version_is_not_sent_again(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    tag = ann.get(f"/v1/games/{game}").headers["ETag"]

    for known in (tag, f"W/{tag}", f'"0", {tag}', "*"):
        answer = ann.get(f"/v1/games/{game}", headers={"If-None-Match": known})
        assert (answer.status_code, answer.get_data(), answer.headers["ETag"]) == (304, b"", tag)
    assert ann.get(f"/v1/games/{game}", headers={"If-None-Match": '"0"'}).status_code == 200


def test_two_viewers_who_see_different_documents_get_different_tags(house: Service, ann: Person, bob: Person) -> None:
    game = house.against_bot(ann, public=True)

    mine, theirs = ann.get(f"/v1/games/{game}"), bob.get(f"/v1/games/{game}")

    assert mine.json["you"] != theirs.json["you"]
    assert mine.headers["ETag"] != theirs.headers["ETag"]
    assert bob.get(f"/v1/games/{game}", headers={"If-None-Match": mine.headers["ETag"]}).status_code == 200


def test_a_renamed_player_is_shown_although_the_game_did_not_go_on(house: Service) -> None:
    eve = house.person("evelyn")
    game = house.against_bot(eve)
    tag = eve.get(f"/v1/games/{game}").headers["ETag"]

    eve.call("PATCH", "/v1/players/me", json={"name": "Eva"})
    again = eve.get(f"/v1/games/{game}", headers={"If-None-Match": tag})

    assert again.status_code == 200
    assert "Eva" in [seat["name"] for seat in again.json["seats"]]


def test_the_tag_of_a_game_is_good_for_a_move(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    tag = ann.get(f"/v1/games/{game}").headers["ETag"]

    answer = ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"If-Match": tag, "Prefer": "wait=20"})

    assert answer.json["status"] == "applied"


def test_the_board_comes_as_text_and_as_sentences_in_four_languages(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    path = f"/v1/games/{game}/board"

    maps = {ann.get(f"{path}?language={language}").get_data(as_text=True) for language in ("en", "de", "fr", "it")}
    told = {ann.get(f"{path}?style=linear", headers={"Accept-Language": each}).get_data(as_text=True) for each in ("en", "de", "fr", "it")}

    assert len(maps) == len(told) == 4
    assert all(len(line) <= 80 for text in maps for line in text.splitlines())
    assert ann.get(path).content_type == "text/plain; charset=utf-8"
    assert ann.get(f"{path}?at=2").get_data() != ann.get(f"{path}?at=3").get_data()
    assert ann.get(f"{path}?at=999").json["code"] == "no-such-version"
    assert ann.get(f"{path}?at=1").json["code"] == "not-started"


def test_what_does_not_exist_is_not_acceptable(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)

    for path, kind in (("board", "application/json"), ("board", "image/jpeg"), ("record", "image/png"), ("record", "application/json")):
        answer = ann.get(f"/v1/games/{game}/{path}", headers={"Accept": kind})
        assert (answer.status_code, answer.json["code"]) == (406, "not-acceptable")


def test_the_board_comes_as_a_picture_to_whoever_wants_one(house: Service, ann: Person) -> None:
    path = f"/v1/games/{house.against_bot(ann)}/board"

    svg = ann.get(path, headers={"Accept": "image/svg+xml"})
    png = ann.get(f"{path}?width=360", headers={"Accept": "image/png"})
    browser = ann.get(path, headers={"Accept": "image/avif,image/webp,image/png;q=0.8,*/*;q=0.5"})

    assert svg.content_type.startswith("image/svg+xml")
    assert 'data-place="A-B"' in svg.get_data(as_text=True)
    assert "prefers-color-scheme" in svg.get_data(as_text=True)
    assert png.content_type == browser.content_type == "image/png"
    assert png.get_data()[:4] == b"\x89PNG"
    assert int.from_bytes(png.get_data()[16:20], "big") == 360
    assert "Accept" in png.headers["Vary"]


def test_a_picture_has_a_theme_a_language_and_a_past(house: Service, ann: Person) -> None:
    path, headers = f"/v1/games/{house.against_bot(ann)}/board", {"Accept": "image/svg+xml"}

    def get(query: str) -> str:
        return str(ann.get(f"{path}?{query}", headers=headers).get_data(as_text=True))

    themes = {get("theme=light"), get("theme=dark"), get("")}
    languages = {get(f"language={language}") for language in ("en", "de", "fr", "it")}

    assert len(themes) == 3
    assert len(languages) == 4
    assert get("at=2") != get("at=3")
    assert "<script" not in get("")


@pytest.mark.parametrize("wrong", ["width=119", "width=2401", "width=abc", "theme=pink", "at=0"])
def test_a_picture_that_cannot_be_is_refused(house: Service, ann: Person, wrong: str) -> None:
    answer = ann.get(f"/v1/games/{house.against_bot(ann)}/board?{wrong}", headers={"Accept": "image/png"})
    assert answer.status_code == 422


def test_a_picture_of_too_many_pixels_is_drawn_as_wide_as_possible(house: Service, ann: Person) -> None:
    board = RING | {"name": "tower", "streets": RING["streets"] * 10}
    seats = [{"me": True}, {"bot": "greedy"}]
    game = ann.post("/v1/games", {"rules": "alturien", "seats": seats, "board": board}).json["id"]
    path, headers = f"/v1/games/{game}/board", {"Accept": "image/png"}

    drawn = Image.open(BytesIO(ann.get(f"{path}?width=2400", headers=headers).data))

    assert drawn.size[0] * drawn.size[1] <= MOST_PIXELS


@pytest.mark.parametrize("kind", ["text/plain", "image/svg+xml", "image/png"])
def test_a_board_that_is_known_is_not_sent_again(house: Service, ann: Person, kind: str) -> None:
    game = house.against_bot(ann)
    path = f"/v1/games/{game}/board"
    tag = ann.get(path, headers={"Accept": kind}).headers["ETag"]

    same = ann.get(path, headers={"Accept": kind, "If-None-Match": tag})
    other = ann.get(f"{path}?language=de", headers={"Accept": kind, "If-None-Match": tag})

    assert (same.status_code, same.get_data()) == (304, b"")
    assert other.status_code == 200


def test_a_stream_resumes_where_it_was_lost_and_brings_news(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    path, headers = f"/v1/games/{game}/events", {"Accept": "text/event-stream"}

    first = read_stream(ann.get(path, headers=headers, buffered=False), 3)
    answer = ann.get(path, headers=headers | {"Last-Event-ID": first[-1]["id"]}, buffered=False)
    later = threading.Timer(0.3, lambda: ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}))
    later.start()
    rest = read_stream(answer, 2)
    later.join()

    assert answer.content_type == "text/event-stream; charset=utf-8"
    assert [each["id"] for each in first + rest] == ["1", "2", "3", "4", "5"]
    assert [each["event"] for each in first + rest] == ["opened", "contributed", "began", "moved", "moved"]
    assert json.loads(rest[-1]["data"])["by"] == ann.id


def test_a_public_game_is_streamed_to_whoever_is_signed_in(house: Service, ann: Person, bob: Person) -> None:
    headers = {"Accept": "text/event-stream"}
    public, private = house.against_bot(ann, public=True), house.against_bot(ann)

    seen = read_stream(bob.get(f"/v1/games/{public}/events", headers=headers, buffered=False), 3)

    assert [each["event"] for each in seen] == ["opened", "contributed", "began"]
    assert bob.get(f"/v1/games/{private}/events", headers=headers).status_code == 404


def test_a_quiet_stream_says_that_it_lives_and_ends_in_time(house: Service, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "QUIET", 0.05)
    monkeypatch.setattr(stream, "LONGEST", 1.5)
    game = house.against_bot(ann)

    began = time.monotonic()
    answer = ann.get(f"/v1/games/{game}/events?after=3", headers={"Accept": "text/event-stream"}, buffered=False)
    lines = b"".join(answer.iter_encoded())
    answer.close()

    assert lines.startswith(b"retry: ")
    assert lines.count(b": still here\n\n") >= 2
    assert time.monotonic() - began < 30


def test_a_stream_ends_with_the_game(house: Service, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "QUIET", 0.1)
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"bot": "random"}], "public": True}).json["id"]
    ann.post(f"/v1/games/{game}/hand-over", {"bot": "random"})

    answer = ann.get(f"/v1/games/{game}/events", headers={"Accept": "text/event-stream"}, buffered=False)
    kinds = [each["event"] for each in read_stream(answer, 10_000)]
    again = ann.get(f"/v1/games/{game}/events?after={len(kinds)}", headers={"Accept": "text/event-stream"}, buffered=False)

    assert kinds[-1] == "revealed"
    assert read_stream(again, 1) == []


def test_only_so_many_may_follow_at_once(house: Service, ann: Person) -> None:
    game = house.against_bot(ann)
    headers = {"Accept": "text/event-stream"}
    open_streams = [ann.get(f"/v1/games/{game}/events", headers=headers, buffered=False) for _ in range(stream.MOST_STREAMS)]

    turned_away = ann.get(f"/v1/games/{game}/events", headers=headers)
    for each in open_streams:
        each.close()
    let_in = ann.get(f"/v1/games/{game}/events", headers=headers, buffered=False)
    let_in.close()

    assert (turned_away.status_code, turned_away.json["code"]) == (503, "streams-full")
    assert int(turned_away.headers["Retry-After"]) > 0
    assert let_in.status_code == 200


def test_boards_and_rules_are_for_everyone(house: Service) -> None:
    client = house.app.test_client()

    rules = client.get("/v1/rules/portobello?language=fr").json

    assert {"name": "portobello-classic", "rules": "portobello"} in client.get("/v1/boards").json["items"]
    assert client.get("/v1/boards/portobello-classic").json["document"]["name"] == "portobello-classic"
    assert client.get("/v1/boards/nowhere").status_code == 404
    assert client.get("/v1/rules/chess").json["code"] == "unknown-rules"
    assert rules["players"] == [2, 3, 4]
    assert rules["options"]["lord"] == ["automatic", "action"]
    assert rules["bots"] == ["random", "greedy", "easy", "medium", "strong"]
    assert "étal" in rules["orders"]
    assert rules["refusals"]["stale-version"].startswith("La partie")
    assert "lane-full" in rules["refusals"]
