"""`python -m tests.pictures`: every kind of picture into `gallery/pictures`, to be looked at.

Each module here is a kind: its `pictures()` gives names and bytes.
"""

import pkgutil
from importlib import import_module

import click

import tests.pictures
from tests.gallery import PICTURES


def main() -> None:
    """What a kind gave before and gives no longer goes."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for kind in (module.name for module in pkgutil.iter_modules(tests.pictures.__path__) if not module.name.startswith("_")):
        given = dict(import_module(f"tests.pictures.{kind}").pictures())
        for old in set(PICTURES.glob(f"{kind}-*")) - {PICTURES / f"{kind}-{name}" for name in given}:
            old.unlink()
        for name, data in given.items():
            (PICTURES / f"{kind}-{name}").write_bytes(data)
            click.echo(f"{kind}-{name} ({len(data):,} bytes)")


if __name__ == "__main__":
    main()
