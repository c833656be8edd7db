"""Several real servers: a cluster for the games, and for the queue a master with a replica watched over by sentinels."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from redis import Redis, RedisError

from marketpost.store.embedded_redis import find_server
from marketpost.store.parent_process import die_with
from tests.running.live import until

SLOTS = 16384
DURABLE = ("--appendonly", "yes", "--appendfsync", "always")
NOTICED_WITHIN = "1000"
"""Milliseconds without an answer after which a master is taken for dead."""


START_WITHIN = 30.0


class PortTaken(Exception):
    """Raised for a server that ended at once: another process took its port, or the port of its cluster bus, since it was free."""


@dataclass(slots=True)
class Node:
    port: int
    command: list[str]
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Also again, after it was killed."""
        parent = os.getpid()
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, preexec_fn=lambda: die_with(parent))
        until(lambda: self.process.poll() is not None or answers(self), START_WITHIN)
        if self.process.poll() is not None:
            raise PortTaken

    @property
    def client(self) -> "Redis":
        return Redis(port=self.port, socket_timeout=5)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def node(folder: Path, *options: str, port: int | None = None) -> Iterator[Node]:
    made = _start_anywhere(folder, options) if port is None else _start(folder, options, port)
    try:
        yield made
    finally:
        made.kill()


def _start_anywhere(folder: Path, options: tuple[str, ...]) -> Node:
    """Race: another test may take the port between our look and the start of the server. Then another port is tried."""
    for _ in range(5):
        with suppress(PortTaken):
            return _start(folder, options, free_port())
    raise PortTaken


def _start(folder: Path, options: tuple[str, ...], port: int) -> Node:
    place = folder / str(port)
    place.mkdir(parents=True, exist_ok=True)
    return Node(port, [find_server(folder), *options, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(place)])


def answers(node: Node) -> bool:
    try:
        return bool(node.client.ping())
    except RedisError:
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True, slots=True)
class Cluster:
    masters: list[Node]
    replicas: list[Node]

    @property
    def url(self) -> str:
        return f"redis+cluster://127.0.0.1:{self.masters[0].port}"


@contextmanager
def cluster(folder: Path, masters: int = 3) -> Iterator[Cluster]:
    """Each master with a replica."""
    with ExitStack() as stack:
        nodes = [stack.enter_context(_cluster_node(folder)) for _ in range(2 * masters)]
        made = Cluster(nodes[:masters], nodes[masters:])
        _share_slots(made.masters)
        for other in nodes[1:]:
            nodes[0].client.execute_command("CLUSTER MEET", "127.0.0.1", other.port, _bus(other))
        until(lambda: all(_knows(each) == len(nodes) for each in nodes))
        for master, replica in zip(made.masters, made.replicas, strict=True):
            replica.client.execute_command("CLUSTER REPLICATE", master.client.execute_command("CLUSTER MYID"))
        until(lambda: all(_in_order(each) for each in nodes))
        until(lambda: all(each.client.info("replication")["connected_slaves"] == 1 for each in made.masters))
        yield made


def _cluster_node(folder: Path) -> AbstractContextManager[Node]:
    port, bus = free_port(), free_port()
    manner = ("--cluster-enabled", "yes", "--cluster-node-timeout", NOTICED_WITHIN, "--cluster-port", str(bus))
    return node(folder, *DURABLE, *manner, port=port)


def _bus(node: Node) -> int:
    return int(node.client.config_get("cluster-port")["cluster-port"])


def _share_slots(masters: list[Node]) -> None:
    borders = [SLOTS * number // len(masters) for number in range(len(masters) + 1)]
    for master, first, after in zip(masters, borders, borders[1:], strict=False):
        master.client.execute_command("CLUSTER ADDSLOTSRANGE", first, after - 1)


def _knows(node: Node) -> int:
    return int(node.client.execute_command("CLUSTER INFO")["cluster_known_nodes"])


def _in_order(node: Node) -> bool:
    return str(node.client.execute_command("CLUSTER INFO")["cluster_state"]) == "ok"


@dataclass(frozen=True, slots=True)
class Watched:
    master: Node
    replica: Node
    sentinels: list[Node]

    @property
    def url(self) -> str:
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{each.port}" for each in self.sentinels) + "/queue/0"


@contextmanager
def watched(folder: Path, sentinels: int = 3) -> Iterator[Watched]:
    """A master and a replica; when most of the sentinels find the master dead, the replica takes over."""
    with ExitStack() as stack:
        master = stack.enter_context(node(folder))
        replica = stack.enter_context(node(folder, "--replicaof", "127.0.0.1", str(master.port)))
        until(lambda: master.client.info("replication")["connected_slaves"] == 1)
        watchers = [stack.enter_context(_sentinel(folder, master.port, sentinels // 2 + 1)) for _ in range(sentinels)]
        until(lambda: all(_sees(each) == sentinels - 1 for each in watchers))
        yield Watched(master, replica, watchers)


@contextmanager
def _sentinel(folder: Path, master: int, quorum: int) -> Iterator[Node]:
    port = free_port()
    config = folder / f"sentinel-{port}.conf"
    config.write_text(
        f"sentinel monitor queue 127.0.0.1 {master} {quorum}\n"
        f"sentinel down-after-milliseconds queue {NOTICED_WITHIN}\n"
        "sentinel failover-timeout queue 5000\n"
    )
    made = Node(port, [find_server(folder), str(config), "--sentinel", "--port", str(port), "--bind", "127.0.0.1"])
    try:
        yield made
    finally:
        made.kill()


def _sees(sentinel: Node) -> int:
    masters = sentinel.client.execute_command("SENTINEL MASTERS")
    found = next(iter(masters.values())) if isinstance(masters, dict) else masters[0]
    return int(found["num-other-sentinels"])
