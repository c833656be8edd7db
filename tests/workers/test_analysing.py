"""After the end of a game its luck and skill are computed by a bot worker, and told in the last letter, on the page and over REST."""

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from click.testing import CliRunner

from marketpost.cli.main import main
from marketpost.notify.engine import send_letters
from marketpost.play import analyses
from marketpost.play.analyses import analyst_of, find_analysis
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import submit
from marketpost.rules.words import LANGUAGES
from marketpost.store.local_mailbox import LocalMailbox
from tests.games import decide
from tests.served import served
from tests.service import PATIENCE, Person, Service, service, worker
from workers.analysing import Analysing
from workers.notifier import WorkerParts, make_callbacks, make_queue
from workers.queue import BOTS, MOVES

FEW = 4


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(analyses, "LEAST", FEW)
    with service(workers=0, LIMITS="analysis-service=2000, requests-player=100000") as found:
        yield found


def parts_of(house: Service) -> WorkerParts:
    work_queue = make_queue(house.settings)
    return WorkerParts(work_queue, house.mailer, house.notifier, make_callbacks(house.mailer, work_queue))


def played_to_the_end(house: Service, parts: WorkerParts, ann: Person, bob: Person) -> Game:
    seats = [{"me": True}, {"player": bob.id}]
    id = ann.post("/v1/games", {"rules": "portobello", "seats": seats}).json["id"]
    bob.post(f"/v1/games/{id}/join", {})
    while (game := house.ports.game(id)) and game.status != "over":
        if game.deciders:
            seat = game.deciders[0]
            submit(house.ports, game, (ann, bob)[seat].id, house.good_orders(id, seat))
        decide(house.ports, [id], parts.callbacks)
    assert game
    return game


def letters_about_the_end(house: Service, person: Person) -> list[str]:
    while send_letters(house.notifier):
        pass
    box = LocalMailbox(house.ports.games.redis)
    found = [box.read(person.email, line.number) for line in box.list(person.email)]
    return [letter.text for letter in found if letter and "over" in letter.header("subject")]


def page_of(person: Person, game: str, language: str) -> str:
    person.client.set_cookie("session", person.token)
    person.client.set_cookie("language", language)
    return person.client.get(f"/games/{game}").text


def test_the_last_letter_waits_for_luck_and_skill_and_tells_them_and_so_do_the_page_and_rest(house: Service) -> None:
    ann, bob, parts, analysing = house.person("ann"), house.person("bob"), parts_of(house), Analysing()
    game = played_to_the_end(house, parts, ann, bob)
    address = f"/v1/games/{game.id}/analysis"
    waiting = [letters_about_the_end(house, each) for each in (ann, bob)]
    pending = ann.get(address).json
    while analysing.go_on(parts):
        pass
    told = [letter for each in (ann, bob) for letter in letters_about_the_end(house, each)]
    found = ann.get(address).json
    with served(house.app) as url:
        signed_in = {"MARKETPOST_URL": url, "MARKETPOST_TOKEN": ann.token}
        command = CliRunner().invoke(main, ["analysis", game.id, "--language", "de"], env=signed_in, catch_exceptions=False)
    pages = {language: page_of(ann, game.id, language) for language in LANGUAGES}

    assert waiting == [[], []]
    assert pending == {"status": "pending"}
    assert found["status"] == "ready"
    assert all(seat["luck"] + seat["skill"] == seat["result"] - seat["start"] for seat in found["seats"])
    assert {each["version"] for each in found["moments"]} >= set(found["turning_points"])
    assert len(told) == 2
    assert all("LUCK AND SKILL" in letter and letter.count("The position before it:") == 3 for letter in told)
    assert command.output.count("Die Stellung davor:") == 3
    for language, page in pages.items():
        words = game.rules.in_language(language)
        assert all(words.say(f"analysis.{title}") in page for title in ("title", "points", "before", "chart"))
    analyst = analyst_of(house.ports, game)
    assert sum(1 for _ in analyst.run(found["playouts"]))
    assert analyst.result(found["playouts"]) == find_analysis(house.ports, game)[1]


def test_people_and_bots_move_while_finished_games_are_analysed(house: Service) -> None:
    """One worker of moves and one of bots, as in a small service, and three games that take them a minute each to analyse."""
    ann, bob, parts = house.person("ann"), house.person("bob"), parts_of(house)
    over = [played_to_the_end(house, parts, ann, bob).id for _ in range(3)]
    with ExitStack() as workers:
        for queue in (MOVES, BOTS):
            workers.enter_context(worker(house.environment | {"LIMITS": "analysis-service=60000"}, queue))
        parts.work_queue.wake(BOTS)
        until = time.monotonic() + PATIENCE
        while house.ports.analyses.due(house.ports.clock()) == len(over):
            assert time.monotonic() < until, "no analysis has begun"
            time.sleep(0.02)
        game = house.against_bot(ann)
        for _ in range(4):
            moved = ann.post(f"/v1/games/{game}/moves", {"orders": house.good_orders(game)}, headers={"Prefer": "wait=60"})
            assert (moved.status_code, moved.json["status"]) == (200, "applied")
            assert house.turn_of(ann, game)["status"] == "running"

    assert all(house.ports.analyses.holds(each) for each in over)
    assert house.ports.analyses.due(house.ports.clock()) == len(over) - 1
