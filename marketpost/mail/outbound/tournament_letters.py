"""Compose letters about tournaments from the tournament as it is now."""

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import Letter
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.compete.competition import Competition, CompetitionStatus
from marketpost.play.compete.competition_notices import CompetitionNews
from marketpost.play.compete.entering import competition_of
from marketpost.play.compete.entrant_names import entrant_names
from marketpost.play.compete.standings import Rank, standings
from marketpost.play.people.names import plain_name
from marketpost.play.ports import Ports
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player


def compose_tournament(mailer: Mailer, mail: Delivery, player: Player) -> Letter | None:
    """Compose a letter about a tournament; None for an invitation that came too late or was answered."""
    competition = competition_of(mailer.ports, mail.game or "")
    if mail.letter == LetterKind.TOURNAMENT_INVITATION:
        return _invitation(mailer, mail, player, competition)
    news, number = CompetitionNews(mail.values["news"]), mail.values["round"]
    tables = [each.players for each in competition.rounds[number - 1].tables if player.id in each.players] if number else []
    others = dict.fromkeys(id for table in tables for id in table if id != player.id)
    opponents = [player_name(mailer.ports, id) for id in others]
    return letters.tournament(
        competition, player, mailer.links_in(mail), news, number, ranked(mailer.ports, competition, player.id), opponents
    )


def _invitation(mailer: Mailer, mail: Delivery, player: Player, competition: Competition) -> Letter | None:
    if competition.status != CompetitionStatus.OPEN or player.id in competition.entrants:
        return None
    return letters.tournament_invitation(competition, player, mailer.links_in(mail), host=player_name(mailer.ports, competition.host))


def player_name(ports: Ports, id: str) -> str:
    """Return a player's name for a letter; a pseudonym for an erased one."""
    known = ports.players.find(id)
    return plain_name(known.name) if known else id[:6]


def ranked(ports: Ports, competition: Competition, reader: str) -> list[tuple[Rank, str]]:
    """Return the standings with the names that this reader may see; others have a pseudonym."""
    names = entrant_names(ports, competition, reader)
    return [(line, names.get(line.player, line.player[:6])) for line in standings(competition)]
