"""Nothing that others are told changes while a fast duplicate table is played: no word, no date, no number, no order of things."""

import re

import pytest

from marketpost.play.compete.competition_actions import CompetitionFormat
from marketpost.play.log.actions import ProposalKind
from marketpost.play.moves.submit import submit
from marketpost.play.people.profile import career
from marketpost.play.table.proposals import agree, propose
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import rulesets
from tests.games import decide, deciding
from tests.play.competing import DAY, Field
from tests.service import Person, Service, service
from tests.web.test_sealed_tables import STREAM, paths, text_of

OF_THE_REQUEST = re.compile(r'name="(?:token|key)" value="\w*"|data-token="\w*"|"request":"\w*"')
OWN_HEADERS = ("Content-Length", "Date", "Set-Cookie", "X-Request-Id")
"""Matches the parts of texts and headers that differ with each request."""
COUNTED = {"/metrics"}
"""Counts how much the whole service does; says nothing of any game."""
MOVES = 6
Told = dict[tuple[str, str], object]


def told(house: Service, reader: Person, asked: list[str]) -> Told:
    """Ask for all this over REST and as a browser."""
    browser, found = house.app.test_client(), Told()
    browser.set_cookie("session", reader.token)
    for path in asked:
        for door, answer in (("rest", reader.get(path)), ("page", browser.get(path))):
            if answer.content_type == STREAM:
                answer.close()
                continue
            headers = {name: value for name, value in answer.headers if name not in OWN_HEADERS}
            found[door, path] = answer.status_code, headers, OF_THE_REQUEST.sub("", text_of(answer))
    return found


def play(room: Field, table: str) -> None:
    """Let a day go by in which some moves are made, and then a draw is agreed on."""
    for number in range(MOVES):
        room.later(DAY // 2 // MOVES)
        game = room.ports.game(table)
        assert game
        seat = game.deciders[0]
        orders = bot(game.rules, "random")(game.state.copy(), seat, Sealed(bytes(32), str(number)))
        submit(room.ports, game, game.seats[seat].player or "", orders)
        decide(room.ports, [table], deciding())
    one, other = (seat.player or "" for seat in game.seats)
    proposed = propose(room.ports, table, one, ProposalKind.DRAW).proposal
    agree(room.ports, table, other, proposed.number if proposed else 0)


@pytest.mark.parametrize("rules", rulesets())
def test_others_are_told_the_same_before_and_after_a_fast_table(rules: str) -> None:
    with service(workers=0) as house:
        room = Field(house.ports)
        cup = room.announced(CompetitionFormat.DUPLICATE, 4, rules=rules)
        room.later()
        paired, (fast, slow) = room.advance(cup), room.tables(cup)
        tables = [house.ports.game(fast), house.ports.game(slow)]
        assert tables[0]
        assert tables[1]
        people = {person.id: person for person in (house.person(f"p{number}") for number in range(4))}
        waiting, stranger = people[tables[1].seats[0].player or ""], house.person("stranger")
        asked = [path.replace("c-sealed", cup) for path in paths(house, tables[0])]
        asked += [f"/players?rules={rules}", f"/v1/games?rules={rules}&mine=true", "/v1/events"]
        now = room.now
        told(house, waiting, asked), told(house, stranger, asked)  # the first request of some kinds leaves something behind
        before = [told(house, reader, asked) for reader in (waiting, stranger)]

        play(room, fast)
        room.advance(cup)
        room.now = now
        after = [told(house, reader, asked) for reader in (waiting, stranger)]

        assert len(asked) > 80
        for one, other in zip(before, after, strict=True):
            assert {path for door, path in one if one[door, path] != other[door, path]} <= COUNTED
        own = people[paired.rounds[0].tables[0].players[0]]
        assert own.get(f"/v1/games/{fast}").json["status"] == "over"
        play(room, slow)
        room.advance(cup)
        assert career(house.ports, own.id).played[rules][2].finished == 1, "then it counts"
        assert told(house, stranger, asked)["rest", f"/v1/games/{fast}"] != before[1]["rest", f"/v1/games/{fast}"]
