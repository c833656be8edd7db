"""Show a player the own message again, with what could not be read marked."""

from collections.abc import Iterator, Sequence

from marketpost.mail.inbound.habits import tidy
from marketpost.mail.inbound.order_lines import is_order, unreadable
from marketpost.mail.inbound.separators import NUMBER, undressed
from marketpost.play.log.game import Game

MOST_LINES = 20
LONGEST_LINE = 200
BEGIN, END = ">>", "<<"
"""The signs around what could not be read; the HTML letter also prints it in bold."""


def marked(game: Game | None, lines: Sequence[str], strange: Sequence[str]) -> list[str]:
    """Return the lines of a message with the unreadable part of each strange one marked; only the strange ones of a long message.

    What is strange may be no line of it, such as a yes beside a no: then all of it is marked, and nothing is added that nobody wrote.
    """
    told = [each for line in lines if (each := tidy(line))]
    found = list(_marked(game, told, strange))
    if not any(BEGIN in line for line in found):
        found = [f"{BEGIN}{line[:LONGEST_LINE]}{END}" for line in told]
    if len(found) > MOST_LINES:
        found = [line for line in found if BEGIN in line]
    return found[:MOST_LINES]


def _marked(game: Game | None, lines: Sequence[str], strange: Sequence[str]) -> Iterator[str]:
    known = {*strange}
    for line in lines:
        is_strange = line in known or NUMBER.sub("", line, count=1) in known
        yield _mark(game, line) if is_strange else line[:LONGEST_LINE]


def _mark(game: Game | None, line: str) -> str:
    """Return a line with the first part that is no order between the signs; all of it, if there is no telling."""
    shown = line[:LONGEST_LINE]
    part = _unreadable_part(game, shown)
    before, found, after = shown.partition(part) if part else ("", "", shown)
    return f"{before}{BEGIN}{found}{END}{after}" if found else f"{BEGIN}{shown}{END}"


def _unreadable_part(game: Game | None, line: str) -> str:
    """Return the step that is no order, or the part of the line that the ruleset names."""
    steps = [step.strip() for step in line.split(";")]
    wrong = [step for step in steps if step and not is_order(game, step)]
    return wrong[0] if 0 < len(wrong) < len(steps) else unreadable(game, undressed(line)[-1])
