"""Schema fields that accept exactly one form of a value; their faults are refusals, explained in the reader's language."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import EnumType, StrEnum
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from api.http.ruleset_schemas import STEPS_IN_A_ROW, ref
from marketpost.play.clock.calendar import MOST_QUIET, hours_quiet
from marketpost.play.people.names import LONGEST_NAME, check_name
from marketpost.rules.refusal import Refusal, Refused
from marketpost.store.players import BOT_ID

ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+"
LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
EMAIL = rf"^{ATOM}(\.{ATOM})*@({LABEL}\.)+[A-Za-z]([A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?$"
EMAIL_LONGEST = 254
LOCAL_LONGEST = 64
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
MOST = 999_999_999


def fault(code: str, **values: object) -> ma.ValidationError:
    """Build the validation error of a refusal code."""
    return ma.ValidationError([Refusal(code, 0, values)])


class Strict(ma.Schema):
    """A schema that refuses unknown fields."""

    may_be_left_out = False
    error_messages = {"unknown": "field-unknown", "type": "field-object"}

    class Meta:
        unknown = ma.RAISE


MESSAGES: dict[str, Any] = {"required": "field-missing", "null": "field-null", "invalid": "field-text", "validator_failed": "field-text"}
"""Refusal codes in place of marshmallow's messages."""


class Checked(fields.Field[Any]):
    """A field whose `take` validates and converts the value."""

    def take(self, value: Any) -> Any:
        """Return the value as the program uses it, or raise the fault."""
        raise NotImplementedError

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return self.take(value)


class Text(Checked, fields.String):
    """A text of limited length; `signs` are the control characters it may contain."""

    def __init__(self, *, least: int = 1, most: int, signs: str = "", **kwargs: Any) -> None:
        kwargs["error_messages"] = MESSAGES
        kwargs["metadata"] = {"minLength": least, "maxLength": most} | kwargs.get("metadata", {})
        super().__init__(**kwargs)
        self.least, self.most, self.signs = least, most, signs

    def take(self, value: Any) -> str:
        """Accept a text of the right length without other control characters."""
        if not isinstance(value, str):
            raise fault("field-text")
        if len(value) > self.most:
            raise fault("field-long", most=self.most)
        if len(value) < self.least or (self.least and not value.strip()):
            raise fault("field-empty")
        if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") and sign not in self.signs for sign in value):
            raise fault("field-control")
        return value


class Name(Text):
    """A text of one line without control characters."""

    def __init__(self, most: int = 80, **kwargs: Any) -> None:
        one_line = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
        kwargs["metadata"] = {"pattern": one_line} | kwargs.get("metadata", {})
        super().__init__(most=most, **kwargs)

    def take(self, value: Any) -> str:
        """Accept one line, without blanks around it."""
        return super().take(value).strip()


class PersonName(Name):
    """A name that other players see, of a player, a game or a tournament: no links, no invisible characters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most=LONGEST_NAME, **kwargs)

    def take(self, value: Any) -> str:
        """Accept a name that may be shown to other players."""
        name = super().take(value)
        try:
            check_name(name)
        except Refused as refused:
            raise ma.ValidationError([refused.refusal]) from refused
        return name


class Email(Text):
    """A mail address."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs["metadata"] = {"pattern": EMAIL, "example": "ann@example.org"} | kwargs.get("metadata", {})
        super().__init__(most=EMAIL_LONGEST, **kwargs)

    def take(self, value: Any) -> str:
        """Accept a mail address."""
        text = super().take(value)
        check_email(text)
        return text


def check_email(text: str) -> None:
    """Raise a fault unless the text is a mail address."""
    if not re.fullmatch(EMAIL, text) or len(text.rpartition("@")[0]) > LOCAL_LONGEST:
        raise fault("field-email")


def values(choices: Iterable[str]) -> list[str]:
    """Return the words of an enumeration or list as plain strings."""
    return [str(each) for each in choices]


class Choice(Checked, fields.String):
    """One of the given words; as a member if they are an enumeration."""

    def __init__(self, choices: Sequence[str] | type[StrEnum], **kwargs: Any) -> None:
        self.choices = values(choices)
        self.kind = choices if isinstance(choices, EnumType) else str
        super().__init__(error_messages=MESSAGES, validate=validate.OneOf(self.choices, error="field-choice"), **kwargs)

    def take(self, value: Any) -> str:
        """Accept one of the words."""
        if not isinstance(value, str) or value not in self.choices:
            raise fault("field-choice", choices=self.choices)
        return self.kind(value)


class Kinds(Checked, fields.String):
    """Some of the given words in a query, with commas."""

    def __init__(self, choices: type[StrEnum], **kwargs: Any) -> None:
        self.choice = Choice(choices)
        words = "|".join(self.choice.choices)
        kwargs["metadata"] = {"pattern": f"^({words})(,({words}))*$"} | kwargs.get("metadata", {})
        super().__init__(error_messages=MESSAGES, **kwargs)

    def take(self, value: Any) -> list[str]:
        """Accept words of the enumeration."""
        return [self.choice.take(each) for each in str(value).split(",")]


class Flag(Checked, fields.Boolean):
    """`true` or `false`; no other spelling."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(error_messages=MESSAGES, **kwargs)

    def take(self, value: Any) -> bool:
        """Accept a boolean."""
        if not isinstance(value, bool):
            raise fault("field-flag")
        return value


class WrittenFlag(Flag):
    """`true` or `false` in a query."""

    def take(self, value: Any) -> bool:
        """Accept `true` or `false`."""
        if value not in ("true", "false"):
            raise fault("field-flag")
        return bool(value == "true")


class Number(Checked, fields.Integer):
    """A whole number in JSON; no text or boolean that looks like one."""

    def __init__(self, *, least: int = 0, most: int = MOST, **kwargs: Any) -> None:
        kwargs["metadata"] = {"minimum": least, "maximum": most} | kwargs.get("metadata", {})
        super().__init__(error_messages=MESSAGES, **kwargs)
        self.least, self.most = least, most

    def take(self, value: Any) -> int:
        """Accept a whole number within the bounds."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise fault("field-number", least=self.least, most=self.most)
        return value


class WrittenNumber(Number):
    """A whole number in a query or header: ASCII digits without sign or leading zero."""

    def take(self, value: Any) -> int:
        """Accept the digits of a number within the bounds."""
        if not NUMBER.fullmatch(value) or not self.least <= int(value) <= self.most:
            raise fault("field-number", least=self.least, most=self.most)
        return int(value)


class Listed(fields.List[Any]):
    """A list with a minimum and a maximum length."""

    def __init__(self, inner: fields.Field[Any], *, least: int = 1, most: int, **kwargs: Any) -> None:
        kwargs["metadata"] = {"minItems": least, "maxItems": most} | kwargs.get("metadata", {})
        super().__init__(inner, error_messages=MESSAGES | {"invalid": "field-list"}, **kwargs)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> list[Any]:
        if isinstance(value, list) and not self.least <= len(value) <= self.most:
            raise fault("field-count", least=self.least, most=self.most)
        return super()._deserialize(value, attr, data, **kwargs)


class Seat(Checked):
    """A seat: an object with exactly one of `me`, `email`, `player`, `bot` and `open`."""

    KINDS: Mapping[str, Mapping[str, Any]] = {
        "me": {"const": True},
        "email": {"type": "string", "pattern": EMAIL, "maxLength": EMAIL_LONGEST},
        "player": {"type": "string", "pattern": f"^({BOT_ID})?[0-9a-f]{{16}}$"},
        "bot": {"type": "string", "minLength": 1, "maxLength": 40, "example": "greedy"},
        "open": {"const": True},
    }

    def __init__(self, **kwargs: Any) -> None:
        choices = [
            {"type": "object", "properties": {kind: form}, "required": [kind], "additionalProperties": False}
            for kind, form in self.KINDS.items()
        ]
        super().__init__(error_messages=MESSAGES, metadata={"oneOf": choices}, **kwargs)

    def take(self, value: Any) -> tuple[str, Any]:
        """Accept an object with exactly one kind of seat."""
        if not isinstance(value, dict) or len(value) != 1 or not value.keys() <= self.KINDS.keys():
            raise fault("seat-one-key", keys=list(self.KINDS))
        [(kind, of)] = value.items()
        if kind in ("me", "open"):
            if of is not True:
                raise fault("field-flag")
        elif not isinstance(of, str) or not 0 < len(of) <= EMAIL_LONGEST:
            raise fault("field-text")
        elif kind == "email":
            check_email(of)
        return kind, of


class BoardOrName(Checked):
    """The name of a board of ours, or a whole board."""

    def __init__(self, **kwargs: Any) -> None:
        forms = [{"type": "string", "minLength": 1, "maxLength": 60}, ref("Board")]
        super().__init__(error_messages=MESSAGES, metadata={"anyOf": forms}, **kwargs)

    def take(self, value: Any) -> Any:
        """Accept a name or an object."""
        if not (isinstance(value, dict) or (isinstance(value, str) and 0 < len(value) <= 60)):
            raise fault("field-board")
        return value


class BoardField(Checked):
    """A whole board."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(error_messages=MESSAGES, metadata=ref("Board"), **kwargs)

    def take(self, value: Any) -> Any:
        """Accept an object."""
        if not isinstance(value, dict):
            raise fault("field-object")
        return value


class StepsField(Checked):
    """Steps as data; the ruleset of the game reads them."""

    def __init__(self, **kwargs: Any) -> None:
        form = {"type": "array", "items": ref("Step"), "minItems": 1, "maxItems": STEPS_IN_A_ROW}
        super().__init__(error_messages=MESSAGES, metadata=form, **kwargs)

    def take(self, value: Any) -> Any:
        """Accept a list that is not too long."""
        if not isinstance(value, list):
            raise fault("field-list")
        if not 0 < len(value) <= STEPS_IN_A_ROW:
            raise fault("field-count", least=1, most=STEPS_IN_A_ROW)
        return value


class OptionsField(Checked):
    """An object from option to value, which is a word or a whole number."""

    def __init__(self, *, description: str, **kwargs: Any) -> None:
        form = ref("GameOptions") | {"description": description}
        super().__init__(error_messages=MESSAGES, metadata=form, **kwargs)

    def take(self, value: Any) -> dict[str, Any]:
        """Accept an object whose values are words or whole numbers."""
        if not isinstance(value, dict) or len(value) > 20:
            raise fault("field-object")
        for setting in value.values():
            if isinstance(setting, bool) or not isinstance(setting, (str, int)):
                raise fault("field-text")
        return value


class Duration(Checked):
    """A duration as whole seconds or text such as `24h`, `3d`, `1d12h`; converted to milliseconds."""

    WRITTEN = re.compile(r"(?=[0-9])(?:([0-9]{1,3})d)?(?:([0-9]{1,4})h)?(?:([0-9]{1,5})m)?")

    def __init__(self, *, least: timedelta, most: timedelta, **kwargs: Any) -> None:
        self.least, self.most = int(least.total_seconds()), int(most.total_seconds())
        forms = [
            {"type": "integer", "minimum": self.least, "maximum": self.most, "description": "Seconds."},
            {"type": "string", "pattern": f"^{self.WRITTEN.pattern}$", "example": "24h"},
        ]
        kwargs["metadata"] = {"anyOf": forms} | kwargs.get("metadata", {})
        super().__init__(error_messages=MESSAGES, **kwargs)

    def take(self, value: Any) -> int:
        """Accept seconds or a text within the bounds, and return milliseconds."""
        seconds = self._seconds(value)
        if seconds is None or not self.least <= seconds <= self.most:
            raise fault("field-duration", least=self.least, most=self.most)
        return seconds * 1000

    def _seconds(self, value: Any) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        found = self.WRITTEN.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            return None
        days, hours, minutes = (int(part or 0) for part in found.groups())
        return int(timedelta(days=days, hours=hours, minutes=minutes).total_seconds())


class QuietHours(Checked):
    """Quiet hours such as `22-08`, from one full hour to another."""

    WRITTEN = re.compile("([01][0-9]|2[0-3])-([01][0-9]|2[0-3])")

    def __init__(self, **kwargs: Any) -> None:
        about = f"Hours that do not count, {MOST_QUIET} a day at most."
        form = {"type": "string", "pattern": f"^{self.WRITTEN.pattern}$", "example": "22-08", "description": about}
        super().__init__(error_messages=MESSAGES, metadata=form, **kwargs)

    def take(self, value: Any) -> tuple[int, int]:
        """Accept two hours that leave enough time to play."""
        found = self.WRITTEN.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            raise fault("field-hours")
        hours = int(found[1]), int(found[2])
        if not 0 < hours_quiet(hours) <= MOST_QUIET:
            raise fault("field-quiet", most=MOST_QUIET)
        return hours


class Day(Checked):
    """A date such as `2026-12-20`."""

    WRITTEN = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(error_messages=MESSAGES, metadata={"type": "string", "format": "date"}, **kwargs)

    def take(self, value: Any) -> date:
        """Accept a date."""
        try:
            return date.fromisoformat(value if isinstance(value, str) and self.WRITTEN.fullmatch(value) else "")
        except ValueError:
            raise fault("field-day") from None
