"""Bots' decisions. Notices in a game's outbox call bots; their orders are submitted and judged like those of people."""

import logging
from collections.abc import Callable

from marketpost.play.log.game import Game
from marketpost.play.moves.cpu_budget import CpuBudget
from marketpost.play.moves.hints import give_hint
from marketpost.play.moves.submit import store
from marketpost.play.outbox import notices
from marketpost.play.outbox.notices import NoticeKind
from marketpost.play.ports import Ports
from marketpost.rules.bots import RANDOM, bot
from marketpost.rules.chance import Sealed
from marketpost.store.changes import Submission

log = logging.getLogger("marketpost.bots")


def move_bots(ports: Ports, id: str) -> bool:
    """Submit the orders of the bots that are called in a game, then give the hints that were asked for; True if there were any.

    Race: a player's move may wait to be judged, so that the position is not the one that the bots were called for. Then nothing is
    submitted; they are called again after it.
    """
    hinted = False
    for game, waiting in ports.at_work([id]).values():
        found = {data: notices.decode(data) for data in waiting.notices}
        called = [data for data, notice in found.items() if notice.kind in (NoticeKind.BOT, NoticeKind.HINT)]
        if game is None or waiting.submissions:
            continue
        for data in called:
            act = give_hint if found[data].kind == NoticeKind.HINT else _move
            act(ports, game, found[data])
            hinted = hinted or act is give_hint
        ports.games.delivered({id: called})
    ports.enqueue(id)
    return hinted


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
        log.exception("game %(game)s: bot %(bot)s failed; the bot random decides", {"game": game.id, "bot": name})
        return bot(game.rules, RANDOM)(game.state.copy(), seat, chance)
