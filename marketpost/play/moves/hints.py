"""Hints: what the bot `strong` prefers in the present position, for the player who is to decide.

The log records each request and each hint, so that everybody at the table sees them. The bots' workers do the thinking.
"""

import logging
from enum import StrEnum

from marketpost.play.limits import Limit
from marketpost.play.log.actions import Done, HintAsked, Hinted, HintRule
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.cpu_budget import CpuBudget
from marketpost.play.outbox import notices
from marketpost.play.people.bot_accounts import payer
from marketpost.play.ports import Ports
from marketpost.rules.analysis import UNIT
from marketpost.rules.bots import weigh
from marketpost.rules.refusal import Refused

log = logging.getLogger("marketpost.bots")


class HintStatus(StrEnum):
    """Where the hint of a seat in the present position stands."""

    READY = "ready"
    PENDING = "pending"
    NONE = "none"
    """Not asked for."""
    NOT_ALLOWED = "not-allowed"
    """The setting of the game has no hints for this seat, or it has nothing to decide now."""


def ask_hint(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Ask for a hint in the present position. Asked again in the same position, nothing is written: there is one hint for it."""

    def ask(game: Game) -> Done:
        seat = _seat(game, player)
        if (game.position, seat) in game.hints_asked:
            return [], []
        ports.limits.spend(Limit.HINTS_PLAYER, payer(ports, player))
        return [HintAsked(seat, game.position)], [notices.of_hint(game, seat, player, ports.clock())]

    return change(ports, id, player, ask, via)


def _seat(game: Game, player: str) -> int:
    """Find the seat that may have a hint now; refused if there is none."""
    seat = game.seat_of(player)
    if seat is None:
        raise Refused("not-your-game")
    if game.status != GameStatus.RUNNING:
        raise Refused("not-started" if game.status == GameStatus.OPEN else "game-over")
    if not is_allowed(game, seat):
        raise Refused("hints-off", why=game.hint_rule)
    if not can_ask(game, seat):
        raise Refused("not-your-turn", colour=game.setting.colours[game.deciders[0]])
    return seat


def is_allowed(game: Game, seat: int) -> bool:
    """Whether the setting of the game lets a seat have hints. A bot that keeps the seat of an absent player counts as that player."""
    if game.hint_rule != HintRule.AGAINST_BOTS:
        return game.hint_rule == HintRule.ALLOWED
    kept = {number for number, gone in game.absent.items() if gone.may_return}
    return all(plan.bot and number not in kept for number, plan in enumerate(game.seats) if number != seat)


def can_ask(game: Game, seat: int | None) -> bool:
    """Whether the player of a seat may have a hint and decides now, in person."""
    return seat is not None and seat in game.deciders and is_allowed(game, seat) and not game.bot_for(seat)


def hint_status(game: Game, seat: int | None) -> HintStatus:
    """Say where the hint of a seat in the present position stands. A hint for a position that has passed does not count."""
    if seat is None or not can_ask(game, seat):
        return HintStatus.NOT_ALLOWED
    if game.hint_for(seat):
        return HintStatus.READY
    return HintStatus.PENDING if game.awaits_hint(seat) else HintStatus.NONE


def give_hint(ports: Ports, game: Game, notice: notices.Notice) -> None:
    """Find the hint that was asked for, and write it to the log.

    Race: the player may move, or another worker give the hint, meanwhile. Only a hint that is still awaited in this position is written.
    """
    if not game.awaits_hint(notice.seat) or not can_ask(game, notice.seat):
        return
    hint = _found(ports, game, notice)

    def give(now: Game) -> Done:
        return ([hint], []) if now.position == hint.position and now.awaits_hint(hint.seat) else ([], [])

    change(ports, game.id, None, give)


def _found(ports: Ports, game: Game, notice: notices.Notice) -> Hinted:
    """Let the bot compare the best orders, with chance that tells nothing of the draws to come."""
    seat, position = notice.seat, game.position
    budget = CpuBudget(ports, notice.player or game.host)
    chance = game.bot_chance(ports.secret(game.id), f"hint {notice.id}")
    try:
        best, *others = weigh(game.rules, game.state.copy(), seat, chance, out_of_time=budget.is_spent)
    except Exception:
        log.exception("game %(game)s: no hint was found for seat %(seat)s", {"game": game.id, "seat": seat})
        return Hinted(seat, position, "")
    finally:
        budget.charge()
    if not others:
        return Hinted(seat, position, best.orders)
    return Hinted(seat, position, best.orders, round(UNIT * best.chance), others[0].orders, round(UNIT * others[0].chance), best.trials)
