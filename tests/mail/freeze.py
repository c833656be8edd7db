"""Writes one answer of each program in each language to `tests/mails`, so that a change of the generator cannot change what is tested."""

import json
import random
import sys

from tests.mail.corpus import KINDS, LANGUAGES, make
from tests.mail.programs import PROGRAMS
from tests.mail.turns import turns
from tests.mail.worsening import FOLDER


def main() -> None:
    ruleset, chance, table = sys.argv[1], random.Random(2026), list[str]()
    (FOLDER / ruleset).mkdir(exist_ok=True)
    for number, program in enumerate(PROGRAMS):
        for place, language in enumerate(LANGUAGES):
            case = make(chance.choice(turns(ruleset)), program, language, KINDS[(number + place) % len(KINDS)], chance)
            (FOLDER / ruleset / f"{case.name}.eml").write_bytes(case.raw)
            table.append(f"{json.dumps(case.name)} = {json.dumps(case.expected)}\n")
    (FOLDER / ruleset / "expected.toml").write_text("".join(table), "utf-8")


if __name__ == "__main__":
    main()
