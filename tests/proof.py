"""docs/proof.md: figures as the commands measured them. Each command replaces its own section and leaves the others alone."""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

FILE = Path(__file__).parents[1] / "docs/proof.md"
TITLE = """# Proof
What the service promises, as it was measured. `make proof` runs everything again and writes this page; each section is
written by the command it names, which also runs alone and then changes nothing here. Speed is told as a ratio to something
else measured in the same run: trust the ratios, not the digits.
"""
ORDER = ("make bench", "make soak", "make chaos", "make bigger", "make fuzz", "make secrets")
SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)


def write(section: str, lines: Sequence[str], seed: int | None = None, file: Path = FILE) -> None:
    """Put these lines of Markdown under the name of the command, with when and on how large a machine they were measured."""
    known = _sections(file.read_text("utf-8")) if file.exists() else {}
    known[section] = "\n".join([_circumstances(seed), "", *lines]).strip()
    places = {name: place for place, name in enumerate(ORDER)}
    told = sorted(known, key=lambda name: (places.get(name, len(places)), name))
    file.write_text(TITLE + "".join(f"\n## {name}\n{known[name]}\n" for name in told), "utf-8")


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """In Markdown; the first row is the head."""
    head, *body = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body]


def _sections(text: str) -> dict[str, str]:
    _, *found = SECTION.split(text)
    return {name: body.strip() for name, body in zip(found[::2], found[1::2], strict=True)}


def _circumstances(seed: int | None) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    told = [f"{datetime.now(UTC):%-d %B %Y}", f"{os.cpu_count()} cores", f"{memory:.0f} GB of memory"]
    return ", ".join(told + ([f"seed {seed}"] if seed is not None else [])) + "."
