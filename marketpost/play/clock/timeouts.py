"""Time has passed: outages are given back, players reminded, and those whose time is up stood in for."""

from marketpost.play.clock.deadlines import postponements, reminders_due, running
from marketpost.play.log.actions import AnyAction, AtZero, Done, Reminded, Returned, TimedOut
from marketpost.play.log.commit import change
from marketpost.play.log.fold import after
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.outbox import notices
from marketpost.play.outbox.notices import NoticeKind
from marketpost.play.ports import Ports
from marketpost.play.table.seating import substitute
from marketpost.rules.refusal import Refused


def tick(ports: Ports, id: str) -> None:
    """Do what is due in this game by now; in a game without a clock nothing ever is."""
    known = ports.cache.get(id)
    if known and known.clock is None:
        return
    now = ports.clock()
    game = ports.game(id)
    if game is None or game.clock is None:
        return
    # Whoever slept through an outage finds out here, before anything is judged by a deadline that it covers.
    record_heartbeat(ports, now)
    update_deadlines(ports, game)
    change(ports, id, None, lambda game: _due(ports, game, now))


def record_heartbeat(ports: Ports, now: int, every: int = 0) -> None:
    """The service is at work. After an outage every game with a clock is looked at soon."""
    if ports.heartbeat.beat(now, every):
        ports.index.expect_all(now)


def update_deadlines(ports: Ports, game: Game | None) -> Game | None:
    """Deadlines that an outage covered, or that a vacation was taken across, are moved."""
    if game is None or game.clock is None or not postponements(ports, game):
        return game
    return change(ports, game.id, None, lambda game: (postponements(ports, game), []))


def _due(ports: Ports, game: Game, now: int) -> Done:
    """One thing at a time: whatever else is due is found again when this is written."""
    for seat, time in running(game).items():
        if time.by <= now:
            return _time_out(game, seat, now)
        nth = reminders_due(ports, game, seat, now)
        if nth > time.reminded:
            return [Reminded(seat, nth)], notices.of_time(game, NoticeKind.REMINDER, seat, game.version + 1, now)
    return [], []


def _time_out(game: Game, seat: int, now: int) -> Done:
    """A bot comes in through the same door as every other."""
    actions: list[AnyAction] = [TimedOut(seat, game.clock.at_zero if game.clock else AtZero.OUT, substitute(game))]
    version = game.version + 1
    told = notices.of_time(game, NoticeKind.TIMED_OUT, seat, version, now)
    return actions, told + notices.of_time(after(game, actions, now), NoticeKind.BOT, seat, version, now)


def come_back(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Take the seat again that a bot has played in since the time was up."""

    def sit_down_again(game: Game) -> Done:
        if game.status != GameStatus.RUNNING:
            raise Refused("not-running")
        lost = [seat for seat, gone in game.absent.items() if gone.player == player and game.seats[seat].bot]
        seat = next((seat for seat in lost if game.absent[seat].may_return), None)
        if seat is not None:
            return [Returned(seat, player)], []
        if game.seat_of(player) is None:
            raise Refused("out-of-time" if lost else "not-your-game")
        return [], []

    return change(ports, id, player, sit_down_again, via)
