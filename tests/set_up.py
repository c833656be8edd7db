"""Measure what `make run` installs before it starts, in a fresh copy of this folder: `python -m tests.set_up [--proof]`."""

import os
import subprocess
import tempfile
import time
from pathlib import Path

import click

from tests import proof

ROOT = Path(__file__).parents[1]
MEGABYTES, SECONDS = 160, 30
BLOCK = 512
"""Bytes of what `stat` counts (`man 2 stat`)."""


def copy(folder: Path) -> None:
    """Copy what is under version control, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["cp", "--parents", "--target-directory", folder, *filter(None, listed.decode().split("\0"))], cwd=ROOT, check=True)


def set_up(folder: Path) -> list[tuple[str, str]]:
    """Install without what pip has stored from earlier, and tell what that took."""
    began, before = time.monotonic(), os.times()
    subprocess.run(["make", "--silent", ".venv/ready"], cwd=folder, env={**os.environ, "PIP_NO_CACHE_DIR": "1"}, check=True)
    took, after = time.monotonic() - began, os.times()
    computed = after.children_user - before.children_user + after.children_system - before.children_system
    size = sum(file.lstat().st_blocks * BLOCK for file in (folder / ".venv").rglob("*")) / 2**20
    return [
        ("size of `.venv`", f"{size:.0f} MB, goal ≤ {MEGABYTES}: {_verdict(size, MEGABYTES)}"),
        ("time with all downloads", f"{took:.0f} s, goal ≤ {SECONDS}: {_verdict(took, SECONDS)}; {computed:.0f} s of CPU"),
    ]


def _verdict(figure: float, goal: float) -> str:
    return "ok" if round(figure) <= goal else "short"


@click.command()
@click.option("--proof", "to_prove", is_flag=True, help="Write the figures to docs/proof.md.")
def main(to_prove: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        copy(Path(name))
        rows = set_up(Path(name))
    for what, figure in rows:
        click.echo(f"{what}: {figure}")
    if to_prove:
        proof.write("make bare", proof.table([("what", "figure"), *rows]))


if __name__ == "__main__":
    main()
