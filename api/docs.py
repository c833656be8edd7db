"""The API for people: one page, made from the OpenAPI document, that needs no other."""

import base64
import hashlib
from functools import cache
from typing import Any

from flask import Flask, Response
from jinja2 import Environment

from api.boards import refusals_in
from api.problems import STATUS, UNPROCESSABLE
from rules.words import COMMON

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
h3 code { background: none; }
code, pre { font-family: ui-monospace, monospace; background: #f3f3f0; border-radius: 3px; padding: 0 .2em; }
pre { padding: .6em; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .2em .8em .2em 0; border-bottom: 1px solid #eee; }
.method { display: inline-block; min-width: 4.5em; font-weight: bold; color: #064; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b; } code, pre { background: #2b2b2b; } td, th { border-color: #333; } .method { color: #7d9; }
}
"""
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ api.info.title }} API</title>
<style>{{ style }}</style>
<h1>{{ api.info.title }} API</h1>
{% for part in api.info.description.split("\n\n") %}<p>{{ part }}</p>{% endfor %}
<p>The same for programs: <a href="/openapi.yaml">openapi.yaml</a>.</p>
<nav><ul>{% for tag, calls in groups %}<li><a href="#{{ tag }}">{{ tag }}</a>{% endfor %}<li><a href="#problems">problems</a></ul></nav>
{% for tag, calls in groups %}
<h2 id="{{ tag }}">{{ tag }}</h2>
{% for call in calls %}
<h3 id="{{ call.id }}"><code><span class="method">{{ call.method }}</span> {{ call.path }}</code></h3>
<p><strong>{{ call.summary }}</strong></p>
{% for part in call.description.split("\n\n") if part %}<p>{{ part }}</p>{% endfor %}
{% if call.parameters %}<table><tr><th>parameter<th>in<th>what
{% for each in call.parameters %}
<tr><td><code>{{ each.name }}</code><td>{{ each.in }}<td>{{ each.description }}{% endfor %}</table>{% endif %}
{% if call.body %}<p>Body:</p><table><tr><th>field<th>kind<th>what
{% for each in call.body %}<tr><td><code>{{ each.name }}</code>{% if each.required %} *{% endif %}
<td>{{ each.kind }}<td>{{ each.description }}{% endfor %}</table>{% endif %}
<table><tr><th>answer<th>what
{% for status, text, kinds in call.answers %}<tr><td><code>{{ status }}</code><td>{{ text }} {{ kinds }}{% endfor %}</table>
{% endfor %}{% endfor %}
<h2 id="problems">problems</h2>
<table><tr><th>code<th>status<th>what
{% for code, status, text in problems %}<tr id="{{ code }}"><td><code>{{ code }}</code><td>{{ status }}<td>{{ text }}{% endfor %}</table>
</html>
"""


def page(app: Flask) -> Response:
    response = Response(_page(app.extensions["marketpost-openapi"], app), mimetype="text/html")
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src 'sha256-{_style_hash()}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return response


def _style_hash() -> str:
    return base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()


@cache
def _page(key: str, app: Flask) -> str:
    document = app.extensions["marketpost-document"]
    template = Environment(autoescape=True).from_string(PAGE)
    return template.render(api=document, style=STYLE, groups=_groups(document), problems=_problems())


def _groups(document: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                groups.setdefault(operation["tags"][0], []).append(_call(document, path, method, item, operation))
    return list(groups.items())


def _call(document: dict[str, Any], path: str, method: str, item: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation.get("summary", ""),
        "description": operation.get("description", ""),
        "parameters": [_found(document, each) for each in (*item.get("parameters", ()), *operation["parameters"])],
        "body": _body(document, operation),
        "answers": [_answer(status, _found(document, each)) for status, each in operation["responses"].items()],
    }


def _answer(status: str, answer: dict[str, Any]) -> tuple[str, str, str]:
    return status, answer["description"], ", ".join(answer.get("content", ()))


def _found(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """What a `$ref` points to."""
    if "$ref" not in part:
        return part
    for name in part["$ref"].removeprefix("#/").split("/"):
        document = document[name]
    return document


def _body(document: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    if "requestBody" not in operation:
        return []
    ((_, content),) = operation["requestBody"]["content"].items()
    schema = _found(document, content["schema"])
    return [
        {"name": name, "kind": _kind(form), "description": form.get("description", ""), "required": name in schema.get("required", ())}
        for name, form in schema.get("properties", {}).items()
    ]


def _kind(form: dict[str, Any]) -> str:
    return ", ".join(map(str, form["enum"])) if "enum" in form else str(form.get("type", "string or object"))


def _problems() -> list[tuple[str, int, str]]:
    sentences = refusals_in(COMMON, "en")
    return [(code, STATUS.get(code, UNPROCESSABLE), text) for code, text in sorted(sentences.items())]
