"""The rq jobs. They have no arguments; the work is in Redis. A lost, duplicated or killed job is harmless."""

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from zoneinfo import ZoneInfoNotFoundError

from marketpost.mail.inbound.receive import process_waiting
from marketpost.mail.outbound.hint_letters import release
from marketpost.notify.channels import target_channels
from marketpost.notify.competition_letters import tell_of_competition
from marketpost.notify.engine import call_targets, send_letters
from marketpost.play.clock.timeouts import record_heartbeat
from marketpost.play.compete.advance import advance
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.play.moves.bot_moves import move_bots
from marketpost.play.moves.decide import DecideCallbacks, decide
from marketpost.play.ports import Ports
from marketpost.play.table.searching import find_tables
from marketpost.store.competition_logs import CompetitionLogs
from marketpost.store.connections import StoreFault, is_away
from marketpost.store.heartbeat import BEAT_EVERY
from marketpost.store.searches import Searches
from workers.analysing import analysing
from workers.notifier import WorkerParts, worker_parts
from workers.queue import BOTS, MAIL, MOVES, stopping

AT_ONE_GO = 10.0
"""Seconds after which a job ends and enqueues the next, well before rq's timeout would kill it."""
log = logging.getLogger("marketpost.workers")


def moves() -> None:
    """Decide moves in all games that have work, until none is left and none comes."""
    parts, began = worker_parts(), time.monotonic()
    work_queue, ports = parts.work_queue, parts.mailer.ports
    record_heartbeat(ports, ports.clock(), BEAT_EVERY // 2)
    while games := work_queue.next_games() or work_queue.next_to_come():
        competitions = [id for id in games if id.startswith(CompetitionLogs.PREFIX)]
        decide_safely(ports, [id for id in games if id not in (*competitions, Searches.WORK)], parts.callbacks)
        for id in competitions:
            _advance_safely(parts, id)
        if Searches.WORK in games:
            _find_tables_safely(ports)
        if _hands_over(began):
            work_queue.wake(MOVES)
            return


def _advance_safely(parts: WorkerParts, id: str) -> None:
    try:
        advance(parts.mailer.ports, id, partial(tell_of_competition, parts.mailer))
    except StoreFault as error:
        log.warning(
            "competition %(competition)s: not finished, the sweeper will enqueue it again: %(why)s", {"competition": id, "why": error}
        )
    except Exception:
        log.exception("competition %(competition)s: not finished, the sweeper will enqueue it again", {"competition": id})


def _find_tables_safely(ports: Ports) -> None:
    try:
        find_tables(ports)
    except StoreFault as error:
        log.warning("searches for a game: not finished, the sweeper will enqueue them again: %s", error)
    except Exception:
        log.exception("searches for a game: not finished, the sweeper will enqueue them again")


def bots() -> None:
    """Let bots decide in the games in which they are called, one game after the other, and analyse finished games when no bot is called."""
    parts, began = worker_parts(), time.monotonic()
    work_queue = parts.work_queue
    ports = replace(parts.mailer.ports, enqueue=work_queue.enqueue_behind_people)
    while True:
        games = work_queue.next_games(BOTS)
        if not games and not analysing.go_on(parts) and not (games := work_queue.next_to_come(BOTS)):
            return
        for game in games:
            if _move_bots_safely(ports, game):
                release(parts.mailer, [game])
        if _hands_over(began):
            work_queue.wake(BOTS)
            return


def _move_bots_safely(ports: Ports, game: str) -> bool:
    """Let bots decide and give hints; True if hints were given."""
    try:
        return move_bots(ports, game)
    except (Tampered, WrittenByNewer):
        return False  # told when it was read, and left as it is
    except Exception:
        log.exception("game %(game)s: its bots failed, the sweeper will call them again", {"game": game})
        return False


def _hands_over(began: float) -> bool:
    return stopping.is_set() or time.monotonic() - began > AT_ONE_GO


def decide_safely(ports: Ports, games: Sequence[str], callbacks: DecideCallbacks) -> None:
    """Decide several games together; if that fails, each alone, so that a fault of one game does not stop the others."""
    try:
        decide(ports, games, callbacks)
    except Exception as error:
        if len(games) > 1 and not is_away(error):
            for game in games:
                decide_safely(ports, [game], callbacks)
        elif isinstance(error, (Tampered, WrittenByNewer)):
            return  # told when it was read, and left as it is
        elif isinstance(error, ZoneInfoNotFoundError):
            log.warning("games %s: moves wait, because this machine has no time zones: %s. Install tzdata", ", ".join(games), error)
        elif isinstance(error, StoreFault):
            log.warning("games %s: not finished, the sweeper will enqueue them again: %s", ", ".join(games), error)
        else:
            log.exception("games %s: not finished, the sweeper will enqueue them again", ", ".join(games))


def mail() -> None:
    """Read inbound messages and send letters that are due, until nothing is left."""
    parts, began = worker_parts(), time.monotonic()
    while process_waiting(parts.mailer) + send_letters(parts.notifier):
        if _hands_over(began):
            parts.work_queue.wake(MAIL)
            return


def hooks() -> None:
    """Make the deliveries by other channels than mail that are due, and wake another worker if some are left when the time is up."""
    notifier = worker_parts().notifier
    call_targets(notifier, AT_ONE_GO, stopping.is_set)
    if notifier.mailer.deliveries.due(notifier.mailer.ports.clock(), *target_channels()):
        notifier.wake()
