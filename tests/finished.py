"""Finished games at once: a log as the workers would have written it, with the moves of a record."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from marketpost.play.log.actions import AnyAction, Began, Moved, Opened, Resigned, Revealed, SeatPlan
from marketpost.play.log.commit import enlist
from marketpost.play.log.entries import write
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.rules import records
from marketpost.rules.chance import seal
from marketpost.rules.replay import Replay, replay

RECORDS = Path(__file__).parent / "records/portobello"
SECRET = bytes(32)


def finished(
    ports: Ports,
    id: str,
    seats: Sequence[SeatPlan],
    *,
    began: int,
    think: int = 60_000,
    gives_up: str = "",
    record: str = "",
    public: bool = False,
) -> Game:
    """Every decision took so many milliseconds; whoever gives up does so after a few turns."""
    file = RECORDS / (record or f"00{len(seats) - 1}-{len(seats)}p-de.txt")
    done = replay(records.read(file.read_text("utf-8")))
    actions = list(_actions(done, seats, public))
    if gives_up:
        actions.insert(9, (gives_up, Resigned([seat.player for seat in seats].index(gives_up), "greedy")))
    written, head, at = list[bytes](), "", began
    for version, (by, action) in enumerate(actions):
        at += think if isinstance(action, Moved) else 0
        entries, head = write(version, head, at, by, "portobello 1", [action])
        written += entries
    ports.games.open(id, SECRET, written, head)
    game = follow(Game(id), ports.games.read(id))
    enlist(ports, game)
    return game


def _actions(replay: Replay, seats: Sequence[SeatPlan], public: bool) -> Iterator[tuple[str | None, AnyAction]]:
    rules, setting = replay.record.rules, replay.record.setting
    options = {name: str(value) for name, value in setting.options.items()}
    yield None, Opened(rules.name, setting.board, setting.edition, options, setting.colours, tuple(seats), "host", public, seal(SECRET))
    yield None, Began(msgspec.Raw(rules.encode(replay.played[0].events)))
    for number, played in enumerate(replay.played[1:]):
        seat = played.seat or 0
        yield seats[seat].player, Moved(seat, f"{number:012x}", "", msgspec.Raw(rules.encode(played.events)))
    yield None, Revealed(SECRET.hex())
