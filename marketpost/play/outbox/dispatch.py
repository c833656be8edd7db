"""Delivers the notices of outboxes: players are notified, or their standing orders answer at once."""

import logging
from collections.abc import Callable, Mapping, Sequence

from marketpost.play.analyses import request_analysis
from marketpost.play.log.commit import enlist
from marketpost.play.log.game import Game
from marketpost.play.moves.standing_orders import orders_now
from marketpost.play.moves.submit import store
from marketpost.play.outbox import notices
from marketpost.play.outbox.account_events import publish
from marketpost.play.outbox.notices import NoticeKind
from marketpost.play.ports import Ports
from marketpost.store.changes import Submission

log = logging.getLogger("marketpost.decide")
Notify = Callable[[Sequence[notices.Notice]], None]
"""Pass notices on to the letters and webhooks of their players. A notice that comes twice must become one letter."""


def deliver(ports: Ports, notify: Notify, outboxes: Mapping[str, Sequence[bytes]]) -> None:
    """Deliver the notices of these outboxes and remove them.

    Fault: the worker may die in between. Notices are removed only after delivery; one that is delivered twice has the same id and becomes
    one letter.
    """
    found = [notices.decode(data) for outbox in outboxes.values() for data in outbox]
    told = [notice for notice in found if _is_for_people(ports, notice.game, notice)]
    publish(ports, [*(notice for notice in found if notice.kind == NoticeKind.MOVED), *told])
    if told:
        notify(told)
    if any(outboxes.values()):
        ports.games.delivered(outboxes)


def _is_for_people(ports: Ports, id: str, notice: notices.Notice) -> bool:
    """Whether a player is to be notified; False where standing orders answer."""
    if notice.kind == NoticeKind.OVER and (game := ports.game(id)):
        enlist(ports, game)
        request_analysis(ports, game)
        if game.competition:
            ports.competitions.make_due(game.competition, ports.clock())
            ports.enqueue(game.competition)
    return bool(notice.player) and not _is_answered(ports, id, notice)


def _is_answered(ports: Ports, id: str, notice: notices.Notice) -> bool:
    """Whether standing orders answer the notice. Their orders are submitted like the player's own, once for each notice."""
    text = ports.games.standing_orders(id, notice.player) if notice.away and notice.player else ""
    game = ports.game(id) if text else None
    if game is None or notice.player is None or game.seats[notice.seat].player != notice.player:
        return False
    orders = _standing_orders(game, notice.seat, text)
    if not orders:
        return False
    submission = Submission("", notice.player, notice.seat, orders, ports.clock(), game.version, notice.via or "", standing=True)
    store(ports, id, submission, f"standing {notice.id}", "")
    return True


def _standing_orders(game: Game, seat: int, text: str) -> str:
    """Compute what standing orders give now; empty if that fails, so that the player is asked instead."""
    try:
        return orders_now(game, seat, text)
    except Exception:
        log.exception("game %(game)s: the standing orders of seat %(seat)s cannot be followed", {"game": game.id, "seat": seat})
        return ""
