"""Moves competitions on: pairs rounds that are due, opens their tables, records results, and delivers notices."""

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from marketpost.play.compete.competition import Competition, CompetitionStatus, Round
from marketpost.play.compete.competition_actions import (
    CompetitionAction,
    CompetitionEnding,
    CompetitionFormat,
    LotsRevealed,
    RoundPaired,
    TableEnded,
    WithdrawalReason,
    Withdrawn,
)
from marketpost.play.compete.competition_notices import (
    CompetitionNews,
    CompetitionNotice,
    competition_notices,
    decode_competition_notice,
)
from marketpost.play.compete.entering import HOUR, change_competition, competition_of, ending
from marketpost.play.compete.pairing import going_on, needed_rounds, pair_round
from marketpost.play.log.actions import Done, Revealed, SeatPlan
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.results import places, stayed
from marketpost.play.ports import Ports
from marketpost.play.table.seating import has_begun, open_game
from marketpost.rules.chance import round_secret, seal
from marketpost.rules.ruleset import ruleset

Tell = Callable[[Sequence[CompetitionNotice]], None]
"""Pass notices on to the letters of their players. A notice that comes twice must become one letter."""
Steps = tuple[list[CompetitionAction], list[bytes]]
FEWEST = 2


def advance(ports: Ports, id: str, tell: Tell) -> None:
    """Do everything that is due in a competition, deliver its notices, and list the moment at which to look again.

    Fault: the worker may die anywhere. What was paired is in the log, the ids of tables follow from it, and notices stay in the outbox
    until they are delivered; the next worker does the rest and nothing twice.
    """
    competition = competition_of(ports, id)
    while True:
        open_tables(ports, competition)
        reveal_tables(ports, competition)
        then = change_competition(ports, id, None, lambda known: due(ports, known))
        if then.version == competition.version:
            break
        competition = then
    outbox = ports.competitions.outbox(id)
    tell([decode_competition_notice(data) for data in outbox])
    ports.competitions.delivered({id: outbox})
    list_competition(ports, competition)


def list_competition(ports: Ports, competition: Competition) -> None:
    """List a competition with the moment at which it must be looked at: when something is due, and at least once an hour."""
    now = ports.clock()
    moment = min(now + HOUR, next_moment(competition) or now + HOUR)
    is_over = competition.status == CompetitionStatus.OVER and competition.secret is not None
    is_over = is_over and not ports.competitions.outbox(competition.id)
    ports.competitions.place(competition.id, competition.created, None if is_over else max(moment, now + 1))


def next_moment(competition: Competition) -> int | None:
    """Compute when something is due by date alone; None if the competition waits for tables."""
    if competition.status == CompetitionStatus.OPEN:
        return competition.plan.starts
    last = competition.rounds[-1] if competition.rounds else None
    return last.began + competition.plan.every if last and last.is_over and competition.plan.every else None


def open_tables(ports: Ports, competition: Competition) -> None:
    """Open the tables of the current round that have not begun. Their ids follow from the log, so none is opened twice.

    Fault: the worker may die between the first entries of a table and its beginning. `open_game` then finds the table and begins it.
    """
    if competition.status != CompetitionStatus.RUNNING:
        return
    now = competition.rounds[-1]
    for number, table in enumerate(now.tables):
        if number not in now.ended and not has_begun(ports, id := competition.table_id(now.number, number)):
            setting = {
                "board": competition.plan.board,
                "edition": competition.plan.edition,
                "options": competition.plan.options,
                "colours": table.colours,
            }
            seats = [SeatPlan(player=player) for player in table.players]
            plan = competition.plan
            shared = shared_secret(ports, competition, now.number)
            open_game(ports, id, table.players[0], plan.rules, seats, setting, True, plan.clock, competition=competition.id, shared=shared)


def shared_secret(ports: Ports, competition: Competition, number: int) -> bytes:
    """Derive the secret of all tables of a round of duplicate tables; empty in other competitions, whose games draw their own."""
    return round_secret(ports.competitions.secret(competition.id), competition.id, number) if competition.is_duplicate else b""


def reveal_tables(ports: Ports, competition: Competition) -> None:
    """Reveal the secret in the logs of all duplicate tables of the last round once all are over, which makes them public.

    Fault: the worker may die between two tables. The next one reveals the rest before a further round is paired.
    """
    if not competition.is_duplicate or not competition.rounds or competition.is_sealed:
        return
    now = competition.rounds[-1]
    secret = shared_secret(ports, competition, now.number).hex()

    def reveal(game: Game) -> Done:
        return ([Revealed(secret)], []) if game.secret is None else ([], [])

    for number in range(len(now.tables)):
        if (game := ports.game(id := competition.table_id(now.number, number))) and game.is_sealed:
            change(ports, id, None, reveal)


def due(ports: Ports, competition: Competition) -> Steps:
    """Decide what is due now; nothing if the competition waits."""
    match competition.status:
        case CompetitionStatus.OVER if competition.secret is None:
            results = _results(ports, competition, competition.rounds[-1])
            revealed = [] if competition.is_sealed else [LotsRevealed(ports.competitions.secret(competition.id).hex())]
            return [*results, *revealed], []
        case CompetitionStatus.OVER:
            return [], []
        case CompetitionStatus.OPEN:
            return _next_round(ports, competition) if competition.plan.starts <= ports.clock() else ([], [])
        case CompetitionStatus.RUNNING:
            return _in_round(ports, competition, competition.rounds[-1])


def _in_round(ports: Ports, competition: Competition, now: Round) -> Steps:
    """Record the tables that are over; when all are, begin the next round or end the competition."""
    if results := _results(ports, competition, now):
        return [*results], []
    if not now.is_over:
        return [], []
    if forfeited := _forfeited(competition, now):
        told = competition_notices(competition.id, CompetitionNews.FORFEITED, forfeited, ports.clock(), now.number)
        return [Withdrawn(player, WithdrawalReason.FORFEIT) for player in forfeited], told
    if _was_last(competition, now):
        return ending(ports, competition, CompetitionEnding.PLAYED)
    return _next_round(ports, competition) if now.began + competition.plan.every <= ports.clock() else ([], [])


def _results(ports: Ports, competition: Competition, now: Round) -> list[TableEnded]:
    """Read the results of tables that are over; those of duplicate tables only when all are, because results tell of draws."""
    playing = [number for number in range(len(now.tables)) if number not in now.ended]
    found = [ended for number in playing if (ended := _ended(ports, competition, now, number))]
    return [] if competition.is_duplicate and len(found) < len(playing) else found


def _ended(ports: Ports, competition: Competition, now: Round, number: int) -> TableEnded | None:
    """Read the result of a table; None while it is played."""
    game = ports.game(competition.table_id(now.number, number))
    if game is None or game.status != GameStatus.OVER:
        return None
    return table_ended(game, now.number, number)


def table_ended(game: Game, round: int, table: int) -> TableEnded:
    """Build the result of a game that is over."""
    forfeits = tuple(seat for seat, stays in enumerate(stayed(game)) if not stays)
    return TableEnded(round, table, places(game) if game.winners else (), tuple(game.rules.scores(game.state)), forfeits)


def _forfeited(competition: Competition, now: Round) -> list[str]:
    """List the players who forfeited all their tables of this round and are still to be paired; in a last round nobody is."""
    if _was_last(competition, now):
        return []
    lost = Counter(now.tables[number].players[seat] for number, ended in now.ended.items() for seat in ended.forfeits)
    had = Counter(player for table in now.tables for player in table.players)
    return [player for player, times in lost.items() if player in competition.active and times == had[player]]


def _was_last(competition: Competition, now: Round) -> bool:
    if competition.plan.format == CompetitionFormat.KNOCK_OUT:
        return len(now.tables) == 1 and not now.byes
    needed = needed_rounds(competition)
    return bool(needed) and now.number >= needed


def _next_round(ports: Ports, competition: Competition) -> Steps:
    """Pair the next round, without players who are gone; end the competition if too few are left."""
    if gone := [player for player in competition.active if _is_gone(ports, player)]:
        return [Withdrawn(player, WithdrawalReason.GONE) for player in gone], []
    going = going_on(competition) if competition.plan.format == CompetitionFormat.KNOCK_OUT else competition.active
    if len(going) < FEWEST:
        return ending(ports, competition, CompetitionEnding.PLAYED if competition.rounds else CompetitionEnding.TOO_FEW)
    rules = ruleset(competition.plan.rules)
    paired = pair_round(competition, ports.competitions.secret(competition.id), rules.colours, rules.players[0])
    if shared := shared_secret(ports, competition, paired.number):
        paired = replace(paired, seal=seal(shared))
    return [paired], _notices_of_round(competition, paired, ports.clock())


def _is_gone(ports: Ports, player: str) -> bool:
    known = ports.players.find(player)
    return known is None or bool(known.suspended)


def _notices_of_round(competition: Competition, paired: RoundPaired, at: int) -> list[bytes]:
    playing = dict.fromkeys(player for table in paired.tables for player in table.players)
    return competition_notices(competition.id, CompetitionNews.ROUND, playing, at, paired.number) + competition_notices(
        competition.id, CompetitionNews.BYE, paired.byes, at, paired.number
    )
