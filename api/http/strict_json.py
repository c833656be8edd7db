"""Write JSON, and parse it strictly: documents that two programs could understand differently are refused, with the reason."""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any

import msgspec
from flask.json.provider import DefaultJSONProvider

from marketpost.rules.refusal import Refused

DEEPEST = 32
LONGEST_NUMBER = 40


def _plain(value: object) -> object:
    """Return what a value of a type of ours is: a text or a number."""
    for kind in (str, int):
        if isinstance(value, kind):
            return kind(value)
    raise TypeError(f"{type(value).__name__} is not written as JSON")


_encoder = msgspec.json.Encoder(enc_hook=_plain)


class StrictJSON(DefaultJSONProvider):
    """Flask's JSON provider with the strict parser."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """Write a document."""
        return _encoder.encode(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Parse a document strictly."""
        return loads(s)


def loads(data: str | bytes) -> Any:
    """Parse a document; `Refused` says what is wrong with it."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
    except UnicodeDecodeError as error:
        raise Refused("json-not-utf8") from error
    except RecursionError as error:
        raise Refused("json-deep", most=DEEPEST) from error
    except json.JSONDecodeError as error:
        raise Refused("json-unreadable", line=error.lineno, column=error.colno) from error
    _check(value, DEEPEST)
    return value


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; refused if a name occurs twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refused("json-twice", field=shown(name))
        found[name] = value
    return found


def _no_number(text: str) -> Any:
    """Refuse a number that not every program can read, such as NaN or 1e999."""
    raise Refused("json-number", number=text[:LONGEST_NUMBER])


def _finite(text: str) -> float:
    return number if isfinite(number := float(text)) else _no_number(text)


def _whole(text: str) -> int:
    return int(text) if len(text) <= LONGEST_NUMBER else _no_number(text)


def _check(value: Any, deeper: int) -> None:
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, (dict, list)):
        if not deeper:
            raise Refused("json-deep", most=DEEPEST)
        for each in _parts(value):
            _check(each, deeper - 1)


def _parts(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return [*value.keys(), *value.values()] if isinstance(value, dict) else value


def check_text(text: str) -> None:
    """Refuse a text with NUL or lone surrogates."""
    if "\0" in text:
        raise Refused("text-nul")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise Refused("text-surrogate")


def shown(text: str) -> str:
    """Shorten a client's text and escape it, so that a problem can quote it."""
    return text[:60].encode("ascii", "backslashreplace").decode()
