"""Render the OpenAPI document as one web page."""

import re
from functools import cache
from typing import Any

from flask import Flask, Response
from jinja2 import Environment
from markupsafe import Markup

from api.http.refusal_codes import status_by_code

CODE = re.compile(r"`([^`]+)`")
POLICY = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ api.info.title }} API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/marketpost.css">
</head>
<body>
<header class="top"><div class="awning" aria-hidden="true"></div><div class="bar"><a class="brand" href="/">Marketpost</a></div></header>
<main class="docs">
<nav aria-label="Parts"><ul>{% for tag, calls in groups %}<li><a href="#{{ tag }}">{{ tag }}</a></li>{% endfor %}
<li><a href="#problems">problems</a></li></ul></nav>
<div>
<h1>{{ api.info.title }} API</h1>
{% for part in api.info.description.split("\n\n") %}<p>{{ part|coded }}</p>{% endfor %}
<p>The same for programs: <a href="/openapi.yaml">openapi.yaml</a>.</p>
{% for tag, calls in groups %}
<h2 id="{{ tag }}">{{ tag }}</h2>
{% for call in calls %}
<section class="sheet" aria-labelledby="{{ call.id }}">
<h3 id="{{ call.id }}"><span class="method">{{ call.method }}</span>{{ call.path }}</h3>
<p><strong>{{ call.summary }}</strong></p>
{% for part in call.description.split("\n\n") if part %}<p>{{ part|coded }}</p>{% endfor %}
<div class="scroll" tabindex="0" role="group" aria-label="{{ call.method }} {{ call.path }}">
{% if call.parameters %}<table><thead><tr><th>parameter</th><th>in</th><th>what</th></tr></thead><tbody>
{% for each in call.parameters %}
<tr><td><code>{{ each.name }}</code></td><td>{{ each.in }}</td><td>{{ each.description|default("")|coded }}</td></tr>{% endfor %}
</tbody></table>{% endif %}
{% if call.body %}<table><thead><tr><th>field of the body</th><th>kind</th><th>what</th></tr></thead><tbody>
{% for each in call.body %}<tr><td><code>{{ each.name }}</code>{% if each.required %} *{% endif %}</td>
<td>{{ each.kind }}</td><td>{{ each.description|coded }}</td></tr>{% endfor %}</tbody></table>{% endif %}
<table><thead><tr><th>answer</th><th>what</th></tr></thead><tbody>
{% for status, text, kinds in call.answers %}
<tr><td><code>{{ status }}</code></td><td>{{ text }} {{ kinds }}</td></tr>{% endfor %}</tbody></table>
</div>
</section>
{% endfor %}{% endfor %}
<h2 id="problems">problems</h2>
<div class="scroll sheet" tabindex="0" role="group" aria-label="problems">
<table><thead><tr><th>code</th><th>status</th><th>what</th></tr></thead><tbody>
{% for code, status, text in problems %}
<tr id="{{ code }}"><td><code>{{ code }}</code></td><td>{{ status }}</td><td>{{ text }}</td></tr>{% endfor %}</tbody></table></div>
</div>
</main>
</body>
</html>
"""


def page(app: Flask) -> Response:
    """Return the page with the API's documentation."""
    response = Response(_page(app.extensions["marketpost-openapi"], app), mimetype="text/html")
    response.headers["Content-Security-Policy"] = POLICY
    return response


@cache
def _page(key: str, app: Flask) -> str:
    """Render the page once for each document."""
    document = app.extensions["marketpost-document"]
    pages = Environment(autoescape=True)
    pages.filters["coded"] = _coded
    return pages.from_string(PAGE).render(api=document, groups=_groups(document), problems=_problems())


def _coded(text: str) -> Markup:
    """Escape the text and mark what stands between backticks as code."""
    parts = CODE.split(text)
    parts[1::2] = [Markup("<code>{}</code>").format(part) for part in parts[1::2]]
    return Markup("").join(parts)


def _groups(document: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Group the calls of the document by resource."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                groups.setdefault(operation["tags"][0], []).append(_call(document, path, method, item, operation))
    return list(groups.items())


def _call(document: dict[str, Any], path: str, method: str, item: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    """Collect what the page shows of one call."""
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
    """Return what a `$ref` points to; any other part as it is."""
    if "$ref" not in part:
        return part
    for name in part["$ref"].removeprefix("#/").split("/"):
        document = document[name]
    return document


def _body(document: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    """List the fields of a request body."""
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
    """List every problem code with its status and sentence: the service's own, and those of orders in every ruleset."""
    return [(code, status, text) for code, (status, text) in status_by_code().items()]
