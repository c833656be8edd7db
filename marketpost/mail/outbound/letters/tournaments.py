"""Letters about tournaments: invitations, rounds, and the end."""

from collections.abc import Sequence
from datetime import UTC, datetime

from marketpost.mail.outbound.letters.game_values import listed
from marketpost.mail.outbound.letters.letter import Letter, Links, render_letter
from marketpost.mail.outbound.letters.tables import pace
from marketpost.mail.outbound.letters.times import day_of, decimal
from marketpost.mail.outbound.render import Sentences
from marketpost.play.compete.competition import Competition
from marketpost.play.compete.competition_actions import CompetitionEnding, CompetitionFormat
from marketpost.play.compete.competition_notices import CompetitionNews
from marketpost.play.compete.standings import Rank
from marketpost.rules.ruleset import ruleset
from marketpost.store.players import Player

MOST_LINES = 40
"""Lines of the standings that a letter shows."""
Ranked = Sequence[tuple[Rank, str]]
"""The standings with the names of their players."""


def tournament_invitation(competition: Competition, player: Player, links: Links, *, host: str) -> Letter:
    """Write the invitation to a tournament; the subject names nobody to somebody who has accepted no letters yet."""
    plan, rules = competition.plan, ruleset(competition.plan.rules)
    date = day_of(datetime.fromtimestamp(plan.starts / 1000, UTC), player)
    return render_letter(
        "tournament-invitation",
        player,
        links,
        host=host,
        known=player.confirmed,
        called=plan.name,
        title=rules.title(rules.in_language(player.language)),
        format=Sentences(player.language, "tournament-invitation").say(f"format-{plan.format}"),
        seats=plan.seats,
        date=date,
        is_league=plan.format == CompetitionFormat.LEAGUE,
        pace=list(pace(plan.clock, player.language)),
        page=links.tournament(competition.id),
    )


def tournament(
    competition: Competition, player: Player, links: Links, news: CompetitionNews, number: int, ranked: Ranked, opponents: Sequence[str]
) -> Letter:
    """Write the letter about a round, the end, a cancellation or a forfeit."""
    say = Sentences(player.language, "tournament").say
    seated = competition.rounds[number - 1] if number else None
    tables = [table for table, each in enumerate(seated.tables) if player.id in each.players] if seated else []
    own = next((line for line, _ in ranked if line.player == player.id), None)
    division = own.division if own else 0
    key = _sentence(competition, news, own)
    is_round = news in (CompetitionNews.ROUND, CompetitionNews.BYE)
    shown = [
        say("line", place=line.place, who=name, points=decimal(line.points, player.language, 2))
        for line, name in ranked[:MOST_LINES]
        if line.played and line.division == division
    ]
    has_table = bool(tables) and key == "round"
    return render_letter(
        "tournament",
        player,
        links,
        kind=key if key in ("season", "stopped") else "round" if is_round else str(news),
        title=competition.plan.name,
        number=number,
        intro=say(
            key,
            name=competition.plan.name,
            number=number,
            players=listed(player.language, opponents),
            place=own.place if own else 0,
            division=division,
            id=competition.id,
        ),
        table=links.game(competition.table_id(number, tables[0]), player.id) if has_table else "",
        lines=shown,
        leave=is_round,
        id=competition.id,
        page=links.tournament(competition.id),
    )


def _sentence(competition: Competition, news: CompetitionNews, own: Rank | None) -> str:
    """Return the key of the sentence that tells a player the news."""
    is_league = competition.plan.format == CompetitionFormat.LEAGUE
    match news:
        case CompetitionNews.ROUND if own and own.division:
            return "season"
        case CompetitionNews.BYE if competition.is_duplicate:
            return "bye-half"
        case CompetitionNews.FORFEITED if is_league:
            return "forfeited-league"
        case CompetitionNews.OVER if own is None:
            return "over-host"
        case CompetitionNews.OVER if own and own.division:
            return "over-league"
        case CompetitionNews.CANCELLED if competition.ended and competition.ended.how == CompetitionEnding.TOO_FEW:
            return "too-few"
        case CompetitionNews.CANCELLED if competition.rounds:
            return "stopped"
        case _:
            return str(news)
