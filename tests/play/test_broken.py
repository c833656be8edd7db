"""A game whose log is damaged, or which is missing from a list, stops nobody else."""

import threading
from pathlib import Path

import pytest

from marketpost.play.keeping.backup import archive
from marketpost.play.keeping.verify import rebuild
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.entries import Tampered
from marketpost.play.moves.submit import submit
from marketpost.play.people.ratings import ratings
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.lobby import find_games
from marketpost.play.table.seating import open_game
from marketpost.store.game_logs import GameLogs
from marketpost.store.settings import Settings
from tests.finished import finished
from tests.games import decide, deciding
from tests.mail.desk import Desk
from tests.mail.servers import eventually
from workers import run
from workers.run import look_everywhere, sweep, sweep_for_ever

BEGAN = 1_700_000_000_000


def damage(ports: Ports, id: str) -> None:
    ports.evict(id)
    key = GameLogs.key(id, "log")
    version = int(ports.games.redis.xrevrange(key, count=1)[0][0].partition(b"-")[0])
    ports.games.redis.xdel(key, f"{version}-0")
    ports.games.redis.xadd(key, {"e": b"who wrote this?"}, id=f"{version}-1")
    with pytest.raises(Tampered):
        ports.game(id)


def test_whoever_lists_their_games_sees_the_others(ports: Ports, ann: str, ben: str) -> None:
    for id in ("g1", "g2", "g3"):
        open_game(ports, id, ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=ben)], {})
    damage(ports, "g2")

    listed, _ = find_games(ports, [f"player:{ann}"], lambda game: True, None, 10)

    assert {game.id for game in listed} == {"g1", "g3"}


def test_the_table_of_ratings_counts_the_others(ports: Ports, ann: str, ben: str) -> None:
    for number, id in enumerate(("g1", "g2")):
        finished(ports, id, [SeatPlan(player=ann), SeatPlan(player=ben)], began=BEGAN + number)
    damage(ports, "g1")

    assert {each.games for each in ratings(ports, "portobello").values()} == {1}


def test_the_others_go_into_the_archive(ports: Ports, ann: str, ben: str, tmp_path: Path) -> None:
    for id in ("g1", "g2"):
        finished(ports, id, [SeatPlan(player=ann), SeatPlan(player=ben)], began=BEGAN)
    damage(ports, "g1")

    assert archive(ports, tmp_path / "old", ports.clock()) == ["g2"]


def test_the_lists_of_the_others_are_made_again(ports: Ports, ann: str, ben: str) -> None:
    for id in ("g1", "g2"):
        open_game(ports, id, ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=ben)], {})
    damage(ports, "g1")
    ports.index.redis.zrem("index:running", "g2")

    done = rebuild(ports)

    assert done.broken == ("g1",)
    assert done.differences == ("index:running: g2 was missing",)
    assert ports.index.holds("running", "g1"), "what became of it nobody can tell"


def test_a_digest_tells_of_the_others(desk: Desk) -> None:
    ann, cat = desk.person("Ann"), desk.person("Cat", mail="digest", digest_hour=18)
    for id in ("g1", "g2"):
        desk.table(ann, cat, id=id)
    damage(desk.mailer.ports, "g1")

    desk.clock.forward(days=1)
    desk.work()

    (digest,) = desk.box(cat)
    assert "1 game is waiting" in digest.text


def test_the_sweeper_goes_on_with_the_others(settings: Settings, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ports, ann = desk.mailer.ports, desk.person("Ann").id
    for number, id in enumerate(("g1", "g2", "g3")):
        finished(ports, id, [SeatPlan(player=ann), SeatPlan(bot="greedy")], began=BEGAN)
        ports.index.announce(id, BEGAN / 1000 + number)
    damage(ports, "g2")
    monkeypatch.setattr(run, "SWEEP_EVERY", 0.01)
    stop = threading.Event()
    sweeper = threading.Thread(target=sweep_for_ever, args=(settings, stop))

    sweeper.start()
    try:
        eventually(lambda: ports.games.compacted("g3"))
    finally:
        stop.set()
        sweeper.join()


def test_a_move_is_found_even_if_the_list_of_what_is_to_do_was_lost(ports: Ports, ann: str) -> None:
    game = open_game(ports, "g1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=register(ports, "b@example.org", "B").id)], {})
    decide(ports, ["g1"], deciding())
    submit(ports, game, ann, "bobby 5")
    ports.index.redis.delete("index:work")
    ports.index._announced.clear()
    enqueued: list[str] = []

    look_everywhere(ports, ports.clock() / 1000)
    sweep(ports, enqueued.append, enqueued.append, ports.clock() / 1000)

    assert enqueued == ["g1"]
