"""Portobello Market, 2 to 4 players."""

from collections.abc import Sequence

from marketpost.rules.chance import Chance
from marketpost.rules.portobello.board import BoardDocument, board_names, defects
from marketpost.rules.portobello.bots import greedy, prospects, quick, quick_steps, shortlist
from marketpost.rules.portobello.choices import choices
from marketpost.rules.portobello.conditions import CONDITIONS
from marketpost.rules.portobello.draw import draw
from marketpost.rules.portobello.events import Event
from marketpost.rules.portobello.judge import judge, play
from marketpost.rules.portobello.legal import legal, legal_steps
from marketpost.rules.portobello.linear import linear
from marketpost.rules.portobello.motions import motions
from marketpost.rules.portobello.options import EDITIONS, settle
from marketpost.rules.portobello.orders import WORDS, Step, notate, parse, places
from marketpost.rules.portobello.picture import picture
from marketpost.rules.portobello.scoring import cost
from marketpost.rules.portobello.start import draws, head, parse_turn, serialize_turn, start
from marketpost.rules.portobello.state import COLOURS, STALLS, State
from marketpost.rules.portobello.story import story
from marketpost.rules.portobello.view import ShownPosition, view
from marketpost.rules.portobello.waste import wasteful
from marketpost.rules.ruleset import FastPlay, Foresight, Ruleset, Story


def _nothing(state: State, chance: Chance) -> Sequence[Event]:
    """Return nothing: every event of this game is somebody's decision."""
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
    step=Step,
    position=ShownPosition,
    board_document=BoardDocument,
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
    serialize_turn=serialize_turn,
    parse_turn=parse_turn,
    story=Story(story, choices),
    bots={"greedy": greedy},
    fast=FastPlay(legal_steps, play),
    foresight=Foresight(shortlist, quick, prospects, rounds=2, quick_steps=quick_steps),
    conditions=CONDITIONS,
    wasteful=wasteful,
    places=places,
    motions=motions,
    cost=cost,
    settle=settle,
)
