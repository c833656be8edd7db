"""A league of bots on this machine: they play each other without a service, and every game is a log that anyone can verify."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import cycle, islice, permutations
from typing import Any, NamedTuple

import msgspec

from marketpost.play.bot_programs import BotProgram, ProgramFailed
from marketpost.play.keeping.dump import DumpedGame, dumped
from marketpost.play.log.actions import AnyAction, Began, Contributed, Moved, Opened, Resigned, Revealed, SeatPlan
from marketpost.play.log.entries import write
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import situation
from marketpost.rules.bots import RANDOM, bot, usual_bot
from marketpost.rules.chance import SCHEME, Domain, Sealed, drawn_word, seal
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.store.changes import Stored
from marketpost.store.players import BOT_ID


class LeagueGame(NamedTuple):
    """One game of a league, before it is played."""

    rules: str
    names: tuple[str, ...]
    """The bot of each seat."""
    number: int
    began: int
    """When the league began, in milliseconds since 1970."""
    seed: int
    commands: Mapping[str, str]
    """The command line of each bot that is a program; the others are built in."""
    seconds: float
    """How long a program may take for a decision."""

    @property
    def secret(self) -> bytes:
        """The secret of the game's chance, from the seed of the league: the same seed gives the same dice."""
        return hashlib.sha256(f"{self.seed}|{self.rules}|{self.number}".encode()).digest()

    @property
    def id(self) -> str:
        return hashlib.sha256(b"game" + self.secret).hexdigest()[:16]


def fixtures(rules: Sequence[str], names: Sequence[str], players: int, games: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List the games of a league: for each ruleset so many, in which all bots meet in all seats in turn."""
    for name in rules:
        if players not in ruleset(name).players:
            raise Refused("players-number", count=players, least=ruleset(name).players[0], most=ruleset(name).players[-1])
        yield from ((name, seats) for seats in islice(cycle(permutations(names, players)), games))


def play(planned: LeagueGame) -> DumpedGame:
    """Play a game to its end. A program whose orders are refused, or that gives none, resigns, and a built-in bot plays on."""
    local = _LocalGame(planned)
    with ExitStack() as running:
        programs = {
            seat: running.enter_context(BotProgram(planned.commands[name], planned.seconds))
            for seat, name in enumerate(planned.names)
            if name in planned.commands
        }
        while not local.game.winners:
            seat = local.game.deciders[0]
            program = programs.get(seat) if local.game.seats[seat].player else None
            if program:
                local.let_program_decide(seat, program)
            else:
                local.let_bot_decide(seat)
        for seat, program in programs.items():
            program.tell(situation(local.game, local.player(seat)))
    return dumped(planned.id, [msgspec.Raw(each.data) for each in local.stored])


class _LocalGame:
    """A game whose log grows in memory.

    Every entry has the same time, which is that of the game in the league: the ratings depend on the order of games, and must not depend on
    which process was faster.
    """

    def __init__(self, planned: LeagueGame) -> None:
        self.planned, self.game, self.stored = planned, Game(planned.id), list[Stored]()
        rules, secret, count = ruleset(planned.rules), planned.secret, len(planned.names)
        players = [self.player(seat) for seat in range(count)]
        opened = Opened(
            rules.name,
            rules.boards()[0],
            None,
            {},
            tuple(rules.colours[:count]),
            tuple(SeatPlan(player=each) for each in players),
            players[0],
            True,
            seal(secret),
            scheme=SCHEME,
        )
        words = [Contributed(seat, drawn_word(secret, planned.id, seat), drawn=True) for seat in range(count)]
        self._write(players[0], [opened, *words], f"{rules.name} {rules.version}")
        self._begin()

    def player(self, seat: int) -> str:
        """Name the bot of a seat as logs do."""
        return f"{BOT_ID}{self.planned.names[seat]}"

    def let_program_decide(self, seat: int, program: BotProgram) -> None:
        """Play the orders of a program; refused orders, or none, are its resignation."""
        try:
            orders = program.orders(situation(self.game, self.player(seat)))
        except ProgramFailed:
            orders = ""
        if not self._move(seat, orders, self.player(seat)):
            self._write(self.player(seat), [Resigned(seat, usual_bot(self.game.rules))])

    def let_bot_decide(self, seat: int) -> None:
        """Play the orders of a built-in bot; the bot `random` decides where they are refused."""
        holder = self.game.seats[seat]
        for name in (holder.bot or self.planned.names[seat], RANDOM):
            chance = self.game.bot_chance(self.planned.secret, f"{seat}|{self.game.version}|{name}")
            orders = bot(self.game.rules, name)(self.game.state.copy(), seat, chance)
            if self._move(seat, orders, holder.player):
                return

    def _begin(self) -> None:
        rules, chance = self.game.rules, self.game.chance(self.planned.secret, Domain.DEAL)
        events = list(rules.start(self.game.setting, chance))
        due = list(rules.proceed(rules.fold(events), chance))
        self._write(None, [Began(msgspec.Raw(rules.encode([*events, *due])), len(due))])

    def _move(self, seat: int, orders: str, by: str | None) -> bool:
        """Play orders; False if any of them is refused, and then none of them is played."""
        rules, chance = self.game.rules, self._chance()
        verdict = rules.judge(self.game.state, seat, orders, chance)
        if verdict.refusal or not verdict.events:
            return False
        state = self.game.state.copy()
        _apply(state, verdict.events)
        due = rules.proceed(state, chance) if not rules.winners(state) else []
        _apply(state, due)
        moved = Moved(seat, f"{self.game.version}", orders, msgspec.Raw(rules.encode([*verdict.events, *due])), len(due))
        over = [Revealed(self.planned.secret.hex())] if rules.winners(state) else []
        self._write(by, [moved, *over])
        return True

    def _chance(self) -> Sealed:
        return self.game.chance(self.planned.secret, Domain.DRAW, self.game.state.drawn)

    def _write(self, by: str | None, actions: Sequence[AnyAction], stamp: str = "") -> None:
        at = self.planned.began + self.planned.number
        entries, _ = write(self.game.version, self.game.head, at, by, stamp or self.game.stamp, actions)
        new = [Stored(self.game.version + number, data) for number, data in enumerate(entries, 1)]
        follow(self.game, new)
        self.stored += new


def _apply(state: Any, events: Sequence[Any]) -> None:
    for event in events:
        event.apply(state)
