"""`python -m tests.image`: the steps of deploy/Dockerfile, one by one, in an empty folder, and a service started from what they leave.

For machines without a container engine. What Debian's packages bring is left out; all else are the very commands of the file.
"""

import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import click

from tests.running.live import running

ROOT = Path(__file__).parents[1]
FILE = ROOT / "deploy/Dockerfile"
BASE_MEGABYTES = 115
"""About what debian:12-slim with its packages python3 and ca-certificates takes."""
MOST_MEGABYTES = 250
TARGETS = {
    "matrix": "matrixs://ann:pw@matrix.example.org/!room:example.org",
    "ntfy": "ntfys://ntfy.example.org/topic",
    "signal": "signals://signal.example.org/+15551234567/+15557654321",
    "telegram": "tgram://123456789:abcdefghijklmnop/987654",
}
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="4" height="4"/></svg>'
TRIED = f"""
from marketpost.notify.channels import channels
from marketpost.pictures.png import png
for name, target in {TARGETS}.items():
    channels()[name].read_target(target, ())
png({SQUARE!r})
import feedgen.feed
"""
"""What uses the libraries of which the Dockerfile removes parts, and no request at the start would."""


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Read the steps of the first stage: what is done, and with what."""
    first = text.split("\nFROM ")[1]
    for line in re.sub(r"\\\n", "", first).splitlines():
        what, _, rest = line.partition(" ")
        if what in {"RUN", "COPY"} and not rest.startswith("apt-get"):
            yield what, rest


def replay(folder: Path) -> Path:
    """Run the steps with /build and /opt/marketpost in this folder; returns the latter."""
    build, installed = folder / "build", folder / "opt"
    build.mkdir()
    for what, rest in steps(FILE.read_text("utf-8")):
        if what == "RUN":
            subprocess.run(["sh", "-ec", rest.replace("/opt/marketpost", str(installed))], cwd=build, check=True)
        else:
            _copy(build, *rest.split())
    return installed


def _copy(build: Path, *names: str) -> None:
    *sources, target = names
    for name in sources:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, build / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, build / target)


def megabytes(folder: Path) -> int:
    """Measure what the folder takes on a disk."""
    return int(subprocess.run(["du", "-sm", folder], capture_output=True, text=True, check=True).stdout.split()[0])


@click.command()
def main() -> None:
    """Replay the Dockerfile, start the service it installs, and say how large the image would be."""
    with tempfile.TemporaryDirectory(prefix="marketpost-image-") as name:
        installed = replay(Path(name))
        size = megabytes(installed)
        subprocess.run([installed / "bin/python", "-I", "-c", TRIED], check=True)
        with running(Path(name) / "data", ("env", f"--chdir={name}"), installed / "bin/marketpost") as live:
            urllib.request.urlopen(f"{live.url}/ready", timeout=60).close()
            for language in ("en", "de", "fr", "it"):
                asked = urllib.request.Request(f"{live.url}/v1/rules/portobello", headers={"Accept-Language": language})
                urllib.request.urlopen(asked, timeout=60).close()
    click.echo(f"the steps of deploy/Dockerfile install {size} MB and start; with Debian and Python about {size + BASE_MEGABYTES} MB")
    if size + BASE_MEGABYTES > MOST_MEGABYTES:
        raise SystemExit(f"that is more than {MOST_MEGABYTES} MB")


if __name__ == "__main__":
    main()
