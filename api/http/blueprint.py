"""A blueprint whose views declare their access, request schemas and responses in one decorator."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias

import marshmallow as ma
from flask import Response, current_app
from flask_smorest import Blueprint  # type: ignore[import-untyped]

from api.http.auth import Permission, View, declared
from api.http.idempotency import OnRepeat
from api.http.request_parser import read

JSON_LINES = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Lines:
    """A response of lines, each a JSON document of this schema."""

    of: type[ma.Schema]


Given: TypeAlias = type[ma.Schema] | Lines | str | None
Gives: TypeAlias = Mapping[int, Given]
"""For each successful status: the schema of its JSON, or of its lines, another media type, or nothing."""


class Calls(Blueprint):  # type: ignore[misc]
    """A blueprint of REST calls."""

    def call(
        self,
        method: str,
        rule: str,
        *,
        access: Permission,
        gives: Gives,
        body: type[ma.Schema] | None = None,
        query: type[ma.Schema] | None = None,
        headers: type[ma.Schema] | None = None,
        tells: Mapping[str, str] | None = None,
        problems: tuple[int, ...] = (),
        also: tuple[str, ...] = (),
        on_repeat: OnRepeat = OnRepeat.STORED,
        by_link: bool = False,
        deprecated: bool = False,
    ) -> Callable[[View], View]:
        """Register a view; it gets the headers, query and body it declares, then the names in the path.

        `gives`: schema or media type for each status. `tells`: response headers. `also`: further media types of the first response.
        `by_link`: the key of a view link is accepted in place of a token.
        `deprecated`: kept for programs of an earlier version; another call does the same.
        """

        asked = [(schema(), location) for schema, location in ((body, "json"), (query, "query"), (headers, "headers")) if schema]
        usual = next(iter(gives))

        def decorate(view: View) -> View:
            documented: Any = view
            for schema, location in reversed(asked):
                documented = self.arguments(schema, location=location, required=not _optional(schema))(documented)
            for status, given in reversed(list(gives.items())):
                documented = self.alt_response(status, **_given(given), success=True)(documented)

            @wraps(documented)  # with its documentation, and without its layers
            def called(**names: str) -> Response:
                given = view(*[read(*each) for each in asked], **names)
                return given if isinstance(given, Response) else _response(given, usual)

            made: Any = called
            made.on_repeat, made.by_link = on_repeat, by_link
            made.told = {"headers": dict(tells or {}), "problems": problems, "also": also, "deprecated": deprecated}
            self.route(rule, methods=[method])(declared(made, access))
            return view

        return decorate


def _response(given: Any, usual: int) -> Response:
    """Build the response for what a view returns: a document, or one with its status and headers."""
    document, status, headers = (*given, None, None)[:3] if isinstance(given, tuple) else (given, None, None)
    return answer(document, status or usual, headers)


def answer(document: dict[str, Any], status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Build a response with a status other than the first that the view declares."""
    return Response(f"{current_app.json.dumps(document)}\n", status, headers, mimetype="application/json")


def answer_lines(documents: Iterable[dict[str, Any]]) -> Response:
    """Build a response that sends each document when it is made."""
    dumps = current_app.json.dumps
    return Response((f"{dumps(each)}\n" for each in documents), mimetype=JSON_LINES)


def _given(given: Given) -> dict[str, Any]:
    """Return how flask-smorest documents a response."""
    if given is None:
        return {}
    if isinstance(given, Lines):
        return {"schema": given.of, "content_type": JSON_LINES}
    if isinstance(given, str):
        return {"schema": {"type": "string"}, "content_type": given}
    return {"schema": given}


def _optional(schema: ma.Schema) -> bool:
    """Whether a body of this schema may be left out."""
    return bool(getattr(schema, "may_be_left_out", False))
