"""Searches for a game: who is seated with whom, and that nobody is seated twice or lost, whatever dies."""

from threading import Barrier, Thread

import pytest

from marketpost.play.limits import USUAL, Limit, Limits, OverLimit
from marketpost.play.log.actions import AtZero, SeatPlan
from marketpost.play.people.blocking import block
from marketpost.play.people.erasure import erase
from marketpost.play.people.profile import CareerFold
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table import searching
from marketpost.play.table.matching import LONGEST_SEARCH, Seeker, match_searches
from marketpost.play.table.searching import find_tables, search, searches_of, withdraw_search
from marketpost.play.table.seating import open_game
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.searches import Search, SearchPlan
from tests.play.test_broken import damage

DAY = 24 * 3_600_000
PLAN = SearchPlan("portobello", 3, DAY)


def seeker(name: str, plan: SearchPlan = PLAN, since: int = 0, **known: object) -> Seeker:
    return Seeker(Search(name, name, plan, since), persons=frozenset({name}), **known)  # type: ignore[arg-type]


def seated(seekers: list[Seeker], now: int = 0) -> list[str]:
    return ["".join(each.search.player for each in table) for table in match_searches(seekers, now)]


@pytest.mark.parametrize("rules", rulesets())
def test_a_table_opens_when_enough_are_there_and_those_who_wait_longest_get_it(rules: str) -> None:
    for players in ruleset(rules).players:
        plan = SearchPlan(rules, players, DAY)
        names = "abcdef"[:players]
        waiting = [seeker(name, plan, since) for since, name in enumerate(names + "z")]
        assert seated(waiting[::-1]) == [names]
        assert seated(waiting[: players - 1]) == []


@pytest.mark.parametrize(
    "other",
    [
        seeker("c", SearchPlan("alturien", 3, DAY)),
        seeker("c", SearchPlan("portobello", 4, DAY)),
        seeker("c", SearchPlan("portobello", 3, 2 * DAY)),
        seeker("c", SearchPlan("portobello", 3, DAY, least=10.0)),
        seeker("c", SearchPlan("portobello", 3, DAY, most=-1.0)),
        seeker("c", blocked=frozenset("b")),
        seeker("c", is_bot=True),
        seeker("b", since=1),
    ],
    ids=["ruleset", "players", "pace", "too weak", "too strong", "blocked", "bot account", "the same player"],
)
def test_who_does_not_fit_is_not_seated(other: Seeker) -> None:
    assert seated([seeker("a"), seeker("b"), other]) == []
    assert "abd" in seated([seeker("a"), seeker("b"), other, seeker("d")])


def test_everybody_s_range_is_kept() -> None:
    strong, strict = seeker("s", points=30.0), seeker("t", SearchPlan("portobello", 2, DAY, 20.0, 40.0), points=10.0)
    pair = SearchPlan("portobello", 2, DAY)
    assert seated([seeker("s", pair, points=30.0), strict]) == ["st"]
    assert seated([seeker("s", pair, points=19.0), strict]) == []
    assert seated([strong, strict]) == []


def test_a_pair_that_is_apart_does_not_keep_the_others_from_a_table() -> None:
    waiting = [seeker("a"), seeker("b", blocked=frozenset("c")), seeker("c"), seeker("d", blocked=frozenset("b"))]
    assert seated(waiting) == ["acd"]


def test_after_an_hour_a_table_opens_with_those_who_are_there() -> None:
    waiting = [seeker("a"), seeker("b", since=5), seeker("c", SearchPlan("portobello", 4, DAY), since=6)]
    assert seated(waiting, LONGEST_SEARCH - 1) == []
    assert seated(waiting, LONGEST_SEARCH) == ["ab"]
    assert seated(waiting, LONGEST_SEARCH + 6) == ["ab", "c"]


def test_a_full_table_comes_before_one_with_bots() -> None:
    waiting = [seeker("a", blocked=frozenset("cd")), seeker("b", since=1), seeker("c", since=2), seeker("d", since=3)]
    assert seated(waiting, LONGEST_SEARCH) == ["bcd", "a"]


def test_newcomers_are_seated_with_patient_players_or_bots() -> None:
    new = seeker("n", is_newcomer=True)
    choosy = seeker("c", SearchPlan("portobello", 3, DAY, least=0.0))
    slack = seeker("s", is_reliable=False)
    assert seated([new, seeker("a"), seeker("b")]) == ["abn"]
    assert seated([new, seeker("m", is_newcomer=True), seeker("a")]) == ["amn"]
    assert seated([new, choosy, seeker("a")]) == seated([new, slack, seeker("a")]) == []
    assert seated([new, choosy, slack], LONGEST_SEARCH) == ["cs", "n"]


@pytest.mark.parametrize("rules", rulesets())
def test_those_who_search_play_a_game_of_the_kind_they_asked_for(ports: Ports, ann: str, ben: str, rules: str) -> None:
    count = max(ruleset(rules).players[0], 2)
    plan = SearchPlan(rules, count, DAY)
    now = ports.clock()
    ports.clock = lambda: now
    for player in (ann, ben):
        search(ports, player, plan, player)
    find_tables(ports)
    if count > 2:
        ports.clock = lambda: now + LONGEST_SEARCH
        find_tables(ports)
    [id] = ports.index.unfinished_of(ann)
    game = ports.game(id)
    assert game
    assert game.found
    assert (game.rules.name, len(game.seats), game.status) == (rules, count, "running")
    assert {seat.player for seat in game.seats if seat.player} == {ann, ben}
    assert game.clock
    assert (game.clock.per_decision, game.clock.at_zero) == (DAY, AtZero.BOT_TAKES)
    assert searches_of(ports, ann) == searches_of(ports, ben) == []
    assert not ports.searches.has_work()


def test_who_is_alone_plays_with_bots_after_an_hour(ports: Ports, ann: str) -> None:
    search(ports, ann, PLAN, "1")
    now = ports.clock()
    ports.clock = lambda: now + LONGEST_SEARCH
    find_tables(ports)
    [id] = ports.index.unfinished_of(ann)
    game = ports.game(id)
    assert game
    assert sorted(bool(seat.bot) for seat in game.seats) == [False, True, True]


def test_players_of_whom_one_has_blocked_the_other_never_meet(ports: Ports, ann: str, ben: str) -> None:
    player = ports.players.find(ben)
    assert player
    block(ports, player, ann)
    for each in (ann, ben):
        search(ports, each, SearchPlan("portobello", 2, DAY), each)
    find_tables(ports)
    assert {each.player for each in ports.searches.waiting()} == {ann, ben}
    now = ports.clock()
    ports.clock = lambda: now + LONGEST_SEARCH
    find_tables(ports)
    assert len(ports.index.unfinished_of(ann)) == len(ports.index.unfinished_of(ben)) == 1
    assert ports.index.unfinished_of(ann) != ports.index.unfinished_of(ben)


def test_a_search_is_begun_once_and_withdrawn_by_its_player_only(ports: Ports, ann: str, ben: str) -> None:
    search(ports, ann, PLAN, "1")
    search(ports, ann, PLAN, "1")
    with pytest.raises(Refused, match="no-such-search"):
        withdraw_search(ports, ben, "1")
    withdraw_search(ports, ann, "1")
    with pytest.raises(Refused, match="no-such-search"):
        withdraw_search(ports, ann, "1")
    search(ports, ann, PLAN, "1")
    assert searches_of(ports, ann) == [], "a repeated request does not begin it again"


def test_an_erased_player_does_not_search(ports: Ports, ann: str) -> None:
    search(ports, ann, PLAN, "1")
    erase(ports, ann)
    assert not ports.searches.has_work()


def test_reliable_players_may_have_more_games_at_once(ports: Ports, ann: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ports.limits = Limits({Limit.FOUND_PLAYER: 2, Limit.FOUND_RELIABLE: 3})
    assert USUAL[Limit.FOUND_PLAYER] < USUAL[Limit.FOUND_RELIABLE]
    past = CareerFold(games=searching.NEWCOMER, decisions=searching.RARELY, late=2)
    monkeypatch.setattr(searching, "career_so_far", lambda ports, player: past)
    now = ports.clock()
    search(ports, ann, PLAN, "1")
    ports.clock = lambda: now + LONGEST_SEARCH
    find_tables(ports)
    search(ports, ann, PLAN, "2")
    with pytest.raises(OverLimit):
        search(ports, ann, PLAN, "3")
    past.late = 1
    search(ports, ann, PLAN, "3")
    with pytest.raises(OverLimit):
        search(ports, ann, PLAN, "4")


class Killed(Exception):
    """Stands for a worker that dies."""


@pytest.mark.parametrize("at", ["store_found", "open", "commit", "opened"])
def test_a_killed_worker_and_two_at_once_seat_everybody_once(ports: Ports, at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [register(ports, f"p{number}@example.org", f"P{number}").id for number in range(12)]
    for player in people:
        search(ports, player, PLAN, player)

    def die(*args: object, **more: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(ports.games if at in ("open", "commit") else ports.searches, at, die)
        with pytest.raises(Killed):
            find_tables(ports)
        assert ports.searches.has_work(), "the sweeper finds what is left"
    start = Barrier(3)

    def work() -> None:
        own = Ports(GameLogs(ports.games.redis), Players(ports.games.redis), GameIndex(ports.games.redis), lambda game: None)
        start.wait()
        find_tables(own)

    workers = [Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    find_tables(ports)
    assert [len(ports.index.unfinished_of(player)) for player in people] == [1] * 12
    assert [game and game.status for game in map(ports.game, ports.games.all_games())] == ["running"] * 4
    assert not ports.searches.has_work()


def test_a_damaged_game_keeps_its_player_from_no_search(ports: Ports, ann: str) -> None:
    open_game(ports, "g1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(bot="random")], {})
    damage(ports, "g1")
    search(ports, ann, PLAN, "1")
    assert [each.id for each in searches_of(ports, ann)] == ["1"]
