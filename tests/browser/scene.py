"""A house with something to see in it: a game between people, one that is over, letters, an open table."""

import time
from dataclasses import dataclass

from marketpost.mail.inbound.receive import process_waiting
from marketpost.notify.engine import send_letters
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import join, open_game
from marketpost.play.table.talk import say
from marketpost.store.local_mailbox import LocalMailbox
from tests.service import PATIENCE, Person, Service

FIRST_ORDERS = (
    "bobby 5",
    "4: stall B-C; stall B-C; customer C; customer G",
    "3: stall C-G; stall C-G; stall C-G",
    "2: customer B; stall B-C",
)


@dataclass(frozen=True, slots=True)
class Scene:
    ann: Person
    bob: Person
    game: str
    """Ann and Bob have begun; Bob is to decide."""
    over: str
    """Ann has played it against a bot to its end."""
    table: str
    """Bob waits there for somebody to sit down."""
    letter: int
    """The number of the letter that tells Bob that it is his turn."""

    def pages(self) -> dict[str, str]:
        """Every page there is, by a name for it."""
        return {
            "home": "/",
            "sign-in": "/sign-in",
            "settings": "/settings",
            "new-game": "/new/portobello",
            "new-game-alturien": "/new/alturien",
            "game": f"/games/{self.game}",
            "game-then": f"/games/{self.game}?at=4",
            "game-over": f"/games/{self.over}",
            "table": f"/games/{self.table}",
            "finished": "/finished",
            "players": "/players",
            "player": f"/players/{self.ann.id}",
            "mailbox": "/mailbox",
            "mailbox-list": f"/mailbox/{self.bob.email}",
            "mailbox-letter": f"/mailbox/{self.bob.email}/{self.letter}",
            "not-found": "/games/nosuchgame",
            "rules": "/rules/portobello",
            "tutorial": f"/games/{self.game}",
            "docs": "/docs",
        }


def scene(house: Service, name: str = "") -> Scene:
    """With `name` people and games of its own. They speak English, whatever other tests had them say."""
    ann, bob = house.person(f"ann{name}"), house.person(f"bob{name}")
    for person in (ann, bob):
        person.call("PATCH", "/v1/players/me", json={"language": "en"})
    game, over = f"between{name}", f"over{name}"
    open_game(house.ports, game, ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=bob.id)], {}, public=True)
    deliver(house, game)
    join(house.ports, game, bob.id)
    for number, orders in enumerate(FIRST_ORDERS):
        play(house, game, ann if number % 2 else bob, orders)
    say(house.ports, house.ports.game(game), ann.id, "Nice start!")
    open_game(
        house.ports, f"table{name}", bob.id, "alturien", [SeatPlan(player=bob.id), SeatPlan(), SeatPlan(bot="greedy")], {}, public=True
    )
    open_game(house.ports, over, ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {}, public=True)
    while house.turn_of(ann, over)["status"] != "over":
        play(house, over, ann, house.good_orders(over))
    deliver(house, game)
    letters = LocalMailbox(house.ports.games.redis).list(bob.email)
    turn = next(line.number for line in reversed(letters) if line.head.subject.startswith("Your turn"))
    return Scene(ann, bob, game, over, f"table{name}", turn)


def play(house: Service, game: str, person: Person, orders: str) -> None:
    """Sent, judged by a worker, and carried out."""
    answer = person.post(f"/v1/games/{game}/moves", {"orders": orders}, headers={"Prefer": "wait=30"})
    assert answer.status_code == 200, answer.get_data(as_text=True)


def deliver(house: Service, game: str) -> None:
    """All letters about this game that are due, into the local mailbox, as soon as a worker has passed on what there is to tell."""
    until = time.monotonic() + PATIENCE
    while house.ports.games.has_work(game):
        assert time.monotonic() < until, f"nobody works on {game}"
        time.sleep(0.01)
    while process_waiting(house.mailer) + send_letters(house.notifier):
        pass
