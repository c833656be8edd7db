"""Duplicate tables: the same draws at every table of a round, sealed until the last is over, and compared seat by seat."""

import json
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from marketpost.play.compete.advance import advance
from marketpost.play.compete.competition import Round
from marketpost.play.compete.competition_actions import CompetitionEnding, CompetitionFormat, PlannedTable, TableEnded
from marketpost.play.compete.entering import cancel_competition, competition_of
from marketpost.play.compete.standings import field_share, standings
from marketpost.play.keeping.compaction import compact
from marketpost.play.keeping.dump import dump
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import LinkKind
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.invite_links import make_link
from marketpost.rules.chance import round_secret, seal
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from tests.play.competing import Field

SCRIPT = Path(__file__).parents[2] / "examples" / "verify.py"


@pytest.fixture
def room(ports: Ports) -> Field:
    return Field(ports)


def begun(room: Field, rules: str = "portobello", tables: int = 2, rounds: int = 1) -> list[str]:
    seats = ruleset(rules).players[0]
    room.announced(CompetitionFormat.DUPLICATE, seats * tables, rules=rules, seats=seats, rounds=rounds)
    room.later()
    room.advance()
    return room.tables()


def game_of(room: Field, id: str) -> Game:
    game = room.ports.game(id)
    assert game
    return game


def draws(game: Game) -> list[str]:
    """Every outcome of chance in a game, in order."""
    state, found = game.rules.blank(), []
    for played in game.played:
        for event in played.events:
            found += [str(outcome) for _, outcome in game.rules.draws(state, event)]
            event.apply(state)
    return found


def by_script(room: Field, id: str, folder: Path) -> str:
    """What the stand-alone script says about a game."""
    items = [{"entry": each.data.decode(), "hash": sha256(each.data).hexdigest()} for each in room.ports.games.read(id)]
    (folder / "log.json").write_text(json.dumps({"game": id, "items": items}))
    return subprocess.run([sys.executable, SCRIPT, folder / "log.json"], capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("rules", rulesets())
def test_the_same_draws_come_at_every_table_and_anyone_can_verify_it(room: Field, rules: str, tmp_path: Path) -> None:
    fast, slow = begun(room, rules)
    room.play(fast, lambda player: "greedy")
    assert game_of(room, fast).is_sealed
    room.advance()
    room.play(slow)
    over = room.advance()

    one, other = game_of(room, fast), game_of(room, slow)
    length = min(len(draws(one)), len(draws(other)))
    assert length > 2
    assert draws(one)[:length] == draws(other)[:length]
    assert one.seal == other.seal == over.rounds[0].seal
    assert one.secret == other.secret == round_secret(bytes.fromhex(over.secret or ""), "c-1", 1).hex()
    for id in (fast, slow):
        checked = verify(id, *room.ports.log_and_head(id))
        assert (checked.sealed, checked.faults) == (False, ())
        assert checked.draws == len(draws(game_of(room, id)))
        assert "every draw" in by_script(room, id, tmp_path)


def test_a_finished_table_tells_nothing_to_others_until_the_last_is_over(room: Field, tmp_path: Path) -> None:
    fast, slow = begun(room)
    own, *_ = players = [seat.player or "" for seat in game_of(room, fast).seats]
    other, stranger = game_of(room, slow).seats[0].player or "", register(room.ports, "ann@example.org", "Ann").id
    room.play(fast, lambda player: "greedy")
    waiting = room.advance()

    table = game_of(room, fast)
    assert table.status == GameStatus.OVER
    assert (table.secret, waiting.secret, waiting.rounds[0].ended) == (None, None, {})
    assert [table.may_see(each) for each in (*players, other, stranger)] == [True, True, False, False]
    assert fast not in room.ports.index.contents().get("index:public", {})
    assert not any(fast in games for name, games in room.ports.index.contents().items() if name.startswith(("index:played", "index:rated")))
    assert dump(room.ports, tmp_path / "sealed") == 0
    assert not compact(room.ports, fast)
    assert not any(line.played for line in standings(waiting))
    with pytest.raises(Refused, match="table-sealed"):
        make_link(room.ports, fast, own, LinkKind.LOOK)

    room.play(slow)
    room.advance()
    table = game_of(room, fast)
    assert table.secret
    assert table.may_see(stranger)
    assert fast in room.ports.index.contents()["index:public"]
    assert fast in room.ports.index.contents()[f"index:played:{own}"]
    assert dump(room.ports, tmp_path / "open") == 2
    assert compact(room.ports, fast)


def test_a_cancelled_round_stays_sealed_until_its_tables_are_over(room: Field) -> None:
    fast, slow = begun(room)
    room.play(fast)
    over = cancel_competition(room.ports, "c-1", room.players[0])
    assert over.ended
    assert (over.ended.how, over.secret) == (CompetitionEnding.CANCELLED, None)
    assert room.advance().secret is None
    assert game_of(room, fast).is_sealed
    room.play(slow)
    assert room.advance().secret
    assert not game_of(room, fast).is_sealed
    assert room.ports.competitions.due(room.now * 2) == []


class Killed(Exception):
    """Stands for a worker that dies."""


def test_a_worker_killed_while_it_reveals_leaves_the_rest_to_the_next(room: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = begun(room, rounds=2)
    for id in tables:
        room.play(id)
    calls, real = iter(range(9)), room.ports.games.commit

    def dying(*args: object, **more: object) -> object:
        if next(calls) == 1:
            raise Killed
        return real(*args, **more)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(room.ports.games, "commit", dying)
        with pytest.raises(Killed):
            advance(room.ports, "c-1", room.told.extend)
    assert [game_of(room, id).is_sealed for id in tables] == [False, True]
    assert len(competition_of(room.ports, "c-1").rounds) == 1
    then = room.advance()
    assert [game_of(room, id).is_sealed for id in tables] == [False, False]
    assert [each.seal for each in then.rounds] == [
        seal(round_secret(room.ports.competitions.secret("c-1"), "c-1", number)) for number in (1, 2)
    ]
    assert then.rounds[0].seal != then.rounds[1].seal


def test_a_seat_is_compared_with_the_same_seat_at_the_other_tables() -> None:
    table = PlannedTable(("a", "b"), ("red", "blue"))
    ended = [
        TableEnded(1, 0, (1, 2), ("30", "20")),
        TableEnded(1, 1, (1, 2), ("40", "10")),
        TableEnded(1, 2, (2, 1), ("45", "50")),
        TableEnded(1, 3, (1, 2), ("30", "60"), (1,)),
    ]
    now = Round(1, (table,) * 4, (), 0, "", dict(enumerate(ended)))
    assert [field_share(now, number, 0) for number in range(4)] == pytest.approx([1.5 / 3, 1.0, 0.0, 1.5 / 3])
    assert [field_share(now, number, 1) for number in range(4)] == pytest.approx([2 / 3, 1 / 3, 1.0, 0.0])
    alone = replace(now, tables=(table,), ended={0: ended[0]})
    assert [field_share(alone, 0, seat) for seat in (0, 1)] == [1.0, 0.0], "without a field, the others at the table are compared"
