"""Why something is not done: a code and values. The sentence is looked up in the word files.

Refused
├── Unreadable   the text is no order at all
└── Illegal      an order, but not now, not there, or not by you
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Refusal:
    """`code` says why, `step` which order of the submission, `values` what would be right."""

    code: str
    step: int = 0
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Caution:
    """Something is done as written, but may not be what was meant: `code` says what may happen, `values` with what."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)


class Refused(Exception):
    """Carries a refusal from where it is found to where it is told."""

    def __init__(self, code: str, step: int = 0, /, **values: object) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, step, values)

    @property
    def code(self) -> str:
        return self.refusal.code


class Unreadable(Refused):
    """`unreadable-order`: nothing of the submission is played."""

    def __init__(self, step: int, text: str, /, **values: object) -> None:
        super().__init__("unreadable-order", step, text=text[:80], **values)


class Illegal(Refused):
    """A readable order that the rules forbid here; the judge adds the number of the step."""
