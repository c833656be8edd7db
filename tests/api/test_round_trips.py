"""How often a request asks the store: each time costs as much as a tenth of the request."""

from collections.abc import Callable, Iterator

import pytest

from api.http.context import inside
from marketpost.play.moves.submit import outcome, wait_for_outcome
from marketpost.play.outbox.notices import Notice, NoticeKind
from marketpost.play.people.preferences import recipients
from marketpost.store.changes import Submission
from marketpost.store.redis_client import RedisClient
from tests.games import decide, deciding
from tests.service import Person, Service, service


@pytest.fixture(scope="module")
def idle() -> Iterator[Service]:
    """Without workers, who would ask the same store."""
    with service(0) as found:
        yield found


def trips(redis: RedisClient, work: Callable[[], object], times: int = 3) -> int:
    """How often the store was asked at one of these times: now and then a process also looks whether the service drains."""
    found = []
    for _ in range(times):
        before = redis.info("stats")["total_reads_processed"]
        work()
        found.append(redis.info("stats")["total_reads_processed"] - before - 1)
    return int(min(found))


def opened(person: Person, other: Person) -> str:
    seats = [{"me": True}, {"player": other.id}]
    game = str(person.post("/v1/games", {"rules": "portobello", "seats": seats}).json["id"])
    assert other.post(f"/v1/games/{game}/join", {}).status_code == 200
    return game


def test_token_player_and_game_are_read_at_once(idle: Service) -> None:
    ann, bob = idle.person("ann"), idle.person("bob")
    game = opened(ann, bob)

    assert trips(idle.ports.games.redis, lambda: ann.get(f"/v1/games/{game}/legal")) == 1


def test_a_move_is_accepted_with_one_more_and_one_to_the_queue(idle: Service) -> None:
    ann, bob = idle.person("ann"), idle.person("bob")
    path = f"/v1/games/{opened(ann, bob)}/moves"

    def move() -> None:
        assert ann.post(path, {"orders": "pass"}).status_code == 202

    assert trips(idle.ports.games.redis, move) == 2
    assert trips(inside(idle.app).work_queue.redis, move) == 1


def test_what_became_of_a_move_is_read_at_once(idle: Service) -> None:
    ann, bob = idle.person("ann"), idle.person("bob")
    game = opened(ann, bob)
    found = idle.ports.game(game)
    assert found
    seat = found.deciders[0]
    mover = next(each for each in (ann, bob) if each.id == found.seats[seat].player)
    sent = mover.post(f"/v1/games/{game}/moves", {"orders": found.rules.legal(found.state, seat)[-1]}).json["id"]
    redis, version = idle.ports.games.redis, found.version

    assert trips(redis, lambda: outcome(idle.ports, game, sent)) == 1
    decide(idle.ports, [game], deciding())
    assert trips(redis, lambda: wait_for_outcome(idle.ports, game, sent, version, 1)) == 1
    news, waited_for = wait_for_outcome(idle.ports, game, sent, version, 1)
    assert [each.version for each in news] == [version + 1]
    assert waited_for == outcome(idle.ports, game, sent)


def test_a_game_in_which_nothing_more_can_follow_is_not_read_again(idle: Service) -> None:
    ann, bob = idle.person("ann"), idle.person("bob")
    game = opened(ann, bob)
    decide(idle.ports, [game], deciding())

    def move() -> None:
        found = idle.ports.game(game)
        assert found
        seat = found.deciders[0]
        orders = found.rules.legal(found.state, seat)[-1]
        idle.ports.games.accept(game, Submission("", found.seats[seat].player or "", seat, orders, 1), "", "")
        decide(idle.ports, [game], deciding())

    to_move, to_judge, to_tell = 2, 2, 3
    assert trips(idle.ports.games.redis, move) == to_move + to_judge + to_tell
    assert not idle.ports.games.has_work(game)


def test_all_about_recipients_is_read_at_once(idle: Service) -> None:
    people = [idle.person(name) for name in ("ann", "bob", "cleo")]
    told = [Notice(f"n{number}", NoticeKind.TURN, "g", 1, number, each.id, 1) for number, each in enumerate(people)]

    assert trips(idle.ports.games.redis, lambda: recipients(idle.ports, told)) == 1
    assert [each.player.id for each in recipients(idle.ports, told)] == [each.id for each in people]


def test_a_token_that_was_revoked_is_unknown_at_once(idle: Service) -> None:
    ann = idle.person("ann")
    assert ann.get("/v1/players/me").status_code == 200

    for token in idle.ports.credentials.tokens_of(ann.id):
        idle.ports.credentials.revoke_token(ann.id, token.id)

    assert ann.get("/v1/players/me").status_code == 401


def test_a_game_that_another_process_has_moved_on_is_shown_as_it_is(idle: Service) -> None:
    """Race: between the read at the beginning of a request and its use, another request of the process may have read newer entries."""
    ann, bob = idle.person("ann"), idle.person("bob")
    game, ports = opened(ann, bob), idle.ports
    ann.get(f"/v1/games/{game}")
    before = ports.caller(ann.token, game).news
    found = ports.game(game)
    assert found
    version, seat = found.version, found.deciders[0]
    mover = next(each for each in (ann, bob) if each.id == found.seats[seat].player)
    mover.post(f"/v1/games/{game}/moves", {"orders": found.rules.legal(found.state, seat)[-1]})
    decide(ports, [game], deciding())

    late, now = ports.game(game, before), ports.game(game)
    assert late
    assert now
    assert late.version == now.version > version
