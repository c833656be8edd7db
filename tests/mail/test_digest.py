"""The digest can be answered: one reply plays any number of games, each part once and for itself."""

import re
from email.utils import parsedate_to_datetime

import pytest

from marketpost.mail.inbound.labelled_parts import split_parts
from marketpost.mail.inbound.receive import process_waiting, receive
from marketpost.play.log.actions import ProposalKind
from marketpost.play.moves.orders_ahead import look
from marketpost.play.table.proposals import agree, propose
from marketpost.play.table.talk import said
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.mail_queue import ReplyContext
from marketpost.store.players import MailPreference, Player
from tests.mail.desk import Desk, reply, with_headers

UNREADABLE = "take the moon"


def waiting_tables(desk: Desk, ann: Player, rules: list[str]) -> None:
    """Games of these rulesets in which Ann is to decide."""
    ben = desk.person("Ben")
    for number, name in enumerate(rules):
        desk.table(ann, ben, id=f"g{number}", rules=name)
        while desk.to_play(f"g{number}").id != ann.id:
            desk.by_rest(desk.to_play(f"g{number}"), desk.good_orders(id=f"g{number}"), f"g{number}")


def digest(desk: Desk, player: Player) -> MailboxMessage:
    desk.clock.forward(days=1)
    desk.work()
    return desk.newest(player)


def named_in(desk: Desk, letter: MailboxMessage) -> ReplyContext:
    found = desk.mailer.mail_queue.reply(letter.reply_to.partition("@")[0].partition("+")[2])
    assert found
    return found


def labels(desk: Desk, letter: MailboxMessage) -> dict[str, str]:
    """The game of each label."""
    return {label: each.game or "" for label, each in named_in(desk, letter).games.items()}


def moves(desk: Desk, id: str, player: Player) -> int:
    """How often the player has moved in a game."""
    game = desk.game(id)
    return sum(played.seat == game.seat_of(player.id) for _, played in game.history)


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann", mail=MailPreference.DIGEST)


@pytest.fixture
def two(desk: Desk, ann: Player) -> MailboxMessage:
    """Her digest about a game of each ruleset."""
    waiting_tables(desk, ann, list(rulesets()))
    return digest(desk, ann)


def test_a_digest_is_dated_when_it_is_sent(desk: Desk, two: MailboxMessage) -> None:
    sent = parsedate_to_datetime(two.header("Date")).timestamp() * 1000
    assert 0 <= desk.clock() - sent < 24 * 3600 * 1000
    assert sent > min(desk.game(game).created for game in labels(desk, two).values()) + 1000


def test_ten_games_one_reply_one_bad_part(desk: Desk, ann: Player) -> None:
    waiting_tables(desk, ann, [*rulesets()] * 5)
    letter = digest(desk, ann)
    games = labels(desk, letter)
    bad = list(games)[3]
    before = {label: moves(desk, id, ann) for label, id in games.items()}
    parts = [f"{label}: {UNREADABLE if label == bad else desk.good_orders(id=id)}" for label, id in games.items()]
    raw = reply(letter, ann.email, "\n".join(parts))

    assert len(games) == 10
    assert desk.receive(raw, letter.reply_to) == "several-games"
    assert {label for label, id in games.items() if moves(desk, id, ann) != before[label] + 1} == {bad}
    answer = desk.newest(ann)
    assert "9 of 10" in answer.header("Subject")
    assert "take the >>moon<<" in answer.text
    assert all(f"\n{label} – " in answer.text for label in games)

    count = len(desk.box(ann))
    by_imap = with_headers(raw, To=letter.reply_to, Delivered_To="games@example.org", Received="by imap")
    assert desk.receive(by_imap) == "seen"
    assert {label for label, id in games.items() if moves(desk, id, ann) != before[label] + 1} == {bad}
    assert len(desk.box(ann)) == count


def test_a_part_may_leave_orders_ahead_beside_the_orders_of_another(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    games = labels(desk, two)
    first, second = games
    own, before = desk.good_orders(id=games[second]), moves(desk, games[second], ann)
    ahead = {"alturien": "pass", "portobello": "3:"}[desk.game(games[first]).rules.name]
    words = desk.game(games[first]).rules.in_language("en")

    assert desk.receive(reply(two, ann.email, f"{first}:\nahead: else: {ahead}\n\n{second}: {own}\n"), two.reply_to) == "several-games"

    assert look(desk.mailer.ports, games[first], ann.id, words) == f"else: {ahead}"
    assert moves(desk, games[second], ann) == before + 1
    assert f"    else: {ahead}" in desk.newest(ann).text


@pytest.mark.usefixtures("_from_outside")
def test_a_label_is_the_rulesets_letter_and_a_number(desk: Desk, ann: Player) -> None:
    waiting_tables(desk, ann, ["portobello", "alturien", "sticks"])
    letter = digest(desk, ann)
    games = labels(desk, letter)

    assert sorted(label[1:] for label in games) == ["1", "2", "3"]
    assert all(desk.game(id).rules.name.upper().startswith(label[0]) for label, id in games.items())
    assert all(f"\n{label} – " in letter.text and f"    {label}: " in letter.text for label in games)


@pytest.mark.parametrize(
    "written",
    [
        *("{0}: {1}", "{0}\n{1}", "{0}:\n{1}", "*{0}:* {1}", "[{0}] {1}", "- {0}: {1}", "{0} {1}", "{0}) {1}", "{0} : {1}"),
        *("1. {0}: {1}", "#{0}: {1}", "Game {0}: {1}", "{0} -> {1}", "{0} | {1}", "{0};{1}", "{0}, {1}"),
        *("{0[0]} {0[1]}: {1}", "{0[0]} {0[1]}\n{1}", "=== {0} ===\n{1}", "For {0}: {1}", "Für {0}: {1}", "In {0} I play:\n{1}"),
    ],
)
def test_a_label_may_be_written_as_people_do(desk: Desk, ann: Player, two: MailboxMessage, written: str) -> None:
    games = labels(desk, two)
    text = "\n\n".join(written.format(label, desk.good_orders(id=id)) for label, id in games.items())

    assert desk.answer(ann, f"Hi,\n\n{text.lower() if ':' in written else text}\n\nCheers, Ann", to=two) == "several-games"
    assert [moves(desk, id, ann) for id in games.values()] == [1, 1]


@pytest.mark.parametrize("written", ["{0} – {1}\n{2}", "{0} ({1}):\n\n{2}", "{0} ({1}): {2}", "{0} {1}:\n→ {2}"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_headings_of_the_letter_may_be_copied(desk: Desk, language: str, written: str) -> None:
    ann = desk.person("Ann", language, mail=MailPreference.DIGEST)
    waiting_tables(desk, ann, list(rulesets()))
    letter = digest(desk, ann)
    games = labels(desk, letter)
    names = {label: next(line[5:] for line in letter.text.splitlines() if line.startswith(f"{label} – ")) for label in games}

    parts = [written.format(label, names[label], desk.good_orders(language, id)) for label, id in games.items()]
    desk.answer(ann, "\n".join(parts), to=letter)
    assert [moves(desk, id, ann) for id in games.values()] == [1, 1]


@pytest.mark.parametrize("written", ["{0} ({1}):\n{2}", "{0} ({1}): {2}", "{0} {1}:\n- {2}"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_a_game_may_be_shortened(desk: Desk, language: str, written: str) -> None:
    ann = desk.person("Ann", language, mail=MailPreference.DIGEST)
    waiting_tables(desk, ann, list(rulesets()))
    letter = digest(desk, ann)
    games = {label: desk.game(id) for label, id in labels(desk, letter).items()}

    parts = [
        written.format(label, game.rules.title(game.rules.in_language(language)), desk.good_orders(language, game.id))
        for label, game in games.items()
    ]
    desk.answer(ann, "\n".join(parts), to=letter)
    assert [moves(desk, game.id, ann) for game in games.values()] == [1, 1]


def test_a_line_that_is_label_and_order_is_played_where_only_one_is_legal(desk: Desk, ann: Player) -> None:
    waiting_tables(desk, ann, ["alturien", "alturien"])
    letter = digest(desk, ann)
    one, other = labels(desk, letter)

    raw = reply(letter, ann.email, f"{one} - {desk.good_orders(id='g0')}\n\n{other} - {desk.good_orders(id='g1')}")
    assert desk.receive(raw, letter.reply_to) == "several-games"
    assert [moves(desk, id, ann) for id in ("g0", "g1")] == [1, 1]


@pytest.mark.parametrize("legal", [{"A1", ""}, {""}, set()])
def test_a_line_that_is_label_and_order_has_no_label_unless_only_that_is_legal(legal: set[str]) -> None:
    found = split_parts(["A1 - b1-c1"], ["A1"], lambda label, text: True, lambda label, text: label in legal)

    assert (found.unlabelled, found.parts) == (["A1 - b1-c1"], {})


def test_thousands_of_lines_that_are_label_and_order_are_tried_once_for_each_label() -> None:
    tried = list[str]()

    def is_legal(label: str, text: str) -> bool:
        tried.append(label)
        return False

    split_parts([f"A1 - b{number % 7 + 1}-c1" for number in range(5000)], ["A1", "A2"], lambda label, text: True, is_legal)
    assert tried == ["A1"]


def test_a_part_for_no_game_is_asked_about_and_the_others_are_done(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    (label, id), (_, other) = labels(desk, two).items()

    assert desk.answer(ann, f"{label}: {desk.good_orders(id=id)}\nP9: {desk.good_orders(id=other)}", to=two) == "several-games"
    assert [moves(desk, id, ann), moves(desk, other, ann)] == [1, 0]
    answer = desk.newest(ann).text
    assert "label P9" in answer
    assert f"    {label}: " in answer


def test_a_mail_that_names_no_game_of_the_letter_is_asked_about(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    for text in ("P9: take the moon", "Portobello, take the moon"):
        desk.answer(ann, text, to=two)
        answer = desk.newest(ann)
        assert "of 0" not in answer.header("Subject")
        assert all(f"    {label}: " in answer.text for label in labels(desk, two))


@pytest.mark.parametrize("rules", rulesets())
def test_orders_for_a_game_that_is_over_are_told_so(desk: Desk, ann: Player, rules: str) -> None:
    waiting_tables(desk, ann, [rules, rules])
    letter = digest(desk, ann)
    (one, first), (other, second) = labels(desk, letter).items()
    orders = desk.good_orders(id=first)
    proposed = propose(desk.mailer.ports, first, ann.id, ProposalKind.ABANDON).proposal
    assert proposed
    agree(desk.mailer.ports, first, next(seat.player or "" for seat in desk.game(first).seats if seat.player != ann.id), proposed.number)

    desk.answer(ann, f"{one}: {orders}\n{other}: {desk.good_orders(id=second)}", to=letter)
    assert "The game is over." in desk.newest(ann).text
    assert moves(desk, second, ann) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_hundreds_of_labels_of_no_game_get_a_short_answer(desk: Desk, language: str) -> None:
    ann = desk.person("Ann", language, mail=MailPreference.DIGEST)
    waiting_tables(desk, ann, list(rulesets()))
    letter = digest(desk, ann)
    (label, id), _ = labels(desk, letter).items()
    unknown = [f"Q{number}: {'x' * 60}" for number in range(100, 400)]

    desk.answer(ann, "\n".join([*unknown[:100], f"{label}: {desk.good_orders(language, id)}", *unknown[100:]]), to=letter)
    answer = desk.newest(ann)
    assert moves(desk, id, ann) == 1
    assert re.search(r"Q100, Q101, Q102\b.*\b297\b", " ".join(answer.text.split()))
    assert f"    {label}: " in answer.text
    assert answer.text.count("x" * 60) == 6
    assert len(answer.text) < 8000


def test_orders_without_a_label_are_asked_about(desk: Desk, ann: Player) -> None:
    waiting_tables(desk, ann, ["portobello", "portobello"])
    letter = digest(desk, ann)
    games = labels(desk, letter)

    assert desk.answer(ann, desk.good_orders(id="g0"), to=letter) == "which-game"
    assert [moves(desk, id, ann) for id in games.values()] == [0, 0]
    asked = desk.newest(ann)
    assert all(f"    {label}: " in asked.text for label in games)

    label, id = next(iter(games.items()))
    desk.answer(ann, f"{label}: {desk.good_orders(id=id)}", to=asked)
    assert moves(desk, id, ann) == 1


def test_orders_without_a_label_that_one_game_allows_are_played_after_a_yes(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    for id in labels(desk, two).values():
        assert desk.answer(ann, desk.good_orders(id=id), to=two) == "asked"
        assert moves(desk, id, ann) == 0

        desk.answer(ann, "yes", to=desk.newest(ann))
        assert moves(desk, id, ann) == 1


@pytest.mark.parametrize("rules", rulesets())
def test_labels_below_their_orders_are_asked_about(desk: Desk, ann: Player, rules: str) -> None:
    waiting_tables(desk, ann, [rules, rules])
    letter = digest(desk, ann)
    games = labels(desk, letter)

    assert desk.answer(ann, "\n".join(f"{desk.good_orders(id=id)}\n{label}" for label, id in games.items()), to=letter) == "which-game"
    assert [moves(desk, id, ann) for id in games.values()] == [0, 0]


def test_orders_without_a_label_do_not_stop_the_parts_below(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    (first, one), (_, other) = labels(desk, two).items()

    desk.answer(ann, f"{desk.good_orders(id=other)}\n\n{first}: {desk.good_orders(id=one)}", to=two)
    assert [moves(desk, one, ann), moves(desk, other, ann)] == [1, 0]
    assert "did not say which game" in desk.newest(ann).text


def test_a_digest_of_one_game_needs_no_label(desk: Desk, ann: Player) -> None:
    waiting_tables(desk, ann, ["portobello"])

    assert desk.answer(ann, desk.good_orders(id="g0"), to=digest(desk, ann)) == "submitted"
    assert moves(desk, "g0", ann) == 1


def test_commands_in_a_part_are_for_its_game(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    (first, one), (second, other) = labels(desk, two).items()

    desk.answer(ann, f"{first}: say good luck\n{second}\n{desk.good_orders(id=other)}\nsay here I come", to=two)
    assert [each.text for each in said(desk.mailer.ports, one)] == ["good luck"]
    assert [each.text for each in said(desk.mailer.ports, other)] == ["here I come"]
    assert [moves(desk, one, ann), moves(desk, other, ann)] == [0, 1]

    assert desk.answer(ann, "score", to=two) == "which-game"
    assert desk.answer(ann, "games", to=two) == "answered"


def test_what_cannot_be_undone_is_asked_about_in_its_own_game(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    (first, one), (second, other) = labels(desk, two).items()

    desk.answer(ann, f"{first}: resign\n{second}: resign", to=two)
    assert [desk.game(id).seat_of(ann.id) is None for id in (one, other)] == [False, False]

    desk.answer(ann, f"{first}: no\n{second}: yes", to=desk.newest(ann))
    assert [desk.game(id).seat_of(ann.id) is None for id in (one, other)] == [False, True]


def test_a_forged_reply_waits_for_a_yes_and_is_then_done_in_every_game(desk: Desk, ann: Player, two: MailboxMessage) -> None:
    games = labels(desk, two)
    text = "\n".join(f"{label}: {desk.good_orders(id=id)}" for label, id in games.items())

    assert desk.answer(ann, text, to=two, verdict=AuthVerdict.FAIL) == "held"
    assert [moves(desk, id, ann) for id in games.values()] == [0, 0]

    desk.answer(ann, "yes", to=desk.newest(ann))
    assert [moves(desk, id, ann) for id in games.values()] == [1, 1]


@pytest.mark.parametrize(("rules", "written"), [("portobello", "{0}: {1}"), ("alturien", "{0}: {1}"), ("alturien", "{0} - {1}")])
def test_a_reader_that_dies_between_two_parts_is_followed_by_another(
    desk: Desk, ann: Player, rules: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting_tables(desk, ann, [rules, rules])
    two = digest(desk, ann)
    games = labels(desk, two)
    text = "\n".join(written.format(label, desk.good_orders(id=id)) for label, id in games.items())
    parts = desk.mailer.mail_queue

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(type(parts), "close_part", dies)
        receive(desk.mailer, reply(two, ann.email, text), [two.reply_to], AuthVerdict.PASS)
        with pytest.raises(KeyboardInterrupt):
            process_waiting(desk.mailer)
    desk.decide()
    count = len(desk.box(ann))
    desk.leases_end()
    desk.work()

    assert [moves(desk, id, ann) for id in games.values()] == [1, 1]
    assert len(desk.box(ann)) == count + 1


def test_a_reply_to_the_answer_plays_on_by_the_same_labels(desk: Desk, ann: Player) -> None:
    waiting_tables(desk, ann, ["alturien", "portobello", "alturien"])
    letter = digest(desk, ann)
    games = labels(desk, letter)
    label, left = list(games.items())[-1]
    parts = [f"{each}: {desk.good_orders(id=id)}" for each, id in games.items() if each != label]

    desk.answer(ann, "\n".join(parts), to=letter)
    answer = desk.newest(ann)
    assert f"write {label} before" in " ".join(answer.text.split())
    assert labels(desk, answer) == games

    desk.answer(ann, f"{label}: {desk.good_orders(id=left)}", to=answer)
    assert moves(desk, left, ann) == 1


def test_the_receipt_names_the_next_game(desk: Desk) -> None:
    ann = desk.person("Ann")
    waiting_tables(desk, ann, ["portobello", "portobello"])
    first = next(mail for mail in desk.box(ann) if mail.reply_to and named_in(desk, mail).game == "g0")
    desk.answer(ann, desk.good_orders(id="g0"), to=first)
    receipt = desk.newest(ann)
    assert labels(desk, receipt) == {"P1": "g1"}
    assert "write P1 before" in " ".join(receipt.text.split())

    assert desk.answer(ann, desk.good_orders(id="g1"), to=receipt) == "asked"
    assert moves(desk, "g1", ann) == 0

    desk.answer(ann, f"P1: {desk.good_orders(id='g1')}", to=receipt)
    assert [moves(desk, id, ann) for id in ("g0", "g1")] == [1, 1]

    assert desk.answer(ann, "undo", to=receipt) == "answered"
    assert moves(desk, "g1", ann) == 1


def test_a_turn_that_goes_on_names_no_other_game(desk: Desk) -> None:
    ann = desk.person("Ann")
    waiting_tables(desk, ann, ["portobello", "portobello"])
    first = next(mail for mail in desk.box(ann) if mail.reply_to and named_in(desk, mail).game == "g0")

    desk.answer(ann, desk.good_orders(id="g0").partition(";")[0], to=first)
    assert labels(desk, desk.newest(ann)) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_digest_is_answered_in_every_language(desk: Desk, language: str) -> None:
    ann = desk.person("Ann", language, mail=MailPreference.DIGEST)
    waiting_tables(desk, ann, list(rulesets()))
    letter = digest(desk, ann)
    games = labels(desk, letter)
    text = "\n".join(f"{label}: {desk.good_orders(language, id)}" for label, id in games.items())

    assert desk.answer(ann, text, to=letter) == "several-games"
    assert [moves(desk, id, ann) for id in games.values()] == [1, 1]
    assert not re.search(r"[{}]", desk.newest(ann).text)
