"""One answer to each mail of a person, with all that it asked for; its subject tells what became of the mail."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.outbound.letter_kind import LETTER_OF_NOTICE
from marketpost.notify.engine import send_letters
from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.decide import decide
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.game_logs import GameLogs
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from marketpost.web.mailbox_page import suggestions
from tests.mail.desk import Desk


def test_help_rules_and_record_beside_orders_stand_in_the_one_answer(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    before = len(desk.box(ann))

    desk.answer(ann, "stall CG\nhelp\nrules\nrecord", building)

    assert len(desk.box(ann)) == before + 1
    told = desk.newest(ann)
    assert told.text.index("THE BOARD") < told.text.index("HOW TO WRITE ORDERS") < told.text.index("THE RULES OF THIS GAME")
    assert told.attachments[0].content.startswith(b"marketpost record 1")
    assert "How to write orders" in told.html


def test_help_beside_orders_that_are_refused_is_shown_too(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    desk.answer(ann, "stall A-B\nhelp", building)

    assert "Not possible" in desk.newest(ann).header("Subject")
    assert "HOW TO WRITE ORDERS" in desk.newest(ann).text


def test_the_answer_to_undo_shows_the_board_after_it(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    desk.answer(ann, "undo", building)

    game = desk.game()
    board = game.rules.draw(game.state, game.rules.in_language("en")).rstrip("\n")
    assert board in desk.newest(ann).text.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("undo", "Done: "),
        ("board", "What you asked for: "),
        ("What a lovely market", "Not done: "),
        ("language xx", "Not done: "),
        ("undo\nlanguage xx", "Done in part: "),
        ("undo\nboard", "Done: "),
        ("", "Not done: "),
        ("Here is my move:", "Not done: "),
        ("Thanks, this is fun!", "Thank you: "),
        ("Hello Ben", "Thank you: "),
    ],
)
def test_the_subject_tells_what_became_of_a_mail(desk: Desk, ann: Player, building: MailboxMessage, text: str, subject: str) -> None:
    desk.answer(ann, text, building)

    assert desk.newest(ann).header("Subject") == f"{subject}Portobello Market with Ben"
    assert desk.newest(ann).header("References") == building.header("References"), "one thread for a game"


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_line_that_cannot_be_read_the_part_to_blame_is_marked(
    desk: Desk, ann: Player, building: MailboxMessage, language: str
) -> None:
    ann.language = language
    desk.mailer.ports.players.save(ann)

    desk.answer(ann, "* stall CG; sing C; customer E.", building)

    told = f"{words_of(ann).say('answers.marked')} * stall CG; >>sing C<<; customer E."
    assert " ".join(told.split()) in " ".join(desk.newest(ann).text.split())


def test_the_mailbox_offers_orders_only_below_a_letter_whose_turn_goes_on(
    desk: Desk, ann: Player, ben: Player, building: MailboxMessage
) -> None:
    offered = suggestions(desk.mailer, building.reply_to)

    for _ in range(2):
        desk.by_rest(desk.to_play(), desk.good_orders())
    desk.work()

    assert desk.to_play().id == ann.id
    assert "help" in offered
    assert suggestions(desk.mailer, building.reply_to) == ["board", "record"]
    desk.answer(ann, suggestions(desk.mailer, desk.turn_letter(ann).reply_to)[0])
    assert desk.newest(ann).header("Subject").startswith("Done")


def test_a_question_is_told_by_its_subject(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    desk.answer(ann, "undo", building, sender="at-work@firm.test")

    assert desk.newest(ann).header("Subject").startswith("Please answer: ")


def test_the_host_is_told_who_declined(desk: Desk, ann: Player, ben: Player) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()

    desk.answer(ben, "no")

    assert "declined" in LETTER_OF_NOTICE
    assert [mail.header("Subject") for mail in desk.box(ann)] == ["Ben has declined: Portobello Market"]


def test_where_a_bot_moves_at_once_one_letter_tells_both(desk: Desk, ann: Player) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {})
    desk.work()
    before, orders = len(desk.box(ann)), desk.good_orders()

    desk.answer(ann, orders)

    assert len(desk.box(ann)) == before + 1
    told = desk.newest(ann)
    assert told.header("Subject").startswith("Done, and your turn again: ")
    assert orders.splitlines()[0] in told.text
    assert "WHAT YOU MAY DO" in told.text
    assert desk.mailer.deliveries.of(ann.id)[0].status == "superseded"
    assert desk.answer(ann, desk.good_orders(), told) == "submitted", "the turn can be played by answering it"


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_a_turn_is_told_once_though_the_bots_notice_is_still_there_when_its_move_is_judged(
    desk: Desk, ann: Player, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove, under_way = GameLogs.delivered, list[bool]()

    def judged_before(games: GameLogs, outboxes: Mapping[str, Sequence[bytes]]) -> None:
        """Another worker judges the bot's move, and letters are sent, while its notice is about to be removed."""
        if not under_way:
            under_way.append(True)
            decide(desk.mailer.ports, list(outboxes), replace(desk.callbacks, call_bots=list[str]().extend))
            send_letters(desk.notifier)
            under_way.clear()
        remove(games, outboxes)

    open_game(desk.mailer.ports, "g1", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {})
    desk.work()
    before = len(desk.box(ann))
    monkeypatch.setattr(GameLogs, "delivered", judged_before)

    desk.answer(ann, desk.good_orders())

    assert len(desk.box(ann)) == before + 1


def test_outcomes_that_differ_in_one_word_share_a_block(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    desk.by_rest(desk.to_play(), "bobby 5")
    desk.work()

    desk.answer(ann, "preview 4: customer clerk A citizen B; customer C")

    told = " ".join(desk.newest(ann).text.split())
    assert "If citizen + citizen or citizen + clerk:" in told
    assert "draw a citizen, put it on B, draw a citizen/clerk and put it" in told
    assert told.count("Score after it: red 10 points; yellow 10 points") == 2
