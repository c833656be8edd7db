"""Hints by real workers: over REST, on the page and by the command line; and the letter that waits for one goes out at once."""

import time
from collections.abc import Callable

from click.testing import CliRunner

from marketpost.cli.main import main
from marketpost.mail.outbound.hint_letters import enqueue_with_hints
from marketpost.rules.words import LANGUAGES
from marketpost.store.delivery_queue import EMAIL, Delivery
from tests.served import served
from tests.service import PATIENCE, Person, Service


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def page_of(person: Person, game: str, language: str = "en") -> str:
    person.client.set_cookie("session", person.token)
    person.client.set_cookie("language", language)
    return person.client.get(f"/games/{game}").text


def test_a_hint_is_found_by_a_worker_and_shown_by_rest_page_and_command_line(house: Service) -> None:
    ann, eve = house.person("hinted-ann"), house.person("hinted-eve")
    game = house.against_bot(ann, public=True)
    address = f"/v1/games/{game}/hints"
    asked = f'action="/games/{game}/hint"'
    assert asked in page_of(ann, game)
    assert ann.get(f"/v1/games/{game}").json["hints"] == "against-bots"
    assert ann.get(address).json["status"] == "none"
    assert ann.post(address, {}).status_code == 202
    until(lambda: ann.get(address).json["status"] == "ready")
    found = ann.post(address, {})
    hint = found.json["hint"]

    assert found.status_code == 200
    assert hint["current"]
    assert found.json["items"] == [hint] == ann.get(address).json["items"]
    for language in LANGUAGES:
        told = ann.get(address, headers={"Accept-Language": language}).json["hint"]
        page = page_of(ann, game, language)
        assert told["why"] in page
        assert asked not in page
    with served(house.app) as url:
        signed_in = {"MARKETPOST_URL": url, "MARKETPOST_TOKEN": ann.token}
        command = CliRunner().invoke(main, ["hint", game], env=signed_in, catch_exceptions=False)
    assert command.output == f"The bot would play: {hint['text']}\n{hint['why']}\n"
    assert f"took a hint: {hint['text']}" in page_of(eve, game)
    assert eve.get(address).json == {"status": "not-allowed", "hint": None, "items": [hint]}

    ann.post(f"/v1/games/{game}/moves", {"orders": hint["orders"]}, headers={"Prefer": "wait=10"})
    shown = ann.get(address).json
    assert shown["hint"] is None
    assert not shown["items"][0]["current"]


def test_the_letter_that_waits_for_a_hint_is_due_as_soon_as_a_worker_has_found_it(house: Service) -> None:
    ann = house.person("waiting-ann")
    game, deliveries = house.against_bot(ann), house.mailer.deliveries
    ann.post(f"/v1/games/{game}/hints", {})
    now = house.ports.clock()
    letter = Delivery(f"answer-to-{game}", ann.id, "answer", now, now, game, None, 0, {"lines": [], "asked": [], "kind": "shown"})
    enqueue_with_hints(house.mailer, letter, [game])

    until(lambda: deliveries.redis.zscore(deliveries.line(EMAIL), letter.id) <= house.ports.clock())
    assert house.ports.clock() < now + 50_000
