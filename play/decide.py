"""The worker's side of a move: read the log, judge, append. Whoever comes second finds it done."""

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from play import notices
from play.clock import asked_after, moment
from play.game import Game
from play.log import AnyDeed, Moved, Revealed, write
from play.open import enlist
from play.ports import Ports
from play.standing import orders_now
from play.submit import Outcome, store
from play.tick import reckon, tick
from rules.bots import RANDOM, bot
from rules.chance import Sealed
from rules.refusal import Refusal
from rules.ruleset import Verdict
from store.connect import AWAY
from store.games import Commit, Stored, Submission

MOST_TRIES = 5
AT_ONE_GO = 2.0
"""Seconds after which a worker hands a busy game back, so that others get their turn."""
log = logging.getLogger("marketpost.decide")


@dataclass(frozen=True, slots=True)
class Judged:
    entries: list[bytes]
    head: str
    notices: list[bytes]
    outcome: Outcome


def decide(ports: Ports, game: str, tried: Callable[[str], int]) -> None:
    """Judge what waits in this game and deliver what follows from it, until nothing is left. `tried` counts beginnings."""
    began = time.monotonic()
    while any(work := ports.games.work(game)):
        submissions, waiting = work
        if submissions:
            _decide_all(ports, game, submissions, tried)
        else:
            _deliver(ports, game, waiting)
        if time.monotonic() - began > AT_ONE_GO:
            ports.kick(game)
            return
    tick(ports, game)


def _decide_all(ports: Ports, game: str, submissions: list[Submission], tried: Callable[[str], int]) -> None:
    found = reckon(ports, ports.game(game))
    for submission in submissions:
        found = _decide_one(ports, game, found, submission, tried)
    if found and found.clock:
        ports.index.expect(game, moment(ports, found))


def _decide_one(ports: Ports, id: str, game: Game | None, submission: Submission, tried: Callable[[str], int]) -> Game:
    """Until it has an outcome. Where the log has grown meanwhile, it is judged again on what is there now."""
    while True:
        if game is None:
            raise LookupError(id)
        judged = _judge_safely(ports, game, submission, tried)
        if judged is None:
            continue
        commit = ports.games.commit(
            id, game.version, judged.entries, judged.head, judged.notices, submission.id, msgspec.json.encode(judged.outcome)
        )
        if commit is Commit.GROWN:
            ports.forget(id)
            game = ports.game(id)
            continue
        if commit is Commit.DONE:
            game.follow([Stored(game.version + number, data) for number, data in enumerate(judged.entries, 1)])
            ports.decided(judged.outcome.status, (ports.clock() - submission.at) / 1000)
        return game


def _judge_safely(ports: Ports, game: Game, submission: Submission, tried: Callable[[str], int]) -> Judged | None:
    """A move that breaks the judge, or kills it, is refused after a few tries and never blocks the queue.

    A store that is away says nothing against the move: it waits until the store is back.
    """
    if tried(submission.id) > MOST_TRIES:
        return _refused(ports, game, submission, Refusal("cannot-be-judged", 1))
    try:
        return _judge(ports, game, submission)
    except AWAY:
        raise
    except Exception:
        log.exception("game %s: move %s could not be judged", game.id, submission.id)
        return None


def _judge(ports: Ports, game: Game, submission: Submission) -> Judged:
    if submission.if_match is not None and submission.if_match != game.version:
        return _refused(ports, game, submission, Refusal("stale-version", 0, {"version": game.version}))
    if game.ended:
        return _refused(ports, game, submission, Refusal("game-over", 1))
    chance = Sealed(ports.secret(game.id), game.id, game.state.drawn)
    verdict = game.rules.judge(game.state, submission.seat, submission.orders, chance)
    if verdict.refusal and not verdict.events:
        return _refused(ports, game, submission, verdict.refusal)
    return _changed(ports, game, submission, verdict, chance)


def _changed(ports: Ports, game: Game, submission: Submission, verdict: Verdict, chance: Sealed) -> Judged:
    """Something happened, be it only what chance had shown before a step was refused."""
    rules, at = game.rules, ports.clock()
    state = game.state.copy()
    _apply(state, verdict.events)
    due = rules.proceed(state, chance) if not rules.winners(state) else []
    _apply(state, due)
    events = msgspec.Raw(rules.encode([*verdict.events, *due]))
    deeds: list[AnyDeed] = [Moved(submission.seat, submission.id, submission.orders, events, len(due), standing=submission.standing)]
    if rules.winners(state):
        deeds.append(Revealed(ports.secret(game.id).hex()))
    by = None if submission.player.startswith("bot:") else submission.player
    entries, head = write(game.version, game.head, at, by, game.stamp, deeds, asked=asked_after(ports, game, deeds, at))
    version = game.version + 1
    mover = submission.seat if by and not submission.standing else None
    told = notices.after_move(game, state, version, mover, at) + _answer(game, submission, version, at)
    outcome = Outcome(submission.id, "applied", at, version, dropped=list(verdict.dropped))
    if verdict.refusal:
        outcome = _outcome(submission, verdict.refusal, at, version, list(verdict.dropped), rules.legal(state, submission.seat))
    return Judged(entries, head, told, outcome)


def _apply(state: Any, events: Any) -> None:
    for event in events:
        event.apply(state)


def _refused(ports: Ports, game: Game, submission: Submission, refusal: Refusal) -> Judged:
    legal = game.rules.legal(game.state, submission.seat) if game.status == "running" else []
    outcome = _outcome(submission, refusal, ports.clock(), None, [], legal)
    return Judged([], "", _another_try(game, submission) + _answer(game, submission, game.version, outcome.at), outcome)


def _outcome(submission: Submission, refusal: Refusal, at: int, version: int | None, dropped: list[str], legal: Any) -> Outcome:
    values = msgspec.to_builtins(dict(refusal.values))
    return Outcome(submission.id, "refused", at, version, refusal.code, refusal.step, values, dropped, list(legal))


def _answer(game: Game, submission: Submission, version: int, at: int) -> list[bytes]:
    """Every mail gets an answer; it is owed from the moment the move is decided."""
    if not submission.via:
        return []
    id = f"answer-{submission.via}"
    answer = notices.Notice(id, "answer", game.id, version, submission.seat, submission.player, at, submission.id, submission.via)
    return [msgspec.json.encode(answer)]


def _another_try(game: Game, submission: Submission) -> list[bytes]:
    """Refused orders that nobody is there to correct must not stop the game: chance plays for a bot, and a player is asked."""
    is_bot = submission.player.startswith("bot:")
    if not (is_bot or submission.standing) or submission.seat not in game.deciders:
        return []
    kind, player = ("bot", RANDOM) if is_bot else ("turn", game.seats[submission.seat].player)
    again = notices.Notice(f"{submission.id}-again", kind, game.id, game.version, submission.seat, player, submission.at)
    return [msgspec.json.encode(again)]


def _deliver(ports: Ports, id: str, outbox: list[bytes]) -> None:
    """Empty the outbox. A notice is taken out only when it has been told; told twice, it is still one notice."""
    waiting = _deliverable(outbox)
    for notice in map(notices.decode, waiting):
        if notice.kind == "bot":
            _bot_moves(ports, id, notice)
        elif notice.player and not _is_answered(ports, id, notice):
            ports.tell(notice)
        if notice.kind == "over" and (game := ports.game(id)):
            enlist(ports, game)
    if waiting:
        ports.games.delivered(id, waiting)


def _deliverable(waiting: list[bytes]) -> list[bytes]:
    """Where bots are to move at once, an answer waits for them: it can tell what they did."""
    kinds = [notices.decode(data).kind for data in waiting]
    return [data for data, kind in zip(waiting, kinds, strict=True) if kind != "answer" or "bot" not in kinds]


def _is_answered(ports: Ports, id: str, notice: notices.Notice) -> bool:
    """Whether standing orders decide, so that the player need not be asked. They come through the same door, once for each notice."""
    text = ports.games.standing(id, notice.player) if notice.away and notice.player else ""
    game = ports.game(id) if text else None
    if game is None or notice.player is None or game.seats[notice.seat].player != notice.player:
        return False
    orders = _standing_orders(game, notice.seat, text)
    if not orders:
        return False
    submission = Submission("", notice.player, notice.seat, orders, ports.clock(), game.version, standing=True)
    store(ports, id, submission, f"standing {notice.id}", "")
    return True


def _standing_orders(game: Game, seat: int, text: str) -> str:
    """If they break, the player is asked: the notice must not wait for ever."""
    try:
        return orders_now(game, seat, text)
    except Exception:
        log.exception("game %s: the standing orders of seat %s cannot be followed", game.id, seat)
        return ""


def _bot_moves(ports: Ports, id: str, notice: notices.Notice) -> None:
    """A bot comes through the same door as people."""
    game = ports.game(id)
    if game is None or notice.seat not in game.deciders:
        return
    name = notice.player or game.bot_for(notice.seat)
    if name is None:
        return
    submission = Submission("", f"bot:{name}", notice.seat, _bot_orders(game, notice.seat, name), ports.clock())
    store(ports, id, submission, f"bot {notice.id}", "")


def _bot_orders(game: Game, seat: int, name: str) -> str:
    """Its chance is its own: the game's would tell it what is to come."""
    chance = Sealed(secrets.token_bytes(32), "bot")
    try:
        return bot(game.rules, name)(game.state.copy(), seat, chance)
    except Exception:
        log.exception("game %s: bot %s does not know what to do", game.id, name)
        return bot(game.rules, RANDOM)(game.state.copy(), seat, chance)
