"""Tells in sentences what happened. Nothing on the table is hidden."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from marketpost.rules.portobello.events import (
    BobbyMoved,
    BobbyPlaced,
    CustomerDrawn,
    CustomerPlaced,
    DistrictMarked,
    Event,
    GameEnded,
    GameStarted,
    LaneScored,
    LordPlaced,
    StallBuilt,
    TileChosen,
    TurnClosed,
)
from marketpost.rules.portobello.state import State
from marketpost.rules.words import Words, capital


def story(state: State, events: Sequence[Event], words: Words) -> list[str]:
    """Tell a paragraph a turn: what its player did, then what it brought. `state` is the position before and is modified."""
    teller = Narrator(state, words)
    for event in events:
        teller.hear(event)
        event.apply(state)
    teller.close()
    return teller.told


@dataclass(slots=True)
class Clause:
    """An act without its player."""

    kind: str
    text: str = ""
    lanes: list[str] = field(default_factory=list)


class Narrator:
    """Collects the acts of one player until somebody else is to play."""

    def __init__(self, state: State, words: Words) -> None:
        self.state, self.words = state, words
        self.told: list[str] = []
        self.seat = -1
        self.clauses: list[Clause] = []
        self.effects: list[str] = []
        self.warnings: list[str] = []
        """Told last: that the end of the game is near."""

    def hear(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case GameStarted(colours):
                self._effect("started", who=colours)
                self.close()
            case LaneScored(lane, points):
                self._effect("lane-scored" if self.state.chosen else "lord-scored", lane=lane, points=self._scores(points))
            case TurnClosed(seat, cut_short=cut_short):
                if cut_short:
                    self._did(seat, Clause("end", self._say("end")))
                self.close()
            case GameEnded(winners):
                self._end(winners)
            case _:
                self._did(event.seat, *self._clauses(event))

    def _clauses(self, event: Event) -> Iterator[Clause]:
        match event:
            case BobbyPlaced(_, district):
                yield Clause("bobby", self._say("bobby-placed", district=district))
            case TileChosen(_, number):
                yield Clause("tile", self._say("tile", tile=number))
            case StallBuilt(seat, lane):
                yield self._built(seat, lane)
            case CustomerDrawn(_, kind):
                yield Clause("draw", self._say(f"{'took' if self.state.queue else 'drew'}-{kind}"))
            case CustomerPlaced(_, kind, square):
                yield Clause("place", self._say("put-it" if self._last == "draw" else f"put-{kind}", square=square))
            case LordPlaced(_, square, True):
                yield Clause("lord", self._say("put-lord", square=square))
            case LordPlaced(_, square):
                self._effect("lord-came", square=square)
            case BobbyMoved(seat, route, points):
                yield Clause("bobby", " ".join([self._way(route), *self._toll(seat, points)]))
            case DistrictMarked():
                yield from self._mark(event)

    @property
    def _last(self) -> str:
        return self.clauses[-1].kind if self.clauses else ""

    def _did(self, seat: int, *clauses: Clause) -> None:
        if seat != self.seat:
            self.close()
        self.seat = seat
        self.clauses += clauses

    def close(self) -> None:
        """Turn what was collected into a paragraph."""
        sentences = [self._sentence()] if self.clauses else []
        if paragraph := " ".join(capital(each) for each in [*sentences, *self.effects, *self.warnings]):
            self.told.append(paragraph)
        self.clauses, self.effects, self.warnings, self.seat = [], [], [], -1

    def _sentence(self) -> str:
        clauses = [self._stalls(clause.lanes) if clause.kind == "stall" else clause.text for clause in self.clauses]
        return self._say("sentence", who=self.state.colours[self.seat], clauses=self.words.listed(clauses, "and"))

    def _built(self, seat: int, lane: str) -> Clause:
        """Tell stalls built one after the other together."""
        if self.state.stalls[seat] == 1:
            self.warnings.append(self._say("last-stall", who=self.state.colours[seat]))
        together = self.clauses.pop() if self._last == "stall" and seat == self.seat else Clause("stall")
        together.lanes.append(lane)
        return together

    def _stalls(self, built: list[str]) -> str:
        lanes = Counter(built)
        if len(lanes) == 1:
            return self._say("stalls" if len(built) > 1 else "stall", lanes=built[0], count=len(built))
        if len(lanes) == len(built):
            return self._say("stall-each", lanes=self._all(lanes))
        shares = [self._say("stall-share", lane=lane, number=number) for lane, number in lanes.items()]
        return self._say("stalls-shared", count=len(built), lanes=self._all(shares))

    def _way(self, route: tuple[int, ...]) -> str:
        start, *via, goal = route
        return self._say("bobby-through" if via else "bobby", start=start, via=self._all(map(str, via)), goal=goal)

    def _toll(self, seat: int, points: tuple[int, ...]) -> Iterator[str]:
        """Tell what the Bobby's way cost and who was paid."""
        if not points:
            return
        cost, got = -points[seat], {each: gain for each, gain in enumerate(points) if gain > 0}
        if not got:
            yield self._say("toll", count=cost)
        elif len(got) == 1 and sum(got.values()) == cost:
            yield self._say("toll-to", count=cost, who=self.state.colours[next(iter(got))])
        else:
            shares = [self._say("toll-share", points=gain, who=self.state.colours[each]) for each, gain in got.items()]
            yield self._say("toll-shared", count=cost, shares=self._all(shares))

    def _mark(self, mark: DistrictMarked) -> Iterator[Clause]:
        if self._last == "tile":
            self.clauses.pop()
        yield Clause("mark", self._say("mark", district=mark.district, tile=mark.number, count=mark.points))
        yield Clause("neutral", self._say("neutral", tile=mark.neutral))

    def _end(self, winners: tuple[int, ...]) -> None:
        state, words = self.state, self.words
        who = self._all(words.translate(state.colours[seat]) for seat in winners)
        points = self._say("won-points", count=state.scores[winners[0]])
        self._effect("won", count=len(winners), who=who, points=points)
        self._effect("final", points=self._scores(state.scores, all_of_them=True))

    def _scores(self, points: Sequence[int], *, all_of_them: bool = False) -> str:
        scores = zip(self.state.colours, points, strict=True)
        return ", ".join(f"{self.words.translate(colour)} {number}" for colour, number in scores if number or all_of_them)

    def _effect(self, key: str, **values: object) -> None:
        self.effects.append(self._say(key, **values))

    def _say(self, key: str, **values: object) -> str:
        return self.words.say(f"story.{key}", **values)

    def _all(self, parts: Iterable[str]) -> str:
        return self.words.listed(parts, "and")
