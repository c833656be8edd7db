"""A worker takes several games at once, and none of them suffers from another."""

import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.decide import MEMORY_ERRORS_FOR, MOST_TRIES, DecideCallbacks
from marketpost.play.moves.submit import outcome, submit
from marketpost.play.outbox.notices import Notice
from marketpost.play.ports import Ports, now
from marketpost.play.table.seating import open_game
from marketpost.rules import reading, words
from marketpost.rules.portobello import orders
from marketpost.store import raw_copies as keep
from marketpost.store.connections import connect
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from tests.games import decide, deciding, never_tried
from tests.redis import queue_redis
from workers import counters
from workers.jobs import decide_safely
from workers.queue import MOST_AT_ONCE, WorkQueue
from workers.run import sweep

TABLES = ("g1", "g2", "g3")
TURN = ("4:", "mark 1")
"""What one player sends in pieces, without waiting for an answer."""


def counting(queue: WorkQueue) -> DecideCallbacks:
    """As a worker counts attempts and outcomes; nobody is told anything."""
    reset, count = partial(counters.reset_attempts, queue.redis), partial(counters.count, queue.redis)
    return DecideCallbacks(list[Notice]().extend, queue.count_attempts, reset, count, queue.call_bots)


@pytest.fixture
def work_queue(ports: Ports) -> WorkQueue:
    return WorkQueue(ports.games.redis)


def sit_down(ports: Ports, ann: str, ben: str) -> None:
    """Ann is to move."""
    for id in TABLES:
        open_game(ports, id, ann, "portobello", [SeatPlan(player=ann), SeatPlan(player=ben)], {})
        send(ports, ben, id, "bobby 4")
    decide(ports, TABLES, deciding())


def another_worker(ports: Ports) -> Ports:
    """Who has seen nothing yet."""
    redis = ports.games.redis
    return Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)


def send(ports: Ports, player: str, id: str, *written: str) -> list[str]:
    game = ports.game(id)
    assert game
    return [submit(ports, game, player, each) for each in written]


def told(ports: Ports, id: str, moves: Sequence[str]) -> list[str]:
    found = [outcome(ports, id, move) for move in moves]
    return [each.code or each.status for each in found if each]


def is_sound(ports: Ports, id: str) -> bool:
    return not verify(id, ports.games.read(id), ports.games.head(id)).faults


def break_the_judge_of(ports: Ports, id: str) -> None:
    """Whoever wants to know its chance fails."""
    ports.secrets.pop(id, None)
    ports.games.redis.delete(GameLogs.key(id, "secret"))
    ports.games.redis.hset(GameLogs.key(id, "secret"), "not", "a string")


def test_what_waits_in_several_games_is_judged_in_the_order_it_came(ports: Ports, work_queue: WorkQueue, ann: str, ben: str) -> None:
    sit_down(ports, ann, ben)
    sent = {id: send(ports, ann, id, *TURN, "mark 2") for id in TABLES}

    decide(ports, TABLES, counting(work_queue))

    for id in TABLES:
        assert told(ports, id, sent[id]) == ["applied", "applied", "not-your-turn"]
        assert is_sound(ports, id)
        assert not ports.games.has_work(id)


def test_a_worker_that_comes_second_finds_it_done_and_goes_on_with_the_rest(
    ports: Ports, work_queue: WorkQueue, ann: str, ben: str
) -> None:
    sit_down(ports, ann, ben)
    first = send(ports, ann, "g1", TURN[0])
    other = another_worker(ports)
    late: list[str] = []

    def overtaken(moves: Sequence[str]) -> list[int]:
        if not late:
            decide(other, ["g1"], deciding())
            late.extend(send(other, ann, "g1", TURN[1]))
        return never_tried(moves)

    decide(ports, TABLES, deciding(overtaken))

    assert told(ports, "g1", first + late) == ["applied"] * 2
    assert [each.version for each in ports.games.read("g1")] == [1, 2, 3, 4, 5, 6, 7]
    assert is_sound(ports, "g1")


def test_a_move_that_breaks_the_judge_stops_no_other_game(ports: Ports, work_queue: WorkQueue, ann: str, ben: str) -> None:
    sit_down(ports, ann, ben)
    sent = {id: send(ports, ann, id, TURN[0]) for id in TABLES}
    break_the_judge_of(ports, "g2")

    decide_safely(ports, TABLES, counting(work_queue))

    assert [told(ports, id, sent[id]) for id in TABLES] == [["applied"], ["cannot-be-judged"], ["applied"]]


def test_a_move_that_cannot_be_read_any_more_stops_no_other_move(ports: Ports, work_queue: WorkQueue, ann: str, ben: str) -> None:
    sit_down(ports, ann, ben)
    damaged, good = send(ports, ann, "g1", *TURN[:1], *TURN[:1])
    ports.games.redis.hset(GameLogs.key("g1", "moves"), damaged, b"{")

    assert [each.id for each in ports.games.pending("g1")] == [good]
    decide_safely(ports, TABLES, counting(work_queue))

    assert told(ports, "g1", [good]) == ["applied"]
    assert not ports.at_work(["g1"]), "nobody goes on and on with what cannot be done"


def test_a_log_that_was_tampered_with_stops_no_other_game(ports: Ports, work_queue: WorkQueue, ann: str, ben: str) -> None:
    sit_down(ports, ann, ben)
    sent = {id: send(ports, ann, id, TURN[0]) for id in TABLES}
    ports.games.redis.xadd(GameLogs.key("g2", "log"), {"e": b"who wrote this?"}, id="6-0")

    decide_safely(ports, TABLES, counting(work_queue))

    assert [told(ports, id, sent[id]) for id in TABLES] == [["applied"], ["queued"], ["applied"]]


def test_a_worker_whose_cache_has_more_than_a_store_set_back_to_an_earlier_day_plays_on_from_what_is_there(
    ports: Ports, work_queue: WorkQueue, ann: str, ben: str
) -> None:
    sit_down(ports, ann, ben)
    earlier = list(keep.read_all(ports.games.redis))
    send(ports, ann, "g1", "4:")
    decide(ports, TABLES, counting(work_queue))
    ports.games.redis.flushall()
    keep.write_back(ports.games.redis, earlier)
    other = another_worker(ports)
    sent = send(other, ann, "g1", "3:")
    decide(other, TABLES, counting(work_queue))

    sent += send(ports, ann, "g1", "customer A")
    decide(ports, TABLES, counting(work_queue))

    assert told(ports, "g1", sent) == ["applied", "applied"]
    assert is_sound(ports, "g1")


def test_what_was_judged_on_an_entry_that_is_not_there_any_more_is_judged_again(
    ports: Ports, work_queue: WorkQueue, ann: str, ben: str
) -> None:
    sit_down(ports, ann, ben)
    earlier = list(keep.read_all(ports.games.redis))
    send(ports, ann, "g1", "4:")
    decide(ports, TABLES, counting(work_queue))
    sent = send(ports, ann, "g1", "customer A")
    waiting = [each for each in keep.read_all(ports.games.redis) if each.key.endswith((b":pending", b":moves"))]

    def set_back(moves: Sequence[str]) -> list[int]:
        """Between the look at the log and the judgement; then another worker goes on from there."""
        if waiting:
            ports.games.redis.flushall()
            keep.write_back(ports.games.redis, earlier)
            send(other := another_worker(ports), ann, "g1", "3:")
            decide(other, TABLES, deciding())
            keep.write_back(ports.games.redis, waiting)
            waiting.clear()
        return never_tried(moves)

    decide(ports, TABLES, deciding(set_back))

    assert told(ports, "g1", sent) == ["applied"]
    assert is_sound(ports, "g1")


def test_moves_that_a_store_only_reads_but_does_not_write_are_judged_when_it_does(ports: Ports, ann: str, ben: str, tmp_path: Path) -> None:
    sit_down(ports, ann, ben)
    sent = {id: send(ports, ann, id, TURN[0]) for id in TABLES}
    with queue_redis(tmp_path) as url:
        queue = WorkQueue(connect(url))
        ports.games.redis.config_set("min-replicas-to-write", 1)
        for _ in range(2 * MOST_TRIES):
            decide_safely(ports, TABLES, counting(queue))
        ports.games.redis.config_set("min-replicas-to-write", 0)

        decide_safely(ports, TABLES, counting(queue))

    assert [told(ports, id, sent[id]) for id in TABLES] == [["applied"]] * 3


@contextmanager
def no_files_left() -> Iterator[None]:
    """Neither for the words in which orders are written, which are read when the first of them are judged."""
    for read in (words._known, words.read_words, words.lexicon, reading._longest, orders.parse):
        read.cache_clear()
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)


def test_moves_wait_while_a_worker_has_no_files_left(ports: Ports, work_queue: WorkQueue, ann: str, ben: str) -> None:
    sit_down(ports, ann, ben)
    sent = {id: send(ports, ann, id, "4: mark 1") for id in TABLES}
    with no_files_left():
        for _ in range(2 * MOST_TRIES):
            decide_safely(ports, TABLES, counting(work_queue))
    assert [told(ports, id, sent[id]) for id in TABLES] == [["queued"]] * 3

    decide_safely(ports, TABLES, counting(work_queue))

    assert [told(ports, id, sent[id]) for id in TABLES] == [["applied"]] * 3


def test_a_move_waits_for_files_as_long_as_it_takes(ports: Ports, work_queue: WorkQueue, ann: str, ben: str) -> None:
    sit_down(ports, ann, ben)
    sent = send(ports, ann, "g1", "4: mark 1")
    ports.clock = lambda: now() + 2 * MEMORY_ERRORS_FOR

    with no_files_left():
        decide_safely(ports, ["g1"], counting(work_queue))
    assert told(ports, "g1", sent) == ["queued"]
    decide_safely(ports, ["g1"], counting(work_queue))

    assert told(ports, "g1", sent) == ["applied"]


def test_a_move_that_may_have_killed_its_judge_is_begun_alone(work_queue: WorkQueue) -> None:
    assert work_queue.count_attempts(["m1", "m2"]) == [1, 1]
    assert work_queue.count_attempts(["m1", "m2", "m3"]) == [0, 0, 1], "neither of them is begun again among others"
    assert work_queue.count_attempts(["m2"]) == [2]
    assert work_queue.count_attempts(["m1"]) == [2], "it did not count that the other was tried"


def test_of_a_move_that_is_decided_no_attempts_are_kept(ports: Ports, work_queue: WorkQueue, ann: str, ben: str) -> None:
    sit_down(ports, ann, ben)
    send(ports, ann, "g1", *TURN)

    decide(ports, TABLES, counting(work_queue))

    assert not list(work_queue.redis.scan_iter("tried:*"))


def test_a_worker_leaves_others_their_share_of_what_waits(work_queue: WorkQueue) -> None:
    for number in range(5):
        work_queue.enqueue(f"g{number}")
    shares = [work_queue.next_games() for _ in range(4)]

    assert shares == [["g0", "g1", "g2"], ["g3"], ["g4"], []]
    for number in range(5 * MOST_AT_ONCE):
        work_queue.enqueue(f"g{number}")
    assert len(work_queue.next_games()) == MOST_AT_ONCE


def test_a_worker_with_nothing_left_takes_the_next_game_that_comes(work_queue: WorkQueue) -> None:
    assert work_queue.next_to_come() == []

    work_queue.enqueue("g1")

    assert work_queue.next_to_come() == ["g1"]
    assert work_queue.next_games() == []


def test_who_plays_does_not_wait_for_all_the_games_whose_time_is_up(ports: Ports, work_queue: WorkQueue) -> None:
    for number in range(5 * MOST_AT_ONCE):
        ports.index.set_clock(f"g{number}", 0)
    sweep(ports, work_queue.enqueue, work_queue.enqueue_behind, 1.0)

    work_queue.enqueue("played")
    work_queue.enqueue("g70")

    assert work_queue.next_games()[:2] == ["played", "g70"]
    assert len(work_queue.next_games()) == MOST_AT_ONCE


def test_a_move_whose_worker_was_killed_does_not_wait_for_all_the_games_whose_time_is_up(
    ports: Ports, work_queue: WorkQueue, ann: str, ben: str
) -> None:
    for number in range(5 * MOST_AT_ONCE):
        ports.index.set_clock(f"late {number}", 0)
    sit_down(ports, ann, ben)
    send(ports, ann, "g2", *TURN)

    sweep(ports, work_queue.enqueue, work_queue.enqueue_behind, 1.0)

    assert work_queue.next_games()[0] == "g2"
