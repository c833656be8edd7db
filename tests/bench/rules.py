"""What is measured of every ruleset: judging, applying, replaying and drawing a whole game between greedy bots."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any, TypeVar

import chess
import msgspec
from matplotlib.figure import Figure

from marketpost.pictures.png import png
from marketpost.play.log import game as table
from marketpost.play.log.actions import Began, Moved, Opened, SeatPlan
from marketpost.play.log.entries import decode, write
from marketpost.play.log.fold import follow
from marketpost.rules.bots import RANDOM, bot
from marketpost.rules.chance import Dice, RecordedChance, Sealed, seal
from marketpost.rules.chart import chart, over_turns
from marketpost.rules.playout import begin, play_at_random
from marketpost.rules.ruleset import Event, Ruleset, Setting, Verdict
from marketpost.rules.svg import WIDTH, Style
from marketpost.store.changes import Stored
from tests.bench.measure import Case, Work
from tests.games import one_move, open_game

SEED = 7
PLAYERS = 4
OPENED = 1_790_000_000_000
"""Some time, in milliseconds."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Submission:
    before: Any
    """The position in which it was written."""
    seat: int
    orders: str
    outcomes: tuple[str, ...]
    """What chance did in it."""
    events: tuple[Event, ...]
    """What it did, and what followed without anybody's decision."""


@dataclass(frozen=True, slots=True)
class Game:
    rules: Ruleset[Any]
    title: str
    opening: tuple[Event, ...]
    submissions: tuple[Submission, ...]

    @property
    def events(self) -> list[Event]:
        return [*self.opening, *(event for each in self.submissions for event in each.events)]

    @property
    def whole_turns(self) -> list[Submission]:
        """Turns that were one submission."""
        times = Counter(each.before.turn for each in self.submissions)
        return [each for each in self.submissions if each.before.turn and times[each.before.turn] == 1]

    def log(self, people: int = 0) -> list[Stored]:
        """The game as the store holds it; other people have other numbers."""
        rules, state = self.rules, self.rules.fold(self.opening)
        seats = tuple(SeatPlan(player=f"{people + seat:016x}") for seat in range(len(state.colours)))
        opened = Opened(rules.name, state.board.name, None, {}, state.colours, seats, "0" * 16, False, seal(b"bench"))
        moved = [
            Moved(each.seat, f"{number:024x}", each.orders, msgspec.Raw(rules.encode(each.events)))
            for number, each in enumerate(self.submissions)
        ]
        actions = [opened, Began(msgspec.Raw(rules.encode(self.opening))), *moved]
        entries, _ = write(0, "", OPENED, "0" * 16, f"{rules.name} 1", actions)
        return [Stored(version, data) for version, data in enumerate(entries, 1)]


class Overheard(Sealed):
    """Chance that remembers what it did, to be told again."""

    def __init__(self, secret: bytes, game: str) -> None:
        super().__init__(secret, game)
        self.outcomes: list[str] = []

    def pick(self, options: Sequence[T]) -> T:
        outcome = super().pick(options)
        self.outcomes.append(str(outcome))
        return outcome


def play(rules: Ruleset[Any], seed: int = SEED) -> Game:
    """A whole game of the best bots there are: four, or as many as can play."""
    players = min(PLAYERS, max(rules.players))
    name = "greedy" if "greedy" in rules.bots else RANDOM
    mind, chance = bot(rules, name), Overheard(seed.to_bytes(32, "big"), "bench")
    state, played = open_game(rules, Setting(rules.colours[:players], rules.boards()[0]), chance)
    opening = tuple(event for each in played for event in each.events)
    events, submissions = list(opening), []
    while not rules.winners(state):
        before, seat, known = rules.fold(events), rules.deciders(state)[0], len(played)
        orders = mind(state, seat, chance)
        chance.outcomes.clear()
        one_move(rules, state, seat, orders, chance, played)
        new = tuple(event for each in played[known:] for event in each.events)
        submissions.append(Submission(before, seat, orders, tuple(chance.outcomes), new))
        events += new
    title = f"{rules.name}: {players} × {name}, {len(submissions)} submissions, {len(events)} events"
    return Game(rules, title, opening, tuple(submissions))


def cases(game: Game) -> Iterator[Case]:
    rules, events, log = game.rules, game.events, game.log()
    plies = len(events)
    moves, sans = chess_game(plies)
    push, push_uci = partial(_push, moves), partial(_push_uci, [move.uci() for move in moves])
    replay = partial(_replay, log)
    yield Case("event applied", partial(rules.fold, events), plies, "chess push", push, plies, 1 / 3)
    fold, typed = partial(_fold, rules, log), partial(_decode, rules, log)
    yield Case("log decoded and folded", fold, 1, "typed decoding alone", typed, 1, 2.0)
    yield Case("log read, chain of hashes checked", replay, 1, "typed decoding alone", typed, 1)
    yield Case(
        "log decoded and folded",
        partial(_fold, rules, log),
        1,
        "json.loads of the log",
        lambda: [json.loads(entry.data) for entry in log],
        1,
    )
    yield Case("log read, chain of hashes checked", replay, 1, f"chess push, {plies} plies", push, 1)
    yield Case("log read, chain of hashes checked", replay, 1, f"chess push_uci, {plies} plies", push_uci, 1)
    turns = game.whole_turns or list(game.submissions)
    judged = "whole turn judged" if game.whole_turns else "submission judged"
    assert not any(verdict.refusal for verdict in _judge(rules, turns))
    yield Case(judged, partial(_judge, rules, turns), len(turns), "chess parse_san + push", partial(_push_san, sans), plies)
    yield _random_games(rules, push, plies)
    yield from _drawing(rules, events)
    yield from _picturing(rules, events)


def _random_games(rules: Ruleset[Any], push: Work, plies: int) -> Case:
    """Whole games of two players who take any legal step, as trial games are played."""
    games = 2
    return Case("random game of two players", partial(_play_at_random, rules, games), games, f"chess push, {plies} plies", push, 1)


def _play_at_random(rules: Ruleset[Any], games: int) -> None:
    for seed in range(games):
        dice = Dice(seed)
        play_at_random(rules, begin(rules, Setting(rules.colours[:2], rules.boards()[0]), dice), dice)


def _replay(log: Sequence[Stored]) -> object:
    """As a worker does it: decode, check the chain of hashes, fold."""
    return follow(table.Game("bench"), log).state


def _fold(rules: Ruleset[Any], log: Sequence[Stored]) -> object:
    state = rules.blank()
    for entry in log:
        action = decode(entry.data).action
        if isinstance(action, (Began, Moved)):
            for event in rules.decode(action.events):
                event.apply(state)
    return state


def _decode(rules: Ruleset[Any], log: Sequence[Stored]) -> None:
    for entry in log:
        action = decode(entry.data).action
        if isinstance(action, (Began, Moved)):
            rules.decode(action.events)


def _judge(rules: Ruleset[Any], turns: Sequence[Submission]) -> list[Verdict]:
    return [rules.judge(turn.before, turn.seat, turn.orders, RecordedChance(turn.outcomes)) for turn in turns]


def _drawing(rules: Ruleset[Any], events: Sequence[Event]) -> Iterator[Case]:
    """The position after the last event, which has most to draw."""
    state, words = rules.fold(events), rules.in_language("en")
    document = rules.document(state, None)
    yield Case("board drawn as text", partial(rules.draw, state, words), 1, "json.dumps of the position", partial(json.dumps, document), 1)


def _picturing(rules: Ruleset[Any], events: Sequence[Event]) -> Iterator[Case]:
    """Against a plot of the same size. A picture is drawn once for a position: the cache is passed by."""
    state, words = rules.fold(events), rules.in_language("en")
    half = rules.fold(events[: len(events) // 2])
    style = Style("light")
    svg = rules.picture(state, words, before=half, style=style)
    size = WIDTH, int.from_bytes(png(svg)[20:24], "big")
    plot, in_memory = partial(plotted, rules, events, size), f"matplotlib plot of {size[0]} × {size[1]}"
    yield Case("board pictured, SVG", partial(rules.picture, state, words, before=half, style=style), 1, in_memory, plot, 1, 0.2)
    yield Case("board pictured, PNG from the SVG", partial(png.__wrapped__, svg), 1, in_memory, plot, 1, 1.5)
    yield Case("scores charted, SVG", partial(chart, rules, events, words), 1, in_memory, plot, 1, 0.2)


def plotted(rules: Ruleset[Any], events: Sequence[Event], size: tuple[int, int]) -> bytes:
    """The scores over the turns as matplotlib draws them."""
    figure = Figure(figsize=(size[0] / 100, size[1] / 100), dpi=100)
    axes = figure.add_subplot()
    scores = over_turns(rules, events)
    for seat in range(len(scores[-1][1])):
        axes.plot([turn for turn, _ in scores], [seats[seat][0] for _, seats in scores], marker="o")
    stored = BytesIO()
    figure.savefig(stored, format="png")
    return stored.getvalue()


def chess_game(plies: int) -> tuple[list[chess.Move], list[str]]:
    """A game as long as asked for, as moves and in SAN: any move will do that leaves an answer."""
    board, dice, sans = chess.Board(), random.Random(SEED), []
    while len(board.move_stack) < plies:
        move = dice.choice(list(board.legal_moves))
        san = board.san(move)
        board.push(move)
        if any(board.legal_moves):
            sans.append(san)
        else:
            board.pop()
    return board.move_stack, sans


def _push(moves: Sequence[chess.Move]) -> None:
    board = chess.Board()
    for move in moves:
        board.push(move)


def _push_uci(moves: Sequence[str]) -> None:
    """Reads and checks each move."""
    board = chess.Board()
    for move in moves:
        board.push_uci(move)


def _push_san(moves: Sequence[str]) -> None:
    board = chess.Board()
    for move in moves:
        board.push(board.parse_san(move))
