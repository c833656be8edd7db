"""Public games to watch, by mail."""

import pytest

from marketpost.mail.inbound.command_lines import read_command
from marketpost.mail.outbound.letters import since
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, LANGUAGES, Words
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.mail.test_table import flat, is_told

SAID = {"en": "watch", "de": "Zuschauen", "fr": "parties à regarder", "it": "partite da guardare"}
WATCH = {"en": "watch", "de": "Zuschauen", "fr": "regarder", "it": "guarda"}
ONLY_AT_THE_TABLE = ("say Hello", "resign!", "undo", "draw", "abandon!", "link", "hint", "rematch")
BOARD = {"en": "board", "de": "Brett", "fr": "plateau", "it": "tabellone"}


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("language", LANGUAGES)
def test_public_games_of_others_are_listed_with_a_link(desk: Desk, language: str, rules: str) -> None:
    ann, bob, cy = desk.person("Ann", language), desk.person("Bob"), desk.person("Cy")
    ports = desk.mailer.ports
    desk.table(ann, bob)
    ports.players.change(cy, lambda known: {"hidden": True})
    for id, host, seats, public in (
        ("running", bob, [SeatPlan(player=cy.id)], True),
        ("private", bob, [SeatPlan(player=cy.id)], False),
        ("waiting", bob, [SeatPlan()], True),
        ("own", ann, [SeatPlan(player=bob.id)], True),
    ):
        open_game(ports, id, host.id, rules, [SeatPlan(player=host.id), *seats], {}, public=public)
    desk.work()
    desk.answer(ann, SAID[language])
    desk.work()
    told = desk.newest(ann).text

    linked = {f"{desk.mailer.links.home}/games/{id}": id for id in ("running", "private", "waiting", "own")}
    assert [linked[word] for word in told.split() if word in linked] == ["running"]
    assert "Bob" in told
    assert "Cy" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nobody_plays_in_public_the_answer_says_so(desk: Desk, language: str) -> None:
    ann, bob = desk.person("Ann", language), desk.person("Bob")
    desk.table(ann, bob)
    desk.answer(ann, SAID[language])
    assert is_told(desk, ann, "watch-none")


def watched(desk: Desk, rules: str, language: str) -> tuple[Player, str]:
    """Ann, and the link of a public game of others in which something has happened; Cy, who plays in it, is hidden."""
    ann, bob, cy = desk.person("Ann", language), desk.person("Bob"), desk.person("Cy", hidden=True)
    seats = [SeatPlan(player=bob.id), SeatPlan(player=cy.id)]
    open_game(desk.mailer.ports, "seen-1", bob.id, rules, seats, {}, public=True)
    desk.work()
    for _ in range(3):
        desk.by_rest(desk.to_play("seen-1"), desk.good_orders(id="seen-1"), "seen-1")
    desk.table(ann, desk.person("Dan"), id="own")
    return ann, f"{desk.mailer.links.home}/games/seen-1"


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_sends_the_board_and_the_answer_sends_it_again(desk: Desk, language: str, rules: str) -> None:
    ann, link = watched(desk, rules, language)
    desk.answer(ann, f"{WATCH[language]} {link}")
    first = desk.newest(ann)
    game = desk.game("seen-1")
    words = game.rules.in_language(language)
    board = game.rules.draw(game.state, words).rstrip("\n")
    assert flat(board) in flat(first.text)
    assert link in first.text
    assert is_told(desk, ann, "watch-again")
    assert "Bob" in first.text
    assert "Cy" not in first.text + first.html
    assert any(len(flat(line)) > 10 and flat(line) in flat(first.text) for line in since(game, game.history[-2][0] - 1, ann))

    desk.by_rest(desk.to_play("seen-1"), desk.good_orders(id="seen-1"), "seen-1")
    desk.answer(ann, BOARD[language], first)
    game = desk.game("seen-1")
    assert flat(game.rules.draw(game.state, words)) in flat(desk.newest(ann).text)
    assert "Cy" not in desk.newest(ann).text


@pytest.mark.parametrize("rules", rulesets())
def test_who_watches_by_mail_changes_nothing(desk: Desk, rules: str) -> None:
    ann, link = watched(desk, rules, "en")
    desk.answer(ann, f"watch <{link}>")
    seen, version = desk.newest(ann), desk.game("seen-1").version
    for text in (desk.good_orders(id="seen-1"), *ONLY_AT_THE_TABLE):
        desk.clock.forward(hours=3)
        desk.answer(ann, text, seen)
        assert desk.game("seen-1").version == version, text
        assert Words("en", COMMON).say("refusals.not-your-game") in flat(desk.newest(ann).text), text


def test_a_game_that_ann_may_not_see_is_not_there_for_her(desk: Desk) -> None:
    ann, bob, cy = desk.person("Ann"), desk.person("Bob"), desk.person("Cy")
    desk.table(bob, cy, id="private-1")
    desk.table(ann, bob)
    for text in ("watch private-1", "watch nothing-1", f"watch {desk.mailer.links.home}/games/private-1"):
        desk.answer(ann, text)
        assert Words("en", COMMON).say("refusals.no-such-game") in desk.newest(ann).text
        assert "Cy" not in desk.newest(ann).text


def test_a_warning_to_watch_out_is_no_command() -> None:
    known = {"watch": "watch"}
    assert read_command("Watch out!", known, lambda text: None) is None
    assert read_command("watch f71a8c2", known, lambda text: None) == ("watch", "f71a8c2")
