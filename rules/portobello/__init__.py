"""Portobello Market, 2 to 4 players."""

from collections.abc import Sequence

from rules.chance import Chance
from rules.portobello.board import board_names, defects
from rules.portobello.bots import greedy, prospects, quick, shortlist
from rules.portobello.choices import choices
from rules.portobello.draw import draw
from rules.portobello.events import Event
from rules.portobello.judge import judge
from rules.portobello.legal import legal
from rules.portobello.linear import linear
from rules.portobello.options import EDITIONS, settle
from rules.portobello.orders import WORDS, notate, parse, places
from rules.portobello.picture import picture
from rules.portobello.start import draws, head, start, tell, untell, view
from rules.portobello.state import COLOURS, STALLS, State
from rules.portobello.story import story
from rules.portobello.waste import wasteful
from rules.ruleset import Foresight, Ruleset, Story


def _nothing(state: State, chance: Chance) -> Sequence[Event]:
    """Nothing happens in this game that nobody decides."""
    return []


def _deciders(state: State) -> tuple[int, ...]:
    return () if state.over else (state.decider,)


RULESET = Ruleset(
    name="portobello",
    colours=COLOURS,
    players=range(min(STALLS), max(STALLS) + 1),
    editions=tuple(EDITIONS),
    boards=board_names,
    defects=defects,
    words=WORDS,
    event=Event,
    blank=State,
    start=start,
    proceed=_nothing,
    judge=judge,
    legal=legal,
    deciders=_deciders,
    draws=draws,
    winners=lambda state: state.winners,
    scores=lambda state: [str(score) for score in state.scores],
    view=view,
    draw=draw,
    picture=picture,
    linear=linear,
    parse=parse,
    notate=notate,
    head=head,
    tell=tell,
    untell=untell,
    story=Story(story, choices),
    bots={"greedy": greedy},
    foresight=Foresight(shortlist, quick, prospects, rounds=2),
    wasteful=wasteful,
    places=places,
    settle=settle,
)
