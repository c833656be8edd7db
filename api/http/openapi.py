"""Build the OpenAPI document from the views. `python -m api.http.openapi` prints it."""

import re
import sys
from typing import Any

import yaml  # type: ignore[import-untyped]
from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]
from marshmallow.fields import Field

from api.http.auth import Permission
from api.http.idempotency import HEADER, WRITES
from api.http.notification_schemas import webhook_calls
from api.http.problems import MEDIA_TYPE
from api.http.response_schemas import ProblemResponse
from api.http.ruleset_schemas import ruleset_components
from marketpost.store.settings import Settings

DESCRIPTION = """\
Play board games over days, from a script. Errors are `application/problem+json` with a `code` for programs and a
`detail` for people, in the language of `Accept-Language` (en, de, fr, it).
Every write can be repeated safely with the same `Idempotency-Key`.
"""
OR_KEY = ", or no token but the `key` of a link to view the game"
PROBLEM = {"$ref": "#/components/schemas/Problem"}
WHY = {
    400: "The request cannot be read.",
    401: "There is no token, or it is unknown or has expired.",
    403: "The token or the player may not do this.",
    404: "There is no such thing, or it is not for you to see.",
    406: "It does not exist in a form you accept.",
    409: "The game is not at the stage for this.",
    410: "The game is over and archived.",
    412: "The game has gone on since.",
    413: "The body is too large.",
    415: "The body is no JSON, or it is compressed.",
    422: "It was understood but cannot be done.",
    429: "Too many requests.",
    503: "The service cannot answer now.",
}
HEADERS: dict[str, dict[str, Any]] = {
    "Retry-After": {"description": "Seconds after which to try again.", "required": True, "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "How to sign in.", "required": True, "schema": {"type": "string"}},
    "RateLimit-Limit": {"description": "How many requests.", "schema": {"type": "integer", "minimum": 0}},
    "RateLimit-Remaining": {"description": "How many are left.", "schema": {"type": "integer", "minimum": 0}},
    "RateLimit-Reset": {"description": "Seconds until all are available again.", "schema": {"type": "integer", "minimum": 0}},
}
LIMITS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
ONLY_THERE = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
KEY = {
    "name": HEADER,
    "in": "header",
    "description": "Makes it safe to repeat the call: the same key and body have the same answer, for a day at least.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$", "minLength": 1, "maxLength": 200},
}
ONE_OF_THE_FIELDS = ("Orders", "Heir")
"""Request schemas of which a request has exactly one field."""
LANGUAGE = {"name": "Accept-Language", "in": "header", "description": "en, de, fr or it", "schema": {"type": "string", "example": "de"}}


def configure(app: Flask) -> None:
    """Set the title and versions of the document."""
    app.config.update(API_TITLE="Marketpost", API_VERSION="v1", OPENAPI_VERSION="3.1.0")


def keep_references(api: Any) -> None:
    """Write the references that fields have to schemas of the rulesets; apispec would leave them out."""
    api.ma_plugin.converter.add_attribute_function(_reference)


def _reference(converter: object, field: Field[Any], **options: Any) -> dict[str, Any]:
    return {name: told for name, told in field.metadata.items() if name == "$ref"}


def document(app: Flask, api: Any) -> dict[str, Any]:
    """Build the document from the views, completed with what holds for all of them."""
    spec = api.spec
    spec.components.schema("Problem", schema=ProblemResponse)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for name, parameter in (("IdempotencyKey", KEY), ("AcceptLanguage", LANGUAGE)):
        spec.components.parameter(name, "header", parameter)
    webhooks = webhook_calls(spec)
    found: dict[str, Any] = spec.to_dict()
    found["info"]["description"] = DESCRIPTION
    found["components"]["headers"] = HEADERS
    found["components"]["responses"] = {f"Problem{status}": _problem(status, why) for status, why in WHY.items()}
    for schema in ("Error", "PaginationMetadata"):
        found["components"]["schemas"].pop(schema, None)
    found["components"]["schemas"] |= ruleset_components()
    for schema in ONE_OF_THE_FIELDS:
        found["components"]["schemas"][schema] |= {"minProperties": 1, "maxProperties": 1}
    views = _views(app)
    for path, item in found["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                _complete(operation, method.upper(), views[method.upper(), path], _names(item))
    return {name: found[name] for name in ("openapi", "info", "tags", "paths")} | {"webhooks": webhooks, "components": found["components"]}


def _views(app: Flask) -> dict[tuple[str, str], Any]:
    """Return the views by method and path, with paths spelt as in the document."""
    return {
        (method, _path(str(rule))): app.view_functions[rule.endpoint] for rule in app.url_map.iter_rules() for method in rule.methods or ()
    }


def _path(rule: str) -> str:
    return re.sub(r"<\w+:(\w+)>", r"{\1}", rule)


def _names(item: dict[str, Any]) -> set[str]:
    """Return the parameters of a path."""
    return {parameter["name"] for parameter in item.get("parameters", ())}


def _complete(operation: dict[str, Any], method: str, view: Any, names: set[str]) -> None:
    """Add access, common parameters and responses to an operation."""
    operation["operationId"] = view.__name__
    if view.told["deprecated"]:
        operation["deprecated"] = True
    without = view.access == Permission.LOOPBACK or view.by_link
    operation["security"] = [] if view.access == Permission.OPEN else [{"token": []}, {}] if without else [{"token": []}]
    if view.access not in (Permission.OPEN, Permission.LOOPBACK):
        operation["description"] = (
            operation.get("description", "") + f"\n\nNeeds the scope `{view.access}`{OR_KEY if view.by_link else ''}."
        ).strip()
    parameters = operation.setdefault("parameters", [])
    if method in WRITES:
        parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
    parameters.append({"$ref": "#/components/parameters/AcceptLanguage"})
    _complete_responses(operation, method, view, names)


def _complete_responses(operation: dict[str, Any], method: str, view: Any, names: set[str]) -> None:
    """Add headers, media types and problems to the responses of an operation."""
    responses = {status: answer for status, answer in operation["responses"].items() if status[0] in "23"}
    for kind in view.told["also"]:
        binary = {"format": "binary"} if kind == "image/png" else {}
        responses["200"]["content"][kind] = {"schema": {"type": "string"} | binary}
    for answer in responses.values():
        told = {name: {"description": text, "schema": {"type": "string"}} for name, text in view.told["headers"].items()}
        answer["headers"] = told | _headers(LIMITS)
    for status in _problems(operation, method, view, names):
        responses[str(status)] = {"$ref": f"#/components/responses/Problem{status}"}
    operation["responses"] = dict(sorted(responses.items()))


def _problems(operation: dict[str, Any], method: str, view: Any, names: set[str]) -> set[int]:
    """List the problem statuses an operation can answer with."""
    found = {429, 503, *view.told["problems"]}
    if view.access != Permission.OPEN:
        found |= {401, 403}
    if names:
        found |= {404}
    if "game" in names:
        found |= {410}
    if any(parameter.get("in") in ("query", "header") for parameter in operation["parameters"]):
        found |= {400, 422}
    if method in WRITES:
        found |= {400, 413, 422}
    if "requestBody" in operation:
        found |= {415}
    return found


def _problem(status: int, why: str) -> dict[str, Any]:
    headers = _headers((*ONLY_THERE.get(status, ()), *LIMITS))
    return {"description": why, "headers": headers, "content": {MEDIA_TYPE: {"schema": PROBLEM}}}


def _headers(names: tuple[str, ...]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


class _Dumper(yaml.CSafeDumper):  # type: ignore[misc]
    """Writes long texts as blocks and no anchors; in C, because every process of the API writes the document when it starts."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write no anchors."""
        return True


def _text(dumper: yaml.CSafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def write(found: dict[str, Any]) -> str:
    """Serialize the document as YAML."""
    return str(yaml.dump(found, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


def install(app: Flask, api: Api) -> None:
    """Store the document in the app."""
    found = document(app, api)
    app.extensions["marketpost-document"] = found
    app.extensions["marketpost-openapi"] = write(found)


if __name__ == "__main__":
    from api.http.app import create_app

    nowhere = "unix:///nowhere"  # nothing is asked of a Redis
    sys.stdout.write(create_app(Settings(nowhere, nowhere)).extensions["marketpost-openapi"])
