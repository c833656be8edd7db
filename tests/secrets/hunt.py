"""Random games over REST, mail, webhooks and pages, in one process, so that every byte that leaves it can be searched."""

import base64
import hashlib
import hmac
import io
import logging
import os
import random
import secrets
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from itertools import islice
from typing import Any

from click.testing import CliRunner

from api.event_stream import MEDIA_TYPE
from api.http.app import create_app
from api.http.context import inside
from marketpost.cli.main import main
from marketpost.notify.engine import call_targets
from marketpost.play.keeping.compaction import compact
from marketpost.play.log.game import Game
from marketpost.play.people.registration import new_code, new_token, register
from marketpost.rules.bots import bot
from marketpost.rules.chance import Domain, Sealed, mix
from marketpost.store.settings import Settings
from tests.mail.desk import Clock, Desk, Street
from tests.notify.receivers import OK, Receiver, receiver, says
from tests.redis import both_redis
from tests.running.test_erasing_everything import everything
from tests.served import served
from tests.service import Person, Service
from workers.notifier import make_callbacks, make_notifier

LOOKS = (
    "",
    "/events",
    "/board",
    "/board?style=linear",
    "/record",
    "/legal",
    "/messages",
    "/standing",
    "/notes",
    "/links",
)
COMMANDS = ("show", "board", "legal", "export", "games", "nonsense")
PICTURES = ("image/svg+xml", "image/png")
PAGES = ("/", "/games/{game}", "/games/{game}/replay.html", "/games/unknown", "/new/portobello", "/sign-in", "/settings")
PUBLIC = ("/metrics", "/health", "/ready", "/openapi.yaml", "/v1/games/unknown", "/v1/boards", "/v1/players/unknown", "/v1/tokens")
AHEAD = 8
"""So many draws to come are looked for, as the numbers they are made from."""
MOST_MOVES = 10
TO_THE_END = 25
"""One game of so many."""
REPLIES = 20

Needles = dict[bytes, str]
"""What is looked for, and what it is."""


def spellings(secret: bytes, what: str) -> Needles:
    """As it is, in hexadecimal, and in both alphabets of base64."""
    coded = (base64.b64encode(secret), base64.urlsafe_b64encode(secret))
    return dict.fromkeys((secret, secret.hex().encode(), secret.hex().upper().encode(), *(each.rstrip(b"=") for each in coded)), what)


def undrawn(secret: bytes, game: Game) -> Needles:
    """What the next draws will be made from; before the beginning, as the words stand then."""
    key, drawn = mix(secret, game.id, (each.word for each in game.words.values())), game.state.drawn if game.state else 0
    labels = [f"{domain}|{number}|0".encode() for domain in Domain for number in range(drawn, drawn + AHEAD)]
    digests = [key, *(hmac.digest(key, label, hashlib.sha256) for label in labels)]
    return {form: what for digest in digests for form, what in spellings(digest, "a draw to come").items()}


@dataclass
class House:
    """A service with everybody's hands, and all that it said."""

    service: Service
    desk: Desk
    url: str
    hooks: Receiver
    log: io.StringIO
    rng: random.Random
    never: Needles = field(default_factory=dict)
    """Must be nowhere but in the one answer that told it."""
    addresses: Needles = field(default_factory=dict)
    replies: dict[str, list[bytes]] = field(default_factory=dict)
    """The newest addresses that letters are answered to, by whose letters they are: whoever knows one may move."""
    people: list[Person] = field(default_factory=list)
    hits: set[str] = field(default_factory=set)
    searched: int = 0
    letters_read: int = 0
    calls_read: int = 0
    packed: int = 0

    def look(self, where: str, data: bytes, needles: Needles) -> None:
        self.searched += len(data)
        self.hits |= {f"{what} in {where}" for needle, what in needles.items() if needle in data}

    def work(self) -> None:
        self.desk.work()
        call_targets(self.desk.notifier, 5.0)
        self.desk.work()


@contextmanager
def house(seed: int) -> Iterator[House]:
    with ExitStack() as stack:
        data = stack.enter_context(both_redis())
        hooks = stack.enter_context(receiver(says(OK)))
        log = stack.enter_context(_everything_logged())
        key = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, check=True).stdout
        canaries = {"SECRET_KEY": secrets.token_hex(24), "INBOUND_SECRET": secrets.token_hex(24)}
        settings = Settings.read(
            {"DATA_DIR": str(data), "DKIM_KEY": key.decode(), "LIMITS": "off", "WEBHOOK_ALLOW": "127.0.0.1/32", **canaries}
        )
        app = create_app(settings)
        mailer, clock = inside(app).mailer, Clock(int(time.time() * 1000))
        work_queue = inside(app).work_queue
        desk = Desk(mailer, work_queue, clock, Street(clock), make_callbacks(mailer, work_queue), make_notifier(mailer, work_queue))
        mailer.transport = desk.street
        url = stack.enter_context(served(app))
        found = House(Service(app, settings, {}), desk, url, hooks, log, random.Random(seed))
        found.never |= {value.encode(): name for name, value in canaries.items()}
        found.never |= {line: "the DKIM key" for line in key.splitlines() if len(line) > 60}
        _settle_in(found)
        yield found


@contextmanager
def _everything_logged() -> Iterator[io.StringIO]:
    """Every logger, at every level."""
    text = io.StringIO()
    handler, root = logging.StreamHandler(text), logging.getLogger()
    before, _ = root.level, root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield text
    finally:
        root.setLevel(before)
        root.removeHandler(handler)


def _settle_in(house: House) -> None:
    """People with addresses, tokens, codes and webhooks, all of them canaries."""
    for name in ("ann", "bob"):
        email = f"{name}-{secrets.token_hex(6)}@example.org"
        player = register(house.service.ports, email, name.capitalize())
        player.confirmed, player.json = True, name == "bob"
        house.service.ports.players.save(player)
        token, _ = new_token(house.service.ports, player.id, "canary", ("read", "play"))
        person = Person(player.id, email, token, house.service.app.test_client())
        person.client.set_cookie("session", token)
        code = new_code(house.service.ports, email)
        made = person.post("/v1/players/me/channels", {"channel": "webhook", "target": house.hooks.url})
        assert made.status_code == 201, made.get_data()
        person.seen.clear()  # the one answer that tells the secret
        house.never |= {token.encode(): "a token", code.encode(): "a code", made.json["secret"].encode(): "a webhook's secret"}
        house.addresses[email.encode()] = f"the address of {name}"
        house.people.append(person)


@dataclass
class Table:
    """One game, and what is secret in it now."""

    house: House
    id: str
    secret: bytes

    def needles(self) -> Needles:
        game = self.house.desk.game(self.id)
        if game.secret:
            return {}
        return spellings(self.secret, "a game's secret") | undrawn(self.secret, game)


def play(house: House, number: int) -> None:
    """A random game of one ruleset or the other, Ann by REST and Bob by mail, some to the end."""
    rng, (ann, bob) = house.rng, house.people
    rules = rng.choice(("portobello", "alturien"))
    seats = [{"me": True}, {"email": bob.email}, *([{"bot": "greedy"}] if rng.random() < 0.5 else [])]
    opened = ann.post("/v1/games", {"rules": rules, "seats": seats, "public": rng.random() < 0.5})
    assert opened.status_code == 201, opened.get_data()
    table = Table(house, opened.json["id"], house.service.ports.games.secret(opened.json["id"]))
    search(table)
    bob.post(f"/v1/games/{table.id}/join", {"word": "bob-7"} if rng.random() < 0.5 else None)
    house.work()
    moves = 10_000 if number % TO_THE_END == 1 else rng.randrange(1, MOST_MOVES)
    for _ in range(moves):
        game = house.desk.game(table.id)
        if game.status != "running":
            break
        _one_move(table, ann, bob)
        search(table)
    for person in (ann, bob):
        rng.choice(ENDS)(person, table.id)
    house.work()
    search(table)


def _one_move(table: Table, ann: Person, bob: Person) -> None:
    house, rng, id = table.house, table.house.rng, table.id
    game = house.desk.game(id)
    seat = game.deciders[0]
    player = game.seats[seat].player
    orders = bot(game.rules, rng.choice(("greedy", "random")))(game.state.copy(), seat, Sealed(os.urandom(32), "test"))
    bad = rng.choice(("nonsense", f"{orders}; nonsense", "stall A-A", "5: customer Q"))
    for person in (ann, bob):
        person.get(f"/v1/games/{id}{rng.choice(LOOKS)}")
        person.get(f"/v1/games/{id}/board", headers={"Accept": rng.choice(PICTURES)})
    _watch(table, rng.choice((ann, bob)), game.version)
    _type(table, rng.choice((ann, bob)), rng.choice(COMMANDS))
    ann.post(f"/v1/games/{id}/preview", {"orders": rng.choice((orders, bad))})
    ann.post(f"/v1/games/{id}/moves", {"orders": bad})
    rng.choice(TALK)(rng.choice((ann, bob)), id)
    page = ann.client.get(rng.choice(PAGES).format(game=id))
    house.look("a page", str(page.headers).encode() + page.get_data(), house.never | table.needles() | _of_others(house, ann))
    known = house.desk.mailer.ports.players.find(player or "")
    if player == bob.id and known and rng.random() < 0.7:
        house.desk.answer(known, rng.choice((orders, orders, f"preview {orders}", bad)))
    elif player:
        (ann if player == ann.id else bob).post(f"/v1/games/{id}/moves", {"orders": orders})
    house.work()


def _watch(table: Table, person: Person, version: int) -> None:
    """The stream of a game from its beginning until now."""
    answer = person.get(f"/v1/games/{table.id}/events", headers={"Accept": MEDIA_TYPE, "Last-Event-ID": "0"})
    said = b"".join(islice(answer.iter_encoded(), version + 1))
    answer.close()
    assert said.count(b"data: ") == version, "the stream was not read to its end"
    person.seen.append(said)


def _type(table: Table, person: Person, command: str) -> None:
    """A command as somebody types it, and all that it prints."""
    words = [command, *([table.id] if command != "games" else [])]
    said = CliRunner().invoke(main, words, env={"MARKETPOST_URL": table.house.url, "MARKETPOST_TOKEN": person.token})
    assert said.exit_code == 0 or command in ("nonsense", "legal"), said.output
    person.seen.append(said.output.encode())


TALK: tuple[Callable[[Person, str], Any], ...] = (
    lambda person, game: person.post(f"/v1/games/{game}/messages", {"text": "Well played!"}),
    lambda person, game: person.post(f"/v1/games/{game}/undo"),
    lambda person, game: person.post(f"/v1/games/{game}/links", {"what": "look"}),
    lambda person, game: person.get("/v1/games?mine=true"),
    lambda person, game: person.get("/v1/players/me/notifications"),
    lambda person, game: person.get("/v1/players/me/channels"),
    lambda person, game: person.call("GET", f"/v1/games/{game}/events", headers={"Authorization": "Bearer mp_wrong"}),
    lambda person, game: person.post("/v1/games", {"rules": "chess"}),
)
ENDS: tuple[Callable[[Person, str], Any], ...] = (
    lambda person, game: person.post(f"/v1/games/{game}/resign"),
    lambda person, game: person.post(f"/v1/games/{game}/proposals", {"what": "draw"}),
    lambda person, game: person.post(f"/v1/games/{game}/proposals", {"what": "abandon"}),
    lambda person, game: person.get(f"/v1/games/{game}/events?limit=200"),
)


def _of_others(house: House, person: Person | None) -> Needles:
    """What only somebody else may be told."""
    addresses = {address: what for address, what in house.addresses.items() if person is None or address != person.email.encode()}
    replies = {token: "a reply token" for email, tokens in house.replies.items() if not person or email != person.email for token in tokens}
    return addresses | replies


def search(table: Table) -> None:
    """All that was said since the last search."""
    house, secret = table.house, table.house.never | table.needles()
    for person in house.people:
        others = _of_others(house, person)
        for answer in person.seen:
            house.look("an answer", answer, secret | others)
        person.seen.clear()
    for brought in house.desk.street.brought[house.letters_read :]:
        own = next(person for person in house.people if person.email == brought.recipient)
        house.look("a letter", _read_out(brought.mail.raw), secret | _of_others(house, own))
        token = brought.mail.reply_to.partition("+")[2].partition("@")[0].encode()
        house.replies[own.email] = [*house.replies.get(own.email, [])[-REPLIES:], *([token] if token else [])]
    house.letters_read = len(house.desk.street.brought)
    for headers, body in house.hooks.requests[house.calls_read :]:
        house.look("a webhook's call", repr(headers).encode() + body, secret | _of_others(house, None))
    house.calls_read = len(house.hooks.requests)
    for path in house.rng.sample(PUBLIC, 1):
        shown = house.people[0].client.get(path)
        house.look(path, str(shown.headers).encode() + shown.get_data(), secret | _of_others(house, None))
    said = house.log.getvalue().encode()
    house.look("the service's log", said, secret | _of_others(house, None))
    house.log.seek(0)
    house.log.truncate()


def _read_out(raw: bytes) -> bytes:
    """A letter as it is sent, and each part as its reader sees it."""
    parts: Any = message_from_bytes(raw, policy=policy.default).walk()
    return raw + b"".join(part.get_payload(decode=True) for part in parts if not part.is_multipart())


ADDRESSES_MAY = ("player:", "{mail}:", "mailbox")


def search_stores(house: House) -> None:
    """Both Redis servers, key by key: what is secret lies where it must and nowhere else."""
    ports = house.service.ports
    for redis in (ports.games.redis, house.desk.work_queue.redis):
        kept = list(everything(redis))
        sealed = [game for game in ports.games.all_games() if (found := ports.game(game)) and not found.secret]
        needles = {form: f"the secret of {game}" for game in sealed for form in spellings(ports.games.secret(game), "")}
        for key, data in kept:
            tokens = {token: "a reply token" for each in house.replies.values() for token in each}
            house.look(f"the key {key}", data, {} if key.endswith("}:secret") else house.never | needles | tokens)
            if not key.startswith(ADDRESSES_MAY):
                house.look(f"the key {key}", data, house.addresses)
    for game in ports.games.all_games():
        if compact(ports, game):
            house.look("a packed game", b"".join(each.data for each in ports.games.read(game)), house.never | house.addresses)
            house.packed += 1
