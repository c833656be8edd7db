"""On more than one machine; `make bigger` kills servers of a Cluster and of Sentinels under load."""

import time
from pathlib import Path

from redis.crc import key_slot

from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.submit import submit
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.store.connections import connect
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from tests.cluster import Cluster, cluster
from workers.run import sweep


def test_a_game_that_is_being_moved_to_another_server_holds_up_none_of_the_others(tmp_path: Path) -> None:
    with cluster(tmp_path) as servers:
        redis = connect(servers.url)
        ports = Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)
        names = [f"game{number}" for number in range(4)]
        for name in names:
            open_game(ports, name, "ann", "portobello", [SeatPlan(player="ann"), SeatPlan(player="ann")], {})
            game = ports.game(name)
            assert game
            submit(ports, game, "ann", "bobby 5")
        _move_half_way(servers, ports, names[0])
        enqueued: list[str] = []

        sweep(ports, enqueued.append, enqueued.append, time.time())

        assert sorted(enqueued) == names


def _move_half_way(servers: Cluster, ports: Ports, game: str) -> None:
    key = GameLogs.key(game, "pending")
    slot, port = key_slot(key.encode()), ports.games.redis.get_node_from_key(key).port
    here = next(each for each in servers.masters if each.port == port)
    there = next(each for each in servers.masters if each is not here)
    there.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", here.client.execute_command("CLUSTER MYID"))
    here.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", there.client.execute_command("CLUSTER MYID"))
    here.client.execute_command("MIGRATE", "127.0.0.1", there.port, key, 0, 5000)
