"""Start the processes of a service, restart those that end, and stop them in order.

It has one thread only, so that it can fork children safely.
"""

import contextlib
import os
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from subprocess import Popen

from workers.log_output import LogOutput

TICK = 0.2
"""Seconds between two checks of the children."""
LIVED_WELL = 5.0
"""Seconds after which the end of a process counts as the first one again, and is followed by no pause."""
LONGEST_PAUSE = 2.0
"""Seconds before a restart, at most."""
LETS_GO = 3.0
"""Seconds that a process has to stop when it is restarted on purpose."""
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(eq=False, slots=True)
class ChildProcess:
    """One child process: how it is started, when it is ready, and how long it may take to stop."""

    name: str
    start: Callable[[], "Popen[bytes]"]
    stop_within: float
    ready: Callable[[], bool] = lambda: True
    explain: Callable[[str], str] = lambda said: ""
    noise: tuple[str, ...] = ()
    """Lines that contain one of these are not shown."""
    renews: "tuple[ChildProcess, ...]" = ()
    """Parts that are restarted after this one ended and has come back."""
    process: "Popen[bytes] | None" = None
    began: float = 0.0
    ends: int = 0
    """How often in a row it has ended shortly after its start."""
    again_at: float | None = None
    kill_at: float | None = None
    returning: bool = False
    said: deque[str] = field(default_factory=lambda: deque(maxlen=20))
    rest: bytes = b""
    """The beginning of a line whose end has not come yet."""

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def signal(self, number: int) -> None:
        """Send a signal; SIGKILL goes to its whole group, because a part may have children of its own."""
        if self.process and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number) if number == signal.SIGKILL else self.process.send_signal(number)


class Supervisor:
    """Starts parts, shows their output, restarts them, and stops them."""

    def __init__(self, output: LogOutput) -> None:
        self.output, self.say = output, output.say
        self.stopping = 0
        self.parts: list[ChildProcess] = []
        self._output = selectors.DefaultSelector()
        for number in STOPS:
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                signal.signal(number, self._on_signal)

    def _on_signal(self, *_: object) -> None:
        self.stopping += 1

    def start(self, parts: Iterable[ChildProcess]) -> None:
        """Start the parts."""
        for part in parts:
            self.parts.append(part)
            self._begin(part)

    def until_ready(
        self, parts: Iterable[ChildProcess], waiting: Callable[[ChildProcess], None] = lambda part: None
    ) -> ChildProcess | None:
        """Wait until these parts are ready; return the one that ended instead, if any."""
        for part in parts:
            while not self.stopping and not part.ready():
                waiting(part)
                self._tick(restart=False)
                if not part.alive:
                    return part
        return None

    def watch(self) -> None:
        """Restart parts that end, until a signal asks to stop."""
        while not self.stopping:
            self._tick(restart=True)

    def stop(self, ranks: Iterable[Iterable[ChildProcess]]) -> None:
        """Stop one rank after the other; a rank inherits the time the ones before have left. A second Ctrl-C kills at once."""
        until = time.monotonic()
        for rank in ranks:
            started = [part for part in rank if part in self.parts]
            until += max((part.stop_within for part in started), default=0)
            self._stop_rank(started, until)

    def _stop_rank(self, parts: list[ChildProcess], until: float) -> None:
        """Ask the parts of a rank to stop, wait for them, and kill those that still run."""
        for part in parts:
            part.signal(signal.SIGTERM)
        while any(part.alive for part in parts) and time.monotonic() < until and self.stopping < 2:
            self._tick(restart=False)
        for part in parts:
            self._kill(part)

    def _kill(self, part: ChildProcess) -> None:
        """Kill a part with its children and show its last output."""
        if part.alive:
            self.say(f"{part.name} does not stop and is killed; what it was doing is done again")
        part.signal(signal.SIGKILL)
        if part.process:
            part.process.wait()
            self._pump(part)

    def _begin(self, part: ChildProcess) -> None:
        """Start a part and read its output from now on."""
        part.process = part.start()
        part.began, part.again_at, part.kill_at = time.monotonic(), None, None
        part.said.clear()
        if part.process.stdout:
            os.set_blocking(part.process.stdout.fileno(), False)
            self._output.register(part.process.stdout, selectors.EVENT_READ, part)

    def _tick(self, restart: bool) -> None:
        """Wait for output for a moment and show it; then restart parts, if wanted."""
        for key, _ in self._output.select(TICK):
            self._pump(key.data)
        self.output.flush()
        if restart:
            for part in self.parts:
                self._look_after(part)

    def _look_after(self, part: ChildProcess) -> None:
        """Restart, kill or welcome back one part, as it needs."""
        now = time.monotonic()
        if part.alive:
            if part.kill_at is not None and now > part.kill_at:
                self._kill(part)
            elif part.returning and part.ready():
                self._returned(part)
        elif part.again_at is None:
            self._ended(part, now)
        elif now >= part.again_at:
            self._begin(part)

    def _ended(self, part: ChildProcess, now: float) -> None:
        """Report that a part ended and plan its restart: at once, but with growing pauses if it keeps ending."""
        self._pump(part)
        if part.kill_at is not None:  # as we wanted
            part.again_at = now
            return
        part.ends = 1 if now - part.began > LIVED_WELL else part.ends + 1
        pause = 0.0 if part.ends == 1 else min(LONGEST_PAUSE, 0.5 * 2.0 ** (part.ends - 2))
        part.again_at, part.returning = now + pause, True
        self.say(f"{part.name} {_how(part)}; it is started again {f'in {pause:g} s' if pause else 'now'}")
        if part.ends > 1 and (why := part.explain("\n".join(part.said))):
            self.say(why)

    def _returned(self, part: ChildProcess) -> None:
        """Report that a part is back, and restart the parts that depend on it."""
        part.returning = False
        self.say(f"{part.name} is back")
        for other in part.renews:
            other.signal(signal.SIGTERM)
            other.kill_at = time.monotonic() + LETS_GO

    def _pump(self, part: ChildProcess) -> None:
        """Show the output of a part, line by line."""
        stream = part.process.stdout if part.process else None
        if stream is None or stream.closed:
            return
        while data := _read(stream.fileno()):
            *lines, part.rest = (part.rest + data).split(b"\n")
            for line in lines:
                self._show(part, line.decode(errors="replace"))
        if data == b"":
            self._output.unregister(stream)
            stream.close()
            self._show(part, part.rest.decode(errors="replace"))
            part.rest = b""

    def _show(self, part: ChildProcess, line: str) -> None:
        if line.strip() and not any(noise in line for noise in part.noise):
            part.said.append(line)
            self.say(f"{part.name:>8} | {line}")


def _read(descriptor: int) -> bytes | None:
    """Read what is there; empty at the end of the stream; `None` if more may come."""
    try:
        return os.read(descriptor, 65536)
    except BlockingIOError:
        return None


def _how(part: ChildProcess) -> str:
    """Say how a process ended."""
    status = part.process.returncode if part.process else 0
    return f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
