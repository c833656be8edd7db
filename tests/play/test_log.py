"""The past cannot be changed unseen, and everything but the log can be thrown away."""

from collections.abc import Sequence
from dataclasses import MISSING, fields

import msgspec
import pytest
from redis import RedisError

from marketpost.play.keeping.verify import rebuild, verify
from marketpost.play.log.actions import Moved, SeatPlan
from marketpost.play.log.entries import Tampered, decode, write
from marketpost.play.log.game import Game
from marketpost.play.moves.decide import DecideCallbacks
from marketpost.play.moves.game_view import preview, record
from marketpost.play.moves.submit import outcome, submit
from marketpost.play.people.registration import invite, register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import join, open_game, resign
from marketpost.play.table.undo import undo, undoable
from marketpost.rules import records
from marketpost.rules.bots import bot
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import replay
from marketpost.store.changes import Stored
from marketpost.store.connections import connect
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.redis_client import RedisClient
from tests.games import decide, deciding, sealed


def against_a_bot(ports: Ports, player: str, id: str = "g1", options: dict[str, str] | None = None) -> Game:
    game = open_game(ports, id, player, "portobello", [SeatPlan(player=player), SeatPlan(bot="random")], {"options": options or {}})
    decide(ports, [id], deciding())
    return now(ports, game.id)


def now(ports: Ports, id: str) -> Game:
    game = ports.game(id)
    assert game
    return game


def move(ports: Ports, player: str, orders: str, id: str = "g1") -> str:
    """What became of it."""
    sent = submit(ports, now(ports, id), player, orders)
    decide(ports, [id], deciding())
    decided = outcome(ports, id, sent)
    assert decided
    return decided.code or decided.status


def play_to_the_end(ports: Ports, player: str, id: str = "g1") -> Game:
    chance = sealed(3)
    while (game := now(ports, id)).status == "running":
        seat = game.deciders[0]
        assert move(ports, player, bot(game.rules, "greedy")(game.state, seat, chance), id) == "applied"
    return game


def test_a_game_against_a_bot_goes_to_its_end_and_every_draw_can_be_checked(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)
    game = play_to_the_end(ports, ann)

    checked = verify("g1", ports.games.read("g1"))

    assert game.secret
    assert checked.draws > 5
    assert not checked.faults
    assert replay(records.read(record(ports, game))).state == game.state


def test_one_changed_byte_is_found_and_named(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)
    play_to_the_end(ports, ann)
    log = ports.games.read("g1")
    head = ports.games.head("g1")
    assert not verify("g1", log, head).faults
    for place in (1, len(log) // 2, len(log) - 1):
        changed = log[place].data.replace(b"1", b"2", 1)
        forged = [*log[:place], Stored(log[place].version, changed), *log[place + 1 :]]

        with pytest.raises(Tampered) as found:
            verify("g1", forged, head)

        assert found.value.game == "g1"
        assert found.value.version in (place + 1, place + 2)


def with_another_draw(log: list[Stored]) -> list[Stored]:
    """A whole log forged by somebody who can write hashes, with one draw turned round."""
    forged: list[Stored] = []
    before = ""
    for stored in log:
        entry = decode(stored.data)
        action = entry.action
        if isinstance(action, Moved) and b'"drawn"' in bytes(action.events):
            events = bytes(action.events)
            other = events.replace(b'"clerk"', b'"citizen"') if b'"clerk"' in events else events.replace(b'"citizen"', b'"clerk"')
            action = msgspec.structs.replace(action, events=msgspec.Raw(other))
        (data,), before = write(entry.version - 1, before, entry.at, entry.by, entry.rules, [action])
        forged.append(Stored(entry.version, data))
    return forged


def test_a_draw_that_the_secret_does_not_give_is_found_also_in_a_well_forged_log(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)
    play_to_the_end(ports, ann)

    faults = verify("g1", with_another_draw(ports.games.read("g1"))).faults

    assert faults
    assert "the secret gives" in faults[0]


def test_before_the_end_the_log_tells_nothing_of_the_secret(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)
    secret = ports.games.secret("g1")
    everything = b"".join(each.data for each in ports.games.read("g1"))

    assert secret.hex().encode() not in everything
    assert secret not in everything


def test_all_lists_can_be_thrown_away_and_made_again(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)
    assert rebuild(ports).differences == ()
    ports.index.redis.delete("index:running")
    ports.index.redis.zadd("index:over", {"g1": 1})

    differences = rebuild(ports).differences

    assert "index:running: g1 was missing" in differences
    assert "index:over: g1 should not have been there" in differences
    assert rebuild(ports).differences == ()


def test_who_has_read_a_log_before_others_went_on_takes_no_game_for_set_back(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)
    read_before = ports.games.read("g1")
    submit(ports, now(ports, "g1"), ann, "2:")
    decide(ports, ["g1"], deciding())
    newer = now(ports, "g1").version

    found = ports.game("g1", read_before)

    assert found
    assert found.version == newer > len(read_before)
    assert ports.damaged.set_back(ports.clock()) == []


def test_a_move_that_breaks_the_judge_is_refused_after_a_few_tries(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)
    tries: dict[str, int] = {}

    def count_attempts(moves: Sequence[str]) -> list[int]:
        tries.update({move: tries.get(move, 0) + 1 for move in moves})
        return [tries[move] for move in moves]

    broken = submit(ports, now(ports, "g1"), ann, "2:")
    ports.secrets.clear()
    ports.games.redis.delete(GameLogs.key("g1", "secret"))
    ports.games.redis.hset(GameLogs.key("g1", "secret"), "not", "a string")
    with pytest.raises(Exception, match="WRONGTYPE"):
        ports.games.secret("g1")

    decide(ports, ["g1"], deciding(count_attempts))

    decided = outcome(ports, "g1", broken)
    assert decided
    assert decided.code == "cannot-be-judged"
    assert tries[broken] == 6


def test_a_store_that_is_away_says_nothing_against_a_move(ports: Ports, ann: str, redis: RedisClient) -> None:
    against_a_bot(ports, ann)
    sent = submit(ports, now(ports, "g1"), ann, "2:")
    hasty = connect(f"unix://{redis.connection_pool.connection_kwargs['path']}", answer_within=0.1)
    tries: list[str] = []

    def count_attempts(moves: Sequence[str]) -> list[int]:
        tries.extend(moves)
        if len(tries) == 1:
            redis.client_pause(2000)
        return [len(tries)]

    with pytest.raises(RedisError):
        decide(Ports(GameLogs(hasty), Players(hasty), GameIndex(hasty), lambda game: None), ["g1"], deciding(count_attempts))
    assert tries == [sent]
    decide(ports, ["g1"], deciding(count_attempts))

    decided = outcome(ports, "g1", sent)
    assert decided
    assert decided.status == "applied"


def test_a_stale_move_is_refused_by_the_worker_too(ports: Ports, ann: str) -> None:
    game = against_a_bot(ports, ann)
    first = submit(ports, game, ann, "2:", if_match=game.version)
    second = submit(ports, game, ann, "3:", if_match=game.version)

    decide(ports, ["g1"], deciding())

    outcomes = [outcome(ports, "g1", sent) for sent in (first, second)]
    assert [each.code or each.status for each in outcomes if each] == ["applied", "stale-version"]


def test_undo_is_free_until_chance_has_shown_something(ports: Ports, ann: str) -> None:
    before = against_a_bot(ports, ann).state.copy()
    move(ports, ann, "2:")

    game = undo(ports, "g1", ann)

    assert game.state == before
    assert game.version == before.turn + 5
    move(ports, ann, "2: customer")
    with pytest.raises(Refused) as refused:
        undoable(now(ports, "g1"), 0)
    assert refused.value.code == "chance-shown"


def test_an_undone_draw_cannot_be_tried_again_for_another_outcome(ports: Ports, ann: str) -> None:
    game = against_a_bot(ports, ann)
    branches = preview(game, 0, "2: customer C")

    assert {branch.outcomes for branch in branches} == {("citizen",), ("clerk",)}
    assert now(ports, "g1").version == game.version


def test_a_bot_plays_on_for_whoever_resigns(ports: Ports, ann: str) -> None:
    against_a_bot(ports, ann)

    resign(ports, "g1", ann)
    decide(ports, ["g1"], deciding())
    while now(ports, "g1").status == "running":
        decide(ports, ["g1"], deciding())

    assert now(ports, "g1").secret


def test_a_game_begins_when_the_last_seat_is_filled(ports: Ports, ann: str) -> None:
    ben = register(ports, "ben@example.org", "Ben").id
    open_game(ports, "g1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(invited=ben), SeatPlan()], {})
    cy = register(ports, "cy@example.org", "Cy").id

    assert join(ports, "g1", cy).seats[2].player == cy
    assert now(ports, "g1").status == "open"
    assert join(ports, "g1", ben).status == "running"
    with pytest.raises(Refused):
        join(ports, "g1", register(ports, "dee@example.org", "Dee").id)


@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_a_game_that_was_played_here_is_a_record_that_replays(ports: Ports, ann: str, rules: str) -> None:
    seats = [SeatPlan(player=ann), SeatPlan(bot="random")]
    open_game(ports, "g1", ann, rules, seats, {})
    decide(ports, ["g1"], deciding())
    running = replay(records.read(record(ports, now(ports, "g1"))))
    game = play_to_the_end(ports, ann)

    replayed = replay(records.read(record(ports, game)))

    assert running.turns <= 1
    assert replayed.state == game.state
    assert verify("g1", ports.games.read("g1"), ports.games.head("g1")).faults == ()


def test_whoever_was_only_invited_says_their_own_name_when_they_register(ports: Ports) -> None:
    kept = invite(ports, "ben@example.org")
    ben = register(ports, "Ben@example.org", "Benoît", "fr")

    assert (ben.id, ben.name, ben.language) == (kept, "Benoît", "fr")
    assert invite(ports, "ben@example.org") == kept
    assert register(ports, "ben@example.org", "Mallory").name == "Benoît"


def test_a_process_cannot_decide_moves_without_saying_how_players_are_told() -> None:
    required = {field.name for field in fields(DecideCallbacks) if field.default is MISSING and field.default_factory is MISSING}

    assert required == {"notify", "count_attempts", "reset_attempts", "count_outcomes", "call_bots"}
    assert not {field.name for field in fields(Ports)} & required, "no second way round them"
