"""Runs analyses of finished games in a bot worker, a little at a time, so that no bot's decision waits for one."""

import logging
import time

from marketpost.play.analyses import AnalysisRun, next_run, store_analysis
from workers.notifier import WorkerParts
from workers.queue import MAIL

SLICE = 0.1
"""Seconds of computing after which a bot that is called goes first."""
RENEW_EVERY = 20.0
log = logging.getLogger("marketpost.analysis")


class Analysing:
    """The analysis that this process has under way, if any."""

    def __init__(self) -> None:
        self.run: AnalysisRun | None = None
        self.renewed = 0.0

    def go_on(self, parts: WorkerParts) -> bool:
        """Compute for a moment; False if no game waits to be analysed."""
        ports = parts.mailer.ports
        if self.run is None:
            self.run, self.renewed = next_run(ports), time.monotonic()
            return self.run is not None
        try:
            over, found = self.run.go_on(SLICE)
        except Exception:
            log.exception("game %s cannot be analysed", self.run.game)
            over, found = True, None
        if over:
            store_analysis(ports, self.run.game, found)
            if parts.mailer.deliveries.release(self.run.game, ports.clock()):
                parts.work_queue.wake(MAIL)
            self.run = None
        elif time.monotonic() - self.renewed > RENEW_EVERY:
            ports.analyses.renew(self.run.game, ports.clock())
            self.renewed = time.monotonic()
        return True


analysing = Analysing()
