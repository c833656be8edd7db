"""`python -m tests.upgrade --games 1000`: replace a running service process by process with the next release, and back again.

The previous release comes from the wheel in `tests/previous_release`. People play over REST all the time, and afterwards every log is read.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from marketpost.store.parent_process import die_with
from tests import proof
from tests.cluster import free_port
from tests.running.live import MARKETPOST, environment, stores, until
from tests.soak.__main__ import count
from tests.soak.players import RULES, SEATS, Line, Seen, at_the_tables, open_table, person

WHEELS = Path(__file__).parent / "previous_release"
NEEDED = WHEELS / "requirements.txt"
"""What the previous release imports and is installed with this one no more."""
PROCESSES = {
    "worker of moves 1": ("worker",),
    "worker of moves 2": ("worker",),
    "worker of bots": ("worker", "--queue", "bots"),
    "worker of mail": ("worker", "--queue", "mail"),
    "worker of webhooks": ("worker", "--queue", "hooks"),
    "sweeper": ("sweeper",),
    "mail-in": ("mail-in",),
    "api": ("api", "--processes", "1"),
}
"""In the order in which docs/operate.md says to replace them."""
ENDS_WITHIN = 70.0
"""Seconds that docs/operate.md tells whoever stops a process to wait for it."""
MUST_BE_NONE = slice(4, None)
"""Of what `count` tells: all but how much was played."""


@dataclass(frozen=True, slots=True)
class Release:
    """How the processes of a release are started."""

    name: str
    program: Path
    path: str = ""
    """Where its packages are, if it is not the one that is installed here."""


@dataclass(slots=True)
class Fleet:
    """The processes of a service, each of one release or the other."""

    environment: dict[str, str]
    bind: str
    running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    """Seconds from telling a process to end until the next one had started."""

    def start(self, name: str, release: Release) -> None:
        """Start one process."""
        bind = ("--bind", self.bind) if name == "api" else ()
        ours, path = os.getpid(), {"PYTHONPATH": release.path} if release.path else {}
        self.running[name] = subprocess.Popen(
            [str(release.program), *PROCESSES[name], *bind],
            cwd=self.environment["DATA_DIR"],
            env=self.environment | path,
            process_group=0,
            preexec_fn=lambda: die_with(ours),
        )

    def replace(self, name: str, release: Release) -> None:
        """Let one process finish, and start its successor."""
        began = time.monotonic()
        self.end(name)
        self.start(name, release)
        self.took.append(time.monotonic() - began)

    def end(self, name: str) -> None:
        """Let one process finish; fails if it does not end in time."""
        process = self.running.pop(name)
        process.terminate()
        process.wait(ENDS_WITHIN)


@contextmanager
def fleet(data: Path, **more: str) -> Iterator[Fleet]:
    """No process runs yet; all that were started end here."""
    port = free_port()
    found = Fleet(environment(data, PUBLIC_URL=f"http://127.0.0.1:{port}", LIMITS="off", **more), f"127.0.0.1:{port}")
    try:
        yield found
    finally:
        for name in list(found.running):
            found.end(name)


def previous_release(folder: Path) -> Release:
    """Install the wheel of the previous release beside what is installed here, with what it needs and we do not any more."""
    [wheel] = WHEELS.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    subprocess.run([*pip, "--requirement", str(NEEDED)], check=True, capture_output=True)  # it tells that there is a folder `bin`
    return Release(wheel.name.split("-")[1], folder / "bin/marketpost", str(folder))


def run(games: int, pause: float, seed: int) -> tuple[dict[str, int], Seen, Fleet]:
    """Play, replace every process forwards and then backwards, and count."""
    seen, now = Seen(), Release("this one", MARKETPOST)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="marketpost-upgrade-")))
        before = previous_release(folder / "previous")
        ports = stack.enter_context(stores(folder / "data"))
        service = stack.enter_context(fleet(folder / "data", MAIL_LISTEN=f"127.0.0.1:{free_port()}"))
        for name in PROCESSES:
            service.start(name, before)
        url = f"http://{service.bind}"
        line = Line(url, seen)
        people = [person(ports, name) for name in ("ann", "bob", "cleo", "dora")][:SEATS]
        with click.progressbar(range(games), label="opening", file=sys.stderr) as bar:
            tables = [open_table(line, people, RULES[number % len(RULES)], f"table-{number}") for number in bar]
        with at_the_tables(url, tables, seen, seed):
            for release in (now, before):
                with click.progressbar(PROCESSES, label=f"to {release.name}", file=sys.stderr) as names:
                    for name in names:
                        time.sleep(pause)
                        service.replace(name, release)
            time.sleep(pause)
        until(lambda: not ports.games.unfinished(), 60)
        return count(ports, seen), seen, service


@click.command()
@click.option("--games", default=1000, show_default=True)
@click.option("--pause", default=5.0, show_default=True, help="Seconds of play before each replacement.")
@proof.seeded
def upgrade(games: int, pause: float, seed: int, to_prove: bool) -> None:
    """Replace every process by the next release and back while people play, and count what was acknowledged."""
    result, seen, service = run(games, pause, seed)
    fives = sum(code in ("internal", "500") for code in seen.refused)
    told = [*((name, f"{figure:,}") for name, figure in result.items()), ("5xx other than 503", f"{fives}")]
    told += [("requests sent again", f"{len(seen.again)}"), ("longest replacement", f"{max(service.took):.1f} s")]
    for name, figure in told:
        click.echo(f"{name:>34}  {figure}")
    if to_prove:
        proof.write("make upgrade-proof", proof.table([("what", "figure"), *told]), seed)
    sys.exit(1 if fives or any(list(result.values())[MUST_BE_NONE]) else 0)


if __name__ == "__main__":
    upgrade()
