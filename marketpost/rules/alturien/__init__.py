"""The Market of Alturien, 2 to 6 players."""

from marketpost.rules.alturien.board import WORDS, BoardDocument, board_names, defects
from marketpost.rules.alturien.bots import TURNS_AHEAD, greedy, prospects, quick, quick_steps, shortlist
from marketpost.rules.alturien.choices import choices
from marketpost.rules.alturien.conditions import CONDITIONS
from marketpost.rules.alturien.draw import draw
from marketpost.rules.alturien.events import Event
from marketpost.rules.alturien.judge import judge, play
from marketpost.rules.alturien.legal import legal, legal_steps
from marketpost.rules.alturien.linear import linear
from marketpost.rules.alturien.motions import motions
from marketpost.rules.alturien.movement import on_board
from marketpost.rules.alturien.options import settle
from marketpost.rules.alturien.orders import Step, notate, parse, places
from marketpost.rules.alturien.picture import picture
from marketpost.rules.alturien.prices import cost
from marketpost.rules.alturien.standing import candidates, cautions, concerns, read, turn_of
from marketpost.rules.alturien.standing_language import notate_standing
from marketpost.rules.alturien.start import draws, head, parse_turn, proceed, serialize_turn, start
from marketpost.rules.alturien.state import COLOURS, PLAYERS, State
from marketpost.rules.alturien.story import story
from marketpost.rules.alturien.view import ShownPosition, view
from marketpost.rules.alturien.waste import wasteful
from marketpost.rules.ruleset import FastPlay, Foresight, Ruleset, Standing, Story


def _deciders(state: State) -> tuple[int, ...]:
    return () if state.over else (state.decider,)


def _scores(state: State) -> list[str]:
    return [f"{money}+{prestige}" for money, prestige in zip(state.money, state.prestige, strict=True)]


RULESET = Ruleset(
    name="alturien",
    colours=COLOURS,
    players=PLAYERS,
    editions=(),
    boards=board_names,
    defects=defects,
    words=WORDS,
    event=Event,
    step=Step,
    position=ShownPosition,
    board_document=BoardDocument,
    blank=State,
    start=start,
    proceed=proceed,
    judge=judge,
    legal=legal,
    deciders=_deciders,
    draws=draws,
    winners=lambda state: state.winners,
    scores=_scores,
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
    foresight=Foresight(shortlist, quick, prospects, turns=TURNS_AHEAD, is_rolled=True, quick_steps=quick_steps),
    standing=Standing(concerns, read, notate_standing, candidates, turn_of, cautions),
    conditions=CONDITIONS,
    wasteful=wasteful,
    places=places,
    motions=motions,
    cost=cost,
    settle=settle,
    on_board=on_board,
)
