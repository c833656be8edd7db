"""What happens as time passes: outages are given back, players reminded, and bots stand in for players whose time is up."""

from marketpost.play.clock.deadlines import postponements, reminders_due, running
from marketpost.play.log.actions import AnyAction, AtZero, Done, Reminded, Returned, TimedOut
from marketpost.play.log.commit import change
from marketpost.play.log.fold import after
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.outbox import notices
from marketpost.play.outbox.notices import NoticeKind
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import end_if_deserted
from marketpost.play.table.seating import substitute
from marketpost.rules.refusal import Refused


def tick(ports: Ports, id: str) -> None:
    """Do what is due in a game with a clock.

    Fault: this worker may have been stopped during an outage. The heartbeat is recorded first, so that no deadline inside the outage is
    enforced.
    """
    known = ports.cache.get(id)
    if known and known.clock is None:
        return
    now = ports.clock()
    game = ports.game(id)
    if game is None or game.clock is None:
        return
    record_heartbeat(ports, now)
    update_deadlines(ports, game)
    change(ports, id, None, lambda game: _due(ports, game, now))


def record_heartbeat(ports: Ports, now: int, every: int = 0) -> None:
    """Record a heartbeat; if it ends an outage, make all games with a clock due."""
    if ports.heartbeat.beat(now, every, ports.steady()):
        ports.index.make_clocks_due(now)


def update_deadlines(ports: Ports, game: Game | None) -> Game | None:
    """Move the deadlines that an outage covers or a vacation crosses, and return the game."""
    if game is None or game.clock is None or not postponements(ports, game):
        return game
    return change(ports, game.id, None, lambda game: (postponements(ports, game), []))


def _due(ports: Ports, game: Game, now: int) -> Done:
    """Decide the first thing that is due; the rest is found by the next tick."""
    for seat, time in running(game).items():
        if time.by <= now:
            return end_if_deserted(ports, game, *_time_out(game, seat, now))
        nth = reminders_due(ports, game, seat, now)
        if nth > time.reminded:
            return [Reminded(seat, nth)], notices.of_time(game, NoticeKind.REMINDER, seat, game.version + 1, now)
    return [], []


def _time_out(game: Game, seat: int, now: int) -> Done:
    """Decide what a time-out writes: the action, and notices to the player and to the bot that decides."""
    actions: list[AnyAction] = [TimedOut(seat, game.clock.at_zero if game.clock else AtZero.OUT, substitute(game))]
    version = game.version + 1
    told = notices.of_time(game, NoticeKind.TIMED_OUT, seat, version, now)
    return actions, told + notices.of_time(after(game, actions, now), NoticeKind.BOT, seat, version, now)


def come_back(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Take back the seat that a bot has played in since the player's time was up."""

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
