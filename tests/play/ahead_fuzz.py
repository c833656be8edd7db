"""Random games with random orders ahead: none is played in another turn than its own, and none disappears without a word."""

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from marketpost.play.log.actions import Moved, SeatPlan, Undone
from marketpost.play.log.entries import Entry, decode
from marketpost.play.log.game import Game
from marketpost.play.moves.orders_ahead import cancel, leave
from marketpost.play.moves.submit import submit
from marketpost.play.moves.turn_ahead import happened_since
from marketpost.play.outbox.notices import AheadEnd, Notice
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.proposals import agree
from marketpost.play.table.seating import open_game, resign
from marketpost.play.table.undo import undo
from marketpost.rules.bots import foresight_of
from marketpost.rules.branched_orders import is_own_turn, is_wanted, play, read_ahead, samples
from marketpost.rules.chance import Sealed
from marketpost.rules.conditions import ANYONE
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset, Setting, rulesets
from marketpost.rules.words import read_words
from marketpost.store.changes import OrdersAhead
from marketpost.store.connections import connect
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from tests import proof
from tests.fuzz import settings
from tests.games import decide, deciding, sealed
from tests.redis import games_redis

SHORT, LONG = 16, 1500
"""What is done in most games, enough for some turns with orders ahead, and in one of twenty, which goes on to its end."""
GAPS = {
    "who": ["red", "yellow", "green", ANYONE], "number": ["2", "10", "20"], "lane": ["AB", "BC", "DE"], "square": ["A", "F"],
    "district": ["1", "5"], "kind": ["clerk", "citizen"], "guest": ["lord", "clerk"], "space": ["c1", "f4", "g1"],
    "figure": ["duke", "thief"], "group": ["fish", "wine"], "card": ["ship", "cart"], "face": ["1", "3", "1-3"],
}  # fmt: skip


class AheadGame:
    """One random game, with a book of what was left and what became of it."""

    def __init__(self, ports: Ports, rules: Ruleset[Any], setting: Setting, players: list[str], seed: int) -> None:
        self.ports, self.rules, self.rng, self.id = ports, rules, random.Random(seed), f"ahead{rules.name[0]}{seed}"
        self.told: list[Notice] = []
        self.left: dict[str, OrdersAhead] = {}
        self.counts = dict.fromkeys([*AheadEnd, "taken-back"], 0)
        self.players = players[: len(setting.colours)]
        chosen = {"colours": setting.colours, "board": setting.board, "edition": setting.edition, "options": dict(setting.options)}
        open_game(ports, self.id, self.players[0], rules.name, [SeatPlan(player=each) for each in self.players], chosen)
        self.work()

    @property
    def game(self) -> Game:
        game = self.ports.game(self.id)
        assert game
        return game

    def run(self) -> dict[str, int]:
        for _ in range(self.rng.choices([SHORT, LONG], [19, 1])[0]):
            if self.game.status != "running" or not any(seat.player for seat in self.game.seats):
                break
            self.rng.choices([self.leave, self.move, self.disturb], [8, 12, 1])[0]()
            self.check()
        return self.counts

    def leave(self) -> None:
        """One player leaves orders, in place of earlier ones."""
        player = self.rng.choice(self.players)
        game, seat = self.game, self.game.seat_of(player)
        if seat is None:
            return
        try:
            leave(self.ports, self.id, player, self.orders(game, seat), self.rules.in_language("en"), tries=1)
        except Refused as refused:
            if refused.code not in ("unreadable-condition", "unreadable-order"):
                raise
            return
        found = self.ports.games.orders_ahead(self.id, player)
        if found:
            self.left[player] = found
        self.work()

    def orders(self, game: Game, seat: int) -> str:
        """Some branches: orders that are legal in a position that may arise, under sentences of the game with random gaps."""
        known = [*read_words(self.rules.conditions.folder, "en").get("conditions", {}).values()]
        chance = sealed(self.rng.randrange(1 << 32))
        turns = list(samples(self.rules, game.state, seat, chance, 1))
        steps = [self.plays(since.state, seat, chance) for since in turns] or [self.plays(game.state, game.deciders[0], chance)]
        found = []
        for _ in range(self.rng.randint(1, 3)):
            condition = self.rng.choice(known)[0].format_map({name: self.rng.choice(GAPS[name]) for name in GAPS}) if known else ""
            begin = f"if {condition}: " if condition and self.rng.random() < 0.7 else "else: "
            found.append(begin + self.rng.choice(steps))
        return "\n".join(found)

    def plays(self, state: Any, seat: int, chance: Sealed) -> str:
        """One legal step, or at times a whole turn of the quick bot."""
        is_step = self.rng.random() < 0.8
        return str(chance.pick(self.rules.legal(state, seat)) if is_step else foresight_of(self.rules).quick(state, seat, chance))

    def move(self) -> None:
        """Whoever is to decide plays; sometimes the next one too, before a worker looks, so that the turn of orders ahead passes unseen."""
        game, chance = self.game, sealed(self.rng.randrange(1 << 32))
        state = game.state.copy()
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            [seat, *_] = self.rules.deciders(state) or (None,)
            player = game.seats[seat].player if seat is not None else None
            if seat is None or player is None:
                break
            orders = self.plays(state, seat, chance)
            submit(self.ports, game, player, orders)
            play(self.rules, state, seat, orders, chance)
        self.work()

    def disturb(self) -> None:
        """Something else happens at the table."""
        player = self.rng.choice(self.players)
        try:
            match self.rng.randrange(8):
                case 0:
                    resign(self.ports, self.id, player)
                case 1:
                    hand_over(self.ports, self.id, player, SeatPlan(bot="random"))
                case 2 | 3:
                    self.take_back(player)
                case _:
                    game = undo(self.ports, self.id, player)
                    for each in [other for other in self.players if game.proposal and other in game.asked_by(game.proposal)]:
                        game = agree(self.ports, self.id, each, game.proposal.number if game.proposal else 0)
        except Refused:
            pass
        self.work()

    def take_back(self, player: str) -> None:
        if cancel(self.ports, self.id, player):
            self.left.pop(player)
            self.counts["taken-back"] += 1

    def work(self) -> None:
        """Decide until nothing waits: on a busy machine a worker hands a game back before that."""
        while self.id in self.ports.games.unfinished():
            decide(self.ports, [self.id], deciding(notify=self.told.extend))

    def check(self) -> None:
        """Whatever is gone was told, and whatever was played was played in its own turn."""
        found = self.ports.games.all_orders_ahead([self.id]).get(self.id, {})
        for player in [player for player, orders in self.left.items() if found.get(player) != orders]:
            orders = self.left.pop(player)
            told = [notice.ahead for notice in self.told if notice.player == player and notice.ahead]
            played = [moved for moved in self.moves(orders.version) if moved[1].ahead and moved[1].seat == orders.seat]
            assert told or played, f"{self.id}: orders ahead of {player} disappeared"
            self.counts[told[-1].end if told else AheadEnd.PLAYED] += 1
            for version, action in played:
                self.check_played(orders, version, action)
        self.told.clear()

    def entries(self, after: int) -> list[Entry]:
        return [decode(stored.data) for stored in self.ports.games.read(self.id, after)]

    def moves(self, after: int) -> list[tuple[int, Moved]]:
        return [(entry.version, entry.action) for entry in self.entries(after) if isinstance(entry.action, Moved)]

    def check_played(self, orders: OrdersAhead, version: int, action: Moved) -> None:
        """The turn was the seat's first after the orders were left, nothing before them was undone, and a branch that holds says so."""
        undos = [entry.action for entry in self.entries(orders.version) if entry.version < version and isinstance(entry.action, Undone)]
        assert all(undo.back_to >= orders.version for undo in undos), f"{self.id}: played although its position was undone"
        then = Game(self.id)
        then.rules, then.setting = self.rules, self.game.setting
        then.history = [(number, played) for number, played in self.game.history if number < version]
        if not any(number == version for number, _ in self.game.history):
            return  # undone since
        since = happened_since(then, orders.seat)
        assert is_own_turn(self.rules, since.state, orders.seat, orders.turn), f"{self.id}: played in a stale turn"
        own = [number for number, played in then.history if played.seat == orders.seat and number > orders.version]
        turns = [self.turn_before(then, number) for number in own]
        assert not any(turn > orders.turn for turn in turns), f"{self.id}: played in a later turn than its own"
        fitting = [each for each in read_ahead(self.rules, since.state, orders.orders) if is_wanted(self.rules, since, each)]
        assert action.orders in [each.orders for each in fitting], f"{self.id}: played under a condition that does not hold"

    def turn_before(self, game: Game, version: int) -> int:
        """The turn of the seat's own that a move was played in; -1 for one outside of it."""
        state = self.rules.fold([event for number, played in game.history if number < version for event in played.events])
        mover = next(played.seat for number, played in game.history if number == version and played.seat is not None)
        return state.turn if is_own_turn(self.rules, state, mover, -1) else -1


def fuzz_ahead(ports: Ports, rules: Ruleset[Any], games: int, seed: int) -> dict[str, int]:
    """Play so many games and count what became of the orders ahead."""
    players = [register(ports, f"p{number}@example.org", f"P{number}").id for number in range(6)]
    ends = dict.fromkeys([*map(str, AheadEnd), "taken-back"], 0)
    with click.progressbar(zip(range(games), settings(rules, seed), strict=False), length=games, file=sys.stderr) as bar:
        for number, setting in bar:
            table = AheadGame(ports, rules, setting, players, seed + number)
            for end, count in table.run().items():
                ends[str(end)] += count
            ports.games.delete(table.id)
            ports.evict(table.id)
    return ends


@click.command()
@click.argument("games", type=int)
@proof.seeded
def main(games: int, seed: int, to_prove: bool) -> None:
    """Play so many random games in all, with random orders ahead, and check every one of them."""
    lines = list[str]()
    with tempfile.TemporaryDirectory() as folder, games_redis(Path(folder)) as url:
        redis = connect(url)
        for rules in rulesets().values():
            redis.flushall()
            ports = Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)
            ends = fuzz_ahead(ports, rules, games // len(rulesets()), seed)
            told = ", ".join(f"{end} {count}" for end, count in ends.items())
            each = f"{games // len(rulesets())} games; of {sum(ends.values())} orders ahead none stale and none lost"
            lines.append(f"{rules.name}: {each}: {told}")
            click.echo(f"{lines[-1]}; seed {seed}")
    if to_prove:
        proof.write("make fuzz-ahead", [f"* {line}" for line in lines], seed)


if __name__ == "__main__":
    main()
