"""Each condition of orders ahead holds after what it says, and not before; and it is about the player whom it names."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from marketpost.rules.alturien import events as alturien
from marketpost.rules.chance import Dice
from marketpost.rules.conditions import Since, holds, read_conditions
from marketpost.rules.playout import begin
from marketpost.rules.portobello import events as portobello
from marketpost.rules.ruleset import Setting, ruleset

CLERK_ON_C = [portobello.CustomerDrawn(0, "clerk"), portobello.CustomerPlaced(0, "clerk", "C")]
MARKED = [portobello.DistrictMarked(0, 4, 0, 2, 6, 1, True)]
SCORED = [portobello.LaneScored("AB", (3, 0, 0))]
SHOP = [alturien.ShopBought(0, "SITE", 3)]
SHIP, PRESTIGE = [alturien.CardBought(0, "ship", 7)], [alturien.CardBought(0, "prestige", 0)]
DUKE = [alturien.FigureMoved(0, 0, "SITE", "c1", False)]
RICH = [alturien.CustomerBought(0, "SITE", 0, 30)]
HOLDS_AFTER: dict[str, list[tuple[str, Sequence[Any]]]] = {
    "portobello": [
        ("red builds in AB", [portobello.StallBuilt(0, "AB", 0)]),
        ("red plays tile 3", [portobello.TileChosen(0, 3)]),
        ("red draws a clerk", CLERK_ON_C),
        ("red places a customer on C", CLERK_ON_C),
        ("red moves the Bobby", [portobello.BobbyMoved(0, (1, 2))]),
        ("red marks district 4", MARKED),
        ("red marks a district", MARKED),
        ("the Bobby stands in 2", [portobello.BobbyMoved(0, (1, 2))]),
        ("the lord stands on C", [portobello.LordPlaced(0, "C", True)]),
        ("not C is free", CLERK_ON_C),
        ("not AB is empty", [portobello.StallBuilt(0, "AB", 0)]),
        ("AB is full", [portobello.StallBuilt(0, "AB", space) for space in range(6)]),
        ("AB is scored", SCORED),
        ("red has the majority in AB", [portobello.StallBuilt(0, "AB", 0)]),
        ("red has at least 13 points", SCORED),
        ("not red has at most 12 points", SCORED),
        ("red leads", SCORED),
    ],
    "alturien": [
        ("the roll is 4", [alturien.Rolled(0, ("4",))]),
        ("yellow builds on SITE", SHOP),
        ("yellow buys a ship", SHIP),
        ("yellow buys prestige", PRESTIGE),
        ("yellow moves the KIND", DUKE),
        ("yellow is robbed", [alturien.DebtArose(0, 1, 2)]),
        ("yellow sells something", RICH),
        ("the KIND stands on SITE", DUKE),
        ("yellow has a shop on SITE", SHOP),
        ("not SITE is free", SHOP),
        ("yellow has the supremacy in fish", [alturien.SupremacyChanged("fish", 0)]),
        ("yellow has a ship", SHIP),
        ("yellow has the city guard", [alturien.GuardGiven(0)]),
        ("yellow has at least 30 coins", RICH),
        ("not yellow has at most 29 coins", RICH),
        ("yellow has at least 1 prestige", PRESTIGE),
        ("the last round has begun", [alturien.LastRoundBegan(0)]),
    ],
}


def position(name: str) -> Any:
    """Three players before the first turn, without what a condition is to find."""
    rules = ruleset(name)
    state = begin(rules, Setting(rules.colours[:3], rules.boards()[0]), Dice(3))
    if name == "portobello":
        state.bobby, state.lanes["AB"] = 1, (None,) * 6
    else:
        state.supremacy, state.dice = {}, ()
    return state


def cases(name: str) -> Iterator[tuple[str, list[Any]]]:
    """Sentences and events about a free site and the first figure of the position, whatever they are."""
    state = position(name)
    free = (each for each in state.board.group_of if each not in {*state.owners, *state.spaces}) if name == "alturien" else iter(())
    site = next(free, "")
    for sentence, events in HOLDS_AFTER[name]:
        filled = [type(event)(*(site if value == "SITE" else value for value in msgspec.structs.astuple(event))) for event in events]
        yield sentence.replace("SITE", site).replace("KIND", state.kinds[0] if site else ""), filled


@pytest.mark.parametrize("name", HOLDS_AFTER)
def test_each_condition_holds_after_what_it_says_and_not_before(name: str) -> None:
    known, found = ruleset(name).conditions, set()
    for sentence, events in cases(name):
        before, state = position(name), position(name)
        [read] = wanted = read_conditions(known, state, sentence)
        found.add(read.name)
        assert not holds(known, Since(before, [], state, 2), wanted), sentence
        for event in events:
            event.apply(state)
        since = Since(before, events, state, 2)
        assert holds(known, since, wanted), sentence
        if "who" in read.gaps and not read.negated:
            other = sentence.replace(state.colours[0], state.colours[1])
            assert not holds(known, since, read_conditions(known, state, other)), other
            anyone = sentence.replace(state.colours[0], "anyone")
            assert holds(known, since, read_conditions(known, state, anyone)), anyone
    assert found == known.tests.keys()
