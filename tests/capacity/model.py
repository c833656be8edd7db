"""The model of capacity: what one move, letter, game, account and open page cost, and what a public service would need.

Everything is proportional: costs come from a measured run, assumptions about use and prices from `Use` and `Prices`.
"""

import math
from dataclasses import dataclass

DAY, HOUR = 86_400.0, 3600.0
SEARCHED_EVERY = 20.0
"""Seconds between two searches of all keys by the sweeper (`workers.run.LOOK_EVERYWHERE`)."""
GB = 1e9
SHORTER = 30.0
"""Days for which mail could be kept instead."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What a run has measured, each for one of its kind."""

    move: dict[str, float]
    """Seconds of CPU time of each kind of process for a move that is looked at, sent, judged and told."""
    letter: dict[str, float]
    """The same for a letter, with the reading of the mail that answers it."""
    opening: float
    """Seconds of CPU time of all processes for opening a game of four and taking its seats."""
    entries: float
    """Entries of a log for a move."""
    moves: float
    """Moves of a whole game."""
    game: float
    """Bytes of Redis of a game that has begun, before its first move."""
    entry: float
    finished: float
    """Bytes of Redis of a finished game that is compacted."""
    letters: float
    """Letters for a move by mail."""
    letter_days: float
    """Bytes of Redis for a letter, times the days for which they stay."""
    letter_days_shorter: float
    """The same, if nothing of it stayed longer than `SHORTER` days."""
    letter_size: float
    """Bytes of a letter as it is sent."""
    account: float
    """Bytes of Redis of an account with one token."""
    stream: float
    """Bytes of memory of an API process for an open page."""
    keys: float
    """Keys of Redis of a running game."""
    search: float
    """Seconds for a key when the sweeper searches all keys."""
    overhead: float
    """Memory that Redis uses, for each byte of its keys and values."""


@dataclass(frozen=True, slots=True)
class Use:
    """Assumptions about a public service."""

    games: int = 1_000_000
    """Running at the same time."""
    players: int = 100_000
    """Who play on a day."""
    accounts: int = 300_000
    moves: float = 20.0
    """Of a player on a day."""
    by_mail: float = 0.3
    """Share of the moves that are sent by mail."""
    other_letters: float = 0.1
    """Letters for a move that is not sent by mail: digests, reminders, invitations."""
    busiest: float = 0.1
    """Share of a day's moves in its busiest hour."""
    pages: float = 0.1
    """Share of the day's players who have a page open in that hour."""
    kept: float = 30.0
    """Days for which a finished game stays in Redis before it is archived."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Assumptions about machines: how large they are, how much of them is used, and what they cost a month."""

    memory: float = 64 * GB
    """Of a node of the cluster."""
    filled: float = 0.5
    """Share of it that Redis may use: it needs room to write its file anew."""
    load: float = 0.5
    """Share of a core's time that may be used in the busiest hour."""
    replicas: int = 1
    cores: int = 4
    """Of a machine for API and workers."""
    node_price: float = 200.0
    machine_price: float = 30.0
    letters_price: float = 0.10
    """For a thousand letters by a smart host."""


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """Something of which there is only one, and how much of it is used."""

    name: str
    used: float
    most: float
    unit: str

    @property
    def ratio(self) -> float:
        return self.used / self.most


@dataclass(frozen=True, slots=True)
class Needs:
    """What a service needs."""

    moves_a_second: float
    letters_a_day: float
    letters_a_second: float
    game_bytes: float
    mail_bytes: float
    mail_bytes_shorter: float
    account_bytes: float
    nodes: int
    """Masters and replicas of the cluster for games and accounts."""
    mail_nodes: int
    """So many nodes the mail would fill, if it could be spread."""
    cores: dict[str, float]
    """Cores of each kind of process in the busiest hour, at the load that is allowed."""
    streams: float
    stream_bytes: float
    machines: int
    mail_traffic: float
    """Bytes of letters a day."""
    bottlenecks: list[Bottleneck]
    price: dict[str, float]

    @property
    def first(self) -> Bottleneck:
        return max(self.bottlenecks, key=lambda each: each.ratio)


def needs(costs: Costs, use: Use, machine: Machine) -> Needs:
    """Compute what a service with this use needs."""
    moves = use.players * use.moves
    letters = moves * (use.by_mail * costs.letters + (1 - use.by_mail) * use.other_letters)
    at_peak = use.busiest / HOUR
    ended = moves / costs.moves
    half_played = costs.game + costs.entry * costs.entries * costs.moves / 2
    game_bytes = costs.overhead * (use.games * half_played + ended * use.kept * costs.finished)
    mail_bytes = costs.overhead * letters * costs.letter_days
    account_bytes = use.accounts * costs.account
    usable = machine.memory * machine.filled
    nodes = math.ceil((game_bytes + account_bytes) / usable) * (1 + machine.replicas)
    mail_nodes = math.ceil(mail_bytes / usable) * (1 + machine.replicas)
    cores = {name: moves * at_peak * seconds / machine.load for name, seconds in costs.move.items()}
    for name, seconds in costs.letter.items():
        cores[name] = cores.get(name, 0.0) + letters * at_peak * seconds / machine.load
    cores["opening of games, all processes"] = ended * at_peak * costs.opening / machine.load
    machines = math.ceil(sum(value for name, value in cores.items() if not name.startswith("redis")) / machine.cores) + 1
    streams = use.players * use.pages
    keys = use.games * costs.keys + ended * use.kept
    search = keys * costs.search
    bottlenecks = [
        Bottleneck("the node of all mail: every key of it has the hash tag `{mail}`", mail_bytes / GB, usable / GB, "GB"),
        Bottleneck("the sweeper, when it searches all keys", search, SEARCHED_EVERY, "s"),
        Bottleneck("the queue's Redis, which is one process", cores.get("redis: queue", 0.0) * machine.load, machine.load, "cores"),
    ]
    price = {
        "nodes for games and accounts": nodes * machine.node_price,
        "memory for mail, as if it were nodes": mail_nodes * machine.node_price,
        "machines for API, workers and the queue": machines * machine.machine_price,
        "letters": letters * 30 / 1000 * machine.letters_price,
    }
    return Needs(
        moves * at_peak,
        letters,
        letters * at_peak,
        game_bytes,
        mail_bytes,
        costs.overhead * letters * costs.letter_days_shorter,
        account_bytes,
        nodes,
        mail_nodes,
        cores,
        streams,
        streams * costs.stream,
        machines,
        letters * costs.letter_size,
        bottlenecks,
        price,
    )
