"""The time that a seat has left, for letters."""

from datetime import UTC, datetime, timedelta

from marketpost.mail.outbound.letters import TimeLeft
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game


def time_left(mailer: Mailer, game: Game, seat: int) -> TimeLeft | None:
    """Return the time this seat has left, if its time runs."""
    time = game.times.get(seat)
    if time is None or not time.by:
        return None
    now, until = (datetime.fromtimestamp(at / 1000, UTC) for at in (mailer.ports.clock(), time.by))
    return TimeLeft(now, until, timedelta(milliseconds=time.bank))
