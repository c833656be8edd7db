"""Sort a player's own words into orders, commands, courtesies and what is none of these. Nothing is guessed."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from marketpost.mail.inbound.ahead_lines import ahead_in
from marketpost.mail.inbound.asides import is_aside, takes_back, without_sayings
from marketpost.mail.inbound.command_lines import CONFIRMED, FREE_TEXT, Command, read_command
from marketpost.mail.inbound.courtesies import (
    FRIENDLY,
    LONGEST_COURTESY,
    CourtesyKind,
    courtesy_kind,
    is_below_a_name,
    is_doubtful,
    is_name,
    is_nothing,
    names_another_time,
)
from marketpost.mail.inbound.habits import phrases, tidy
from marketpost.mail.inbound.separators import BULLET, has_separators, separated, undressed, unnumbered
from marketpost.rules.words import fold, tokens

MOST_PIECES = 6
LONGEST_JOINED = 600
CONTEXT = 4
WRAPPED_FROM = 60
MOST_SIGNATURE = 12
MOST_ASIDE = 60
"""Lines up to which small talk is looked for; it bounds the time that a hostile message costs."""

IsOrder = Callable[[str], bool]
Agreement = Callable[[str], str]
"""Returns `yes`, perhaps with a player's word for chance, `no`, or nothing, for a line."""

STOPS = frozenset({"no", "stop", "abandon", "undo", "cancel"})
"""Commands that may be about the orders beside them, which are not played then."""
FIELDS = re.compile(r"\s[|·•]\s")
NUMBERS = re.compile(r"(?:\b[A-Z]{1,2}[ -]?)?\d+")


@dataclass(frozen=True, slots=True)
class Said:
    """A message taken apart into orders, commands and the rest. If anything is `strange`, nothing of it may be done."""

    orders: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    strange: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    """Lines beside orders that are no part of them; the player is told that they were left aside."""


def classify(
    lines: Sequence[str],
    is_order: IsOrder,
    commands: Mapping[str, tuple[str, ...]],
    names: Collection[str] = (),
    is_left: IsOrder = lambda text: False,
    agreement: Agreement = lambda line: "",
    is_prose: IsOrder = lambda text: False,
) -> Said:
    """Sort the new lines of a message.

    `is_order` says whether a text can be read as orders, `is_left` whether it is a standing order; `commands` maps folded words to
    commands; `names` are the sender's, who may sign with them; `agreement` reads a yes or no, if something was asked; `is_prose` says
    whether no word of a line is one of the game's.
    """
    readable, left = lru_cache(maxsize=None)(is_order), lru_cache(maxsize=None)(is_left)
    known = {spelling: meaning[0] for spelling, meaning in commands.items()}
    own = frozenset(fold(word) for name in names for word in tokens(name))
    sorter = _Sorter(unnumbered([tidy(line) for line in lines], readable), readable, left, known, own, agreement, is_prose)
    sorter.sort()
    return Said(tuple(sorter.orders), tuple(sorter.commands), tuple(sorter.strange), tuple(sorter.aside))


@dataclass
class _Sorter:
    """Sorts the lines of one message from top to bottom."""

    lines: list[str]
    is_order: IsOrder
    is_left: IsOrder
    known: dict[str, str]
    names: frozenset[str]
    agreement: Agreement
    is_prose: IsOrder
    orders: list[str] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    denials: list[str] = field(default_factory=list)
    run: list[str] = field(default_factory=list)
    place: int = 0
    may_be_name: bool = False
    signed: int = 0

    def sort(self) -> None:
        """Sort all lines; lines left aside count as strange if there are neither orders nor a yes or no."""
        while self.place < len(self.lines):
            line = self.lines[self.place]
            self.place += 1
            self._sort_line(line)
        self._end_run()
        if self.orders:
            self.strange += self.denials
        elif not any(command.name in ("yes", "no") for command in self.commands):
            self.strange, self.aside = [*self.aside, *self.strange], []

    def _sort_line(self, line: str) -> None:
        """Sort one line; a line with a meaning of its own ends the run of lines that may be pieces of orders."""
        if not line:
            self._end_run()
        elif (ahead := ahead_in(line)) and not self.signed:
            self._end_run()
            self._leave_ahead(ahead)
        elif self.signed:
            self._below_signature(line)
        elif line.startswith("##"):
            # A program's wish to be answered above this line, in words that we do not know: whose words are below?
            self._end_run()
            self.strange.append(line)
        elif is_nothing(line):
            self._end_run()
        elif names_another_time(line) and not self.run and self._begins_letter():
            self.strange.append(line)
        elif self.agreement(line) in ("yes", "no") and self._reads(line):
            # An Italian `fine` ends a turn, an English one agrees.
            self._end_run()
            self.strange.append(line)
        elif not self.agreement(line) and self._reads(line):
            self._read(line)
        elif not self._command(line) and not self._courtesy(line) and not self._aside(line):
            # What stands below a piece of an order may be the rest of it, and no name.
            self.may_be_name = False
            self.run.append(line)

    def _leave_ahead(self, first: str) -> None:
        """Take a paragraph of orders ahead: all lines up to an empty one, a command or a sign-off."""
        lines = [first]
        while self.place < len(self.lines) and (line := self.lines[self.place]):
            if not ahead_in(line) and (self._command_in(line) or courtesy_kind(line) == CourtesyKind.SIGNOFF or self._is_own_name(line)):
                break
            lines.append(ahead_in(line) or line)
            self.place += 1
        before = next((each for each in self.commands if each.name == "ahead" and each.argument), None)
        if before:
            self.commands.remove(before)
            lines = [before.argument, *lines]
        self.commands.append(Command("ahead", "\n".join(lines)))

    def _read(self, line: str) -> None:
        """Accept a line as an order; ask about it if it is also the sender's name below all orders, which may be a signature."""
        self.may_be_name = False
        before = self.orders + self.run
        if (
            before
            and line[:1].isupper()
            and self._is_own_name(line)
            and not any(self._order(later, [*before, line]) for later in self.lines[self.place :])
        ):
            self._end_run()
            self.strange.append(line)
        else:
            self.run.append(line)

    def _reads(self, line: str) -> bool:
        return self._order(line, self.orders + self.run) is not None

    def _order(self, line: str, before: list[str]) -> str | None:
        """Return the line as an order, alone or after those before it, without what people put around it; None if it is none."""
        texts = undressed(line)
        for text in texts:
            if self.is_left(text) or self._is_order(text, before):
                return text
        if not has_separators(line):
            return None
        return next((found for text in texts if (found := separated(text, lambda each: self._is_order(each, before)))), None)

    def _is_order(self, text: str, before: list[str]) -> bool:
        return self.is_order(text) or (bool(before) and self.is_order("\n".join([*before[-CONTEXT:], text])))

    def _command(self, line: str) -> bool:
        found = self._command_in(line)
        if found is None:
            return False
        self._end_run()
        self.may_be_name = False
        name, argument = found
        if name in STOPS and not self.agreement(line):
            self.denials.append(line)
        if name in FREE_TEXT | {"new", "find"} and argument:
            argument = self._paragraph(line, argument)
        elif name == "preview" and argument:
            self.orders.append(argument)
            argument = ""
        self.commands.append(Command(name, argument))
        return True

    def _command_in(self, line: str) -> Command | None:
        """Return the command that a whole line is; None for a line that merely begins like one."""
        if agreed := self.agreement(line):
            return Command(*agreed.split(" "))
        return read_command(line, self.known, lambda text: self._order(text, []))

    def _paragraph(self, line: str, argument: str) -> str:
        """Return free text up to the end of its paragraph, or to the next line with a meaning of its own."""
        said = [argument]
        while self.place < len(self.lines) and (following := self.lines[self.place]):
            if self._reads(following):
                if not _may_be_wrapped(line, following):
                    break
                self.strange.append(following)
            elif self._command_in(following) or courtesy_kind(following) == CourtesyKind.SIGNOFF:
                break
            else:
                said.append(following)
            line = following
            self.place += 1
        return " ".join(said)

    def _courtesy(self, line: str) -> bool:
        kind = courtesy_kind(line)
        if not kind and self.may_be_name and is_name(line):
            kind = CourtesyKind.NAME
        if not kind and (
            self._is_own_name(FIELDS.split(line)[0])
            or self._is_address(line)
            or (self._is_initial(line) and not any(self.lines[self.place :]))
        ):
            kind = CourtesyKind.SIGNOFF
        if not kind:
            return False
        self._end_run()
        self.may_be_name = kind in FRIENDLY
        self.signed = int((kind == CourtesyKind.SIGNOFF and not self._begins_letter()) or (kind == CourtesyKind.NAME and bool(self.orders)))
        return True

    def _aside(self, line: str) -> bool:
        if len(self.run) + len(self.aside) > MOST_ASIDE or self._leads_on(line):
            return False
        if not is_aside(line, self._is_prose, not (self.orders or self.run)):
            return False
        self._end_run()
        self.aside.append(line)
        return True

    def _leads_on(self, line: str) -> bool:
        """Whether a line without an end, right above the first orders, may be a sentence that they end: `Two turns ago it was`."""
        following = self.lines[self.place] if self.place < len(self.lines) else ""
        return line[-1:].isalnum() and bool(following) and not (self.orders or self.run) and self._reads(following)

    def _is_prose(self, line: str) -> bool:
        """Whether no word of the line is one of the game's, and none may be a command: the first, or one that ends something."""
        told = without_sayings(line)
        first, *others = [self.known.get(word, "") for word in tokens(told)] or [""]
        is_prose = self.is_prose(line) or self.is_prose(told)
        return is_prose and not first and not any(word in (STOPS - {"no"}) | CONFIRMED for word in others)

    def _is_remark(self, line: str) -> bool:
        """Whether a line of a signature, numbers or not, contains no word of the game and takes nothing back."""
        return self._is_prose(NUMBERS.sub("", line)) and not line.startswith(">") and not takes_back(line)

    def _is_initial(self, line: str) -> bool:
        """Whether the line is how the sender's name begins, and cannot be a square that belongs to the order above it."""
        letter = line.strip(" .-~")
        return (
            letter.isalpha()
            and not is_doubtful(line)
            and any(name.startswith(fold(letter)) for name in self.names)
            and bool(self.orders + self.run)
            and not self._continues(letter)
        )

    def _continues(self, text: str) -> bool:
        last = next(reversed(self.orders + self.run), "")
        return bool(last) and self.is_order(f"{last} {text}")

    def _begins_letter(self) -> bool:
        """Whether orders follow right below, or anywhere below a first line: `Ciao a tutti` above them does not end the letter."""
        following = [line for line in self.lines[self.place :] if line]
        is_first = not any(self.lines[: self.place - 1])
        return not (self.orders or self.commands or self.strange) and any(map(self._reads, following if is_first else following[:1]))

    def _is_own_name(self, line: str) -> bool:
        if len(line) > LONGEST_COURTESY:
            return False
        words = [word for word in tokens(re.sub(r"\(\D*\)$", "", line)) if any(sign.isalpha() for sign in word)]
        return (
            bool(words)
            and len(words) <= 4
            and not any(sign.isdigit() for sign in line)
            and any(len(word) > 1 and fold(word) in self.names for word in words)
            and all(
                len(word) == 1 or fold(word) in self.names | phrases("signatures", "particles") or self._is_surname(word) for word in words
            )
            and not (len(words[-1]) == 1 and self._continues(line))
        )

    def _is_address(self, line: str) -> bool:
        """The sender's name with street or number behind it."""
        name, _, rest = line.partition(", ")
        return any(sign.isdigit() for sign in rest) and self._is_own_name(name) and is_below_a_name(rest) and not takes_back(rest)

    def _is_surname(self, word: str) -> bool:
        return is_name(word) and self._is_prose(word)

    def _below_signature(self, line: str) -> None:
        """Sort a line below a sign-off: names and addresses are skipped; an order there is asked about."""
        self.signed += 1
        if self._is_own_name(line):
            return
        if self._reads(line) or self._command_in(line) or self.signed > MOST_SIGNATURE:
            self.strange.append(line)
        elif not is_below_a_name(line):
            (self.aside if self._is_remark(line) else self.strange).append(line)

    def _end_run(self) -> None:
        if self.run:
            found = self._put_together(self.run)
            if found is None:
                self.strange += [line for line in self.run if self._order(line, self.orders + self.run) is None] or self.run
            else:
                self.orders += found
        self.run = []

    def _put_together(self, run: list[str]) -> list[str] | None:
        """Return the orders that these lines are, with wrapped ones joined; `None` if there is no way or more than one."""
        best: list[tuple[int, int, list[str]] | None] = [(0, 1, [])] + [None] * len(run)
        for end in range(1, len(run) + 1):
            for start in range(max(0, end - MOST_PIECES), end):
                before = best[start]
                text = self._joined(run[start:end], self.orders + before[2]) if before else None
                if before is None or text is None:
                    continue
                joins, ways, texts = before[0] + end - start - 1, before[1], [*before[2], text]
                now = best[end]
                if now is None or joins < now[0]:
                    best[end] = (joins, ways, texts)
                elif joins == now[0] and texts != now[2]:
                    best[end] = (joins, now[1] + ways, now[2])
        last = best[-1]
        if last is None or last[1] > 1 or self._ends_in_initial(run, last[0]):
            return None
        return last[2]

    def _joined(self, pieces: list[str], before: list[str]) -> str | None:
        """Return pieces joined to one order, if they cannot all be read alone; never behind a comment, which would swallow them.

        A line with a bullet begins something new: joined, its bullet could be read as the dash of a route.
        """
        if len(pieces) == 1:
            return self._order(pieces[0], before)
        if any("#" in piece for piece in pieces[:-1]) or any(BULLET.match(piece) for piece in pieces[1:]):
            return None
        if sum(map(len, pieces)) > LONGEST_JOINED or all(self._order(piece, before) for piece in pieces):
            return None
        for joined in (" ".join(pieces), re.sub(r"- | -(?=\S)", "-", " ".join(pieces))):
            if text := self._order(joined, before):
                return text
        return None

    def _ends_in_initial(self, run: list[str], joins: int) -> bool:
        """Whether the last line may be an initial with which somebody signed, which is also the name of a square."""
        last = run[-1].strip(" .")
        at_end = not any(self.lines[self.place :])
        return (
            bool(joins)
            and at_end
            and len(run) > 1
            and len(last) == 1
            and last.isalpha()
            and any(name.startswith(fold(last)) for name in self.names)
        )


def _may_be_wrapped(line: str, following: str) -> bool:
    return len(line) >= WRAPPED_FROM or len(line) + len(following.partition(" ")[0]) >= WRAPPED_FROM + 8
