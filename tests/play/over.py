"""Games that are over, and what is to be found of them wherever they are kept."""

import secrets

import msgspec

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import submit
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.chance import Sealed
from marketpost.store.connections import connect
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.raw_copies import read_all
from tests.games import decide, deciding

DAY = 24 * 3600


def ports_at(url: str) -> Ports:
    redis = connect(url)
    return Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)


def work(ports: Ports, game: str) -> None:
    decide(ports, [game], deciding())


def finished(ports: Ports, rules: str = "portobello") -> str:
    """A game of bots, to its end."""
    id = secrets.token_hex(10)
    open_game(ports, id, "host", rules, [SeatPlan(bot="random"), SeatPlan(bot="random")], {})
    while follow(Game(id), ports.games.read(id)).status != "over":
        work(ports, id)
    return id


def running(ports: Ports) -> str:
    id = secrets.token_hex(10)
    open_game(ports, id, "ann", "portobello", [SeatPlan(player="ann"), SeatPlan(bot="greedy")], {})
    return id


def finished_by_ann(ports: Ports) -> str:
    game = running(ports)
    finish_by_ann(ports, game)
    return game


def finish_by_ann(ports: Ports, game: str) -> None:
    while (found := ports.game(game)) and found.status != "over":
        submit(ports, found, "ann", greedy(found))
        work(ports, game)


def log(ports: Ports, game: str) -> list[bytes]:
    return [each.data for each in ports.games.read(game)]


def everything(ports: Ports) -> list[bytes]:
    return sorted(map(msgspec.msgpack.encode, read_all(ports.games.redis)))


def greedy(game: Game) -> str:
    return game.rules.bots["greedy"](game.state, game.seat_of("ann") or 0, Sealed(secrets.token_bytes(32), "test"))
