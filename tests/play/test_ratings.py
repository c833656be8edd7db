"""Results and ratings follow from the logs, in whatever order and however often they are worked out."""

from pathlib import Path

import pytest

from marketpost.play.keeping.backup import archive, restore_archived
from marketpost.play.keeping.verify import rebuild
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import submit
from marketpost.play.people.erasure import erase
from marketpost.play.people.profile import career
from marketpost.play.people.ratings import ratings
from marketpost.play.people.registration import invite, register
from marketpost.play.people.results import results
from marketpost.play.ports import Ports
from marketpost.play.table.proposals import agree, propose
from marketpost.play.table.seating import import_game, open_game
from marketpost.rules import records
from marketpost.rules.bots import bot
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import replay
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.redis_client import RedisClient
from tests.finished import finished
from tests.games import decide, deciding, sealed


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def ports(redis: RedisClient) -> Ports:
    redis.flushall()
    return Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None, clock=Clock())


@pytest.fixture
def people(ports: Ports) -> list[str]:
    return [register(ports, f"{name}@example.org", name.capitalize()).id for name in ("ann", "bob", "cleo")]


def finish(ports: Ports, id: str, seats: list[SeatPlan], *, think: int = 60_000, gives_up: str = "", record: str = "") -> Game:
    """One game after the other."""
    game = finished(ports, id, seats, began=ports.clock(), think=think, gives_up=gives_up, record=record)
    ports.clock.now = game.over_at
    return game


def play(ports: Ports, id: str, seats: list[SeatPlan]) -> None:
    """By submitting orders and letting a worker judge them, to the end."""
    game = open_game(ports, id, "host", "portobello", seats, {})
    while game.status != "over":
        seat = game.deciders[0]
        submit(ports, game, game.seats[seat].player or "", bot(game.rules, "greedy")(game.state, seat, sealed(game.version)))
        decide(ports, [id], deciding())
        game = ports.game(id) or game


def seats(*players: str) -> list[SeatPlan]:
    return [SeatPlan(bot="greedy") if player == "bot" else SeatPlan(player=player) for player in players]


def as_numbers(ports: Ports) -> dict[str, tuple[float, float, int, int]]:
    return {who: (each.mu, each.sigma, each.games, each.won) for who, each in ratings(ports, "portobello").items()}


def test_a_game_counts_as_soon_as_the_worker_has_told_its_end(ports: Ports, people: list[str]) -> None:
    play(ports, "g1", seats(*people[:2]))

    assert ratings(ports, "portobello").keys() == set(people[:2])
    assert rebuild(ports).differences == ()


def test_who_wins_gains_and_who_loses_falls(ports: Ports, people: list[str]) -> None:
    game = finish(ports, "g1", seats(*people))
    table = ratings(ports, "portobello")
    result = results(ports, ["g1"])["g1"]

    by_place = sorted(zip(result.places, people, strict=True))
    assert {people[seat] for seat in game.rules.winners(game.state)} == {who for place, who in by_place if place == 1}
    assert table[by_place[0][1]].points > table[by_place[-1][1]].points
    assert all(each.games == 1 for each in table.values())
    assert sum(each.won for each in table.values()) == len(game.rules.winners(game.state))
    assert ratings(ports, "alturien") == {}


def test_rating_game_by_game_is_the_same_as_all_at_once(ports: Ports, people: list[str], redis: RedisClient) -> None:
    ann, bob, cleo = people
    for number, players in enumerate([(ann, bob), (bob, cleo), (ann, bob, cleo), (cleo, ann)]):
        finish(ports, f"g{number}", seats(*players))
        ratings(ports, "portobello")
    one_by_one = as_numbers(ports)
    unchanged = rebuild(ports).differences
    redis.delete(*redis.keys("derived:*"))

    assert as_numbers(ports) == one_by_one
    assert unchanged == ()


def test_a_game_that_is_listed_late_is_rated_in_its_place(ports: Ports, people: list[str]) -> None:
    """A worker was killed before it had put the game on its lists."""
    ann, bob, cleo = people
    for number, players in enumerate([(ann, bob), (bob, cleo), (cleo, ann)]):
        finish(ports, f"g{number}", seats(*players))
    right = as_numbers(ports)
    score = ports.index.contents()["index:rated:portobello"]["g0"]
    ports.index.place("g0", {}, {"rated:portobello"})
    ports.index.store_derived("ratings:portobello", b'[0,"",{}]')
    without = as_numbers(ports)

    ports.index.place("g0", {"rated:portobello": score}, set())

    assert without != right
    assert as_numbers(ports) == right


def test_rebuild_finds_ratings_and_results_that_are_wrong(ports: Ports, people: list[str]) -> None:
    finish(ports, "g1", seats(*people[:2]))
    right = as_numbers(ports)
    ports.index.store_derived("ratings:portobello", b'[1,"g1",{"nobody":[99.0,1.0,1,1]}]')
    ports.index.store_derived("result:g1", b'["portobello",["nobody"],[1],[[]]]')
    ports.index.place("g1", {}, {"rated:portobello"})

    done = rebuild(ports)

    assert done.differences == (
        "index:rated:portobello: g1 was missing",
        "derived:result:g1: was wrong",
        "derived:ratings:portobello: was wrong",
    )
    assert as_numbers(ports) == right


def test_nobody_loses_a_rating_when_games_go_into_an_archive(ports: Ports, people: list[str], tmp_path: Path) -> None:
    ann, bob, cleo = people
    for number, players in enumerate([(ann, bob), (bob, cleo), (cleo, ann)]):
        finish(ports, f"g{number}", seats(*players))
    right = as_numbers(ports)

    gone = archive(ports, tmp_path / "games", ports.clock())
    differences = rebuild(ports).differences

    assert gone == ["g0", "g1"]
    assert differences == ()
    assert as_numbers(ports) == right
    assert career(ports, bob).finished("portobello").finished == 2
    assert restore_archived(ports, tmp_path / "games") == gone
    assert rebuild(ports).differences == ()
    assert as_numbers(ports) == right


def test_a_game_that_is_listed_but_is_nowhere_breaks_nothing(ports: Ports, people: list[str]) -> None:
    finish(ports, "g1", seats(*people[:2]))
    right = as_numbers(ports)
    ports.index.place("ghost", {"rated:portobello": 1.0, f"played:{people[0]}": 1.0}, set())

    assert as_numbers(ports) == right
    assert career(ports, people[0]).finished("portobello").finished == 1
    assert "index:rated:portobello: ghost should not have been there" in rebuild(ports).differences


def test_games_with_bots_do_not_count_and_records_neither(ports: Ports, people: list[str]) -> None:
    game = finish(ports, "g1", seats(people[0], "bot"))
    record = records.read(records.write(game.rules, game.played))
    import_game(ports, "g2", people[0], replay(record), seats(*people[:2]))
    rebuild(ports)

    assert ratings(ports, "portobello") == {}
    assert career(ports, people[0]).finished("portobello").finished == 1
    assert career(ports, people[1]).finished("portobello").finished == 0


def test_who_shares_the_victory_shares_the_place(ports: Ports, people: list[str]) -> None:
    finish(ports, "g1", seats(*people[:2]), record="013-2p-it-shared-win.txt")
    one, other = ratings(ports, "portobello").values()

    assert results(ports, ["g1"])["g1"].places == (1, 1)
    assert (one.mu, one.won) == (other.mu, other.won) == (25.0, 1)


def test_a_draw_counts_and_an_abandoned_game_does_not(ports: Ports, people: list[str]) -> None:
    ann, bob, _ = people
    for id, what in (("g1", "draw"), ("g2", "abandon")):
        open_game(ports, id, ann, "portobello", seats(ann, bob), {})
        proposed = propose(ports, id, ann, what)
        assert proposed.proposal
        agree(ports, id, bob, proposed.proposal.number)
        decide(ports, [id], deciding())

    assert results(ports, ["g1"])["g1"].places == (1, 1)
    assert [each.games for each in ratings(ports, "portobello").values()] == [1, 1]
    assert career(ports, ann).finished("portobello").finished == 1
    assert rebuild(ports).differences == ()


def test_one_person_in_two_seats_is_no_rated_game(ports: Ports, people: list[str]) -> None:
    finish(ports, "g1", seats(people[0], people[0]))

    assert ratings(ports, "portobello") == {}


def test_giving_up_saves_nobody_from_the_last_place(ports: Ports, people: list[str]) -> None:
    ann, bob, cleo = people
    finish(ports, "g1", seats(ann, bob, cleo), gives_up=ann)
    result = results(ports, ["g1"])["g1"]
    table = ratings(ports, "portobello")

    assert result.places[0] == 3
    assert sorted(result.places[1:]) in ([1, 2], [1, 1])
    assert table[ann].points < min(table[bob].points, table[cleo].points)
    assert table[ann].won == 0


def test_a_career_tells_results_and_pace_but_no_address(ports: Ports, people: list[str]) -> None:
    ann, bob, _ = people
    finish(ports, "g1", seats(ann, bob), think=60_000)
    finish(ports, "g2", seats(ann, "bot"), think=120_000)

    found = career(ports, bob)

    assert (found.name, found.pace, found.played.keys(), found.finished("portobello").finished) == ("Bob", 60_000, {"portobello"}, 1)
    assert career(ports, ann).finished("portobello").finished == 2
    assert career(ports, ann).ratings["portobello"].games == 1
    assert "example.org" not in repr(found)


def test_who_was_erased_is_nobody_like_who_never_was(ports: Ports, people: list[str]) -> None:
    ann, bob, cleo = people
    finish(ports, "g1", seats(ann, bob))
    erase(ports, bob)
    erase(ports, cleo)
    dora = invite(ports, "dora@example.org")

    assert bob in ratings(ports, "portobello")
    for nobody in (bob, cleo, dora, "0" * 16):
        with pytest.raises(Refused, match="no-such-player"):
            career(ports, nobody)
