"""`gallery/`, outside the repository: letters and pictures to be looked at. What the documents show of them is copied into `docs/`.

`python -m tests.gallery` makes those copies anew from what `make letters` and `make pictures` have written.
"""

import re
import shutil
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "gallery"
PICTURES = GALLERY / "pictures"
SHOWN = ROOT / "docs/pictures"
PAGE = ROOT / "docs/play-by-mail.md"
LETTER = "your-turn.en"
QUOTED = re.compile(r"(?<=```text\n).*?(?=```)", re.DOTALL)
"""The letter on the page for players."""


def main() -> None:
    for copy in sorted(SHOWN.iterdir()):
        for newer in GALLERY.rglob(copy.name):
            shutil.copyfile(newer, copy)
            click.echo(f"{copy.relative_to(ROOT)} from {newer.relative_to(ROOT)}")
    for letter in GALLERY.rglob(f"{LETTER}.txt"):
        quote(letter.read_text("utf-8"))


def quote(letter: str) -> None:
    """Put the text of a turn letter on the page for players."""
    PAGE.write_text(QUOTED.sub(lambda _: f"{letter.rstrip()}\n", PAGE.read_text("utf-8"), count=1), "utf-8")


if __name__ == "__main__":
    main()
