"""Refusals: why something is not done, as a code and values. The sentence is looked up in the word files."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason: `code` says why, `step` which order of the submission, `values` what would be right."""

    code: str
    step: int = 0
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning about something that is done as written but may not be meant: `code` and `values`."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)


class Refused(Exception):
    """Raised where a refusal is found, caught where it is told."""

    def __init__(self, code: str, step: int = 0, /, **values: object) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, step, values)

    @property
    def code(self) -> str:
        """The code of the refusal."""
        return self.refusal.code


class Unreadable(Refused):
    """Raised for `unreadable-order`: nothing of the submission is played."""

    def __init__(self, step: int, text: str, /, **values: object) -> None:
        super().__init__("unreadable-order", step, text=text[:80], **values)


class Illegal(Refused):
    """Raised for a readable order that the rules forbid here; the judge adds the number of the step."""
