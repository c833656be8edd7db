"""Afterwards: read every log, and say what became of what was acknowledged and whether everyone was told."""

import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import click
from redis import RedisError

from marketpost.notify.record import LONGEST_WAIT, SECOND
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import Tampered, decode
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import outcome
from marketpost.play.ports import Ports
from marketpost.store.delivery_queue import DeliveryQueue, DeliveryStatus
from marketpost.store.mail_queue import MailQueue
from tests.chaos.faults import Clock
from tests.chaos.players import Correspondence, Tally
from tests.chaos.post import Sink
from tests.running.live import Live, until

DECIDED_WITHIN = 90.0
UNDECIDED = f"undecided after {DECIDED_WITHIN:.0f} s"
NONE_MAY_BE = ("never judged", "lost", "twice", UNDECIDED, "logs broken")
"""Of the moves."""
TOLD_WITHIN = 240.0
"""Seconds, in which four times the longest backoff passes on the clock of the service."""
MOST_ALIKE = 2


def count(service: Live, tally: Tally, since: float) -> dict[str, Any]:
    """What became of the moves."""
    ports = service.ports()
    until(partial(_answers, ports), DECIDED_WITHIN)
    while (waiting := _undecided(ports, tally)) and time.monotonic() < since + DECIDED_WITHIN:
        time.sleep(0.2)
    outcomes = {move: outcome(ports, game, move) for game, move in tally.acknowledged}
    games = {game for game, _ in tally.acknowledged} | tally.letters_of.keys()
    applied = Counter(action.move for game in games for action in _moves(ports, game))
    should = {move for move, each in outcomes.items() if each and each.version is not None}
    gone = {move for move, each in outcomes.items() if each is None}
    return {
        "acknowledged": len(outcomes),
        "applied": sum(1 for each in outcomes.values() if each and each.status == "applied"),
        "refused": sum(1 for each in outcomes.values() if each and each.status == "refused"),
        "never judged": sum(1 for each in outcomes.values() if each and each.code == "cannot-be-judged"),
        "cut away": len(gone & tally.at_risk),
        "lost": len(gone - tally.at_risk) + len(should - applied.keys()),
        "twice": sum(1 for times in applied.values() if times > 1) + _more_than_mailed(ports, tally),
        UNDECIDED: waiting,
        "logs": len(games),
        "logs broken": sum(1 for game in games if not _is_whole(ports, game)),
        "sent again": tally.repeated,
    }


def count_mails(service: Live, tally: Tally, sink: Sink, clock: Clock) -> dict[str, Any]:
    """What became of the mails. Where the clock is ours, nobody need wait for it."""
    ports, end = service.ports(), time.monotonic() + TOLD_WITHIN
    while (untold := _unanswered(tally, sink) + _not_told(ports, tally, sink)) and time.monotonic() < end:
        time.sleep(2)
        if clock.works:
            clock.go_on(LONGEST_WAIT // SECOND // 30)
    for each in untold:
        click.echo(f"mail or game {each}: {_whereabouts(ports, tally, each)}")
    known = sink.ids - sink.forgotten
    return {
        "mails acknowledged": len(tally.mails),
        "letters": len(sink.ids),
        "mails lost": len(untold),
        "mails doubled": sum(1 for times in known.values() if times > 1),
        "more than doubled": sum(1 for times in known.values() if times > MOST_ALIKE),
    }


def _whereabouts(ports: Ports, tally: Tally, id: str) -> str:
    """What is stored of a mail and of its answer, and why each letter waits for the player of a mail or a game."""
    redis = ports.games.redis
    mail, letters = MailQueue(redis).inbound(id), DeliveryQueue(redis)
    answer = letters.find(f"answer-{id}")
    whose = tally.letters_of.get(mail.game if mail else id)
    waiting = [each for each in (letters.of(whose.player) if whose else []) if each.status == DeliveryStatus.WAITING]
    return f"{mail and mail.status}, answered: {answer and answer.status}, clock: {ports.clock()}, waiting: {waiting}"


def _unanswered(tally: Tally, sink: Sink) -> list[str]:
    """Mails that got their 250 and no answer."""
    answered = {id.partition(".answer-")[2].partition("@")[0] for id in list(sink.ids)}
    return [mail for mail in tally.mails if mail not in answered and mail not in tally.at_risk]


def _not_told(ports: Ports, tally: Tally, sink: Sink) -> list[str]:
    """Games in which somebody is to decide, or which are over, and the player has no letter that says so."""
    told = {id.partition("@")[0].split(".", 3)[-1] for id in list(sink.ids)}
    found = ((ports.game(id), whose) for id, whose in list(tally.letters_of.items()))
    return [game.id for game, whose in found if game and not _is_told(ports, game, whose, told)]


def _is_told(ports: Ports, game: Game, whose: Correspondence, told: set[str]) -> bool:
    """By a letter for that very moment, or by an answer that was sent after it and tells it too."""
    seat = game.seat_of(whose.player) or 0
    last, played = game.history[-1] if game.history else (2, None)
    if game.ended:
        return f"{game.id}-{last}-over-{seat}" in told
    if seat not in game.deciders:
        return False  # then it is the bot's turn, which has all the time it needs
    if played is not None and played.seat == seat:
        return True  # a move of their own, which its answer tells
    answers = (each for each in DeliveryQueue(ports.games.redis).of(whose.player) if each.letter == "receipt" and each.id in told)
    return f"{game.id}-{last}-turn-{seat}" in told or any(each.values.get("told", 0) >= last for each in answers)


def _more_than_mailed(ports: Ports, tally: Tally) -> int:
    """Moves of players by mail beyond the number of mails that they wrote."""
    return sum(max(0, sum(1 for _ in _moves(ports, id, whose.player)) - whose.tried) for id, whose in tally.letters_of.items())


def _is_whole(ports: Ports, game: str) -> bool:
    """Unbroken from the first entry to the last; one that was cut away is not there at all."""
    stored = ports.games.read(game)
    try:
        return not stored or not verify(game, stored, ports.games.head(game)).faults
    except Tampered:
        return False


def _answers(ports: Ports) -> bool:
    try:
        return bool(ports.games.redis.ping())
    except RedisError:
        return False


def _undecided(ports: Ports, tally: Tally) -> int:
    found = (outcome(ports, *each) for each in tally.acknowledged)
    by_mail = sum(len(ports.games.pending(game)) for game in tally.letters_of)
    return sum(1 for each in found if each and each.status == "queued") + by_mail


def _moves(ports: Ports, game: str, player: str | None = None) -> Iterator[Moved]:
    for stored in ports.games.read(game):
        entry = decode(stored.data)
        if isinstance(entry.action, Moved) and player in (None, entry.by):
            yield entry.action
