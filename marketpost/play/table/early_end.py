"""Games that end before their rules end them: cancelled before the start, abandoned, or an agreed draw."""

from collections.abc import Iterable, Sequence

from marketpost.play.log.actions import AnyAction, Done, Ended, Ending, Revealed
from marketpost.play.log.commit import change
from marketpost.play.log.fold import after
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.outbox import notices
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused


def cancel(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Cancel a game before it begins; only the host may. Everybody seated or invited is told."""

    def call_off(game: Game) -> Done:
        if game.host != player:
            raise Refused("not-the-host")
        if game.ended and game.ended.how == Ending.CANCELLED:
            return [], []
        if game.status != GameStatus.OPEN:
            raise Refused("already-started")
        return ended(ports, game, Ending.CANCELLED, game.version + 1, by=player)

    return change(ports, id, player, call_off, via)


def ended(ports: Ports, game: Game, how: Ending, version: int, winners: Iterable[int] = (), by: str | None = None) -> Done:
    """Build what an early end writes: the end, the secret, which lets everybody verify the chance so far, and the notices.

    A duplicate table keeps its secret until the last table of its round is over.
    """
    at = ports.clock()
    actions: list[AnyAction] = [Ended(how, tuple(winners))]
    actions += [] if game.is_duplicate else [Revealed(ports.secret(game.id).hex())]
    if how == Ending.DRAW:
        return actions, notices.of_end(game, version, at)
    seated = {player for seat in game.seats for player in (seat.player, seat.invited) if player}
    return actions, notices.of_news(game, seated - {by}, version, at, by=by)


def end_if_deserted(ports: Ports, game: Game, actions: Sequence[AnyAction], told: list[bytes]) -> Done:
    """Add the end of the game to actions after which only bots would play on, and nobody may return."""
    then = after(game, actions, ports.clock())
    if any(seat.player for seat in then.seats) or any(gone.may_return for gone in then.absent.values()):
        return [*actions], told
    done, news = ended(ports, then, Ending.ABANDONED, then.version + 1)
    return [*actions, *done], told + news
