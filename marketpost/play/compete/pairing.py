"""Pairs the rounds of competitions. Pure: a pairing follows from the log and the secret alone, whoever computes it and how often."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise, permutations

from msgspec.structs import replace

from marketpost.play.compete.competition import Competition
from marketpost.play.compete.competition_actions import CompetitionFormat, PlannedTable, RoundPaired
from marketpost.play.compete.standings import Lots, divisions, meetings, points_of, standings
from marketpost.rules.chance import uniform

LOTS = 1 << 48
REPEAT_COST = 100.0
"""A second meeting weighs as much as a difference of so many points."""
MOST_PASSES = 50
SWISS_LEAST = 3
"""Rounds of a Swiss tournament at least, if the host sets none."""
DUPLICATE_ROUNDS = 3
"""Rounds of duplicate tables, if the host sets none."""
MOST_IN_DIVISION = 8
MOVING = 2
"""Players who go up, and down, after a season."""
Met = Mapping[frozenset[str], int]
Had = Mapping[str, Counter[int]]
"""How often each player has had each seat, or each colour."""


def draw_lots(secret: bytes, players: Iterable[str], round: int = 0) -> dict[str, int]:
    """Draw a number for each player; it depends on nothing but the secret, the round and the player."""
    return {player: uniform(secret, f"lot|{round}|{player}", LOTS) for player in players}


def table_sizes(players: int, seats: int, least: int = 2) -> tuple[list[int], int]:
    """Divide players into tables of `seats` or, as evenly as possible, fewer; returns the sizes and how many players get a bye."""
    for byes in range(players + 1):
        count = -(-(players - byes) // seats)
        if not count:
            return [], byes
        small, larger = divmod(players - byes, count)
        if small >= least:
            return [small + 1] * larger + [small] * (count - larger), byes
    return [], players


def needed_rounds(competition: Competition) -> int:
    """Compute how many rounds the competition has; 0 for a knock-out, which ends with its last table, and for a league without end."""
    plan, players = competition.plan, len(competition.entrants)
    match plan.format:
        case CompetitionFormat.KNOCK_OUT:
            return 0
        case CompetitionFormat.LEAGUE:
            return plan.rounds
        case CompetitionFormat.ROUND_ROBIN:
            return len(round_robin(competition.entrants, plan.seats))
        case CompetitionFormat.DUPLICATE:
            return plan.rounds or DUPLICATE_ROUNDS
        case CompetitionFormat.SWISS:
            return plan.rounds or max(SWISS_LEAST, (players - 1).bit_length())


def pair_round(competition: Competition, secret: bytes, colours: Sequence[str], least: int = 2) -> RoundPaired:
    """Pair the next round."""
    number, active = len(competition.rounds) + 1, competition.active
    lots = draw_lots(secret, competition.entrants)
    match competition.plan.format:
        case CompetitionFormat.ROUND_ROBIN:
            drawn = sorted(competition.entrants, key=lambda player: (lots[player], player))
            groups = [[player for player in group if player in active] for group in round_robin(drawn, competition.plan.seats)[number - 1]]
        case CompetitionFormat.SWISS:
            groups = _swiss(competition, active, lots, least)
        case CompetitionFormat.KNOCK_OUT:
            groups = _knock_out(competition, going_on(competition), lots, least)
        case CompetitionFormat.DUPLICATE:
            groups = _by_lot(competition, secret, least)
        case CompetitionFormat.LEAGUE:
            return _season(competition, secret, colours, least)
    seated = _seat_all([group for group in groups if len(group) >= least], competition, secret, colours)
    playing = {player for table in seated for player in table.players}
    byes = [player for group in groups for player in group if player not in playing]
    return RoundPaired(number, tuple(seated), tuple(sorted(byes)))


def _swiss(competition: Competition, active: Sequence[str], lots: Lots, least: int) -> list[list[str]]:
    """Divide the players into tables by points, and swap players until no swap lowers the cost of the tables.

    Byes go to the last in the standings who have had the fewest.
    """
    order = [line.player for line in standings(competition, lots) if line.player in set(active)]
    sizes, byes = table_sizes(len(order), competition.plan.seats, least)
    had = Counter(player for each in competition.rounds for player in each.byes)
    idle = sorted(order, key=lambda player: (had[player], -order.index(player)))[:byes]
    playing = [player for player in order if player not in idle]
    return improve(cut(playing, sizes), meetings(competition), points_of(competition)) + [[player] for player in idle]


def _by_lot(competition: Competition, secret: bytes, least: int) -> list[list[str]]:
    """Divide the players into tables by lots of the round, and swap players until as few as possible meet again.

    Points do not count: who sat with the strong only would be compared with others who sat with the weak.
    """
    number, active = len(competition.rounds) + 1, competition.active
    lots = draw_lots(secret, active, number)
    had = Counter(player for each in competition.rounds for player in each.byes)
    order = sorted(active, key=lambda player: (-had[player], lots[player], player))
    sizes, byes = table_sizes(len(order), competition.plan.seats, least)
    playing, idle = order[: len(order) - byes], order[len(order) - byes :]
    return improve(cut(playing, sizes), meetings(competition), dict.fromkeys(playing, 0.0)) + [[player] for player in idle]


def cut(players: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """Cut a list of players into tables of these sizes."""
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
    return [list(players[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def table_cost(table: Sequence[str], met: Met, points: Mapping[str, float]) -> float:
    """Compute the cost of a table: repeated meetings, the third of the same pair more than the second, and differences of points."""
    cost = 0.0
    for one, other in combinations(table, 2):
        times = met.get(frozenset((one, other)), 0)
        cost += REPEAT_COST * times * times + (points[one] - points[other]) ** 2
    return cost


def improve(tables: list[list[str]], met: Met, points: Mapping[str, float]) -> list[list[str]]:
    """Swap players between tables as long as a swap lowers the cost, always in the same order."""
    costs = [table_cost(table, met, points) for table in tables]
    for _ in range(MOST_PASSES):
        swapped = [_swap_best(tables, costs, pair, met, points) for pair in combinations(range(len(tables)), 2)]
        if not any(swapped):
            break
    return tables


def _swap_best(tables: list[list[str]], costs: list[float], pair: tuple[int, int], met: Met, points: Mapping[str, float]) -> bool:
    """Make the best swap between two tables, if any lowers their cost."""
    one, other = pair
    best, swap = costs[one] + costs[other] - 1e-9, None
    for first in range(len(tables[one])):
        for second in range(len(tables[other])):
            left, right = _swapped(tables[one], tables[other], first, second)
            costs_then = table_cost(left, met, points), table_cost(right, met, points)
            if sum(costs_then) < best:
                best, swap = sum(costs_then), (left, right, costs_then)
    if swap is None:
        return False
    tables[one], tables[other], (costs[one], costs[other]) = swap
    return True


def _swapped(one: list[str], other: list[str], first: int, second: int) -> tuple[list[str], list[str]]:
    return [*one[:first], other[second], *one[first + 1 :]], [*other[:second], one[first], *other[second + 1 :]]


def round_robin(players: Sequence[str], seats: int) -> list[list[list[str]]]:
    """List the rounds in which everybody meets everybody: by the circle method for tables of two, otherwise with few repeats."""
    return _circle(players) if seats == 2 else _covering(players, seats)


def _circle(players: Sequence[str]) -> list[list[list[str]]]:
    """Turn all players but the first round a circle; with an odd number, one has no opponent in each round."""
    ring = [*players, *([""] if len(players) % 2 else [])]
    rounds = []
    for _ in range(len(ring) - 1):
        pairs = [[ring[number], ring[-1 - number]] for number in range(len(ring) // 2)]
        rounds.append([[player for player in pair if player] for pair in pairs])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds


def _covering(players: Sequence[str], seats: int) -> list[list[list[str]]]:
    """Add rounds with as few repeated meetings as swaps can find, until every pair has met; the list is turned, so that byes go round."""
    met: Counter[frozenset[str]] = Counter()
    missing, equal = {frozenset(pair) for pair in combinations(players, 2)}, dict.fromkeys(players, 0.0)
    rounds: list[list[list[str]]] = []
    sizes, byes = table_sizes(len(players), seats)
    while missing:
        start = len(rounds) * 2 % len(players)
        turned = [*players[start:], *players[:start]]
        tables = improve(cut(turned[: len(turned) - byes], sizes), met, equal)
        new = {frozenset(pair) for table in tables for pair in combinations(table, 2)}
        if not new & missing:
            tables = _with_pair(tables, min(missing, key=sorted))
            new = {frozenset(pair) for table in tables for pair in combinations(table, 2)}
        rounds.append([*tables, *([player] for player in turned[len(turned) - byes :])])
        met.update(new)
        missing -= new
    return rounds


def _with_pair(tables: list[list[str]], pair: frozenset[str]) -> list[list[str]]:
    """Bring two players to one table by a swap: local search may leave a last pair apart."""
    one, other = sorted(pair)
    at = next(table for table in tables if one in table)
    from_ = next(table for table in tables if other in table)
    leaving = next(player for player in at if player != one)
    at[at.index(leaving)], from_[from_.index(other)] = other, leaving
    return tables


def going_on(competition: Competition) -> list[str]:
    """List the players of the next knock-out round: the better half of each table, rounded up to one, and the byes."""
    if not competition.rounds:
        return competition.active
    last = competition.rounds[-1]
    found = [*last.byes]
    for number, table in enumerate(last.tables):
        ended = last.ended[number]
        places = ended.places or (1,) * len(table.players)
        order = sorted(range(len(places)), key=lambda seat: (seat in ended.forfeits, places[seat], seat))
        found += [table.players[seat] for seat in order[: max(1, len(table.players) // 2)]]
    return [player for player in found if player in competition.active]


def _knock_out(competition: Competition, players: Sequence[str], lots: Lots, least: int) -> list[list[str]]:
    """Divide those who go on into groups, by lots in the first round and by standings afterwards: the best are kept apart."""
    rank = [line.player for line in standings(competition, lots) if line.player in set(players)]
    sizes, byes = table_sizes(len(rank), competition.plan.seats, least)
    idle, playing = rank[:byes], rank[byes:]
    tables: list[list[str]] = [[] for _ in sizes]
    turn = 0
    for player in playing:
        while len(tables[turn % len(tables)]) >= sizes[turn % len(tables)]:
            turn += 1
        tables[turn % len(tables)].append(player)
        turn += 1
    return improve(tables, meetings(competition), dict.fromkeys(rank, 0.0)) + [[player] for player in idle]


def _season(competition: Competition, secret: bytes, colours: Sequence[str], least: int) -> RoundPaired:
    """Pair a season of a league: a round robin in each division, all of its tables at once."""
    ladder = promoted(competition, draw_lots(secret, competition.entrants))
    tables: list[PlannedTable] = []
    seats, shades = history(competition)
    lots = draw_lots(secret, competition.entrants, len(competition.rounds) + 1)
    for number, division in enumerate(cut(ladder, division_sizes(len(ladder))), 1):
        for group in (group for each in round_robin(division, competition.plan.seats) for group in each if len(group) >= least):
            table = replace(_seated(group, seats, shades, lots, colours), division=number)
            _count(table, seats, shades)
            tables.append(table)
    return RoundPaired(len(competition.rounds) + 1, tuple(tables))


def division_sizes(players: int) -> list[int]:
    """Divide players into divisions of eight at most, as evenly as possible: five to eight, where the number allows it."""
    count = -(-players // MOST_IN_DIVISION)
    small, larger = divmod(players, count)
    return [small + 1] * larger + [small] * (count - larger)


def promoted(competition: Competition, lots: Lots) -> list[str]:
    """Order the players of the next season from top to bottom: the last two of each division change places with the first two below.

    Newcomers come last. In the first season lots decide.
    """
    if not competition.rounds:
        return sorted(competition.active, key=lambda player: (lots[player], player))
    ladder = [[line.player for line in lines] for lines in divisions(competition, lots)]
    for upper, lower in pairwise(ladder):
        count = min(MOVING, len(upper) // 2, len(lower) // 2)
        if count:
            upper[-count:], lower[:count] = lower[:count], upper[-count:]
    known = [player for division in ladder for player in division if player in competition.active]
    return known + [player for player in competition.active if player not in known]


def _count(table: PlannedTable, seats: dict[str, Counter[int]], shades: dict[str, Counter[str]]) -> None:
    for seat, (player, colour) in enumerate(zip(table.players, table.colours, strict=True)):
        seats[player][seat] += 1
        shades[player][colour] += 1


def _seat_all(groups: list[list[str]], competition: Competition, secret: bytes, colours: Sequence[str]) -> list[PlannedTable]:
    """Give everybody the seat and the colour that they have had least often; at duplicate tables each seat has its own colour."""
    seats, shades = history(competition)
    lots = draw_lots(secret, competition.entrants, len(competition.rounds) + 1)
    return [_seated(group, seats, shades, lots, colours, competition.is_duplicate) for group in groups]


def history(competition: Competition) -> tuple[dict[str, Counter[int]], dict[str, Counter[str]]]:
    """Count how often each player has had each seat, and each colour."""
    seats: dict[str, Counter[int]] = defaultdict(Counter)
    shades: dict[str, Counter[str]] = defaultdict(Counter)
    for each in competition.rounds:
        for table in each.tables:
            _count(table, seats, shades)
    return seats, shades


def _seated(
    group: list[str], seats: Had, shades: Mapping[str, Counter[str]], lots: Lots, colours: Sequence[str], fixed: bool = False
) -> PlannedTable:
    drawn = sorted(group, key=lambda player: (lots[player], player))
    players = _least_used(drawn, lambda player, seat: seats[player][seat])
    used = colours[: len(group)]
    shown = used if fixed else _least_used(list(used), lambda colour, seat: shades[players[seat]][colour])
    return PlannedTable(tuple(players), tuple(shown))


def _least_used(what: Sequence[str], times: Callable[[str, int], int]) -> tuple[str, ...]:
    """Find the order in which the squares of how often each place was had before add up to least; the first of equals."""
    return min(permutations(what), key=lambda order: sum((2 * times(each, place) + 1) for place, each in enumerate(order)))
