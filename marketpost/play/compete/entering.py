"""What people do about a competition: announce it, enter, withdraw, cancel it."""

import secrets
from collections.abc import Callable, Sequence

from marketpost.play.compete.competition import Competition, CompetitionStatus, follow_competition, write_competition
from marketpost.play.compete.competition_actions import (
    Announced,
    CompetitionAction,
    CompetitionEnded,
    CompetitionEnding,
    CompetitionFormat,
    CompetitionPlan,
    Entered,
    LotsRevealed,
    WithdrawalReason,
    Withdrawn,
)
from marketpost.play.compete.competition_notices import CompetitionNews, competition_notices
from marketpost.play.limits import Limit
from marketpost.play.people.bot_accounts import payer, with_bots
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.people.names import check_name
from marketpost.play.people.registration import invite
from marketpost.play.ports import Ports
from marketpost.play.table.seating import settled
from marketpost.rules.chance import seal
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.store.changes import CommitResult
from marketpost.store.competition_logs import CompetitionLogs
from marketpost.store.players import is_bot_id

TRIES = 20
MOST_ENTRANTS = dict.fromkeys(CompetitionFormat, 128) | {CompetitionFormat.ROUND_ROBIN: 16}
"""Everybody meets everybody only among a few."""
MOST_ROUNDS = 30
ROUNDS_SET = (CompetitionFormat.SWISS, CompetitionFormat.LEAGUE, CompetitionFormat.DUPLICATE)
"""Formats whose rounds the host may set."""
HOUR = 3_600_000
LATEST = 366 * 24 * HOUR
"""A competition begins within a year."""
Decide = Callable[[Competition], tuple[Sequence[CompetitionAction], Sequence[bytes]]]


def competition_of(ports: Ports, id: str) -> Competition:
    """Read a competition; refused if there is none."""
    stored = ports.competitions.read(id) if id.startswith(CompetitionLogs.PREFIX) else []
    if not stored:
        raise Refused("no-such-competition")
    return follow_competition(Competition(id), stored)


def all_competitions(ports: Ports) -> list[Competition]:
    """Read all competitions: those that can be entered first, then those that run, then those that are over, each newest first."""
    order = [*CompetitionStatus]
    found = [competition_of(ports, id) for id in ports.competitions.list_all()]
    return sorted(found, key=lambda each: (order.index(each.status), -each.created))


def change_competition(ports: Ports, id: str, by: str | None, decide: Decide, via: str = "") -> Competition:
    """Read a competition, let `decide` say what to write, append it, and have it looked at.

    Race: two processes change the same competition. The loser's commit returns GROWN; it reads the log and decides again. It is made due
    before and after the commit: a process that dies in between leaves it due, and one that listed an older moment meanwhile is overruled.
    """
    for _ in range(TRIES):
        competition = competition_of(ports, id)
        actions, told = decide(competition) if via not in competition.done or not via else ([], [])
        if not actions and not told:
            return competition
        rules = f"{competition.plan.rules} {ruleset(competition.plan.rules).version}"
        entries, head = write_competition(competition, ports.clock(), by, actions, rules, via)
        ports.competitions.make_due(id, ports.clock())
        done = ports.competitions.commit(id, competition.version, entries, head, told, before=competition.head)
        if done is CommitResult.DONE:
            ports.competitions.make_due(id, ports.clock())
            ports.enqueue(id)
            return competition_of(ports, id)
    raise Refused("too-busy")


def announce(ports: Ports, id: str, host: str, plan: CompetitionPlan, invited: Sequence[str] = ()) -> Competition:
    """Announce a competition and invite players by address or id, or find the one that was announced under this id.

    Race: two requests may announce the same id. The script OPEN lets the second find the first's log.
    """
    if ports.competitions.read(id):
        return competition_of(ports, id)
    not_for_guests(ports, host)
    _check(ports, plan)
    if is_bot_id(host) and invited:
        raise Refused("bot-invites-bots")
    accounts = with_bots(ports, host)
    hosted = [each for each in all_competitions(ports) if each.host in accounts and each.status != CompetitionStatus.OVER]
    ports.limits.check(Limit.COMPETITIONS_PLAYER, len(hosted) + 1)
    ports.limits.spend(Limit.OPENED_PLAYER, payer(ports, host))
    secret, now = secrets.token_bytes(32), ports.clock()
    players = _invitees(ports, host, invited)
    told = competition_notices(id, CompetitionNews.INVITED, players, now, by=host)
    rules = f"{plan.rules} {ruleset(plan.rules).version}"
    entries, head = write_competition(Competition(id), now, host, [Announced(plan, host, seal(secret))], rules)
    ports.competitions.place(id, now, now)
    ports.competitions.open(id, secret, entries, head, told)
    ports.enqueue(id)
    return competition_of(ports, id)


def _check(ports: Ports, plan: CompetitionPlan) -> None:
    """Refuse a plan that no table can be opened by, or that begins in the past or too late."""
    settled(ruleset(plan.rules), plan.seats, {"board": plan.board, "edition": plan.edition, "options": plan.options})
    check_name(plan.name)
    if not ports.clock() <= plan.starts <= ports.clock() + LATEST:
        raise Refused("competition-date")
    if plan.rounds and (plan.format not in ROUNDS_SET or plan.rounds > MOST_ROUNDS):
        raise Refused("competition-rounds", most=MOST_ROUNDS)


def _invitees(ports: Ports, host: str, invited: Sequence[str]) -> list[str]:
    known = ports.players.find(host)
    language = known.language if known else "en"
    found = [invite(ports, whom, language) if "@" in whom else whom for whom in invited]
    return [player for player in dict.fromkeys(found) if player != host]


def enter(ports: Ports, id: str, player: str, via: str = "") -> Competition:
    """Enter a competition that has not begun; a league also later, for the next season. Of an owner and their bots only one takes part."""
    not_for_guests(ports, player)
    if (known := ports.players.find(player)) and known.suspended:
        raise Refused("suspended")
    accounts = with_bots(ports, player)

    def decide(competition: Competition) -> tuple[Sequence[CompetitionAction], Sequence[bytes]]:
        if player in competition.active:
            return [], []
        if not competition.takes_entries:
            raise Refused("competition-closed")
        if len(competition.active) >= (most := MOST_ENTRANTS[competition.plan.format]):
            raise Refused("competition-full", most=most)
        if not accounts.isdisjoint(competition.active):
            raise Refused("competition-own-bot")
        return [Entered(player)], []

    return change_competition(ports, id, player, decide, via)


def withdraw(ports: Ports, id: str, player: str, via: str = "") -> Competition:
    """Withdraw from a competition. A table that the player sits at goes on; from the next round on they are not paired."""

    def decide(competition: Competition) -> tuple[Sequence[CompetitionAction], Sequence[bytes]]:
        if competition.status == CompetitionStatus.OVER:
            raise Refused("competition-over")
        return ([Withdrawn(player, WithdrawalReason.OWN)], []) if player in competition.active else ([], [])

    return change_competition(ports, id, player, decide, via)


def cancel_competition(ports: Ports, id: str, host: str, via: str = "") -> Competition:
    """Cancel a competition; its tables that run go on as games of their own."""

    def decide(competition: Competition) -> tuple[Sequence[CompetitionAction], Sequence[bytes]]:
        if competition.host != host:
            raise Refused("not-the-host")
        if competition.status == CompetitionStatus.OVER:
            return [], []
        return ending(ports, competition, CompetitionEnding.CANCELLED)

    return change_competition(ports, id, host, decide, via)


def ending(ports: Ports, competition: Competition, how: CompetitionEnding) -> tuple[list[CompetitionAction], list[bytes]]:
    """Build what ends a competition: the actions, and the notices to everybody who entered and the host.

    While duplicate tables are played the secret stays sealed: theirs follows from it.
    """
    news = CompetitionNews.OVER if how == CompetitionEnding.PLAYED else CompetitionNews.CANCELLED
    people = dict.fromkeys([*competition.entrants, competition.host])
    actions: list[CompetitionAction] = [CompetitionEnded(how)]
    if not competition.is_sealed:
        actions.append(LotsRevealed(ports.competitions.secret(competition.id).hex()))
    return actions, competition_notices(competition.id, news, people, ports.clock())
