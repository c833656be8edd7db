"""Bots' decisions. Notices in a game's outbox call bots; their orders are submitted and judged like those of people."""

import logging
import time
from collections.abc import Callable
from math import inf

from marketpost.play.limits import Limit, OverLimit
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import store
from marketpost.play.outbox import notices
from marketpost.play.outbox.notices import NoticeKind
from marketpost.play.people.guest_rights import is_guest
from marketpost.play.ports import Ports
from marketpost.rules.bots import RANDOM, bot
from marketpost.rules.chance import Sealed
from marketpost.store.changes import Submission

log = logging.getLogger("marketpost.bots")


class CpuBudget:
    """The CPU time of one bot decision, charged to the host of the game. A host without time left gets the bot's quickest decision."""

    def __init__(self, ports: Ports, host: str) -> None:
        self._limits, self._host = ports.limits, host
        self._limit = Limit.BOT_TIME_GUEST if is_guest(ports, host) else Limit.BOT_TIME_PLAYER
        most = ports.limits.amounts.get(Limit.BOT_DECISION_SERVICE, 0) if self._has_some() else 0
        self._began = time.process_time()
        self._until = self._began + most / 1000 if ports.limits.amounts else inf

    def _has_some(self, spent: int = 0) -> bool:
        try:
            self._limits.spend(self._limit, self._host, spent)
        except OverLimit:
            return False
        return True

    def is_spent(self) -> bool:
        """Whether the time of this decision is up."""
        return time.process_time() >= self._until

    def charge(self) -> None:
        """Count the time that was used."""
        self._has_some(spent=round(1000 * (time.process_time() - self._began)))


def move_bots(ports: Ports, id: str) -> None:
    """Submit the orders of the bots that are called in a game.

    Race: a player's move may wait to be judged, so that the position is not the one that the bots were called for. Then nothing is
    submitted; they are called again after it.
    """
    for game, waiting in ports.at_work([id]).values():
        called = [data for data in waiting.notices if notices.decode(data).kind == NoticeKind.BOT]
        if game is None or waiting.submissions:
            continue
        for data in called:
            _move(ports, game, notices.decode(data))
        ports.games.delivered({id: called})
    ports.enqueue(id)


def _move(ports: Ports, game: Game, notice: notices.Notice) -> None:
    name = notice.player or game.bot_for(notice.seat)
    if notice.seat not in game.deciders or name is None:
        return
    budget = CpuBudget(ports, game.host)
    orders = _orders(game, notice.seat, name, budget.is_spent, game.bot_chance(ports.secret(game.id), notice.id))
    budget.charge()
    submission = Submission("", f"bot:{name}", notice.seat, orders, ports.clock(), via=notice.via or "")
    store(ports, game.id, submission, f"bot {notice.id}", "")


def _orders(game: Game, seat: int, name: str, out_of_time: Callable[[], bool], chance: Sealed) -> str:
    try:
        return bot(game.rules, name, out_of_time)(game.state.copy(), seat, chance)
    except Exception:
        log.exception("game %s: bot %s failed; the bot random decides", game.id, name)
        return bot(game.rules, RANDOM)(game.state.copy(), seat, chance)
