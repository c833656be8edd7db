"""`gallery/`, outside the repository: pictures of everything, to be looked at. Those that documents show are copied to `docs/pictures`.

`python -m tests.gallery` makes those copies anew from what `make letters` and `make pictures` have written.
"""

import shutil
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "gallery"
PICTURES = GALLERY / "pictures"
SHOWN = ROOT / "docs/pictures"


def main() -> None:
    for copy in sorted(SHOWN.iterdir()):
        for newer in GALLERY.rglob(copy.name):
            shutil.copyfile(newer, copy)
            click.echo(f"{copy.relative_to(ROOT)} from {newer.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
