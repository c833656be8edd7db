"""Answers to digests as mail programs write them; `python -m tests.mail.digest_corpus [count] [seed]` prints what is not read exactly."""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape

from marketpost.mail.inbound.answering import classify_message
from marketpost.mail.inbound.labelled_parts import split_parts
from marketpost.mail.inbound.order_lines import is_order
from marketpost.mail.inbound.read_message import parse_message
from tests.mail.corpus import KINDS, LANGUAGES, PLAYER, mail_of
from tests.mail.letters import examples, letter_html, letter_text, rendered
from tests.mail.programs import PROGRAMS
from tests.mail.turns import SHAPES, Turn, all_rulesets, turns

FORMS = ("{0}: {1}", "{0}: {1}", "{0}\n{1}", "{0}:\n{1}", "{0} : {1}", "*{0}:* {1}", "[{0}] {1}", "{0}. {1}")
"""How a label and orders are written."""


@dataclass(frozen=True)
class DigestCase:
    """A mail, and the turn that each of its parts is for; games of the letter that it leaves out are not among them."""

    name: str
    raw: bytes
    meant: dict[str, Turn]
    listed: dict[str, Turn]


def cases(count: int, seed: int = 1) -> Iterator[DigestCase]:
    chance, names = random.Random(seed), list(PROGRAMS)
    for number in range(count):
        program, language = names[number % len(names)], LANGUAGES[number // len(names) % len(LANGUAGES)]
        kind = KINDS[(number // len(names) // len(LANGUAGES) + number) % len(KINDS)]
        yield make(_listed(chance), program, language, kind, chance)


def _listed(chance: random.Random) -> dict[str, Turn]:
    """Two to six games of any rulesets."""
    found = [chance.choice(turns(chance.choice([*all_rulesets()]))) for _ in range(chance.randint(2, 6))]
    return {f"{turn.rules.name[0].upper()}{number}": turn for number, turn in enumerate(found, 1)}


def make(listed: dict[str, Turn], program: str, language: str, kind: str, chance: random.Random) -> DigestCase:
    meant = dict(sorted(chance.sample([*listed.items()], chance.randint(2, len(listed)))))
    form, gap = chance.choice(FORMS), chance.choice(["\n", "\n\n"])

    def write() -> list[str]:
        shape = chance.choice(SHAPES)
        return gap.join(form.format(label, "\n".join(shape(turn.steps(language), language))) for label, turn in meant.items()).split("\n")

    def letter(spoken: str, *names: str) -> tuple[str, str, str]:
        every = [_section(label, turn, spoken, *names) for label, turn in listed.items()]
        text, html, plain = ("\n\n".join(each) for each in zip(*every, strict=True))
        return text, html, plain

    raw = mail_of(write, letter, next(iter(meant.values())), program, language, kind, chance)
    return DigestCase(f"{program}-{language}-{kind}-{form!r}", raw, meant, listed)


def _section(label: str, turn: Turn, language: str, *names: str) -> tuple[str, str, str]:
    """A game as the letter shows it: its label, its board, and examples with the label."""
    text, html, plain = (make(turn, language, *names) for make in (letter_text, letter_html, rendered))
    for each in (turn.written(language) for turn in examples(turn)):
        text, plain = text.replace(f"\n{each}", f"\n{label}: {each}"), plain.replace(f"*{each}", f"*{label}: {each}")
        html = html.replace(f"<b>{escape(each)}", f"<b>{label}: {escape(each)}")
    title = f"{label} – {turn.rules.name.title()}"
    return f"{title}\n\n{text}", f"<h2>{title}</h2>{html}", f"{title}\n\n{plain}"


def verdict(case: DigestCase) -> str:
    """`exact` if every part is read as it was meant and nothing else is, `refused` if a part is asked about, or `wrong`."""
    incoming = parse_message(case.raw)
    games = {label: turn.game for label, turn in case.listed.items()}

    def reads(label: str, text: str) -> bool:
        return any(is_order(game, text) for each, game in games.items() if label in (each, ""))

    found = split_parts(incoming.lines, case.listed, reads)
    exact = set()
    for label, lines in found.parts.items():
        signed = label == next(reversed(found.parts))
        said = classify_message(games.get(label), replace(incoming, lines=[*found.unlabelled, *lines], signed=signed), PLAYER)
        if said.strange or not said.orders:
            continue
        if label not in case.meant or said.commands or not case.meant[label].means("\n".join(said.orders)):
            return "wrong"
        exact.add(label)
    return "exact" if exact == set(case.meant) else "refused"


def main() -> None:
    count, seed = [*map(int, sys.argv[1:]), *(624, 1)[len(sys.argv) - 1 :]]
    found: Counter[str] = Counter()
    for case in cases(count, seed):
        told = verdict(case)
        found[told] += 1
        if told != "exact":
            sys.stdout.write(f"{told}: {case.name} {parse_message(case.raw).lines}\n")
    share = found["exact"] / count
    sys.stdout.write(f"{count} answers to digests, seed {seed}: exact {share:.2%}, refused {found['refused']}, wrong {found['wrong']}\n")


if __name__ == "__main__":
    main()
