"""Whoever reads the log of the service: through a pipe, and not always."""

import os
import select
import threading
import time
from pathlib import Path


class LogReader:
    """Copies what comes through a named pipe to a file, until it is told to stop reading or to go away for a while."""

    def __init__(self, folder: Path, copy: Path | None = None) -> None:
        self.pipe, self._files, self._ended = folder / "log.pipe", [folder / "said.txt", *([copy] if copy else [])], threading.Event()
        os.mkfifo(self.pipe)
        self._reading, self._turn = self._open(), threading.Lock()
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def _open(self) -> int:
        return os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK)

    def _copy(self) -> None:
        while not self._ended.is_set():
            with self._turn:
                ready, _, _ = select.select([self._reading], [], [], 0.05)
                self._keep(os.read(self._reading, 65536) if ready else b"")
            time.sleep(0.01)

    def _keep(self, said: bytes) -> None:
        for path in self._files if said else ():
            with open(path, "ab") as file:
                file.write(said)

    def stand_still(self, seconds: float) -> None:
        """Nobody reads, and the pipe is soon full."""
        with self._turn:
            time.sleep(seconds)

    def go_away(self, seconds: float) -> None:
        """Nobody has the pipe open, so that every write to it fails."""
        with self._turn:
            os.close(self._reading)
            time.sleep(seconds)
            self._reading = self._open()

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        os.close(self._reading)
