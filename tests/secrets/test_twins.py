"""Two games that are equal in public and different in what is hidden look the same to the last byte, until chance shows something."""

import itertools
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from api.http.app import create_app
from api.http.context import inside
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.registration import new_token, register
from marketpost.play.table.seating import open_game
from tests.mail.desk import Clock, Desk, Street, two_redis
from tests.secrets.hunt import LOOKS, PAGES, PICTURES
from tests.service import Person
from workers.notifier import make_callbacks, make_notifier

HASH = re.compile(rb'[0-9a-f]{64}|(?<=\\"contributed\\",\d,\\")[0-9a-f]{16}|(?<="word":")[0-9a-f]{16}|(?<=<code>)[0-9a-f]{16}')
"""The seal, what is hashed over it, and the words that the server has drawn."""
SET_UP: dict[str, dict[str, Any]] = {"portobello": {}, "alturien": {"options": {"setup": "manual"}}}
FRESH = re.compile(rb'name="token" value="\w*"|nonce[-="]+[\w+/=-]+')


@dataclass(frozen=True, slots=True)
class Twin:
    desk: Desk
    people: tuple[Person, Person]

    def step(self) -> str:
        """An order that asks nothing of chance, where there is one."""
        game = self.desk.game()
        legal = game.rules.legal(game.state, game.deciders[0])
        by_chance = () if game.rules.name == "alturien" else ("customer", "lord")
        return next((order for order in legal if not any(word in order for word in by_chance)), legal[0])

    def all_it_shows(self, orders: str) -> Iterator[tuple[str, bytes]]:
        for person in self.people:
            for path in LOOKS:
                yield path, person.get(f"/v1/games/g1{path}").get_data()
            for kind in PICTURES:
                picture = person.get("/v1/games/g1/board", headers={"Accept": kind})
                assert picture.status_code == 200
                assert picture.mimetype == kind
                yield kind, picture.get_data()
            for given in (orders, "nonsense"):
                yield f"preview of {given}", person.post("/v1/games/g1/preview", {"orders": given}).get_data()
            for path in PAGES:
                yield path, person.client.get(path.format(game="g1")).get_data()
        for brought in self.desk.street.brought:
            yield f"a letter to {brought.recipient}", brought.mail.header("Subject").encode() + brought.mail.text.encode()


@contextmanager
def twin(salt: int, rules: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Twin]:
    """The same ids, the same moments, the same people; only the game's secret is its own."""
    with two_redis() as settings, monkeypatch.context() as fixed:
        numbers = itertools.count(1)
        fixed.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")
        fixed.setattr(secrets, "token_bytes", lambda size: bytes([salt]) * size)
        app, clock = create_app(settings), Clock()
        mailer = inside(app).mailer
        mailer.ports.clock = clock
        work_queue = inside(app).work_queue
        desk = Desk(mailer, work_queue, clock, Street(clock), make_callbacks(mailer, work_queue), make_notifier(mailer, work_queue))
        mailer.transport = desk.street
        people = []
        for name in ("ann", "bob"):
            player = register(mailer.ports, f"{name}@example.org", name.capitalize())
            player.confirmed = True
            mailer.ports.players.save(player)
            token, _ = new_token(mailer.ports, player.id, "test", ("read", "play"), f"mp_{name}")
            people.append(Person(player.id, player.email, token, app.test_client()))
            people[-1].client.set_cookie("session", token)
        open_game(mailer.ports, "g1", people[0].id, rules, [SeatPlan(player=each.id) for each in people], SET_UP[rules])
        desk.work()
        yield Twin(desk, (people[0], people[1]))


def bare(data: bytes) -> bytes:
    return FRESH.sub(b"", HASH.sub(b"", data))


@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_what_is_hidden_changes_no_byte_until_chance_shows_it(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[dict[str, bytes]]] = []
    for salt in (1, 2):
        with twin(salt, rules, monkeypatch) as found:
            shown.append([])
            for _ in range(4):
                game, orders = found.desk.game(), found.step()
                events = repr([played.events for played in game.played]).encode()
                shown[-1].append({"events": events} | {name: bare(data) for name, data in found.all_it_shows(orders)})
                found.desk.by_rest(found.desk.to_play(), orders)
                found.desk.work()

    equal = list(itertools.takewhile(lambda pair: pair[0]["events"] == pair[1]["events"], zip(*shown, strict=True)))

    assert equal, "chance showed itself at once"
    for one, other in equal:
        assert {name for name in one if one[name] != other[name]} == set()
