"""What a player does to find a game: search, withdraw; and what a worker does: match the searches, open the tables that were found."""

import hashlib
from collections.abc import Sequence

from marketpost.play.limits import Limit
from marketpost.play.log.actions import AtZero, SeatPlan, TimeControl
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.people.profile import CareerFold, career_so_far
from marketpost.play.people.ratings import Rating, ratings
from marketpost.play.people.results import RatingPool
from marketpost.play.ports import Ports
from marketpost.play.table.matching import LONGEST_SEARCH, Seeker, match_searches
from marketpost.play.table.seating import has_begun, open_game, settled
from marketpost.rules.bots import usual_bot
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.store.players import Player, is_bot_id
from marketpost.store.searches import FoundTable, Search, SearchPlan

NEWCOMER = 3
"""Finished games until which somebody is a newcomer."""
RARELY = 20
"""Who is out of time in at most one of so many decisions is reliable."""
NEAR = 5.0
"""Points of rating by which players of similar strength differ at most."""
UNLIMITED = 10**6
ID_DIGITS = 32


def search(ports: Ports, player: str, plan: SearchPlan, id: str) -> Search:
    """Search for a game, once for each id. Refused to guests, and to players who have searched for as many games as they may have."""
    not_for_guests(ports, player)
    if (known := ports.players.find(player)) and known.suspended:
        raise Refused("suspended")
    settled(ruleset(plan.rules), plan.players, {})
    made = Search(id, player, plan, ports.clock())
    limit = Limit.FOUND_RELIABLE if _has_proved_reliable(career_so_far(ports, player)) else Limit.FOUND_PLAYER
    running = sum(game.found for id in ports.index.unfinished_of(player) if (game := ports.sound_game(id)))
    if others := ports.searches.add(made, ports.limits.amounts.get(limit, UNLIMITED) - running):
        ports.limits.check(limit, running + others + 1)
    ports.enqueue(ports.searches.WORK)
    return made


def searches_of(ports: Ports, player: str) -> list[Search]:
    """List the searches of a player that wait, the longest first."""
    return [each for each in ports.searches.waiting() if each.player == player]


def withdraw_search(ports: Ports, player: str, id: str) -> None:
    """Withdraw a search; refused if the player has none of this id, or a table was found meanwhile."""
    if not (any(each.id == id for each in searches_of(ports, player)) and ports.searches.withdraw(id, ports.clock())):
        raise Refused("no-such-search")


def withdraw_searches(ports: Ports, player: str) -> int:
    """Withdraw all searches of a player; returns how many there were."""
    return sum(ports.searches.withdraw(each.id, ports.clock()) for each in searches_of(ports, player))


def opens_by(made: Search) -> int:
    """The moment at which a table opens at the latest."""
    return made.since + LONGEST_SEARCH


def similar_strength(ports: Ports, player: str, rules: str) -> tuple[float, float]:
    """The range of ratings near the player's own."""
    points = _points(ports, player, rules)
    return points - NEAR, points + NEAR


def find_tables(ports: Ports) -> None:
    """Match the searches that wait, and open the games of the tables that were found.

    Race: two workers match the same searches. A table and its searches change hands in one atomic step, so one of them finds the table.
    Fault: the worker may die before the game is open. The table stays stored, and its game's id follows from its searches: the next worker
    opens the same game, once.
    """
    for seekers in match_searches(_seekers(ports), ports.clock()):
        ports.searches.store_found(_table(seekers), [each.search.id for each in seekers], ports.clock())
    for table in ports.searches.found():
        _open(ports, table)


def _table(seekers: Sequence[Seeker]) -> FoundTable:
    first, ids = seekers[0].search, sorted(each.search.id for each in seekers)
    game = hashlib.sha256("|".join(["search", *ids]).encode()).hexdigest()[:ID_DIGITS]
    players = tuple(each.search.player for each in seekers)
    return FoundTable(game, first.plan.rules, first.plan.pace, players, first.plan.players - len(players))


def _open(ports: Ports, table: FoundTable) -> None:
    """Open the game of a table. A bot gets the seat of a player who was suspended or erased meanwhile; without players there is no game."""
    present = {id for id, player in ports.players.find_all(table.players).items() if not player.suspended}
    if present and not has_begun(ports, table.game):
        bot = SeatPlan(bot=usual_bot(ruleset(table.rules)))
        seats = [SeatPlan(player=player) if player in present else bot for player in table.players] + [bot] * table.bots
        host = next(player for player in table.players if player in present)
        clock = TimeControl(table.pace, at_zero=AtZero.BOT_TAKES)
        open_game(ports, table.game, host, table.rules, seats, {}, True, clock, shuffled=True, found=True)
    ports.searches.opened(table.game)


def _seekers(ports: Ports) -> list[Seeker]:
    """Read what is known of everybody who searches; searches of players who were suspended or erased are withdrawn."""
    waiting = ports.searches.waiting()
    known = ports.players.find_all({each.player for each in waiting})
    gone = [each for each in waiting if each.player not in known or known[each.player].suspended]
    for each in gone:
        ports.searches.withdraw(each.id, ports.clock())
    return [_seeker(ports, each, known[each.player]) for each in waiting if each not in gone]


def _seeker(ports: Ports, made: Search, player: Player) -> Seeker:
    past = career_so_far(ports, player.id)
    return Seeker(
        made,
        _points(ports, player.id, made.plan.rules),
        is_newcomer=past.games < NEWCOMER,
        is_reliable=_is_reliable(past),
        is_bot=is_bot_id(player.id),
        persons=frozenset({player.id, player.owner or player.id}),
        blocked=frozenset(player.blocked),
    )


def _points(ports: Ports, player: str, rules: str) -> float:
    pool = RatingPool.BOTS if is_bot_id(player) else RatingPool.PEOPLE
    return ratings(ports, rules, pool).get(player, Rating()).points


def _is_reliable(past: CareerFold) -> bool:
    return past.late * RARELY <= past.decisions


def _has_proved_reliable(past: CareerFold) -> bool:
    return past.games >= NEWCOMER and _is_reliable(past)
