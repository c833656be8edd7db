"""What must be so after three seasons, and the figures of them."""

from collections.abc import Iterator
from itertools import pairwise

from marketpost.play.compete.competition import Competition, follow_competition
from marketpost.play.compete.entering import competition_of
from marketpost.play.compete.pairing import draw_lots, pair_round
from marketpost.play.compete.standings import divisions
from marketpost.play.keeping.verify import verify
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.play.ports import Ports
from marketpost.rules.ruleset import ruleset
from tests.seasons.town import Contest, Town, tables

UNDERSTOOD = ("submitted", "answered", "several-games")


def faults(town: Town) -> Iterator[str]:
    """Name everything that is not as it must be."""
    ports = town.service.ports
    found = {contest.id: competition_of(ports, contest.id) for contest in town.contests}
    opened = [id for each in found.values() for id in tables(each, each.rounds)]
    if sorted(opened) != sorted(ports.games.all_games()):
        yield f"{len(opened)} tables were paired, and there are {len(ports.games.all_games())} games"
    for id in opened:
        checked = verify(id, ports.games.read(id), ports.games.head(id))
        if checked.faults or checked.sealed:
            yield f"{id}: {checked}"
    yield from (f"{id}: the pairing is another one when it is done again" for id in found if not is_paired_alike(ports, id))
    yield from (f"{game}: {move} was acknowledged and not applied" for game, move in town.sent if not _is_applied(town, game, move))
    yield from (f"mail {id}: {status}" for id in town.mails if (status := _mail_status(town, id)) not in UNDERSTOOD)
    for contest in town.contests:
        yield from _untold(town, contest, found[contest.id])


def _mail_status(town: Town, id: str) -> str:
    inbound = town.service.desk.mailer.mail_queue.inbound(id)
    return inbound.status if inbound else "lost"


def _untold(town: Town, contest: Contest, competition: Competition) -> Iterator[str]:
    """Everybody who plays by mail got one letter about each round."""
    for each in competition.rounds:
        playing = {player for table in each.tables for player in table.players} | {*each.byes}
        for name, player in town.service.people.items():
            if town.writes(name) and player.id in playing:
                ids = [told for (to, subject), told in town.told.items() if to == player.email and _tells(subject, contest, each.number)]
                if [len(told) for told in ids] != [1]:
                    yield f"{name} got {ids} about round {each.number} of {contest.name}"


def _tells(subject: str, contest: Contest, number: int) -> bool:
    return subject.startswith(contest.name) and subject.endswith(f" {number}")


def _is_applied(town: Town, game: str, move: str) -> bool:
    found = outcome(town.service.ports, game, move)
    return found is not None and found.status == OutcomeStatus.APPLIED


def is_paired_alike(ports: Ports, id: str) -> bool:
    """Whether the log before each pairing, and the secret, lead to the same pairing."""
    competition = Competition(id)
    for stored in ports.competitions.read(id):
        if b'["paired"' in stored.data:
            rules = ruleset(competition.plan.rules)
            again = pair_round(competition, ports.competitions.secret(id), rules.colours, rules.players[0])
            follow_competition(competition, [stored])
            if (again.tables, again.byes) != (competition.rounds[-1].tables, competition.rounds[-1].byes):
                return False
        else:
            follow_competition(competition, [stored])
    return True


def moved(town: Town, league: Contest) -> tuple[int, int]:
    """Count those among the first two and the last two of a division who went on, and how many of them then went up or down."""
    competition = competition_of(town.service.ports, league.id)
    rounds, should, did = competition.rounds, 0, 0
    for before, after in pairwise(range(1, len(rounds) + 1)):
        competition.rounds = rounds[:before]
        where = {player: table.division for table in rounds[after - 1].tables for player in table.players}
        ranked = divisions(competition, draw_lots(town.service.ports.competitions.secret(league.id), competition.entrants))
        for number, lines in enumerate(ranked, 1):
            up = [(each.player, -1) for each in lines[:2] if number > 1]
            down = [(each.player, 1) for each in lines[-2:] if number < len(ranked)]
            for player, way in up + down:
                if player in where:
                    should, did = should + 1, did + ((where[player] - number) * way > 0)
    return should, did


def figures(town: Town) -> list[tuple[str, str]]:
    """What was played, and what came of it."""
    ports = town.service.ports
    rows = []
    for contest in town.contests:
        each = competition_of(ports, contest.id)
        forfeits = sum(len(ended.forfeits) for now in each.rounds for ended in now.ended.values())
        told = f"{len(each.entrants)} entered, {len(each.rounds)} rounds, {sum(len(now.tables) for now in each.rounds)} tables"
        rows.append((f"{contest.name} ({contest.format})", f"{told}, {forfeits} seats forfeited, {len(each.withdrawn)} out at the end"))
    should, did = moved(town, town.contests[0])
    rows.append(("first and last two of a division who went on", f"{should}, of whom {did} went up or down"))
    rows.append(("acknowledged over REST, by mail", f"{len(town.sent):,}, {len(town.mails):,}"))
    rows += [(name, f"{number:,}") for name, number in sorted(town.done.items())]
    return rows
