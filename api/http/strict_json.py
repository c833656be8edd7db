"""JSON read strictly: what two programs could understand differently is refused, with the reason."""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any

from flask.json.provider import DefaultJSONProvider

from marketpost.rules.refusal import Refused

DEEPEST = 32
LONGEST_NUMBER = 40


class StrictJSON(DefaultJSONProvider):
    sort_keys = False
    ensure_ascii = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        return loads(s)


def loads(data: str | bytes) -> Any:
    """What the text says, or `Refused` with what is wrong with it."""
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
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refused("json-twice", field=shown(name))
        found[name] = value
    return found


def _no_number(text: str) -> Any:
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
    if "\0" in text:
        raise Refused("text-nul")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise Refused("text-surrogate")


def shown(text: str) -> str:
    """What a stranger wrote, short and harmless enough to be told back."""
    return text[:60].encode("ascii", "backslashreplace").decode()
