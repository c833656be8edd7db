"""The time that a bot may compute for."""

import time
from math import inf

from marketpost.play.limits import Limit, OverLimit
from marketpost.play.people.bot_accounts import payer
from marketpost.play.people.guest_rights import is_guest
from marketpost.play.ports import Ports


class CpuBudget:
    """The CPU time of one bot decision, charged to the host of the game, or of one hint, charged to whoever asked for it.

    A player without time left gets the bot's quickest decision.
    """

    def __init__(self, ports: Ports, player: str) -> None:
        self._limits, self._player = ports.limits, payer(ports, player)
        self._limit = Limit.BOT_TIME_GUEST if is_guest(ports, player) else Limit.BOT_TIME_PLAYER
        most = ports.limits.amounts.get(Limit.BOT_DECISION_SERVICE, 0) if self._has_some() else 0
        self._began = time.process_time()
        self._until = self._began + most / 1000 if ports.limits.amounts else inf

    def _has_some(self, spent: int = 0) -> bool:
        try:
            self._limits.spend(self._limit, self._player, spent)
        except OverLimit:
            return False
        return True

    def is_spent(self) -> bool:
        """Whether the time of this decision is up."""
        return time.process_time() >= self._until

    def charge(self) -> None:
        """Count the time that was used."""
        self._has_some(spent=round(1000 * (time.process_time() - self._began)))
