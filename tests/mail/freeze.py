"""Writes one answer of each program in each language to `tests/mails`, so that a change of the generator cannot change what is tested."""

import json
import random
from pathlib import Path

from tests.mail.corpus import KINDS, LANGUAGES, make
from tests.mail.programs import PROGRAMS
from tests.mail.turns import turns
from tests.mail.worsening import KEPT

FOLDER = Path(__file__).parent.parent / "mails"


def main() -> None:
    chance = random.Random(2026)
    table = []
    kept = [line for line in (FOLDER / "expected.toml").read_text("utf-8").splitlines(True) if not line.startswith('"')]
    for number, program in enumerate(PROGRAMS):
        for place, language in enumerate(LANGUAGES):
            case = make(chance.choice(turns(KEPT)), program, language, KINDS[(number + place) % len(KINDS)], chance)
            (FOLDER / f"{case.name}.eml").write_bytes(case.raw)
            table.append(f"{json.dumps(case.name)} = {json.dumps(case.expected)}\n")
    (FOLDER / "expected.toml").write_text("".join([*table, *kept]), "utf-8")


if __name__ == "__main__":
    main()
