"""Whether an answer of the REST API is as `openapi.yaml` says: views write their documents themselves."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml
from flask import Response, request

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "openapi.yaml"
SHIPPED = {folder.parent.name for folder in ROOT.glob("marketpost/rules/*/__init__.py")}
"""The rulesets that the document describes; tests bring one of their own."""


@cache
def _document() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(DOCUMENT.read_text("utf-8"), yaml.CSafeLoader)
    return found


@cache
def _validator(method: str, path: str, status: str) -> Any:
    """The validator of an answer; None for one that has no document."""
    described = _document()["paths"].get(path, {}).get(method.lower(), {}).get("responses", {}).get(status, {})
    schema = described.get("content", {}).get("application/json", {}).get("schema")
    whole = json.dumps(schema and schema | {"components": _document()["components"]})
    return schema and jsonschema_rs.Draft202012Validator(json.loads(whole))


def faults(response: Response) -> Iterator[str]:
    """Compare the answer to the present request with its description, and yield what differs."""
    if response.mimetype != "application/json" or request.url_rule is None:
        return
    data = response.get_data(as_text=True)
    if not SHIPPED.issuperset(re.findall(r'"rules":"(\w+)"', data)):
        return
    path = re.sub(r"<\w+:(\w+)>", r"{\1}", request.url_rule.rule)
    if validator := _validator(request.method, path, str(response.status_code)):
        for error in validator.iter_errors(json.loads(data)):
            yield f"{request.method} {path}: {error}"
