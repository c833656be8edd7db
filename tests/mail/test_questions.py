"""What waits for a player's yes: exactly that is done, once, in the position that was asked about."""

import re
from itertools import product

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.inbound.command_lines import Command
from marketpost.mail.inbound.questions import ask, describe_question, position
from marketpost.mail.inbound.receive import receive
from marketpost.play.table import talk
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.open_questions import Question
from marketpost.store.players import Player
from tests.mail.answers.test_killed_readers import read_and_die
from tests.mail.desk import DOMAIN, Desk, fresh, reply

RULES = sorted(rulesets())
YES = {"en": "yes", "de": "ja", "fr": "oui", "it": "sì"}
NO = {"en": "no", "de": "nein", "fr": "non", "it": "no"}
RESIGN = {"en": "resign", "de": "aufgeben", "fr": "abandonner", "it": "abbandono"}
HAND_OVER = {"en": "hand over{} to {}", "de": "übergeben{} an {}", "fr": "céder{} à {}", "it": "cedere{} a {}"}
OTHERS = {"en": "others", "de": "anderen", "fr": "autres", "it": "altri"}
ELSEWHERE = "mallory@elsewhere.test"
everywhere = pytest.mark.parametrize(("rules", "language"), [*product(RULES, LANGUAGES)])


def at_table(desk: Desk, rules: str, language: str = "en") -> Player:
    """Who is to decide in a game between Ann and Ben."""
    desk.table(desk.person("Ann", language), desk.person("Ben", language), rules=rules)
    return desk.to_play()


def asked_about(desk: Desk, player: Player, orders: str) -> MailboxMessage:
    """The letter that asks whether these orders are meant."""
    letter = desk.turn_letter(player)
    reply_to = desk.mailer.mail_queue.reply(letter.reply_to.partition("+")[2].partition("@")[0])
    assert reply_to
    inbound = InboundMessage("a" * 32, desk.clock(), [])
    ask(desk.mailer, inbound, player, reply_to, Question(orders, position(desk.game())), ["I skipped a line."])
    desk.work()
    return desk.newest(player)


def plain(text: str) -> str:
    """The text without its line breaks and no-break spaces."""
    return " ".join(text.split())


@everywhere
def test_the_letter_quotes_what_will_be_done_and_in_which_game(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    orders = desk.good_orders(language)

    question = asked_about(desk, player, orders)

    other = "Ben" if player.name == "Ann" else "Ann"
    assert " ".join(orders.split()) in " ".join(question.text.split())
    assert other in question.text.partition(orders.split()[0])[0]
    assert "I skipped a line." in question.text
    assert YES[language] in question.text


@everywhere
def test_the_name_of_the_game_stands_in_quotes(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    other = "Ben" if player.name == "Ann" else "Ann"
    named = rf"[„“«]\s?{re.escape(str(ruleset(rules).title(ruleset(rules).in_language(language))))} \w+ {other}\s?[“”»]"

    assert desk.answer(player, "board", sender=ELSEWHERE) == "held"
    from_elsewhere = plain(desk.newest(player).text)
    asked = plain(asked_about(desk, player, desk.good_orders(language)).text)

    assert re.search(named, from_elsewhere)
    assert re.search(named, asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_about_no_game_names_none(desk: Desk, language: str) -> None:
    ann = desk.person("Ann", language)
    inbound = InboundMessage("a" * 32, desk.clock(), [])
    say = words_of(ann).say

    ask(desk.mailer, inbound, ann, ReplyContext(ann.id), Question("", 0, [Command("new", "portobello")]))
    desk.work()
    question = desk.newest(ann)

    assert plain(say("answers.asks-alone")) in plain(question.text)
    assert desk.answer(ann, "new portobello", question, sender=ELSEWHERE) == "held"
    assert plain(say("answers.held-alone", sender=ELSEWHERE)) in plain(desk.newest(ann).text)


@everywhere
def test_a_question_about_another_game_does_not_name_the_one_of_the_letter(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    reply = ReplyContext(player.id, desk.game().id, 0)

    asked = describe_question(desk.mailer, player, reply, Question("", 0, [Command("new", "portobello")]))

    assert asked[0] == words_of(player).say("answers.asks-alone")


@everywhere
def test_yes_plays_exactly_what_was_quoted_and_once(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    version, question = desk.game().version, asked_about(desk, player, desk.good_orders(language))

    assert desk.answer(player, YES[language], question) == "submitted"
    assert desk.game().version > version
    version, before = desk.game().version, len(desk.box(player))
    assert desk.answer(player, f"{YES[language]}!", question) == "no-such-yes"
    assert desk.game().version == version
    assert len(desk.box(player)) == before + 1, "the second yes is answered, too"


@everywhere
def test_no_drops_it_for_good(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    version, question = desk.game().version, asked_about(desk, player, desk.good_orders(language))

    assert desk.answer(player, NO[language], question) == "dropped"
    assert desk.answer(player, YES[language], question) == "no-such-yes"

    assert desk.game().version == version


@pytest.mark.parametrize("rules", RULES)
def test_a_yes_whose_worker_is_killed_plays_once_and_is_answered_once(desk: Desk, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = at_table(desk, rules)
    version, question = desk.game().version, asked_about(desk, player, desk.good_orders())
    before = len([mail for mail in desk.box(player) if mail.header("Auto-Submitted") == "auto-replied"])

    read_and_die(desk, reply(question, player.email, "yes"), question, monkeypatch)

    assert desk.game().version > version
    assert len([mail for mail in desk.box(player) if mail.header("Auto-Submitted") == "auto-replied"]) == before + 1


@everywhere
def test_other_orders_in_answer_to_the_question_are_played_instead(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    version, question = desk.game().version, asked_about(desk, player, desk.good_orders(language))

    assert desk.answer(player, desk.good_orders(language, name="random"), question) == "submitted"

    assert desk.game().version > version


@everywhere
def test_in_another_position_a_yes_plays_nothing_and_what_is_legal_now_is_told(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    question = asked_about(desk, player, desk.good_orders(language))
    desk.by_rest(player, desk.good_orders())
    version = desk.game().version

    assert desk.answer(player, YES[language], question) == "meanwhile"

    assert desk.game().version == version


@pytest.mark.parametrize("rules", RULES)
def test_talk_and_proposals_leave_the_position_as_it_was(desk: Desk, rules: str) -> None:
    player = at_table(desk, rules)
    question = asked_about(desk, player, desk.good_orders())
    other = next(seat.player for seat in desk.game().seats if seat.player != player.id)
    talk.say(desk.mailer.ports, desk.game(), other or "", "Take your time")
    desk.work()
    desk.answer(desk.again(player), "draw", desk.turn_letter(player))

    assert desk.answer(player, "yes", question) == "submitted"


@everywhere
def test_resigning_is_asked_about_first(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    seat = desk.game().seat_of(player.id)
    assert seat is not None

    assert desk.answer(player, RESIGN[language]) == "asked"
    assert desk.game().seats[seat].player == player.id
    question = desk.newest(player)
    assert desk.answer(player, YES[language], question) == "answered"

    assert desk.game().seats[seat].bot
    assert desk.answer(player, YES[language], question) == "no-such-yes"


@everywhere
def test_resigning_with_an_exclamation_mark_is_done_at_once(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    seat = desk.game().seat_of(player.id)
    assert seat is not None

    assert desk.answer(player, f"{RESIGN[language]}!") == "answered"

    assert desk.game().seats[seat].bot


@everywhere
@pytest.mark.parametrize("to", ["cleo@example.org", "greedy bot"])
def test_handing_over_is_asked_about_first(desk: Desk, rules: str, language: str, to: str) -> None:
    player = at_table(desk, rules, language)
    version = desk.game().version

    assert desk.answer(player, HAND_OVER[language].format("", to)) == "asked"
    assert desk.game().version == version
    assert to in desk.newest(player).text
    assert "cleo@example.org" not in {each.recipient for each in desk.street.brought}
    assert desk.answer(player, YES[language], desk.newest(player)) == "answered"

    assert desk.game().version > version
    assert OTHERS[language] not in desk.newest(player).header("Subject"), "one person is asked, or none"


@everywhere
def test_handing_over_with_an_exclamation_mark_is_done_at_once(desk: Desk, rules: str, language: str) -> None:
    player = at_table(desk, rules, language)
    seat = desk.game().seat_of(player.id)
    assert seat is not None

    assert desk.answer(player, HAND_OVER[language].format("!", "bot")) == "answered"

    assert desk.game().seats[seat].bot


@pytest.mark.parametrize("rules", RULES)
def test_what_cannot_be_done_is_refused_and_not_asked(desk: Desk, rules: str) -> None:
    player = at_table(desk, rules)

    assert desk.answer(player, "hand over to wizard") == "answered"

    assert "wizard" in desk.newest(player).text


@pytest.mark.parametrize("rules", RULES)
def test_a_mail_that_also_orders_waits_as_a_whole(desk: Desk, rules: str) -> None:
    player = at_table(desk, rules)
    version, orders = desk.game().version, desk.good_orders()

    assert desk.answer(player, f"say Goodbye\nhand over to cleo@example.org\n{orders}") == "asked"
    assert desk.game().version == version
    quoted = " ".join(desk.newest(player).text.split())
    assert "say Goodbye" in quoted
    assert " ".join(orders.split()) in quoted
    assert desk.answer(player, "yes", desk.newest(player)) == "submitted"

    assert {"cleo@example.org"} < {each.recipient for each in desk.street.brought}


@pytest.mark.parametrize("rules", RULES)
def test_who_is_erased_is_in_no_question_any_more(desk: Desk, rules: str) -> None:
    player = at_table(desk, rules)
    desk.answer(player, "hand over to cleo@example.org")

    desk.mailer.mail_queue.erase("cleo@example.org")

    redis = desk.mailer.mail_queue.redis
    assert not [key for key in redis.scan_iter("{mail}:question:*") if b"cleo" in redis.get(key)]


def test_a_yes_to_nothing_is_still_nobodys(desk: Desk) -> None:
    ann = desk.person("Ann")
    receive(desk.mailer, fresh("yes", f"play+{'a' * 32}@{DOMAIN}", ann.email), [f"play+{'a' * 32}@{DOMAIN}"])
    desk.work()

    assert "not known" in desk.newest(ann).text
