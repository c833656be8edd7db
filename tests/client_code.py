"""Write the typed calls of `marketpost.client` from the API's description: `python -m tests.client_code`.

Generators for Python write a folder of several hundred files; a dictionary type for each document and a method for each call are enough.
"""

import keyword
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from api.http.app import create_app
from marketpost.store.settings import Settings

FOLDER = Path(__file__).parents[1] / "marketpost" / "client"
WRITTEN = "Written by `python -m tests.client_code` from openapi.yaml; do not edit."
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
WRITES = ("post", "put", "patch", "delete")
LEFT_OUT = ("If-None-Match", "Last-Event-ID", "Accept-Language", "Idempotency-Key")
"""Headers that the client sends itself, or has no use for."""
OPEN_ENDED = ("RefusalCode", "Ruleset", "Edition")
"""Enumerations that grow with versions and rulesets."""
STREAM = "text/event-stream"
LINES = "application/x-ndjson"
Schema = Mapping[str, Any]


def document() -> dict[str, Any]:
    nowhere = "unix:///nowhere"
    found: dict[str, Any] = create_app(Settings(nowhere, nowhere, secret_key="none")).extensions["marketpost-document"]
    return found


def annotation(schema: Schema) -> str:
    """The Python type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(annotation(each) for each in schema[several]))
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        words = ", ".join(repr(each) for each in schema["enum"] if each is not None)
        return f"Literal[{words}]" + (" | None" if None in schema["enum"] else "")
    kinds = schema.get("type", "object")
    return " | ".join(_of_kind(kind, schema) for kind in (kinds if isinstance(kinds, list) else [kinds]))


def _of_kind(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"list[{annotation(schema['items']) if 'items' in schema else 'Any'}]"
    if kind != "object":
        return PLAIN[kind]
    values = schema.get("additionalProperties")
    return f"dict[str, {annotation(values)}]" if isinstance(values, dict) and values else "dict[str, Any]"


def types(schemas: Mapping[str, Schema]) -> Iterator[str]:
    """A dictionary type for every object of the document, an alias for everything else.

    They are final, so that `"token" in answer` tells a type checker which of several documents an answer is.
    """
    yield f'"""The documents of the API as types. {WRITTEN}"""\n'
    yield "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final\n"
    for name, schema in schemas.items():
        if "properties" in schema:
            yield _typed_dict(name, schema)
        else:
            yield f'{name}: TypeAlias = "{"str" if name in OPEN_ENDED else annotation(schema)}"'


def _typed_dict(name: str, schema: Schema) -> str:
    fields = {field: _field(form, field in schema.get("required", ())) for field, form in schema["properties"].items()}
    if any(keyword.iskeyword(field) or not field.isidentifier() for field in fields):
        inside = ", ".join(f'"{field}": "{kind}"' for field, kind in fields.items())
        return f'{name} = TypedDict("{name}", {{{inside}}})'
    lines = [f'    {field}: "{kind}"' for field, kind in fields.items()]
    told = str(schema.get("description") or f"A document of the kind `{name}`.").split("\n")[0]
    return "\n".join(["@final", f"class {name}(TypedDict):", f'    """{told}"""', "", *lines])


def _field(form: Schema, required: bool) -> str:
    return annotation(form) if required else f"NotRequired[{annotation(form)}]"


class CallWriter:
    """Writes the methods of one call."""

    def __init__(self, document: Schema, path: str, method: str, item: Schema, operation: Schema) -> None:
        self.path, self.method, self.operation = path, method, operation
        found = [_found(document, each) for each in (*item.get("parameters", ()), *operation["parameters"])]
        self.names = [each["name"] for each in found if each["in"] == "path"]
        self.query = {each["name"]: each for each in found if each["in"] == "query"}
        self.headers = {each["name"]: each for each in found if each["in"] == "header" and each["name"] not in LEFT_OUT}
        self.document = document

    def write(self, wait: bool) -> Iterator[str]:
        """A method for each media type of the answer; `wait` makes them asynchronous."""
        contents: dict[str, list[Schema]] = {}
        for status, answer in self.operation["responses"].items():
            if status.startswith("2"):
                for media, content in (answer.get("content") or {"": {}}).items():
                    contents.setdefault(media, []).append(content.get("schema", {}))
        first = next(iter(contents))
        for media, schemas in contents.items():
            name = self.operation["operationId"]
            if media == STREAM:
                yield self._stream(name.replace("list_", "stream_"), contents["application/json"][0], wait)
            else:
                yield self._call(name if media == first else f"{name}_{media.partition('/')[2].partition('+')[0]}", media, schemas, wait)

    def _call(self, name: str, media: str, schemas: list[Schema], wait: bool) -> str:
        kind, how = _result(media, schemas)
        if how == "_lines":
            kind, wait = _iterated(kind, wait), False  # the iterator waits, not the call
        body, sent = self._body()
        arguments = ["self", *(f"{each}: str" for each in self.names), *body, *self._optional()]
        call = [f'"{self.method.upper()}"', self._path()]
        call += [f"query={self._mapping(self.query)}"] if self.query else []
        call += [f"body={sent}"] if sent else []
        call += [f"headers={self._sent_headers()}"] if self.headers else []
        call += [f'accept="{media}"'] if media not in ("", "application/json") else []
        call += ["key=key"] if self.method in WRITES else []
        built = f"{'await ' if wait else ''}self.{how}(ApiCall({', '.join(call)}))"
        line = built if kind == "None" else f"return {built}" if how == "_lines" else f"found: {kind} = {built}\n        return found"
        head = f"    {'async ' if wait else ''}def {name}({', '.join(arguments)}) -> {kind}:"
        return f'{head}\n        """{self._told()}"""\n        {line}\n'

    def _stream(self, name: str, page: Schema, wait: bool) -> str:
        item = annotation(_found(self.document, page)["properties"]["items"]["items"])
        names = [each for each in self.query if each not in ("limit", "after")]
        wanted = "".join(f", {each}: {self._query_type(each)} | None = None" for each in names)
        arguments = ", ".join(["self", *(f"{each}: str" for each in self.names), "*", "after: str | int | None = None"]) + wanted
        query = self._mapping(names)
        told = f"{self._told()} Streamed: goes on after a lost connection, behind the last event."
        kind = _iterated(item, wait)
        call = f"self._events({self._path()}, {query}, None if after is None else str(after))"
        return f'    def {name}({arguments}) -> {kind}:\n        """{told}"""\n        return {call}\n'

    def _path(self) -> str:
        return "f" + repr(re.sub(r"{(\w+)}", r"{segment(\1)}", self.path)) if self.names else repr(self.path)

    def _told(self) -> str:
        return str(self.operation["summary"]).rstrip(".") + "."

    def _body(self) -> tuple[list[str], str]:
        """The argument for the body, and what is sent."""
        content = self.operation.get("requestBody", {}).get("content", {})
        if not content:
            return [], ""
        [(media, form)] = content.items()
        if media != "application/json":
            return ["body: bytes"], "body"
        name = annotation(form["schema"])
        if not _found(self.document, form["schema"]).get("properties"):
            return [], "{}"
        required = self.operation["requestBody"].get("required", False)
        return [f"body: {name}" if required else f"body: {name} | None = None"], "body" if required else "body or {}"

    def _optional(self) -> list[str]:
        found = [f"{each}: {self._query_type(each)} | None = None" for each in self.query]
        found += ["wait: int | None = None" if each == "Prefer" else f"{_snake(each)}: str | None = None" for each in self.headers]
        found += ["key: str | None = None"] if self.method in WRITES else []
        return ["*", *found] if found else []

    def _query_type(self, name: str) -> str:
        return annotation(self.query[name]["schema"])

    def _mapping(self, names: Any) -> str:
        return "{" + ", ".join(f'"{each}": {each}' for each in names) + "}"

    def _sent_headers(self) -> str:
        values = {each: "f'wait={wait}' if wait else None" if each == "Prefer" else _snake(each) for each in self.headers}
        return "{" + ", ".join(f'"{each}": {value}' for each, value in values.items()) + "}"


def _snake(header: str) -> str:
    return header.removeprefix("X-").replace("-", "_").lower()


def _found(document: Schema, part: Schema) -> Schema:
    found: Any = document
    for name in part["$ref"].removeprefix("#/").split("/") if "$ref" in part else ():
        found = found[name]
    return found if "$ref" in part else part


def _iterated(item: str, wait: bool) -> str:
    return f"AsyncGenerator[{item}, None]" if wait else f"Iterator[{item}]"


def _result(media: str, schemas: list[Schema]) -> tuple[str, str]:
    """The type of an answer, and the method that reads it."""
    if media == "application/json":
        return " | ".join(dict.fromkeys(annotation(each) for each in schemas)), "_json"
    if not media:
        return "None", "_nothing"
    if media == LINES:
        return annotation(schemas[0]), "_lines"
    return ("bytes", "_bytes") if media in ("image/png", "application/zip") else ("str", "_text")


def calls(document: Schema, wait: bool) -> Iterator[str]:
    """The class with a method for every call but those that are kept for earlier versions."""
    methods = "\n".join(
        method
        for path, item in document["paths"].items()
        for name, operation in item.items()
        if name != "parameters" and not operation.get("deprecated")
        for method in CallWriter(document, path, name, item, operation).write(wait)
    )
    used = sorted(name for name in document["components"]["schemas"] if re.search(rf"\b{name}\b", methods))
    iterator, maybe, noun = ("AsyncGenerator", "async ", "AsyncCalls") if wait else ("Iterator", "", "SyncCalls")
    events = "AsyncGenerator[Any, None]" if wait else "Iterator[Any]"
    yield f'"""Every call of the API as a method. {WRITTEN}"""\n'
    yield f"from abc import ABC, abstractmethod\nfrom collections.abc import {iterator}, Mapping\nfrom typing import Any, Literal\n"
    yield f"from marketpost.client.documents import {', '.join(used)}\nfrom marketpost.client.exchange import ApiCall, segment\n\n"
    yield f'class {noun}(ABC):\n    """The calls of the API; a client says how they are sent."""\n'
    for name, kind in (("_json", "Any"), ("_text", "str"), ("_bytes", "bytes"), ("_nothing", "None")):
        yield f"    @abstractmethod\n    {maybe}def {name}(self, call: ApiCall) -> {kind}: ...\n"
    yield f"    @abstractmethod\n    def _lines(self, call: ApiCall) -> {events}: ...\n"
    yield "    @abstractmethod"
    yield f"    def _events(self, path: str, query: Mapping[str, Any], last: str | None) -> {events}: ...\n"
    yield methods


def files() -> dict[str, str]:
    """The files by name, formatted."""
    found = document()
    raw = {
        "documents.py": "\n\n".join(types(found["components"]["schemas"])),
        "sync_calls.py": "\n".join(calls(found, wait=False)),
        "async_calls.py": "\n".join(calls(found, wait=True)),
    }
    return {name: _formatted(name, text) for name, text in raw.items()}


def _formatted(name: str, text: str) -> str:
    ruff = str(Path(sys.executable).with_name("ruff"))
    where = ["--stdin-filename", str(FOLDER / name), "-"]
    for command in (["check", "--select", "I,UP", "--fix", "--exit-zero", "--quiet"], ["format", "--quiet"]):
        text = subprocess.run([ruff, *command, *where], input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    for name, text in files().items():
        (FOLDER / name).write_text(text, "utf-8")
