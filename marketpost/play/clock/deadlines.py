"""Deadlines: whose time runs until when, and what is due. Computed from the log, the player's calendar and the outages."""

from collections.abc import Sequence
from dataclasses import replace

from marketpost.play.clock.calendar import Calendar, Days
from marketpost.play.log.actions import AnyAction, Postponed, PostponeReason, SeatDeadline, TimeControl, Undone
from marketpost.play.log.fold import after
from marketpost.play.log.game import Game, GameStatus, SeatTime
from marketpost.play.ports import Ports
from marketpost.store.heartbeat import Outage
from marketpost.store.players import Player

NEVER = SeatTime(0, 0, 0)
TENTHS_LEFT = (5, 1)
"""Tenths of the time that are left at each reminder."""


def deadlines_after(ports: Ports, game: Game, actions: Sequence[AnyAction], at: int) -> tuple[SeatDeadline, ...]:
    """Compute the deadlines that change when these actions are written; none for a seat whose time goes on as before."""
    if game.clock is None or not actions:
        return ()
    then = after(game, actions, at)
    waiting = {seat for seat in then.deciders if then.seats[seat].player and not then.bot_for(seat)}
    undone = next((action for action in actions if isinstance(action, Undone)), None)
    if undone:
        return tuple(_taken_back(ports, game, undone, waiting, at))
    return tuple(_asked(ports, game, then, waiting, at))


def _asked(ports: Ports, game: Game, then: Game, waiting: set[int], at: int) -> list[SeatDeadline]:
    """Compute deadlines after actions that undo nothing. A new turn or a new decider gives new time; a turn in several moves does not."""
    asked = []
    for seat in sorted(waiting | then.times.keys()):
        time = then.times.get(seat)
        if seat in waiting and time and time.by and _same_decision(game, then, seat):
            continue
        if seat in waiting or (time and time.by):
            asked.append(_given(ports, game, then, seat, seat in waiting, at))
    return asked


def _same_decision(game: Game, then: Game, seat: int) -> bool:
    """Whether the same player decides in the same turn."""
    return game.state is not None and game.state.turn == then.state.turn and game.seats[seat].player == then.seats[seat].player


def _given(ports: Ports, game: Game, then: Game, seat: int, is_waited_for: bool, at: int) -> SeatDeadline:
    """Compute a seat's deadline. Time left is saved up to the limit of the bank, and the bank is added to the next decision."""
    clock, time = _clock(game), then.times.get(seat)
    bank = min(clock.bank, left(ports, game, seat, time, at)) if time and time.by else time.bank if time else 0
    by = calendar(ports, then, seat, at).add(at, clock.per_decision + bank) if is_waited_for else 0
    return SeatDeadline(seat, by, bank)


def _taken_back(ports: Ports, game: Game, undone: Undone, waiting: set[int], at: int) -> list[SeatDeadline]:
    """Compute deadlines after an undo: each seat has the time it had when the undone move was made. Time that ran on runs on."""
    before = game.before(undone.back_to)
    asked = []
    for seat in sorted(waiting | game.times.keys()) if before else ():
        now, time = game.times.get(seat, NEVER), before.times.get(seat, NEVER) if before else NEVER
        if seat not in waiting:
            asked += [SeatDeadline(seat, 0, time.bank)] if (now.by, now.bank) != (0, time.bank) else []
        elif before and not (now.by and now.since == time.since):
            much = left(ports, game, seat, time, before.at) if time.by else _clock(game).per_decision + time.bank
            asked.append(SeatDeadline(seat, calendar(ports, game, seat, at).add(at, much), time.bank))
    return asked


def left(ports: Ports, game: Game, seat: int, time: SeatTime, at: int) -> int:
    """Compute the playing time until a seat's deadline; never more than was given, even if the player has changed timezone meanwhile."""
    return min(_clock(game).per_decision + time.bank, calendar(ports, game, seat, at).between(at, time.by))


def running(game: Game) -> dict[int, SeatTime]:
    """List the times of the seats that the game waits for."""
    return {seat: time for seat, time in game.times.items() if time.by} if game.status == GameStatus.RUNNING else {}


def calendar(ports: Ports, game: Game, seat: int, at: int) -> Calendar:
    """Build the calendar of a seat's player, with the vacation as it was planned at that moment."""
    player = _player(ports, game, seat)
    away = [] if player is None else player.vacations if player.vacation_changed <= at else player.vacations_before
    return _calendar(game, player, away)


def _calendar(game: Game, player: Player | None, away: Sequence[Days]) -> Calendar:
    clock = _clock(game)
    return Calendar(player.timezone if player else "UTC", clock.weekends, clock.quiet, tuple(away))


def _player(ports: Ports, game: Game, seat: int) -> Player | None:
    id = game.seats[seat].player
    return ports.players.find(id) if id else None


def _clock(game: Game) -> TimeControl:
    if game.clock is None:
        raise LookupError(f"game {game.id} has no clock")
    return game.clock


def reminder(ports: Ports, game: Game, seat: int, nth: int) -> int:
    """Compute the moment of the nth reminder: so much of the given time is left then."""
    time = game.times[seat]
    days = calendar(ports, game, seat, time.by)
    then_left = (_clock(game).per_decision + time.bank) * TENTHS_LEFT[nth - 1] // 10
    return days.add(time.since, days.between(time.since, time.by) - then_left)


def reminders_due(ports: Ports, game: Game, seat: int, now: int) -> int:
    """Count the reminders of a seat that are due."""
    return sum(reminder(ports, game, seat, nth) <= now for nth in range(1, len(TENTHS_LEFT) + 1))


def moment(ports: Ports, game: Game) -> int | None:
    """Compute when the clock of this game must be looked at next; None if nobody's time runs."""
    moments = []
    for seat, time in running(game).items():
        nth = time.reminded + 1
        moments.append(min(time.by, reminder(ports, game, seat, nth)) if nth <= len(TENTHS_LEFT) else time.by)
    return min(moments, default=None)


def postponements(ports: Ports, game: Game) -> list[AnyAction]:
    """List the outages and vacations that the running times do not count yet, each once."""
    found: list[AnyAction] = []
    times = running(game)
    outages = ports.heartbeat.outages(min(time.since for time in times.values())) if times else []
    for seat, time in times.items():
        missed = [each for each in outages if each.mark > time.outage and _began_before(time, each, ports.clock())]
        found += _postponed(game, _player(ports, game, seat), seat, time, missed)
    return found


def time_given_back(ports: Ports, game: Game) -> list[AnyAction]:
    """List postponements that give back all the time since the last entry, as in a damaged game that nobody could play in."""
    frozen = Outage(game.changed, ports.clock(), ports.clock())
    return [each for seat, time in running(game).items() for each in _postponed(game, _player(ports, game, seat), seat, time, [frozen])]


def _began_before(time: SeatTime, outage: Outage, now: int) -> bool:
    """Whether a decision began before an outage ended. One that begins in the future is from before the clock was set back."""
    return time.since < (outage.mark if time.since > now else outage.end)


def _postponed(game: Game, player: Player | None, seat: int, time: SeatTime, outages: Sequence[Outage]) -> list[AnyAction]:
    """List postponements of a seat in the order of their reasons. Until the vacation changed, the days counted as before."""
    changed = player.vacation_changed if player and player.vacation_changed > max(time.since, time.vacation) else 0
    now = _calendar(game, player, player.vacations if player else [])
    then = _calendar(game, player, player.vacations_before) if player and changed else now
    actions: list[AnyAction] = []
    for outage in sorted([*outages, Outage(changed, changed, changed)], key=lambda each: (each.end, each.start)):
        if outage.end != changed:
            time = _give_back(actions, seat, time, now if outage.end > changed else then, outage)
        elif changed:
            by = now.add(changed, then.between(changed, time.by)) if time.by > changed else time.by
            actions.append(Postponed(seat, by, PostponeReason.VACATION, changed))
            time = replace(time, by=by)
    return actions


def _give_back(actions: list[AnyAction], seat: int, time: SeatTime, days: Calendar, outage: Outage) -> SeatTime:
    """Move a deadline by an outage: at its end the seat has as much time left as at its beginning."""
    start = max(outage.start, time.since) if time.since < outage.end else outage.start  # the clock was set back in between
    if time.by <= start:
        return time
    by = days.add(outage.end, days.between(start, time.by))
    if by != time.by:
        actions.append(Postponed(seat, by, PostponeReason.OUTAGE, outage.mark))
    return replace(time, by=by)
