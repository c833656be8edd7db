"""Four people at a game of Alturien. Workers are called by hand, so that a test sees each step."""

from dataclasses import dataclass, field

from marketpost.play.log.actions import Moved, SeatPlan
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.moves.standing_orders import leave
from marketpost.play.moves.submit import submit
from marketpost.play.outbox.notices import Notice
from marketpost.play.ports import Ports
from marketpost.play.table.seating import import_game
from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.prices import sellable
from marketpost.rules.replay import replay
from tests.games import decide, deciding
from tests.moments import Moment


@dataclass
class Table:
    ports: Ports
    players: list[str]
    told: list[Notice] = field(default_factory=list)
    """What was passed on to people, in its order."""

    @property
    def game(self) -> Game:
        game = self.ports.game("g1")
        assert game
        return game

    def work(self) -> None:
        decide(self.ports, ["g1"], deciding(notify=self.told.extend))

    def moved(self) -> list[Moved]:
        """What was played here, and not told by the record."""
        actions = [decode(stored.data).action for stored in self.ports.games.read("g1")]
        return [action for action in actions if isinstance(action, Moved) and not action.told]

    def play(self, seat: int, orders: str) -> None:
        submit(self.ports, self.game, self.players[seat], orders)
        self.work()

    def leave(self, seat: int, orders: str) -> str:
        return leave(self.ports, "g1", self.players[seat], orders)

    def asked(self) -> list[int]:
        return [notice.seat for notice in self.told if notice.kind == "turn"]


def seat_at(table: Table, moment: Moment) -> None:
    done = replay(records.read(moment.record))
    import_game(table.ports, "g1", table.players[0], done, [SeatPlan(player=player) for player in table.players])
    table.work()
    table.told.clear()


def all_for_sale(moment: Moment) -> str:
    """Orders that sell whatever can be sold, last things first."""
    return "; ".join(RULESET.notate((sale,)) for sale in reversed(sellable(moment.after, moment.after.decider)))
