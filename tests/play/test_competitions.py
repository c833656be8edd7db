"""Competitions: who may enter, who meets whom, what a round does, and what a killed worker leaves."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from marketpost.play.compete.advance import advance, next_moment
from marketpost.play.compete.competition import CompetitionStatus, Round
from marketpost.play.compete.competition_actions import CompetitionEnding, CompetitionFormat, WithdrawalReason
from marketpost.play.compete.competition_notices import CompetitionNews
from marketpost.play.compete.entering import cancel_competition, competition_of, enter, withdraw
from marketpost.play.compete.pairing import division_sizes, draw_lots, history, round_robin, table_sizes
from marketpost.play.compete.standings import divisions, meetings, share, standings
from marketpost.play.log.actions import Offered, SeatPlan
from marketpost.play.log.commit import change
from marketpost.play.log.entries import Tampered
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.bot_accounts import new_bot
from marketpost.play.people.erasure import erase
from marketpost.play.people.registration import register
from marketpost.play.people.results import stayed
from marketpost.play.people.suspension import suspend
from marketpost.play.ports import Ports
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.invitations import seal_invitation
from marketpost.play.table.seating import join, resign
from marketpost.rules.chance import seal
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from tests.competitions import SECRET, measure, simulate
from tests.play.competing import DAY, Field


@pytest.fixture
def room(ports: Ports) -> Field:
    return Field(ports)


@pytest.mark.parametrize(("players", "seats"), [(4, 2), (5, 2), (9, 3), (7, 3), (8, 4), (16, 4), (7, 6)])
def test_in_a_round_robin_everybody_meets_everybody(players: int, seats: int) -> None:
    names = [f"p{number}" for number in range(players)]
    met = Counter(frozenset(pair) for each in round_robin(names, seats) for table in each for pair in combinations(table, 2))
    assert len(met) == players * (players - 1) // 2
    assert seats > 2 or max(met.values()) == 1


@pytest.mark.parametrize("players", range(2, 40))
@pytest.mark.parametrize("seats", range(2, 7))
def test_players_are_divided_into_tables_that_differ_by_one_seat_at_most(players: int, seats: int) -> None:
    sizes, byes = table_sizes(players, seats)
    assert sum(sizes) + byes == players
    assert not sizes or (max(sizes) - min(sizes) <= 1 and max(sizes) <= seats and min(sizes) >= 2)
    assert byes <= (seats == 2 and players % 2)


def test_points_are_the_share_of_the_others_who_were_beaten() -> None:
    assert [share((1, 2, 3), seat) for seat in range(3)] == [1.0, 0.5, 0.0]
    assert [share((1, 1, 3, 4), seat) for seat in range(4)] == [pytest.approx(5 / 6), pytest.approx(5 / 6), pytest.approx(1 / 3), 0.0]
    assert share((), 0) == 0.0


@pytest.mark.parametrize("rules", rulesets())
def test_a_tournament_is_played_from_entries_to_standings(room: Field, rules: str) -> None:
    seats = ruleset(rules).players[0]
    room.announced(CompetitionFormat.SWISS, seats, rules=rules, seats=seats, rounds=1)
    assert room.advance().status == CompetitionStatus.OPEN, "entries are open until the date comes"

    over = room.play_out(choose=lambda player: "greedy")

    assert over.ended
    assert over.ended.how == CompetitionEnding.PLAYED
    assert [len(each.tables) for each in over.rounds] == [1]
    assert over.secret
    assert seal(bytes.fromhex(over.secret)) == over.seal
    lines = standings(over)
    assert sum(line.points for line in lines) == pytest.approx(seats / 2)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    assert Counter(notice.news for notice in room.told) == {CompetitionNews.ROUND: seats, CompetitionNews.OVER: seats}
    table = room.ports.game(over.table_id(1, 0))
    assert table
    assert table.competition == "c-1"


class Killed(Exception):
    """Stands for a worker that dies."""


@pytest.mark.parametrize(
    ("what", "step"), [*(("open", step) for step in range(3)), *(("begin", step) for step in range(3)), ("pair", 0), ("tell", 0)]
)
def test_a_worker_killed_while_it_pairs_leaves_the_same_pairing(room: Field, what: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    room.announced(CompetitionFormat.SWISS, 6, rounds=3)
    room.later()
    calls = iter(range(100))
    ports = room.ports
    of, name = {
        "open": (ports.games, "open"),
        "begin": (ports.games, "commit"),
        "pair": (ports.competitions, "commit"),
        "tell": (ports.competitions, "delivered"),
    }[what]
    real = getattr(of, name)

    def dying(*args: object, **more: object) -> object:
        if next(calls) == step:
            raise Killed
        return real(*args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(of, name, dying)
        with pytest.raises(Killed):
            advance(room.ports, "c-1", room.told.extend)
        then = competition_of(room.ports, "c-1")
        assert room.ports.competitions.due(room.now) == ["c-1"], "the sweeper finds it"
    again = room.advance()
    twin = room.advance()

    assert not then.rounds or then.rounds[0].tables == again.rounds[0].tables
    assert len(again.rounds) == 1
    assert again.version == twin.version
    assert len({notice.id for notice in room.told}) == 6
    assert [game and game.status for game in map(room.ports.game, room.tables())] == [GameStatus.RUNNING] * 3


def test_who_gives_up_scores_nothing_and_is_not_paired_again(room: Field) -> None:
    room.announced(CompetitionFormat.SWISS, 4, rounds=2)
    room.later()
    table = room.advance().rounds[0].tables[0]
    resign(room.ports, room.tables()[0], table.players[1])
    room.draw_all()
    then = room.advance()
    assert then.withdrawn == {table.players[1]: WithdrawalReason.FORFEIT}
    assert len(then.rounds[1].tables) == len(then.rounds[1].byes) == 1
    line = next(line for line in standings(then) if line.player == table.players[1])
    assert (line.points, line.forfeits) == (0.0, 1)
    assert [notice.player for notice in room.told if notice.news == CompetitionNews.FORFEITED] == [table.players[1]]


def test_of_each_knock_out_table_the_better_half_goes_on() -> None:
    over = simulate(CompetitionFormat.KNOCK_OUT, 9, 4, Random(3))
    assert [[len(table.players) for table in each.tables] for each in over.rounds] == [[3, 3, 3], [3]]
    first, *_ = standings(over)
    assert (first.place, first.round) == (1, 2)


def test_a_competition_that_too_few_enter_does_not_begin(room: Field) -> None:
    room.announced(CompetitionFormat.SWISS, 1)
    room.later()
    over = room.advance()
    assert over.ended
    assert over.ended.how == CompetitionEnding.TOO_FEW
    assert {notice.news for notice in room.told} == {CompetitionNews.CANCELLED}


def test_rounds_begin_at_their_dates(room: Field) -> None:
    room.announced(CompetitionFormat.ROUND_ROBIN, 3, every=7 * DAY)
    room.later()
    room.advance()
    room.draw_all()
    waiting = room.advance()
    assert len(waiting.rounds) == 1
    assert next_moment(waiting) == waiting.rounds[0].began + 7 * DAY
    room.later(7 * DAY)
    assert len(room.advance().rounds) == 2


def test_entries_close_when_it_begins_and_only_the_host_cancels(room: Field) -> None:
    room.announced(CompetitionFormat.SWISS, 4)
    late, *_ = room.people(5)[4:]
    withdraw(room.ports, "c-1", room.players[3])
    with pytest.raises(Refused, match="not-the-host"):
        cancel_competition(room.ports, "c-1", room.players[1])
    room.later()
    assert len(room.advance().active) == 3
    with pytest.raises(Refused, match="competition-closed"):
        enter(room.ports, "c-1", late)
    over = cancel_competition(room.ports, "c-1", room.players[0])
    assert over.ended
    assert over.ended.how == CompetitionEnding.CANCELLED


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("format", CompetitionFormat)
def test_of_an_owner_and_their_bots_one_takes_part(room: Field, rules: str, format: CompetitionFormat) -> None:
    id = room.announced(format, 2, rules=rules)
    ann, ben = room.players
    owner = room.ports.players.find(ann)
    assert owner
    bots = [new_bot(room.ports, owner, name).id for name in ("Marvin", "Robbie")]

    for each in bots:
        with pytest.raises(Refused, match="competition-own-bot"):
            enter(room.ports, id, each)
    withdraw(room.ports, id, ann)
    enter(room.ports, id, bots[0])
    for each in (ann, bots[1]):
        with pytest.raises(Refused, match="competition-own-bot"):
            enter(room.ports, id, each)
    assert enter(room.ports, id, bots[0]).active == [ben, bots[0]]


def test_a_changed_log_is_noticed(room: Field) -> None:
    room.announced(CompetitionFormat.SWISS, 3)
    key = room.ports.competitions.key("c-1", "log")
    stored = room.ports.competitions.read("c-1")
    room.ports.games.redis.delete(key)
    for each in stored:
        room.ports.games.redis.xadd(key, {"e": each.data.replace(b"Spring", b"Winter")}, id=f"{each.version}-0")
    with pytest.raises(Tampered):
        competition_of(room.ports, "c-1")


def test_pairing_is_far_better_than_chance() -> None:
    paired = measure(simulate(CompetitionFormat.SWISS, 32, 4, Random(5), rounds=5))
    drawn = measure(simulate(CompetitionFormat.SWISS, 32, 4, Random(5), rounds=5, by_chance=True))
    assert paired.repeats == 0 < drawn.repeats
    assert paired.difference < drawn.difference * 0.6
    assert paired.strength < drawn.strength
    assert paired.seat_spread < drawn.seat_spread
    assert paired.colour_spread < drawn.colour_spread


def test_a_swiss_tournament_of_two_seats_has_no_repeats_and_one_bye_each_at_most() -> None:
    over = simulate(CompetitionFormat.SWISS, 9, 2, Random(2), rounds=4)
    assert max(meetings(over).values()) == 1
    assert max(Counter(player for each in over.rounds for player in each.byes).values()) == 1


def test_after_a_season_the_first_two_go_up_and_the_last_two_down() -> None:
    league = simulate(CompetitionFormat.LEAGUE, 24, 2, Random(7), rounds=3)
    assert [len(each.tables) for each in league.rounds] == [3 * 28] * 3
    first, second = (_divisions(each) for each in league.rounds[:2])
    league.rounds = league.rounds[:1]
    ranked = divisions(league, draw_lots(SECRET, league.entrants))
    for upper, lower in ((0, 1), (1, 2)):
        assert {line.player for line in ranked[upper][-2:]} <= second[lower]
        assert {line.player for line in ranked[lower][:2]} <= second[upper]
        assert len(first[upper] & second[upper]) == (6 if upper == 0 else 4)


def test_in_a_league_seats_are_balanced_within_the_season() -> None:
    league = simulate(CompetitionFormat.LEAGUE, 8, 2, Random(7), rounds=1)
    seats, _ = history(league)
    assert all(abs(had[0] - had[1]) <= 3 for had in seats.values())


@pytest.mark.parametrize(("players", "sizes"), [(5, [5]), (8, [8]), (9, [5, 4]), (10, [5, 5]), (17, [6, 6, 5]), (64, [8] * 8)])
def test_divisions_have_five_to_eight_players(players: int, sizes: list[int]) -> None:
    assert division_sizes(players) == sizes


def test_seasons_start_by_themselves_and_newcomers_enter_at_the_bottom(room: Field) -> None:
    room.announced(CompetitionFormat.LEAGUE, 3, every=30 * DAY)
    room.later()
    room.advance()
    late = register(room.ports, "late@example.org", "Late").id
    enter(room.ports, "c-1", late)
    withdraw(room.ports, "c-1", room.players[0])
    room.draw_all()
    assert len(room.advance().rounds) == 1, "the next season has its date"
    room.later(30 * DAY)
    then = room.advance()
    assert len(then.rounds) == 2
    assert _divisions(then.rounds[1]) == [{room.players[1], room.players[2], late}]
    assert room.told[-1].news == CompetitionNews.ROUND
    assert len(room.tables()) == 3
    assert then.ended is None


def test_without_its_host_and_without_who_is_suspended_a_league_goes_on(room: Field) -> None:
    room.announced(CompetitionFormat.LEAGUE, 4)
    room.later()
    room.advance()
    host, second, third, fourth = room.players
    suspended = room.ports.players.find(second)
    assert suspended
    suspend(room.ports, suspended, "operator", "")
    erase(room.ports, host)
    room.draw_all()
    then = room.advance()
    assert _divisions(then.rounds[1]) == [{third, fourth}]
    assert {host, second} <= then.withdrawn.keys()
    withdraw(room.ports, "c-1", third)
    room.draw_all()
    over = room.advance()
    assert over.ended, "nobody is left to play against"


def _divisions(season: Round) -> list[set[str]]:
    count = max(table.division for table in season.tables)
    return [{player for table in season.tables if table.division == number for player in table.players} for number in range(1, count + 1)]


def test_every_notice_is_told_once(room: Field) -> None:
    room.announced(CompetitionFormat.ROUND_ROBIN, 3)
    room.later()
    while room.advance().status == CompetitionStatus.RUNNING:
        room.draw_all()
    assert len(room.told) == len({notice.id for notice in room.told})
    assert Counter(notice.news for notice in room.told) == {CompetitionNews.ROUND: 6, CompetitionNews.BYE: 3, CompetitionNews.OVER: 3}


@pytest.mark.parametrize("format", CompetitionFormat)
def test_a_seat_goes_to_a_bot_and_to_nobody_else(room: Field, format: CompetitionFormat) -> None:
    room.announced(format, 6)
    stranger = register(room.ports, "stranger@example.org", "Stranger").id
    room.later()
    room.advance()
    game = room.ports.game(room.tables()[0])
    assert game
    (seat, own), *_ = ((number, each.player) for number, each in enumerate(game.seats))
    assert own
    entrant = next(player for player in room.players if player not in game.people)
    for heir in (entrant, stranger, "new@example.org"):
        with pytest.raises(Refused, match="tournament-seat"):
            hand_over(room.ports, game.id, own, SeatPlan(invited=heir))
    for heir in (entrant, stranger):
        offered_before(room, game, seat, heir)
        with pytest.raises(Refused, match="tournament-seat"):
            join(room.ports, game.id, heir)

    then = hand_over(room.ports, game.id, own, SeatPlan(bot="random"))
    assert then.seats[seat] == SeatPlan(bot="random")
    assert not stayed(then)[seat], "it counts as giving up"


def offered_before(room: Field, game: Game, seat: int, heir: str) -> None:
    """An offer as it stands in the log of a table that was played before such offers were refused."""
    reference, _ = seal_invitation(room.ports, game.id, game.seats[seat].player or "", heir)
    assert change(room.ports, game.id, None, lambda known: ([Offered(seat, reference)], [])).offered_to(heir) == seat
