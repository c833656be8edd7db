"""Decides accepted moves: read the log, judge, append, deliver the notices.

Race: two workers may hold the same game. The loser's commit returns GROWN or DECIDED; it reloads the log and judges again.
"""

import logging
import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

import msgspec

from marketpost.play.clock.deadlines import deadlines_after, moment
from marketpost.play.clock.timeouts import tick, update_deadlines
from marketpost.play.log.actions import AnyAction, Moved, Revealed
from marketpost.play.log.entries import write
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.submit import LATE, Outcome, OutcomeStatus
from marketpost.play.moves.turn_ahead import settle_all
from marketpost.play.outbox import notices
from marketpost.play.outbox.dispatch import Notify, deliver
from marketpost.play.outbox.notices import AheadEnd, AheadTold, NoticeKind
from marketpost.play.ports import Ports
from marketpost.rules.bots import RANDOM
from marketpost.rules.chance import Domain, Sealed
from marketpost.rules.refusal import Refusal
from marketpost.rules.ruleset import Verdict
from marketpost.store.changes import Change, Changes, CommitResult, PendingWork, Stored, Submission
from marketpost.store.connections import StoreFault, is_away
from marketpost.store.game_logs import MOST_AT_ONCE

MOST_TRIES = 5
OUTSIDE_ERRORS = (OSError, ZoneInfoNotFoundError)
"""Raised by the machine (no file descriptors, no disk, no time-zone database) and never by a move: it waits until that is mended."""
MEMORY_ERRORS_FOR = 10 * 60_000
"""Milliseconds after which a move that still raises MemoryError counts as its cause and is refused."""
AT_ONE_GO = 2.0
"""Seconds after which a worker hands busy games back, so that others get their turn."""
MOST_TOLD = 40
"""Most legal steps, or values of a refusal, that an outcome stores; the API computes all on request."""
NEVER_JUDGED = "cannot-be-judged"
"""The code of a move that was refused because we failed at it, not because of the rules; it is counted apart."""
log = logging.getLogger("marketpost.decide")


@dataclass(frozen=True, slots=True)
class DecideCallbacks:
    """What a process that decides moves must provide. All are required: without `notify` an outbox would be emptied and nobody told."""

    notify: Notify
    count_attempts: Callable[[Sequence[str]], list[int]]
    """Count one more attempt to judge each of these moves. Of several, one that was attempted before is left out: its number is 0."""
    reset_attempts: Callable[[Sequence[str]], None]
    """Reset the attempts at these moves: the machine or the store failed, not the move."""
    count_outcomes: Callable[[Sequence[tuple[str, str, float]]], None]
    """Count decided moves: id, outcome, and the seconds from acceptance to decision."""
    call_bots: Callable[[Sequence[str]], None]
    """Wake a worker that lets the bots of these games decide. May fail silently: the sweeper finds the games."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged move: what it writes to the log and the outbox, and its outcome."""

    submission: Submission
    version: int
    """Version of the game that it was judged on."""
    before: str
    """Hash of that version's entry."""
    entries: list[bytes]
    head: str
    notices: list[bytes]
    outcome: Outcome

    def change(self, packs: bool) -> Change:
        """Build the change that commits it; a packed outcome that follows from its entry is only the version."""
        follows = packs and self.outcome == Outcome(self.outcome.id, OutcomeStatus.APPLIED, self.outcome.at, self.outcome.version)
        outcome = b"%d" % self.outcome.version if follows and self.outcome.version else msgspec.json.encode(self.outcome)
        return Change(self.entries, self.head, self.notices, self.outcome.id, outcome)


@dataclass(eq=False, slots=True)
class BusyGame:
    """A game with moves to judge or notices to deliver."""

    game: Game
    waiting: list[Submission]
    outbox: list[bytes]


def decide(ports: Ports, ids: Iterable[str], callbacks: DecideCallbacks) -> None:
    """Judge the pending moves of these games and deliver the notices, until nothing is left or the time is up; then enqueue the rest."""
    until, busy = time.monotonic() + AT_ONE_GO, list(ids)
    try:
        while (busy := _round(ports, busy, callbacks)) and time.monotonic() < until:
            pass
    except BaseException:
        for id in busy:
            ports.evict(id)  # the cached game may have moves that were judged and never written
        raise
    for id in busy:
        ports.enqueue(id)


def _round(ports: Ports, ids: Sequence[str], callbacks: DecideCallbacks) -> list[str]:
    """Judge once and deliver once in all games, which share each wait for the disk; returns the games that may have more work.

    Race: a move is accepted meanwhile. Whoever accepts it enqueues the game after that, so it need not be looked for here.
    """
    tables = [_load(ports, id, *found) for id, found in ports.at_work(ids).items()]
    judged = {table.game.id: len(table.waiting) for table in tables}
    _judge_all(ports, tables, callbacks)
    outboxes = {table.game.id: table.outbox for table in tables if not table.waiting}
    settled = settle_all(ports, outboxes)
    told = {id: _for_people(outbox) for id, outbox in outboxes.items() if id not in settled}
    deliver(ports, callbacks.notify, told)
    if called := [id for id, outbox in told.items() if len(outbox) < len(outboxes[id])]:
        callbacks.call_bots(called)
    for id in set(ids) - judged.keys():
        tick(ports, id)
    busy = settled | {id for id, number in judged.items() if number == MOST_AT_ONCE}
    changed = {id for id, number in judged.items() if number or told.get(id)}
    return [table.game.id for table in tables if table.waiting or table.game.id in busy or (table.game.id in changed and _goes_on(table))]


def _goes_on(table: BusyGame) -> bool:
    """Whether more may follow at once what has changed: a deadline that has passed, or standing orders of a player who is away."""
    return table.game.clock is not None or any(notices.decode(data).away for data in table.outbox)


def _load(ports: Ports, id: str, game: Game | None, waiting: PendingWork) -> BusyGame:
    """Read a game with its work, and move its deadlines first if an outage or a vacation covers them."""
    found = update_deadlines(ports, game) if waiting.submissions else game
    if found is None:
        raise LookupError(id)
    return BusyGame(found, waiting.submissions, waiting.notices)


def _judge_all(ports: Ports, tables: Sequence[BusyGame], callbacks: DecideCallbacks) -> None:
    """Judge all games and commit the results.

    Fault: a move that was attempted before may have killed its worker. Its game is judged alone, move by move, so that no other game is
    lost with it.
    """
    moves = [submission.id for table in tables for submission in table.waiting]
    begun = dict(zip(moves, callbacks.count_attempts(moves), strict=True)) if moves else {}
    alone = [table for table in tables if not all(begun[each.id] for each in table.waiting)]
    _write_down(ports, callbacks, {table: _judged(ports, callbacks, table, begun) for table in tables if table not in alone})
    for table in alone:
        _judge_alone(ports, table, callbacks)


def _judge_alone(ports: Ports, table: BusyGame, callbacks: DecideCallbacks) -> None:
    while table.waiting:
        first = table.waiting[0].id
        _write_down(ports, callbacks, {table: _judged(ports, callbacks, table, {first: callbacks.count_attempts([first])[0]})})
        if table.waiting and table.waiting[0].id == first:
            return


def _judged(ports: Ports, callbacks: DecideCallbacks, table: BusyGame, begun: Mapping[str, int]) -> list[Judged]:
    """Judge the moves of a game, each on the result of the one before it, up to one that cannot be judged."""
    found = []
    for submission in table.waiting:
        judged = _judge_safely(ports, callbacks, table.game, submission, begun[submission.id]) if submission.id in begun else None
        if judged is None:
            break
        found.append(judged)
        follow(table.game, [Stored(judged.version + number, data) for number, data in enumerate(judged.entries, 1)])
    return found


def _judge_safely(ports: Ports, callbacks: DecideCallbacks, game: Game, submission: Submission, times: int) -> Judged | None:
    """Judge a move; one that raises, or kills its worker, is refused after `MOST_TRIES` attempts, so that it does not block the game.

    Fault: if the store is away or the machine is short of resources, the attempts are reset and the move waits, because the move is not to
    blame.
    """
    if times > MOST_TRIES:
        return _refused(ports, game, submission, Refusal(NEVER_JUDGED, 1))
    try:
        return _judge(ports, game, submission)
    except Exception as error:
        if is_away(error) or isinstance(error, OUTSIDE_ERRORS) or _is_short_of_memory(ports, error, submission):
            callbacks.reset_attempts([submission.id])
            raise
        log.exception("game %(game)s: move %(move)s could not be judged", {"game": game.id, "move": submission.id})
        return None


def _is_short_of_memory(ports: Ports, error: Exception, submission: Submission) -> bool:
    """Whether the machine, and not the move, is the likely cause of a MemoryError."""
    return isinstance(error, MemoryError) and ports.clock() - submission.at < MEMORY_ERRORS_FOR


def _write_down(ports: Ports, callbacks: DecideCallbacks, judged: Mapping[BusyGame, list[Judged]]) -> None:
    """Commit judged moves.

    Race: another worker may have appended to a log meanwhile. The rest of its moves stay pending and are judged again on the new log.
    """
    found = {table: each for table, each in judged.items() if each}
    try:
        packs = ports.games.packs
        became = ports.games.commit_all(
            [Changes(table.game.id, each[0].version, [one.change(packs) for one in each], each[0].before) for table, each in found.items()]
        )
    except StoreFault:
        callbacks.reset_attempts([one.submission.id for each in found.values() for one in each])
        raise
    written = {table: found[table][: commits.count(CommitResult.DONE)] for table, commits in zip(found, became, strict=True)}
    for table, each in written.items():
        _settle(ports, table, each, len(each) == len(found[table]))
    if any(written.values()):
        now, all_written = ports.clock(), [one for each in written.values() for one in each]
        for table, each in written.items():
            for one in each:
                _log_outcome(table.game.id, one.outcome)
        callbacks.count_outcomes([(one.outcome.id, _counted_as(one.outcome), (now - one.submission.at) / 1000) for one in all_written])


def _counted_as(outcome: Outcome) -> str:
    return NEVER_JUDGED if outcome.code == NEVER_JUDGED else outcome.status


def _log_outcome(game: str, outcome: Outcome) -> None:
    named = {"game": game, "move": outcome.id, "status": outcome.status, "version": outcome.version, "code": outcome.code}
    log.info("game %(game)s: move %(move)s was decided: %(status)s", named)


def _settle(ports: Ports, table: BusyGame, written: Sequence[Judged], is_all: bool) -> None:
    del table.waiting[: len(written)]
    table.outbox += [notice for each in written for notice in each.notices]
    if not is_all:
        ports.evict(table.game.id)
    elif table.game.clock:
        ports.index.set_clock(table.game.id, moment(ports, table.game))


def _judge(ports: Ports, game: Game, submission: Submission) -> Judged:
    if submission.if_match is not None and not game.is_as_after(submission.if_match):
        return _refused(ports, game, submission, Refusal("stale-version", 0, {"version": game.version}))
    if game.ended:
        return _refused(ports, game, submission, Refusal("game-over", 1))
    chance = game.chance(ports.secret(game.id), Domain.DRAW, game.state.drawn)
    verdict = game.rules.judge(game.state, submission.seat, submission.orders, chance)
    if verdict.refusal and not verdict.events:
        return _refused(ports, game, submission, verdict.refusal)
    return _changed(ports, game, submission, verdict, chance)


def _changed(ports: Ports, game: Game, submission: Submission, verdict: Verdict, chance: Sealed) -> Judged:
    """Build what a move writes that changed something, be it only draws that were shown before a step was refused."""
    rules, at = game.rules, ports.clock()
    state = game.state.copy()
    _apply(state, verdict.events)
    due = rules.proceed(state, chance) if not rules.winners(state) else []
    _apply(state, due)
    events = msgspec.Raw(rules.encode([*verdict.events, *due]))
    left = {"standing": submission.standing, "ahead": submission.ahead}
    actions: list[AnyAction] = [Moved(submission.seat, submission.id, submission.orders, events, len(due), **left)]
    if rules.winners(state) and not game.is_duplicate:
        actions.append(Revealed(ports.secret(game.id).hex()))
    by = None if submission.player.startswith("bot:") else submission.player
    entries, head = write(game.version, game.head, at, by, game.stamp, actions, deadlines=deadlines_after(ports, game, actions, at))
    version = game.version + 1
    mover = submission.seat if by and not submission.was_left else None
    told = [notices.of_move(game, version, submission.seat, at), *notices.after_move(game, state, version, mover, at, submission.via)]
    told += _answer(game, submission, version, at) + _ahead_played(game, submission, state, version, at)
    outcome = Outcome(submission.id, OutcomeStatus.APPLIED, at, version, dropped=list(verdict.dropped), accepted=_if_late(submission, at))
    if verdict.refusal:
        outcome = _outcome(submission, verdict.refusal, at, version, list(verdict.dropped), rules.legal(state, submission.seat))
    return Judged(submission, game.version, game.head, entries, head, told, outcome)


def _apply(state: Any, events: Any) -> None:
    for event in events:
        event.apply(state)


def _refused(ports: Ports, game: Game, submission: Submission, refusal: Refusal) -> Judged:
    legal = game.rules.legal(game.state, submission.seat) if game.status == GameStatus.RUNNING else []
    outcome = _outcome(submission, refusal, ports.clock(), None, [], legal)
    told = _another_try(game, submission) + _answer(game, submission, game.version, outcome.at)
    return Judged(submission, game.version, game.head, [], "", told, outcome)


def _outcome(submission: Submission, refusal: Refusal, at: int, version: int | None, dropped: list[str], legal: Any) -> Outcome:
    values = {name: _readable(value) for name, value in msgspec.to_builtins(dict(refusal.values)).items()}
    steps = list(legal)
    told = refusal.code, refusal.step, values, dropped, steps[:MOST_TOLD], len(steps)
    return Outcome(submission.id, OutcomeStatus.REFUSED, at, version, *told, accepted=_if_late(submission, at))


def _if_late(submission: Submission, at: int) -> int | None:
    """Return when a move was accepted that waited for long."""
    return submission.at if at - submission.at > LATE else None


def _readable(value: Any) -> Any:
    """Shorten a list to what a person can read: on a large board the rest would fill the store with every refusal."""
    return value[:MOST_TOLD] if isinstance(value, list | tuple) else value


def _answer(game: Game, submission: Submission, version: int, at: int) -> list[bytes]:
    """Build the notice that answers the inbound message of a move. It is written with the outcome, so that it cannot be lost."""
    if not submission.via or submission.was_left or submission.player.startswith("bot:"):
        return []
    id = f"answer-{submission.via}"
    answer = notices.Notice(id, NoticeKind.ANSWER, game.id, version, submission.seat, submission.player, at, submission.id, submission.via)
    return [msgspec.json.encode(answer)]


def _ahead_played(game: Game, submission: Submission, state: Any, version: int, at: int) -> list[bytes]:
    """Build the notice that orders ahead were played, unless the player is asked to go on, which tells it too."""
    if not submission.ahead or game.rules.winners(state) or submission.seat in game.rules.deciders(state):
        return []
    return [notices.of_ahead(game, submission.seat, submission.player, version, at, AheadTold(AheadEnd.PLAYED, submission.orders))]


def _another_try(game: Game, submission: Submission) -> list[bytes]:
    """Build the notice that asks again after refused orders of a bot, or that were left: `random` decides, or the player."""
    is_bot = submission.player.startswith("bot:")
    told = AheadTold(AheadEnd.MEANWHILE, submission.orders) if submission.ahead else None
    if told and submission.seat not in game.deciders:
        return [notices.of_ahead(game, submission.seat, submission.player, game.version, submission.at, told)]
    if not (is_bot or submission.was_left) or submission.seat not in game.deciders:
        return []
    kind, player = (NoticeKind.BOT, RANDOM) if is_bot else (NoticeKind.TURN, game.seats[submission.seat].player)
    id, via = f"{submission.id}-again", submission.via or None
    again = notices.Notice(id, kind, game.id, game.version, submission.seat, player, submission.at, via=via, ahead=told)
    return [msgspec.json.encode(again)]


def _for_people(outbox: list[bytes]) -> list[bytes]:
    """List the notices to deliver now. Notices to bots, and requests for hints, are left to the bots' workers.

    While bots are to move, answers and talk that came with orders wait: the letter after the bots' moves includes them.
    Race: the bot's notice may still be there when its move is judged. The mover's turn then waits with the answer, which tells both.
    """
    found = {data: notice for data in outbox if (notice := notices.decode(data)).kind != NoticeKind.HINT}
    if not any(notice.kind == NoticeKind.BOT for notice in found.values()):
        return list(found)
    answered = {notice.player for notice in found.values() if notice.kind == NoticeKind.ANSWER}
    return [data for data, notice in found.items() if not (_waits_for_bots(notice) or _is_turn_of(notice, answered))]


def _is_turn_of(notice: notices.Notice, players: Container[str | None]) -> bool:
    return notice.kind == NoticeKind.TURN and notice.player in players


def _waits_for_bots(notice: notices.Notice) -> bool:
    return notice.kind in (NoticeKind.BOT, NoticeKind.ANSWER) or (notice.kind == NoticeKind.SAID and bool(notice.via))
