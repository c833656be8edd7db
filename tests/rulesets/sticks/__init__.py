"""A tiny game that shows what a ruleset needs: take one to three sticks; who takes the last one wins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from marketpost.rules.chance import Chance
from marketpost.rules.refusal import Refusal, Refused, Unreadable
from marketpost.rules.ruleset import Ruleset, Setting, Story, Verdict
from marketpost.rules.svg import Style
from marketpost.rules.words import Words, fold, lexicon, tokens

WORDS = Path(__file__).parent / "words"


@dataclass(frozen=True, slots=True)
class Heap:
    name: str = "heap"


@dataclass(slots=True)
class State:
    colours: tuple[str, ...] = ()
    board: Heap = Heap()
    turn: int = 0
    drawn: int = 0
    sticks: int = 0
    active: int = 0
    winners: tuple[int, ...] = ()

    def copy(self) -> "State":
        return replace(self)


class Started(msgspec.Struct, frozen=True, array_like=True, tag="started"):
    colours: tuple[str, ...]
    sticks: int

    def apply(self, state: State) -> None:
        state.colours, state.sticks, state.turn, state.drawn = self.colours, self.sticks, 1, 1


class Taken(msgspec.Struct, frozen=True, array_like=True, tag="taken"):
    seat: int
    sticks: int

    def apply(self, state: State) -> None:
        state.sticks -= self.sticks
        if not state.sticks:
            state.winners = (self.seat,)
            return
        state.active = (self.seat + 1) % len(state.colours)
        state.turn += 1


class Take(msgspec.Struct, frozen=True, tag_field="kind", tag="take", forbid_unknown_fields=True):
    """`take 2`: take so many sticks."""

    sticks: int


class Shown(msgspec.Struct, frozen=True, tag_field="rules", tag="sticks"):
    """How many sticks are left."""

    sticks: int
    turn: int
    winners: list[str]


def start(setting: Setting, chance: Chance) -> list[Started]:
    if len(setting.colours) != 2:
        raise Refused("players-number", count=len(setting.colours), least=2, most=2)
    return [Started(setting.colours, chance.pick(range(10, 16)))]


def parse(text: str) -> tuple[Take]:
    words = tokens(text.strip())
    if len(words) != 2 or lexicon(WORDS).get(fold(words[0])) != ("take",) or words[1] not in ("1", "2", "3"):
        raise Unreadable(1, text)
    return (Take(int(words[1])),)


def notate(steps: tuple[Take, ...], words: Words | None = None) -> str:
    return "; ".join(f"{words.order('take') if words else 'take'} {step.sticks}" for step in steps)


def judge(state: State, seat: int, text: str, chance: Chance) -> Verdict:
    if state.winners:
        return Verdict([], Refusal("game-over", 1))
    if seat != state.active:
        return Verdict([], Refusal("not-your-turn", 1, {"colour": state.colours[state.active]}))
    try:
        [step] = parse(text)
    except Refused as refused:
        return Verdict([], refused.refusal)
    if step.sticks > state.sticks:
        return Verdict([], Refusal("too-many", 1, {"sticks": state.sticks}))
    return Verdict([Taken(seat, step.sticks)])


def legal(state: State, seat: int) -> list[str]:
    if state.winners or seat != state.active:
        return []
    return [notate((Take(sticks),)) for sticks in range(1, min(3, state.sticks) + 1)]


def view(state: State, viewer: int | None) -> Shown:
    return Shown(state.sticks, state.turn, [state.colours[seat] for seat in state.winners])


def serialize_turn(state: State, events: Sequence[Taken]) -> str:
    for event in events:
        event.apply(state)
    return "; ".join(notate((Take(event.sticks),)) for event in events)


def linear(state: State, words: Words) -> str:
    return words.say("board.left", count=state.sticks)


def story(state: State, events: Sequence[Started | Taken], words: Words) -> list[str]:
    told = []
    for event in events:
        event.apply(state)
        if isinstance(event, Started):
            told.append(words.say("story.started", count=event.sticks))
        else:
            told.append(words.say("story.taken", who=state.colours[event.seat], count=event.sticks))
    return told


def choices(state: State, seat: int, words: Words) -> list[str]:
    return [words.say("choices.take", most=min(3, state.sticks))] if legal(state, seat) else []


def draw(state: State, words: Words, *, fancy: bool = False) -> str:
    return "|" * state.sticks


def picture(state: State, words: Words, *, before: State | None = None, style: Style = Style()) -> str:
    taken = before.sticks - state.sticks if before else 0
    heap = [
        style.line((40 + 44 * number, 30), (40 + 44 * number, 130), style.paint(None, "ink" if number < state.sticks else "rule", 9))
        for number in range(state.sticks + taken)
    ]
    return style.document(160, "Sticks", linear(state, words), heap)


def clever(state: State, seat: int, chance: Chance) -> str:
    return notate((Take(state.sticks % 4 or 1),))


RULESET = Ruleset(
    name="sticks",
    colours=("white", "brown"),
    players=range(2, 3),
    editions=(),
    boards=lambda: ["heap"],
    defects=lambda document: [Refusal("board-no-object")],
    words=WORDS,
    event=Started | Taken,
    step=Take,
    position=Shown,
    blank=State,
    start=start,
    proceed=lambda state, chance: [],
    judge=judge,
    legal=legal,
    deciders=lambda state: () if state.winners else (state.active,),
    draws=lambda state, event: [(range(10, 16), event.sticks)] if isinstance(event, Started) else [],
    winners=lambda state: state.winners,
    scores=lambda state: [str(int(seat in state.winners)) for seat in range(2)],
    view=view,
    draw=draw,
    picture=picture,
    linear=linear,
    parse=parse,
    notate=notate,
    head=lambda state: {"queue": str(state.sticks)},
    serialize_turn=serialize_turn,
    parse_turn=lambda text, *, refused=False: (text, []),
    story=Story(story, choices),
    bots={"clever": clever},
)
