"""Games that are over take little room, and answer as before."""

import secrets
from collections.abc import Callable

import pytest

from marketpost.play.keeping.compaction import compact
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import outcome, sent_before, submit
from marketpost.play.ports import Ports
from marketpost.store.changes import SameKeyOtherMove
from marketpost.store.game_logs import GameLogs
from marketpost.store.packed_entries import MARK, PACKED
from tests.play.over import DAY, finish_by_ann, finished, finished_by_ann, greedy, log, running, work
from workers.run import sweep


@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_a_compacted_game_has_the_same_log_to_the_last_byte(ports: Ports, rules: str) -> None:
    game = finished(ports, rules)
    before = log(ports, game)

    assert compact(ports, game)

    assert log(ports, game) == before
    assert [each.version for each in ports.games.read(game, 3, 2)] == [4, 5]
    assert not verify(game, ports.games.read(game), ports.games.head(game)).faults


@pytest.mark.parametrize("packed", [False, True])
def test_what_became_of_a_move_is_known_after_compacting(ports: Ports, packed: bool) -> None:
    if packed:
        ports.games.redis.set(MARK, PACKED)
    game = running(ports)
    found = ports.game(game)
    assert found
    refused = submit(ports, found, "ann", "3: stall A-A", key="once")
    work(ports, game)
    moves = [refused]
    while (found := ports.game(game)) and found.status != "over":
        moves.append(submit(ports, found, "ann", greedy(found), key=secrets.token_hex(4)))
        work(ports, game)
    before = [outcome(ports, game, move) for move in moves]

    assert compact(ports, game)

    assert [outcome(ports, game, move) for move in moves] == before
    assert before[0]
    assert before[0].status == "refused"
    assert outcome(ports, game, "unknown") is None


def test_a_move_sent_again_after_compacting_is_still_the_same_move(ports: Ports) -> None:
    game = finished_by_ann(ports)
    found = ports.game(game)
    assert found
    move = submit(ports, found, "ann", "pass", key="late")
    work(ports, game)
    compact(ports, game)

    assert submit(ports, found, "ann", "pass", key="late") == move
    assert ports.games.compacted(game), "nothing was to be written"
    assert outcome(ports, game, move).code == "game-over"


def test_what_became_of_a_move_is_known_when_one_was_sent_again_after_compacting(ports: Ports) -> None:
    game = running(ports)
    sent: list[tuple[Game, str, str]] = []
    while (found := ports.game(game)) and found.status != "over":
        orders = greedy(found)
        sent.append((found, orders, submit(ports, found, "ann", orders, key=str(len(sent)))))
        work(ports, game)
    before = [outcome(ports, game, move) for *_, move in sent]
    compact(ports, game)

    submit(ports, sent[0][0], "ann", sent[0][1], key="0")

    assert [outcome(ports, game, move) for *_, move in sent] == before
    assert outcome(ports, game, "unknown") is None


def sent_once(ports: Ports) -> tuple[str, Callable[[], str]]:
    """A finished game, and how its first move is sent again; that tells the id under which it is known."""
    game = running(ports)
    first = ports.game(game)
    assert first
    orders = greedy(first)
    submit(ports, first, "ann", orders, key="once")
    work(ports, game)
    finish_by_ann(ports, game)
    return game, lambda: submit(ports, first, "ann", orders, key="once")


def test_two_who_compact_a_game_at_once_while_another_move_is_decided_lose_none(ports: Ports) -> None:
    game, again = sent_once(ports)
    found = ports.game(game)
    assert found
    late: list[str] = []

    class Overtaken(GameLogs):
        def outcomes(self, game: str) -> dict[str, bytes]:
            read = super().outcomes(game)
            compact(ports, game)
            late.append(submit(ports, found, "ann", "pass"))
            work(ports, game)
            return read

    assert not compact(Ports(Overtaken(ports.games.redis), ports.players, ports.index, ports.enqueue), game)

    assert outcome(ports, game, late[0]).code == "game-over"  # type: ignore[union-attr]
    assert outcome(ports, game, again())


def test_two_who_restore_a_game_at_once_restore_it_once(ports: Ports) -> None:
    game = finished_by_ann(ports)
    before = log(ports, game)
    compact(ports, game)

    class Slow(GameLogs):
        def __init__(self) -> None:
            super().__init__(ports.games.redis)
            restore = self._restore
            self._restore = lambda **given: (ports.games.restore(game), restore(**given))[1]

    Slow().restore(game)

    assert log(ports, game) == before
    assert ports.games.compacted(game) is None


def test_only_what_is_over_and_quiet_is_compacted(ports: Ports) -> None:
    game, over = running(ports), finished_by_ann(ports)
    found = ports.game(over)
    assert found
    submit(ports, found, "ann", "pass")

    assert not compact(ports, game)
    assert not compact(ports, over)


def test_the_sweeper_compacts_what_has_been_quiet(ports: Ports) -> None:
    game = finished(ports)

    sweep(ports, lambda game: None, lambda game: None, ports.clock() / 1000 + 1000)

    assert ports.games.compacted(game)


def test_every_move_of_a_finished_game_can_be_sent_again_for_a_day(ports: Ports) -> None:
    game = running(ports)
    sent: list[tuple[Game, str, str, str]] = []
    while (found := ports.game(game)) and found.status != "over":
        key, orders = secrets.token_urlsafe(60), greedy(found)
        sent.append((found, orders, key, submit(ports, found, "ann", orders, key=key)))
        work(ports, game)
    before = log(ports, game)
    compact(ports, game)

    assert all(sent_before(ports, game, "ann", key) for _, _, key, _ in sent)
    assert not sent_before(ports, game, "ann", "another")
    assert ports.games.redis.ttl(ports.games.key(game, "keys")) > DAY
    assert [submit(ports, found, "ann", orders, key=key) for found, orders, key, _ in sent] == [move for *_, move in sent]
    with pytest.raises(SameKeyOtherMove):
        submit(ports, sent[0][0], "ann", "pass", key=sent[0][2])
    ports.games.restore(game)
    assert compact(ports, game)
    assert [submit(ports, found, "ann", orders, key=key) for found, orders, key, _ in sent] == [move for *_, move in sent]
    work(ports, game)
    assert log(ports, game) == before


def test_a_move_sent_again_after_its_key_has_gone_changes_nothing(ports: Ports) -> None:
    game = running(ports)
    sent: list[tuple[Game, str]] = []
    while (found := ports.game(game)) and found.status != "over":
        sent.append((found, greedy(found)))
        submit(ports, found, "ann", sent[-1][1], key=str(len(sent)))
        work(ports, game)
    before = log(ports, game)
    compact(ports, game)
    ports.games.redis.delete(ports.games.key(game, "keys"))

    moves = [submit(ports, found, "ann", orders, key=str(number)) for number, (found, orders) in enumerate(sent, 1)]
    work(ports, game)

    assert {outcome(ports, game, move).code for move in moves} == {"game-over"}  # type: ignore[union-attr]
    assert log(ports, game) == before


def test_no_two_moves_have_the_same_id_however_often_a_game_is_compacted(ports: Ports) -> None:
    game = finished_by_ann(ports)
    found = ports.game(game)
    assert found
    moves = [action.move for action in (decode(data).action for data in log(ports, game)) if isinstance(action, Moved)]
    for _ in range(3):
        assert compact(ports, game)
        moves += [submit(ports, found, "ann", "pass") for _ in range(3)]
        work(ports, game)

    assert len(set(moves)) == len(moves)
