"""Parse and validate body, query and headers strictly, before the view runs."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

import marshmallow as ma
from flask import request
from flask.globals import request_ctx
from werkzeug.datastructures import MultiDict

from api.http.fields import Strict
from api.http.problems import Problem, explain
from api.http.strict_json import check_text, loads, shown
from marketpost.rules.refusal import Refusal, Refused

MOST_TOLD = 20
"""How many faults a problem lists at most."""
JSON = "application/json"
UTF8 = re.compile(r"utf-?8", re.IGNORECASE)


def read(schema: ma.Schema, location: str) -> Any:
    """Read one part of this request, as its schema says: the body, the query or the headers; refused with a list of all faults."""
    found = _PARTS[location](schema)
    if not found and location == "headers":
        return found
    try:
        return schema.load(found)
    except ma.ValidationError as error:
        raise wrong_fields(flat(error.messages)) from error


def _body(schema: ma.Schema) -> Any:
    """Parse the body; refused unless it is UTF-8 JSON or may be left out."""
    sent = request_ctx.request
    data = sent.get_data()
    if not data and isinstance(schema, Strict) and schema.may_be_left_out:
        return {}
    if sent.content_type != JSON and (sent.mimetype != JSON or not UTF8.fullmatch(sent.mimetype_params.get("charset", "utf-8"))):
        raise Refused("wrong-media-type", wanted=JSON)
    return loads(data)


def _query(schema: ma.Schema) -> dict[str, str]:
    """Parse the query; refused if it is not UTF-8 or names a parameter twice."""
    check_utf8(request.query_string)
    return single(request.args)


def _headers(schema: ma.Schema) -> dict[str, str]:
    """Return the headers that the schema names."""
    headers = request.headers
    return {name: value for name in _names(schema) if (value := headers.get(name)) is not None}


_PARTS: Mapping[str, Callable[[ma.Schema], Any]] = {"json": _body, "query": _query, "headers": _headers}
"""How each part of a request is read."""


def _names(schema: ma.Schema) -> list[str]:
    return [field.data_key or name for name, field in schema.load_fields.items()]


def single(args: MultiDict[str, str]) -> dict[str, str]:
    """Return the query parameters; refused if one is given twice."""
    for name, values in args.lists():
        if len(values) > 1:
            raise Refused("query-twice", field=shown(name))
        check_text(name + values[0])
    return dict(args.items())


def check_utf8(query: bytes) -> None:
    """Refuse a query that is not UTF-8."""
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError as error:
        raise Refused("json-not-utf8") from error


Faults = list[tuple[str, Refusal]]


def flat(messages: Any, path: str = "") -> Faults:
    """Flatten marshmallow's tree of messages to pairs of a field and its fault."""
    if isinstance(messages, Mapping):
        return [fault for name, below in messages.items() for fault in flat(below, _join(path, name))]
    return [(path, each if isinstance(each, Refusal) else Refusal(each)) for each in messages]


def _join(path: str, name: object) -> str:
    if name == "_schema":
        return path
    return f"{path}.{shown(str(name))}" if path else shown(str(name))


def wrong_fields(faults: Faults) -> Problem:
    """Build one problem that lists all faults; the first one gives its code."""
    told = [{"field": field, "code": refusal.code, "detail": explain(refusal)} for field, refusal in faults[:MOST_TOLD]]
    detail = " ".join(f"{each['field']}: {each['detail']}" if each["field"] else each["detail"] for each in told)
    return Problem(faults[0][1], 422, members={"detail": detail, "errors": told})
