"""A rule is changed while games run: they keep the rules they began under, and their records replay for ever.

The change is made up. In the little game of sticks up to three may be taken; version 2 allows two at most.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from marketpost import rules
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import record
from marketpost.play.moves.submit import outcome, submit
from marketpost.play.ports import Ports
from marketpost.play.table.seating import import_game, open_game
from marketpost.rules import records
from marketpost.rules.chance import Chance
from marketpost.rules.refusal import Refusal
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Ruleset, Verdict, rulesets
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.redis_client import RedisClient
from tests.games import decide, deciding
from workers.jobs import decide_safely

SHELF = str(Path(__file__).parents[1] / "rulesets")


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> Ruleset[Any]:
    """Sticks as they were first."""
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, SHELF])
    return rulesets()["sticks"]


def second(first: Ruleset[Any]) -> Ruleset[Any]:
    """The mended rules are the old ones with another judge, and know the old ones."""

    def judge(state: Any, seat: int, text: str, chance: Chance) -> Verdict:
        verdict = first.judge(state, seat, text, chance)
        too_many = verdict.refusal is None and first.parse(text)[0].sticks > 2
        return Verdict([], Refusal("too-many", 1, {"sticks": 2})) if too_many else verdict

    def legal(state: Any, seat: int) -> list[str]:
        return [order for order in first.legal(state, seat) if order != "take 3"]

    return replace(first, version=2, judge=judge, legal=legal, earlier=(first,))


@dataclass(frozen=True, slots=True)
class Release:
    """A new release of the service: it starts anew on the same store, with these rules."""

    redis: RedisClient
    patch: pytest.MonkeyPatch

    def __call__(self, mended: Ruleset[Any]) -> Ports:
        known = rulesets() | {mended.name: mended}
        self.patch.setattr("marketpost.rules.ruleset.rulesets", lambda: known)
        return Ports(GameLogs(self.redis), Players(self.redis), GameIndex(self.redis), lambda game: None)


@pytest.fixture
def release(redis: RedisClient, monkeypatch: pytest.MonkeyPatch) -> Release:
    return Release(redis, monkeypatch)


def opened(ports: Ports, id: str, ann: str, ben: str) -> Game:
    return open_game(ports, id, ann, "sticks", [SeatPlan(player=ann), SeatPlan(player=ben)], {})


def found(ports: Ports, id: str) -> Game:
    game = ports.game(id)
    assert game
    return game


def take(ports: Ports, id: str, orders: str) -> str:
    """By whoever is to decide; what became of it."""
    game = found(ports, id)
    player = game.seats[game.deciders[0]].player
    assert player
    sent = submit(ports, game, player, orders)
    decide(ports, [id], deciding())
    decided = outcome(ports, id, sent)
    assert decided
    return decided.code or decided.status


def play_out(ports: Ports, id: str) -> None:
    while (game := found(ports, id)).status == "running":
        assert take(ports, id, game.rules.legal(game.state, game.deciders[0])[-1]) == "applied"


def test_a_running_game_keeps_the_rules_it_began_under(ports: Ports, ann: str, ben: str, first: Ruleset[Any], release: Release) -> None:
    opened(ports, "old", ann, ben)
    assert take(ports, "old", "take 3") == "applied"

    ports = release(second(first))
    opened(ports, "new", ann, ben)

    assert take(ports, "old", "take 3") == "applied"
    assert take(ports, "new", "take 3") == "too-many"
    assert take(ports, "new", "take 2") == "applied"
    play_out(ports, "old")
    play_out(ports, "new")
    for id, stamp in (("old", "sticks 1"), ("new", "sticks 2")):
        stored = ports.games.read(id)
        assert {decode(each.data).rules for each in stored} == {stamp}
        assert verify(id, stored, found(ports, id).head).faults == ()


def test_an_old_worker_leaves_a_game_of_newer_rules_to_others(
    ports: Ports, ann: str, ben: str, first: Ruleset[Any], release: Release, caplog: pytest.LogCaptureFixture
) -> None:
    newer = release(second(first))
    game = opened(newer, "new", ann, ben)
    move = submit(newer, game, game.seats[game.deciders[0]].player or "", "take 3")
    before = newer.games.read("new")

    older = release(first)
    for _ in range(3):
        decide_safely(older, ["new"], deciding())

    assert older.games.read("new") == before
    assert [each.id for each in older.games.pending("new")] == [move]
    [told] = [each.message for each in caplog.records if each.levelname == "WARNING"]
    assert "written by a newer Marketpost (by the rules sticks 2)" in told
    assert not older.damaged.all()
    newer = release(second(first))
    decide(newer, ["new"], deciding())
    assert getattr(outcome(newer, "new", move), "code", None) == "too-many"


def test_records_say_by_which_rules_they_were_played_and_replay_by_those(
    ports: Ports, ann: str, ben: str, first: Ruleset[Any], release: Release
) -> None:
    opened(ports, "old", ann, ben)
    play_out(ports, "old")
    of_old = record(ports, found(ports, "old"))
    ports = release(second(first))
    opened(ports, "new", ann, ben)
    play_out(ports, "new")
    of_new = record(ports, found(ports, "new"))

    assert "rules: sticks\n" in of_old
    assert "take 3" in of_old
    assert "rules: sticks 2\n" in of_new
    assert replay(records.read(of_old)).state == found(ports, "old").state
    assert replay(records.read(of_new)).state == found(ports, "new").state
    with pytest.raises(records.RecordWrong):
        replay(records.read(of_old.replace("rules: sticks\n", "rules: sticks 2\n")))


def test_a_record_that_is_played_on_goes_on_under_its_own_rules(
    ports: Ports, ann: str, ben: str, first: Ruleset[Any], release: Release
) -> None:
    opened(ports, "old", ann, ben)
    take(ports, "old", "take 3")
    so_far = record(ports, found(ports, "old"))
    ports = release(second(first))

    import_game(ports, "again", ann, replay(records.read(so_far)), [SeatPlan(player=ann), SeatPlan(player=ben)])

    assert take(ports, "again", "take 3") == "applied"


def test_a_game_whose_rules_are_not_kept_any_more_goes_on_under_the_next_ones(
    ports: Ports, ann: str, ben: str, first: Ruleset[Any], release: Release
) -> None:
    """What lies behind it stays: its log tells what happened, and asks no rule."""
    opened(ports, "old", ann, ben)
    take(ports, "old", "take 3")
    before = found(ports, "old").state

    ports = release(replace(second(first), earlier=()))

    assert found(ports, "old").state == before
    assert take(ports, "old", "take 3") == "too-many"
    assert take(ports, "old", "take 2") == "applied"
