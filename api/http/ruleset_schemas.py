"""Schemas of what every ruleset has of its own, made from its types, for the OpenAPI document: they cannot differ from what is served."""

from collections.abc import Iterable, Mapping
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

import msgspec

from api.http.refusal_codes import status_by_code
from marketpost.play.log.actions import AnyAction
from marketpost.rules.ruleset import Ruleset, rulesets
from marketpost.rules.variant import edition_name, option_label, value_told

JsonSchema: TypeAlias = dict[str, Any]
SCHEMAS = "#/components/schemas/"
STEPS_IN_A_ROW = 200
"""Steps that a request may have."""


def ref(name: str) -> JsonSchema:
    """Refer to a schema of the document."""
    return {"$ref": SCHEMAS + name}


def ruleset_components() -> dict[str, JsonSchema]:
    """Build the schemas of positions, events, steps, choices, options and entries of all rulesets, by name."""
    games = rulesets()
    found = {name: schema for game in games.values() for name, schema in _of_ruleset(game).items()}
    named = {name: _prefix(game) for name, game in games.items()}
    found |= _actions()
    found["Ruleset"] = {"type": "string", "enum": list(games), "description": "The name of a ruleset."}
    found["Edition"] = {
        "type": "string",
        "enum": [edition for game in games.values() for edition in game.editions],
        "description": "An edition of a ruleset. " + " ".join(_editions(game) for game in games.values() if game.editions),
    }
    found["GameOptions"] = {"anyOf": [ref(f"{each}Options") for each in named.values()], "description": "The options of one ruleset."}
    found["Position"] = _one_of("rules", {name: f"{each}Position" for name, each in named.items()}, "A position, as its reader may see it.")
    found["Event"] = _one_of("rules", {name: f"{each}Event" for name, each in named.items()}, "Something that happened in a game.")
    found["Choice"] = _one_of("rules", {name: f"{each}Choice" for name, each in named.items()}, "A legal step, as text and as data.")
    found["Step"] = {"anyOf": [ref(f"{each}Step") for each in named.values()], "description": "A step of one ruleset, as data."}
    boards = {name: f"{each}Board" for name, each in named.items() if games[name].board_document}
    found["Board"] = _one_of("rules", boards, "A board that somebody typed in, or one of ours as such.")
    found["RefusalCode"] = _refusal_codes()
    return found


def _prefix(game: Ruleset[Any]) -> str:
    """Return what the names of this ruleset's schemas begin with."""
    return "".join(part.capitalize() for part in game.name.split("-"))


def _of_ruleset(game: Ruleset[Any]) -> dict[str, JsonSchema]:
    prefix = _prefix(game)
    position, event, step = game.position, _union(_event(game, each) for each in _members(game.event)), game.step
    (_, events, steps), schemas = msgspec.json.schema_components([position, event, step], ref_template="{name}")

    def name(own: str) -> str:
        return prefix + own.removeprefix("Shown")

    found = {name(own): _in_openapi(schema, name) for own, schema in schemas.items()}
    found[name(position.__name__)]["title"] = f"{prefix}Position"
    found[f"{prefix}Position"] = found.pop(name(position.__name__))
    found[f"{prefix}Event"] = _in_openapi(events, name)
    found[f"{prefix}Step"] = _in_openapi(steps, name)
    if game.board_document:
        _, boards = msgspec.json.schema_components([game.board_document], ref_template="{name}")
        found[f"{prefix}Board"] = _in_openapi(boards["BoardDocument"], name) | {"title": f"{prefix}Board"}
    found[f"{prefix}Choice"] = _choice(game, ref(f"{prefix}Step"))
    found[f"{prefix}Options"] = _options(game)
    return found


def _members(union: Any) -> tuple[Any, ...]:
    """List the types of a union; a single type alone."""
    return get_args(union) or (union,)


def _event(game: Ruleset[Any], event: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Build the type of an event as responses show it: an object with all its fields, where the log has a short array."""
    fields = [(each.name, each.type) for each in msgspec.structs.fields(event)]
    tag: Any = event.__struct_config__.tag
    named = [("rules", Literal[game.name]), *fields]
    return msgspec.defstruct(event.__name__, named, tag_field="event", tag=tag, namespace={"__doc__": event.__doc__})


def _choice(game: Ruleset[Any], step: JsonSchema) -> JsonSchema:
    """Build the schema of a legal step."""
    fields = {
        "rules": {"const": game.name},
        "kind": {"type": "string", "description": "The kind of `step`."},
        "places": {"type": "array", "items": {"type": "string"}, "description": "The places that it names, as the board spells them."},
        "cost": {"type": "integer", "description": "What it costs you; below 0 what it brings."},
        "text": {"type": "string", "description": "The step as an order."},
        "step": step,
    }
    return {"type": "object", "description": f"A legal step of `{game.name}`.", "properties": fields, "required": list(fields)}


def _editions(game: Ruleset[Any]) -> str:
    words = game.in_language("en")
    told = ", ".join(f"`{edition}` {edition_name(words, edition)}" for edition in game.editions)
    return f"Of `{game.name}`: {told}; `{game.editions[0]}`, if left out."


def _options(game: Ruleset[Any]) -> JsonSchema:
    """Build the schema of a ruleset's options, with the meaning of each value and the default of each edition."""
    properties = {option: _option(game, option, values) for option, values in game.option_values().items()}
    return {"type": "object", "description": f"Options of `{game.name}`.", "properties": properties, "additionalProperties": False}


def _option(game: Ruleset[Any], option: str, values: list[str]) -> JsonSchema:
    words, usual = game.in_language("en"), game.settle(None, {})[option]
    others = {edition: value for edition in game.editions if (value := game.settle(edition, {})[option]) != usual}
    told = [f"`{value}`: {value_told(words, option, value)}." for value in values] if len(values) > 1 else []
    told += [f"In the edition `{edition}` the default is `{value}`." for edition, value in others.items()]
    return _values(values) | {"default": msgspec.to_builtins(usual), "description": " ".join([f"{option_label(words, option)}.", *told])}


def _values(values: list[str]) -> JsonSchema:
    """Build the schema of an option's values: words, or a range of numbers."""
    least, _, most = values[0].partition("-")
    if len(values) == 1 and least.isdecimal() and most.isdecimal():
        return {"type": "integer", "minimum": int(least), "maximum": int(most)}
    return {"type": "string", "enum": values}


def _actions() -> dict[str, JsonSchema]:
    """Build the schemas of what the entries of a log record."""
    forms = [_as_object(action, f"{action.__name__}Action") for action in get_args(AnyAction)]
    (union,), schemas = msgspec.json.schema_components([_union(forms)], ref_template="{name}")
    found = {name: _in_openapi(schema, str) for name, schema in schemas.items()}
    for name in ("BeganAction", "MovedAction"):
        found[name]["properties"]["events"] = {"type": "array", "items": ref("Event")}
    return found | {"Action": _in_openapi(union, str) | {"description": "What an entry of a log records."}}


def _union(types: Iterable[Any]) -> Any:
    return reduce(or_, types)


@cache
def _as_object(struct: type[msgspec.Struct], name: str) -> type[msgspec.Struct]:
    """Build the type of an array-like struct as responses show it: an object with all its fields."""
    fields = [(each.name, _without_arrays(each.type)) for each in msgspec.structs.fields(struct)]
    tag: Any = struct.__struct_config__.tag
    return msgspec.defstruct(name, fields, tag_field="kind" if tag else None, tag=tag, namespace={"__doc__": struct.__doc__})


def _without_arrays(form: Any) -> Any:
    """Replace array-like structs in a type by objects."""
    if isinstance(form, type) and issubclass(form, msgspec.Struct):
        return _as_object(form, form.__name__)
    parts = tuple(map(_without_arrays, get_args(form)))
    if not parts:
        return form
    origin: Any = get_origin(form)
    return _union(parts) if origin in (UnionType, Union) else origin[parts]


def _in_openapi(schema: Any, name: Any) -> Any:
    """Write a schema of msgspec in the words of OpenAPI: references, `oneOf` with a discriminator, `const` for a single value."""
    if isinstance(schema, list):
        return [_in_openapi(each, name) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    if "discriminator" in schema:
        mapping = schema["discriminator"]["mapping"]
        return _one_of(schema["discriminator"]["propertyName"], {tag: name(own) for tag, own in mapping.items()})
    found = {key: _in_openapi(value, name) for key, value in schema.items()}
    if found.get("items") is False:  # `maxItems` says the same, in a form that every generator of clients reads
        del found["items"]
    if found == {"type": "object"}:  # of any form in the log, as it was typed in
        return ref("Board")
    if "$ref" in found:
        return found | ref(name(found["$ref"]))
    if "title" in found and isinstance(found["title"], str):
        found["title"] = name(found["title"])
    if isinstance(found.get("enum"), list) and len(found["enum"]) == 1:
        found["const"] = found.pop("enum")[0]
    return found


def _one_of(tag: str, names: Mapping[str, str], description: str = "") -> JsonSchema:
    told = {"description": description} if description else {}
    mapping = {value: SCHEMAS + name for value, name in names.items()}
    return told | {"oneOf": [ref(name) for name in names.values()], "discriminator": {"propertyName": tag, "mapping": mapping}}


def _refusal_codes() -> JsonSchema:
    """List every refusal code with its status and English sentence."""
    told = [f"- `{code}` ({status}): {sentence}" for code, (status, sentence) in status_by_code().items()]
    return {"type": "string", "enum": list(status_by_code()), "description": "\n".join(told)}
