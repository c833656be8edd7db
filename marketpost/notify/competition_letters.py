"""Turn notices of competitions into letters."""

from collections.abc import Sequence

from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.play.compete.competition_notices import CompetitionNews, CompetitionNotice
from marketpost.store.delivery_queue import Delivery


def tell_of_competition(mailer: Mailer, notices: Sequence[CompetitionNotice]) -> None:
    """Enqueue the letters of these notices. Their ids follow from the notices, so repeating this adds nothing."""
    enqueue(mailer, *map(_letter, notices))


def _letter(notice: CompetitionNotice) -> Delivery:
    kind = LetterKind.TOURNAMENT_INVITATION if notice.news == CompetitionNews.INVITED else LetterKind.TOURNAMENT
    values = {"news": str(notice.news), "round": notice.round}
    return Delivery(notice.id, notice.player, kind, notice.at, notice.at, notice.competition, None, None, values, notice.by)
