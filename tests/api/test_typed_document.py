"""The description has types for all that a ruleset has of its own, and what is served fits them."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema_rs
import pytest

from api.http.app import create_app
from api.http.problems import STATUS
from api.http.serialize import events
from marketpost import rules as folder
from marketpost.notify.channel_message import ChannelMessage
from marketpost.notify.channels import webhook
from marketpost.play.moves.game_view import branches, choices, situation
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset, Setting, ruleset, rulesets
from marketpost.store.settings import Settings
from tests.games import one_move, open_game, sealed
from tests.mail.turns import OUTSIDE, all_rulesets, every_ruleset
from tests.service import Person, Service

NOWHERE = Settings("unix:///nowhere", "unix:///nowhere", secret_key="none")
Fits = Callable[[str, object], None]


@pytest.fixture(scope="module")
def document() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "__path__", [*folder.__path__, OUTSIDE])
        return create_app(NOWHERE).extensions["marketpost-document"]


@pytest.fixture(scope="module")
def fits(document: Any) -> Fits:
    def check(name: str, value: object) -> None:
        schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        jsonschema_rs.Draft202012Validator(json.loads(json.dumps(schema))).validate(json.loads(json.dumps(value)))

    return check


def opened(rules: Ruleset[Any]) -> tuple[Any, list[Any]]:
    return open_game(rules, Setting(rules.colours[: rules.players[0]], rules.boards()[0]), sealed(7))


@every_ruleset
def test_positions_choices_and_events_of_a_whole_game_fit_the_description(name: str, fits: Fits) -> None:
    rules, chance = all_rulesets()[name], sealed(7)
    state, played = opened(rules)
    turns = kinds = 0
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        texts = rules.legal(state, seat)
        if turns % 20 == 0:
            fits("Position", rules.document(state, seat))
        shown = choices(rules, state, texts if turns % 20 == 0 else ())
        for each in {choice["kind"]: choice for choice in shown}.values():
            fits("Choice", each)
            fits("Step", each["step"])
            kinds += 1
        one_move(rules, state, seat, chance.pick(texts), chance, played)
        turns += 1

    fits("Position", rules.document(state, None))
    happened = {type(event): event for each in played for event in each.events}
    for event in events(rules, happened.values()):
        fits("Event", event)
    assert kinds
    with pytest.raises(jsonschema_rs.ValidationError):
        fits("Event", event | {"rules": "chess"})


@every_ruleset
def test_a_step_as_data_is_the_same_as_its_order(name: str) -> None:
    rules = all_rulesets()[name]
    state, _ = opened(rules)
    shown = choices(rules, state, rules.legal(state, rules.deciders(state)[0]))

    assert [rules.parse(rules.orders_of([each["step"]])) for each in shown] == [rules.parse(each["text"]) for each in shown]


@pytest.mark.parametrize(
    "steps",
    [
        [{"kind": "place", "square": "A; end"}],
        [{"kind": "place", "square": "A\nend"}],
        [{"kind": "place", "square": "a"}],
        [{"kind": "place"}],
        [{"kind": "place", "square": "A", "more": 1}],
        [{"kind": "fly"}],
        [{}],
        ["place A"],
        [{"kind": "stall", "lane": "BA", "start": None}],
    ],
)
def test_a_step_that_would_be_read_as_something_else_is_refused(steps: list[Any]) -> None:
    with pytest.raises(Refused) as refused:
        rulesets()["portobello"].orders_of(steps)

    assert refused.value.code in ("steps-unreadable", "unreadable-order")


@every_ruleset
def test_the_branches_of_a_preview_are_likely_to_one(name: str) -> None:
    rules, chance = all_rulesets()[name], sealed(8)
    state, played = opened(rules)
    while not rules.winners(state) and len(played) < 40:
        seat = rules.deciders(state)[0]
        for text in rules.legal(state, seat)[:3]:
            assert sum(each.probability for each in branches(rules, state, seat, text)) == 1
        one_move(rules, state, seat, chance.pick(rules.legal(state, seat)), chance, played)


@every_ruleset
def test_every_option_and_edition_has_its_meaning_and_default(name: str, document: Any) -> None:
    rules, schemas = all_rulesets()[name], document["components"]["schemas"]
    options = schemas[f"{name.capitalize()}Options"]["properties"]

    assert set(options) == set(rules.option_values())
    for option, schema in options.items():
        assert schema["default"] == rules.settle(None, {})[option]
        assert all(f"`{value}`" in schema["description"] for value in schema.get("enum", ()))
    assert all(f"`{edition}`" in schemas["Edition"]["description"] for edition in rules.editions)


def parts(where: str, schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and all that is in it."""
    yield where, schema
    inner = dict(schema.get("properties", {}))
    inner |= {word: schema[word] for word in ("items", "additionalProperties") if isinstance(schema.get(word), dict)}
    inner |= {f"{word}-{number}": each for word in ("oneOf", "anyOf") for number, each in enumerate(schema.get(word, ()))}
    for name, each in inner.items():
        yield from parts(f"{where}.{name}", each)


def says_what_it_holds(schema: dict[str, Any]) -> bool:
    if schema.get("type", "object") not in ("object", ["object", "null"]):
        return True
    words = ("$ref", "oneOf", "anyOf", "const", "enum", "properties")
    return any(word in schema for word in words) or bool(schema.get("additionalProperties"))


def test_nothing_is_an_object_of_any_form(document: Any) -> None:
    schemas = document["components"]["schemas"].items()

    assert [where for name, schema in schemas for where, part in parts(name, schema) if not says_what_it_holds(part)] == []


@pytest.mark.parametrize("rules", rulesets())
def test_a_board_fits_the_description(house: Service, ann: Person, fits: Fits, rules: str) -> None:
    for name in ruleset(rules).boards():
        fits("BoardResponse", ann.get(f"/v1/boards/{name}").json)


def test_every_refusal_code_is_listed(document: Any) -> None:
    codes = document["components"]["schemas"]["RefusalCode"]["enum"]

    assert set(STATUS) <= set(codes)
    assert {"tile-cannot-mark", "one-grey-at-start", "too-many"} <= set(codes), "those of each ruleset too"


@pytest.mark.parametrize("rules", rulesets())
def test_a_game_is_played_with_steps_as_data_and_its_log_fits(house: Service, ann: Person, fits: Fits, rules: str) -> None:
    game = house.against_bot(ann, rules=rules)
    path = f"/v1/games/{game}"

    offered = ann.get(f"{path}/legal").json["choices"]
    preview = ann.post(f"{path}/preview", {"steps": [offered[0]["step"]]}).json
    answer = ann.post(f"{path}/moves", {"steps": [offered[0]["step"]]}, headers={"Prefer": "wait=20"})
    both = ann.post(f"{path}/moves", {"steps": [offered[0]["step"]], "orders": offered[0]["text"]})
    log = ann.get(f"{path}/events").json

    assert answer.json["status"] == "applied", answer.json
    assert both.json["errors"][0]["code"] == "orders-or-steps"
    fits("PreviewResponse", preview)
    fits("MoveResponse", answer.json)
    fits("EntryPage", log)
    fits("GameResponse", ann.get(path).json)
    assert log["items"][-1]["action"]["kind"] in ("moved", "revealed")
    found = house.ports.game(game)
    assert found
    message = ChannelMessage("1", "turn", game, "Your turn", "https://example.org", situation(found, ann.id))
    fits("WebhookCallResponse", json.loads(webhook.encode_body(message)))
