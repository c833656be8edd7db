"""What a request brings, read strictly before any view sees it."""

import re
from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import unquote_to_bytes

import marshmallow as ma
from flask import Request, current_app
from webargs.flaskparser import FlaskParser
from werkzeug.datastructures import MultiDict

from api.http.fields import Strict
from api.http.problems import Problem, explain
from api.http.strict_json import check_text, shown
from marketpost.rules.refusal import Refusal, Refused

MOST_TOLD = 20
UTF8 = re.compile(r"utf-?8", re.IGNORECASE)


class StrictParser(FlaskParser):
    DEFAULT_UNKNOWN_BY_LOCATION = {"json": None, "query": ma.RAISE, "headers": ma.EXCLUDE}

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        data = req.get_data(cache=True)
        if not data and isinstance(schema, Strict) and schema.may_be_left_out:
            return {}
        if req.mimetype != "application/json" or not UTF8.fullmatch(req.mimetype_params.get("charset", "utf-8")):
            raise Refused("wrong-media-type", wanted="application/json")
        return current_app.json.loads(data)

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        check_utf8(req.query_string)
        return single(req.args)

    def load_headers(self, req: Request, schema: ma.Schema) -> Any:
        return {name: req.headers[name] for name in _names(schema) if name in req.headers}

    def handle_error(self, error: ma.ValidationError, *args: Any, **kwargs: Any) -> NoReturn:
        [faults] = error.messages_dict.values()  # by location: there is one
        raise wrong_fields(flat(faults))


def _names(schema: ma.Schema) -> list[str]:
    return [field.data_key or name for name, field in schema.load_fields.items()]


def single(args: MultiDict[str, str]) -> dict[str, str]:
    """Each parameter once."""
    for name, values in args.lists():
        if len(values) > 1:
            raise Refused("query-twice", field=shown(name))
        check_text(name + values[0])
    return dict(args.items())


def check_utf8(query: bytes) -> None:
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError as error:
        raise Refused("json-not-utf8") from error


Faults = list[tuple[str, Refusal]]


def flat(messages: Any, path: str = "") -> Faults:
    """marshmallow's tree of messages as a list of fields and what is wrong with them."""
    if isinstance(messages, Mapping):
        return [fault for name, below in messages.items() for fault in flat(below, _join(path, name))]
    return [(path, each if isinstance(each, Refusal) else Refusal(each)) for each in messages]


def _join(path: str, name: object) -> str:
    if name == "_schema":
        return path
    return f"{path}.{shown(str(name))}" if path else shown(str(name))


def wrong_fields(faults: Faults) -> Problem:
    """One problem for all that is wrong, the first one giving the code."""
    told = [{"field": field, "code": refusal.code, "detail": explain(refusal)} for field, refusal in faults[:MOST_TOLD]]
    detail = " ".join(f"{each['field']}: {each['detail']}" if each["field"] else each["detail"] for each in told)
    return Problem(faults[0][1], 422, members={"detail": detail, "errors": told})
