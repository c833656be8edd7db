"""One answer to each mail of a person, with all that it asked for; and none to a machine that answers us."""

import pytest

from mail.answer import MOST_ALIKE
from mail.incoming import read_waiting, receive
from mail.post import LETTERS
from mail.repeats import gist
from play.log import SeatPlan
from play.open import open_game
from play.talk import said
from store.mailbox import Mail
from store.people import Player
from tests.mail.office import DOMAIN, Desk, reply
from web.mailbox import suggestions

AWAY = "Thank you for your mail. I am on holiday until Monday, 3 August. Your ticket is AB-{number}."


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben")


@pytest.fixture
def building(desk: Desk, ann: Player, ben: Player) -> Mail:
    """Ann has built two stalls, one by one, and her turn is not over; the letter that told her of the second."""
    desk.table(ann, ben)
    desk.by_rest(desk.to_play(), "bobby 5")
    desk.work()
    for orders in ("4: stall G-C", "stall CG"):
        desk.answer(ann, orders, desk.newest(ann))
    return desk.newest(ann)


class Killed(BaseException):
    """The end of a process, which nothing in it holds up."""


def dies(*given: object, **more: object) -> None:
    raise Killed


def read_and_die(desk: Desk, raw: bytes, letter: Mail, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker does what the mail asks and is killed before it can say so. Others go on; in the end somebody reads the mail again."""
    receive(desk.office, raw, [letter.reply_to])
    with monkeypatch.context() as broken:
        broken.setattr(desk.office.post, "read", dies)
        with pytest.raises(Killed):
            read_waiting(desk.office)
    desk.decide()
    desk.leases_end()
    desk.work()


# Done once


def test_an_undo_whose_worker_is_killed_takes_back_once(desk: Desk, ann: Player, building: Mail, monkeypatch: pytest.MonkeyPatch) -> None:
    version, before = desk.game().version, len(desk.box(ann))

    read_and_die(desk, reply(building, ann.email, "undo"), building, monkeypatch)

    assert desk.game().version == version + 1
    assert len(desk.box(ann)) == before + 1
    assert "taken back" in desk.newest(ann).text


def test_two_undos_in_one_mail_take_back_two(desk: Desk, ann: Player, building: Mail, monkeypatch: pytest.MonkeyPatch) -> None:
    version = desk.game().version

    read_and_die(desk, reply(building, ann.email, "undo\nundo"), building, monkeypatch)

    assert desk.game().version == version + 2


def test_who_resigned_is_told_so_although_the_worker_was_killed(
    desk: Desk, ann: Player, building: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_and_die(desk, reply(building, ann.email, "resign"), building, monkeypatch)

    assert desk.game().seats[0].bot
    assert "You have resigned" in [mail.text for mail in desk.box(ann) if mail.header("Auto-Submitted") == "auto-replied"][-1]


@pytest.mark.parametrize(("word", "told"), [("yes", "You are in."), ("no", "You have declined")])
def test_a_yes_or_no_whose_worker_is_killed_is_answered_as_done(
    desk: Desk, ann: Player, ben: Player, word: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_game(desk.office.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()
    letter = desk.newest(ben)

    read_and_die(desk, reply(letter, ben.email, word), letter, monkeypatch)

    answers = [mail for mail in desk.box(ben) if mail.header("Auto-Submitted") == "auto-replied"]
    assert len(answers) == 1
    assert told in answers[0].text


def test_what_is_said_twice_in_one_mail_is_said_twice_and_not_more(
    desk: Desk, ann: Player, building: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "a very long sentence that begins like another one does, "

    read_and_die(desk, reply(building, ann.email, f"say {text}one\n\nsay {text}two"), building, monkeypatch)

    assert [each.text[-3:] for each in said(desk.office.ports, "g1")] == ["one", "two"]


def test_orders_that_were_judged_before_their_mail_is_read_again_have_their_receipt(
    desk: Desk, ann: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    letter = desk.turn_letter(player)

    read_and_die(desk, reply(letter, player.email, "bobby 5"), letter, monkeypatch)

    answers = [mail for mail in desk.box(player) if mail.header("Auto-Submitted") == "auto-replied"]
    assert [mail.header("Subject").partition(":")[0] for mail in answers] == ["Done"]


def test_a_yes_to_a_held_mail_whose_worker_is_killed_plays_once(
    desk: Desk, ann: Player, building: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = desk.game().version
    desk.answer(ann, "undo", building, sender="at-work@firm.test")
    question = desk.newest(ann)

    read_and_die(desk, reply(question, ann.email, "yes"), question, monkeypatch)

    assert desk.game().version == version + 1
    assert "taken back" in desk.newest(ann).text
    assert desk.answer(ann, "yes please", question) == "no-such-yes"
    assert desk.game().version == version + 1


# Machines that answer


def test_a_machine_that_does_not_say_it_is_one_is_answered_once(desk: Desk, ann: Player, building: Mail) -> None:
    before = len(desk.box(ann))
    for number in range(4817, 4823):
        desk.answer(ann, AWAY.format(number=number), desk.newest(ann))
        desk.clock.forward(minutes=20)

    assert len(desk.box(ann)) == before + 1


@pytest.mark.parametrize("text", ["", "Thank you!", "-- \nAnn"])
def test_a_machine_that_says_nothing_is_answered_once(desk: Desk, ann: Player, building: Mail, text: str) -> None:
    before = len(desk.box(ann))
    for _ in range(4):
        desk.answer(ann, text, desk.newest(ann))

    assert len(desk.box(ann)) == before + 1


def test_a_machine_behind_another_address_is_asked_about_once(desk: Desk, ann: Player, building: Mail) -> None:
    before = len(desk.box(ann))
    for number in range(4):
        desk.answer(ann, AWAY.format(number=number), desk.newest(ann), sender="office@firm.test")

    assert len(desk.box(ann)) == before + 1


def test_a_machine_that_answers_an_old_address_of_ours_is_answered_once(desk: Desk, ann: Player) -> None:
    gone = f"play+{'a' * 32}@{DOMAIN}"
    desk.receive(reply_to_nothing(gone, ann.email, AWAY.format(number=0)), gone)
    for number in range(1, 4):
        desk.answer(ann, AWAY.format(number=number), desk.newest(ann))

    assert len(desk.box(ann)) == 1


def test_two_of_our_services_fall_silent_even_if_their_marks_are_lost(desk: Desk, ann: Player, building: Mail) -> None:
    """The other service answers with a letter like ours, from which something on the way has taken the headers."""
    before = len(desk.box(ann))
    for _ in range(4):
        letter = desk.newest(ann)
        desk.answer(ann, letter.text, letter)

    assert len(desk.box(ann)) == before + 1


def test_the_same_words_are_answered_again_on_another_day(desk: Desk, ann: Player, building: Mail) -> None:
    before = len(desk.box(ann))
    desk.answer(ann, "What a lovely market", building)
    desk.clock.forward(days=1, minutes=1)
    desk.answer(ann, "What a lovely  market!", building)

    assert len(desk.box(ann)) == before + 2


def test_whoever_writes_orders_is_always_answered(desk: Desk, ann: Player, building: Mail) -> None:
    before = len(desk.box(ann))
    for _ in range(MOST_ALIKE + 3):
        desk.answer(ann, "stall A-B", building)
        desk.answer(ann, "board", building)
    for _ in range(MOST_ALIKE):
        desk.answer(ann, "stall A-B\nwhat a lovely market", building)

    assert len(desk.box(ann)) == before + 2 * (MOST_ALIKE + 3) + MOST_ALIKE


def test_a_mail_that_is_read_again_does_not_repeat_itself(desk: Desk, ann: Player, building: Mail, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(desk.box(ann))
    raw = reply(building, ann.email, "What a lovely market")
    receive(desk.office, raw, [building.reply_to])
    with monkeypatch.context() as broken:
        broken.setattr(desk.office.post, "put", lambda *given, **more: 1 / 0)
        read_waiting(desk.office)

    desk.leases_end()
    desk.work()

    assert len(desk.box(ann)) == before + 1


@pytest.mark.parametrize(
    "again",
    [
        "Ticket AB-7791: I am away until Tuesday, 4 September.",
        "Ticket  ab-1 : I am away\nuntil Sat., 14 Nov. 2026",
        "ticket C0FFEE1 – I am away until 12/3",
    ],
)
def test_dates_and_numbers_make_no_new_text(again: str) -> None:
    assert gist(again.splitlines()) == gist(["Ticket AB-12: I am away until Monday, 3 August."])
    assert gist(["I am away until Monday."]) != gist(["I am back on Monday."])


# All in one answer


def test_help_rules_and_record_beside_orders_stand_in_the_one_answer(desk: Desk, ann: Player, building: Mail) -> None:
    before = len(desk.box(ann))

    desk.answer(ann, "stall CG\nhelp\nrules\nrecord", building)

    assert len(desk.box(ann)) == before + 1
    told = desk.newest(ann)
    assert told.text.index("THE BOARD") < told.text.index("HOW TO WRITE ORDERS") < told.text.index("THE RULES IN SHORT")
    assert told.attachments[0].content.startswith(b"marketpost record 1")
    assert "How to write orders" in told.html


def test_help_beside_orders_that_are_refused_is_shown_too(desk: Desk, ann: Player, building: Mail) -> None:
    desk.answer(ann, "stall A-B\nhelp", building)

    assert "Not possible" in desk.newest(ann).header("Subject")
    assert "HOW TO WRITE ORDERS" in desk.newest(ann).text


def test_the_answer_to_undo_shows_the_board_after_it(desk: Desk, ann: Player, building: Mail) -> None:
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
def test_the_subject_tells_what_became_of_a_mail(desk: Desk, ann: Player, building: Mail, text: str, subject: str) -> None:
    desk.answer(ann, text, building)

    assert desk.newest(ann).header("Subject") == f"{subject}Portobello Market with Ben"
    assert desk.newest(ann).header("References") == building.header("References"), "one thread for a game"


PARTS = {"en": "read “sing C” in", "de": "„sing C“ konnte", "fr": "lire « sing C » dans", "it": "leggere “sing C” in"}


@pytest.mark.parametrize("language", PARTS)
def test_of_a_line_that_cannot_be_read_the_part_to_blame_is_named(desk: Desk, ann: Player, building: Mail, language: str) -> None:
    ann.language = language
    desk.office.ports.people.save(ann)

    desk.answer(ann, "* stall CG; sing C; customer E.", building)

    text = " ".join(desk.newest(ann).text.replace("\u202f", " ").replace("\xa0", " ").split())
    assert PARTS[language] in text
    assert "stall CG; sing C; customer E." in text


def test_the_mailbox_offers_orders_only_below_a_letter_whose_turn_goes_on(desk: Desk, ann: Player, ben: Player, building: Mail) -> None:
    offered = suggestions(desk.office, building.reply_to)

    for _ in range(2):
        desk.by_rest(desk.to_play(), desk.good_orders())
    desk.work()

    assert desk.to_play() == ann
    assert "help" in offered
    assert suggestions(desk.office, building.reply_to) == ["board", "record"]
    desk.answer(ann, suggestions(desk.office, desk.turn_letter(ann).reply_to)[0])
    assert desk.newest(ann).header("Subject").startswith("Done")


def test_a_question_is_told_by_its_subject(desk: Desk, ann: Player, building: Mail) -> None:
    desk.answer(ann, "undo", building, sender="at-work@firm.test")

    assert desk.newest(ann).header("Subject").startswith("Please answer: ")


def test_the_host_is_told_who_declined(desk: Desk, ann: Player, ben: Player) -> None:
    open_game(desk.office.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()

    desk.answer(ben, "no")

    assert "declined" in LETTERS
    assert [mail.header("Subject") for mail in desk.box(ann)] == ["Ben has declined: Portobello Market"]


def test_where_a_bot_moves_at_once_one_letter_tells_both(desk: Desk, ann: Player) -> None:
    open_game(desk.office.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {})
    desk.work()
    before, orders = len(desk.box(ann)), desk.good_orders()

    desk.answer(ann, orders)

    assert len(desk.box(ann)) == before + 1
    told = desk.newest(ann)
    assert told.header("Subject").startswith("Done, and your turn again: ")
    assert orders.splitlines()[0] in told.text
    assert "WHAT YOU MAY DO" in told.text
    assert desk.office.post.of(ann.id)[0].status == "superseded"
    assert desk.answer(ann, desk.good_orders(), told) == "submitted", "the turn can be played by answering it"


# Headers without end


def far_too_long(raw: bytes, bytes_before: int) -> bytes:
    line = b"X-Trace: " + b"y" * 900 + b"\r\n"
    return line * (bytes_before // len(line)) + raw


def test_orders_below_a_very_long_header_are_read(desk: Desk, ann: Player, building: Mail) -> None:
    raw = far_too_long(reply(building, ann.email, "stall CG"), 100_000)

    assert desk.receive(raw, building.reply_to) == "submitted"


@pytest.mark.parametrize("marks", [{}, {"Auto_Submitted": "auto-replied"}])
def test_a_header_without_end_is_answered_to_the_player_of_the_token(
    desk: Desk, ann: Player, building: Mail, marks: dict[str, str]
) -> None:
    before, version = len(desk.box(ann)), desk.game().version
    raw = far_too_long(reply(building, ann.email, "stall CG", **marks), 650_000)

    assert desk.receive(raw, building.reply_to) == "cut-off"
    assert desk.receive(raw + b"\r\n", building.reply_to) == "repeats-itself"

    assert desk.game().version == version
    assert len(desk.box(ann)) == before + 1


def test_marks_of_a_machine_are_seen_in_a_very_long_header(desk: Desk, ann: Player, building: Mail) -> None:
    raw = far_too_long(reply(building, ann.email, "stall CG", Auto_Submitted="auto-replied"), 100_000)

    assert desk.receive(raw, building.reply_to) == "automatic"


def reply_to_nothing(to: str, sender: str, text: str) -> bytes:
    return f"From: {sender}\r\nTo: {to}\r\nSubject: Away\r\nMessage-ID: <1@example.org>\r\n\r\n{text}\r\n".encode()


# What would happen


def test_outcomes_that_differ_in_one_word_share_a_block(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    desk.by_rest(desk.to_play(), "bobby 5")
    desk.work()

    desk.answer(ann, "preview 4: customer clerk A citizen B; customer C")

    told = " ".join(desk.newest(ann).text.split())
    assert "If citizen + citizen or citizen + clerk:" in told
    assert "drew a citizen, put it on B, drew a citizen/clerk and put it" in told
    assert told.count("Score after it: red 10 points; yellow 10 points") == 2
