"""A competition on a clock of its own, whose tables are played by bots in the names of the players."""

from collections.abc import Callable
from dataclasses import dataclass, field

from marketpost.play.compete.advance import advance
from marketpost.play.compete.competition import Competition, CompetitionStatus
from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.competition_notices import CompetitionNotice
from marketpost.play.compete.entering import announce, competition_of, enter
from marketpost.play.log.actions import AtZero, ProposalKind, TimeControl
from marketpost.play.log.game import GameStatus
from marketpost.play.moves.submit import submit
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.proposals import agree, propose
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from tests.games import decide, deciding

DAY = 24 * 3_600_000
CLOCK = TimeControl(DAY, at_zero=AtZero.OUT)
NOW = 1_800_000_000_000


@dataclass
class Field:
    """Players who enter competitions and play their tables."""

    ports: Ports
    told: list[CompetitionNotice] = field(default_factory=list)
    now: int = NOW
    players: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ports.clock = lambda: self.now

    def people(self, count: int) -> list[str]:
        self.players = [register(self.ports, f"p{number}@example.org", f"P{number}").id for number in range(count)]
        return self.players

    def announced(self, format: CompetitionFormat, players: int, *, rules: str = "portobello", seats: int = 2, **more: int) -> str:
        people = self.people(players)
        plan = CompetitionPlan("Spring Cup", format, rules, seats, CLOCK, self.now + DAY, **more)
        announce(self.ports, "c-1", people[0], plan)
        for player in people:
            enter(self.ports, "c-1", player)
        return "c-1"

    def later(self, milliseconds: int = DAY) -> None:
        self.now += milliseconds

    def advance(self, id: str = "c-1") -> Competition:
        advance(self.ports, id, self.told.extend)
        return competition_of(self.ports, id)

    def tables(self, id: str = "c-1") -> list[str]:
        competition = competition_of(self.ports, id)
        now = competition.rounds[-1]
        return [competition.table_id(now.number, number) for number in range(len(now.tables))]

    def play(self, game: str, choose: Callable[[str], str] = lambda player: "random") -> None:
        """Play a table to its end; `choose` names the bot that thinks for a player."""
        number = 0
        while (found := self.ports.game(game)) and found.status == GameStatus.RUNNING:
            seat = found.deciders[0]
            player = found.seats[seat].player
            if player is None:
                decide(self.ports, [game], deciding())
                continue
            orders = bot(found.rules, choose(player))(found.state.copy(), seat, Sealed(bytes(32), f"{game} {number}"))
            submit(self.ports, found, player, orders)
            decide(self.ports, [game], deciding())
            number += 1

    def draw_all(self) -> None:
        """Let the players of every table agree on a draw; one who is alone with bots plays on."""
        for id in self.tables():
            found = self.ports.game(id)
            people = [seat.player for seat in found.seats if seat.player] if found else []
            if len(people) < 2:
                self.play(id, lambda player: "greedy")
                continue
            game = propose(self.ports, id, people[0], ProposalKind.DRAW)
            for player in people[1:]:
                agree(self.ports, id, player, game.proposal.number if game.proposal else 0)

    def play_out(self, id: str = "c-1", choose: Callable[[str], str] = lambda player: "random") -> Competition:
        """Play all rounds to the end, on a clock that jumps to what is due."""
        self.later()
        competition = self.advance(id)
        while competition.status == CompetitionStatus.RUNNING:
            for game in self.tables(id):
                self.play(game, choose)
            self.later()
            competition = self.advance(id)
        return competition
