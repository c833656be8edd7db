"""Standing orders by mail: left, shown and taken back in one's own language, and told of when they have decided."""

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.outbound.render import read_words
from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.standing_orders import look
from marketpost.play.table.seating import import_game
from marketpost.play.table.talk import say
from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.replay import replay
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.moments import Moment, before, is_robbed

LANGUAGES = ("en", "de", "fr", "it")
SAME = {
    "en": ("when robbed: sell house c1, then prestige", "standing", "standing off"),
    "de": ("Wenn bestohlen: verkaufe Haus c1, dann Prestige", "Dauerbefehle", "Dauerbefehle aus"),
    "fr": ("Quand volé : vendre maison c1, puis prestige", "consignes", "Consignes : non"),
    "it": ("Quando derubato: vendi casa c1, poi prestigio", "disposizioni", "Disposizioni no!"),
}
"""The same orders in each language, and how they are shown and taken back."""


@pytest.fixture(scope="module")
def robbery() -> Moment:
    return before(is_robbed)


def sit_down(desk: Desk, moment: Moment, language: str = "de") -> list[Player]:
    """Whoever is robbed writes that language."""
    people = [desk.person(name, "en") for name in ("Ann", "Bob", "Cleo", "Dan")]
    people[moment.after.decider] = desk.person("Gerda", language)
    done = replay(records.read(moment.record))
    import_game(desk.mailer.ports, "g1", people[0].id, done, [SeatPlan(player=each.id) for each in people])
    desk.work()
    return people


def left_by(desk: Desk, player: Player) -> str:
    return look(desk.mailer.ports, "g1", player.id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_left_shown_and_taken_back_by_mail(desk: Desk, robbery: Moment, language: str) -> None:
    people = sit_down(desk, robbery, language)
    active = people[robbery.seat]
    active.language = language
    desk.mailer.ports.players.save(active)
    orders, show, off = SAME[language]
    letter = desk.turn_letter(active)

    assert desk.answer(active, f"{orders}\n", letter) == "answered"
    told = desk.newest(active).text
    assert left_by(desk, active) == "when robbed: sell house c1, then sell prestige"
    canonical = look(desk.mailer.ports, "g1", active.id, RULESET.in_language(language))
    assert canonical in told
    words = RULESET.in_language(language)
    order, better = (RULESET.notate(RULESET.parse(each), words) for each in ("sell house c1", "sell prestige"))
    warned = words.say("cautions.sells-in-vain", order=order, better=better)
    assert " ".join(warned.split()) in " ".join(told.split()), "the card alone would pay"
    desk.answer(active, f"{show}\n", letter)
    assert canonical in desk.newest(active).text
    desk.answer(active, f"{off}\n", letter)
    assert left_by(desk, active) == ""
    assert canonical not in desk.newest(active).text
    desk.answer(active, f"{show}\n", letter)
    assert desk.newest(active).text != told


def test_a_german_player_is_robbed_and_hears_of_it_when_it_is_their_turn(desk: Desk, robbery: Moment) -> None:
    people = sit_down(desk, robbery)
    gerda, robber = people[robbery.after.decider], people[robbery.seat]
    german = RULESET.in_language("de")
    sales = [RULESET.notate(RULESET.parse(order), german) for order in RULESET.legal(robbery.after, robbery.after.decider)]
    started = desk.turn_letter(robber)
    say(desk.mailer.ports, desk.game(), robber.id, "Watch out!")
    desk.work()
    wished = "\n".join(f"Dauerbefehl {sale}" for sale in sales)
    desk.answer(gerda, f"Hallo,\n\n{wished}\n\nViele Grüße\nGerda\n", desk.newest(gerda))
    assert left_by(desk, gerda).count("sell") == len(sales)
    asked = len(desk.box(gerda))

    desk.answer(robber, robbery.orders, started)

    assert not desk.game().state.debt
    assert len(desk.box(gerda)) == asked, "nobody asks her"
    while desk.to_play().id != gerda.id:
        desk.by_rest(desk.to_play(), desk.good_orders())
    desk.work()
    letter = " ".join(desk.turn_letter(gerda).text.split())
    assert "Deine Dauerbefehle haben für dich entschieden: verkaufe" in letter
    assert "hat der Dieb" in letter


def test_a_first_turn_letter_offers_them_where_the_game_has_them(desk: Desk) -> None:
    ann, bob = desk.person("Ann"), desk.person("Bob")
    desk.table(ann, bob, id="a1", rules="alturien")
    assert "leave standing orders" in plain(desk.turn_letter(desk.to_play("a1")))
    desk.table(ann, bob, id="p1")

    assert "standing orders" not in plain(desk.turn_letter(desk.to_play("p1")))


def test_where_a_later_turn_letter_is_short_help_still_tells_of_them(desk: Desk, robbery: Moment) -> None:
    active = sit_down(desk, robbery)[robbery.seat]
    assert "standing" not in plain(desk.turn_letter(active))

    desk.answer(active, "help\n")

    assert "standing thief >f4" in plain(desk.newest(active))


def test_orders_for_now_and_for_later_may_stand_in_one_mail(desk: Desk, robbery: Moment) -> None:
    people = sit_down(desk, robbery)
    active = people[robbery.seat]

    assert desk.answer(active, f"{robbery.orders}\nwhen robbed: prestige\nstanding thief >f4\n") == "submitted"

    assert left_by(desk, active) == "when robbed: sell prestige\nthief >f4"
    assert desk.game().state.debt
    receipt = desk.newest(active).text
    assert "thief >f4" in receipt
    assert robbery.orders in receipt


@pytest.mark.parametrize(
    "closing", ["Thanks", "Gerda", "Viele Grüße\nGerda", "Cordialement,", "Anne-Marie", "Von Gmail Mobile gesendet", "Tel. 0221-3-4-5"]
)
def test_what_stands_below_orders_is_no_standing_order(desk: Desk, robbery: Moment, closing: str) -> None:
    people = sit_down(desk, robbery)
    active = people[robbery.seat]
    active.name = "Anne-Marie Gerda"
    desk.mailer.ports.players.save(active)

    assert desk.answer(active, f"{robbery.orders}\n\nGruß\n{closing}\n") == "submitted"
    assert desk.game().state.debt
    assert left_by(desk, active) == ""


def test_what_is_ordered_for_now_goes_before_what_is_left_for_later(desk: Desk, robbery: Moment) -> None:
    people = sit_down(desk, robbery, "en")
    robbed = people[robbery.after.decider]
    first, *_, last = RULESET.legal(robbery.after, robbery.after.decider)
    desk.answer(people[robbery.seat], robbery.orders)

    assert desk.answer(robbed, f"{last}\nwhen robbed: {first}\n") == "submitted"

    game = desk.game()
    assert not game.stood
    assert left_by(desk, robbed) == f"when robbed: {first}"


def test_orders_left_in_answer_to_the_letter_that_asks_decide_at_once(desk: Desk, robbery: Moment) -> None:
    people = sit_down(desk, robbery, "en")
    robbed = people[robbery.after.decider]
    desk.answer(people[robbery.seat], robbery.orders)
    sales = ", then ".join(RULESET.legal(robbery.after, robbery.after.decider))

    assert desk.answer(robbed, f"when robbed: {sales}\n") == "answered"

    assert not desk.game().state.debt
    assert len(desk.game().stood) == 1


@pytest.mark.parametrize(
    "text",
    [
        "standing when robbed: sell everything",
        "standing by for you all",
        "when robbed: sell house c1, then prestige, and so on",
        "when robbed: sell house c1,\nprestige",
    ],
)
def test_what_cannot_be_read_is_told_and_nothing_of_it_is_done(desk: Desk, robbery: Moment, text: str) -> None:
    people = sit_down(desk, robbery)
    active = people[robbery.seat]
    version = desk.game().version

    assert desk.answer(active, f"{text}\n") == "strange"

    assert left_by(desk, active) == ""
    assert desk.game().version == version
    told = plain(desk.newest(active))
    assert ">>" in told.partition(words_of(active).say("answers.marked"))[2], "what could not be read is marked"
    assert " ".join(text.split()) in told.replace(">>", "").replace("<<", "")


@pytest.mark.parametrize(("text", "told"), [("standing c1-f1", "cannot be left"), ("when robbed: sell house z9", "z9")])
def test_what_can_be_read_and_not_be_left_is_told_why(desk: Desk, robbery: Moment, text: str, told: str) -> None:
    people = sit_down(desk, robbery)
    active = people[robbery.seat]

    assert desk.answer(active, f"{text}\n") == "answered"

    assert left_by(desk, active) == ""
    assert told in desk.newest(active).text


def test_a_long_list_that_a_mail_program_has_broken_is_put_together(desk: Desk, robbery: Moment) -> None:
    people = sit_down(desk, robbery)
    active = people[robbery.seat]

    desk.answer(active, "when robbed: sell house c1, then sell house d1, then sell house\nf1, then prestige\n")

    assert left_by(desk, active) == "when robbed: sell house c1, then sell house d1, then sell house f1, then sell prestige"


def test_a_preview_leaves_nothing(desk: Desk, robbery: Moment) -> None:
    people = sit_down(desk, robbery)
    active = people[robbery.seat]

    desk.answer(active, "preview when robbed: prestige\n")

    assert left_by(desk, active) == ""


def test_a_game_that_has_none_says_so(desk: Desk) -> None:
    ann, bob = desk.person("Ann"), desk.person("Bob", "de")
    desk.table(ann, bob)
    player = desk.to_play()

    desk.answer(player, "standing\n")

    assert desk.mailer.ports.games.standing_orders("g1", player.id) == ""
    assert "Dauerbefehle" in desk.newest(player).text or "standing orders" in desk.newest(player).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_robbery_it_is_still_the_robbers_turn_and_the_letters_say_so(desk: Desk, robbery: Moment, language: str) -> None:
    people = sit_down(desk, robbery)
    robber, robbed = people[robbery.seat], people[robbery.after.decider]
    robber.language = language
    desk.mailer.ports.players.save(robber)
    words, receipt, turn = (read_words(folder, language) for folder in ("words", "receipt", "your-turn"))

    desk.answer(robber, robbery.orders, desk.turn_letter(robber))
    letter = desk.newest(robber)
    colour = RULESET.in_language(language).translate(robbery.after.colours[robbery.after.decider])
    assert letter.header("Subject").startswith(receipt["subject-goes-on"].partition("{")[0])
    assert words["next-aside"].format(who=colour) in plain(letter)

    while desk.to_play().id == robbed.id:
        desk.answer(robbed, desk.good_orders(robbed.language), desk.newest(robbed))
    letter = desk.newest(robber)
    assert desk.to_play().id == robber.id
    assert letter.header("Subject").startswith(turn["subject-goes-on"].partition("{")[0])
    assert turn["intro-goes-on"].partition("{")[0] in plain(letter)


def plain(letter: MailboxMessage) -> str:
    """Its text in one line, with ordinary blanks."""
    return " ".join(letter.text.replace("\N{NO-BREAK SPACE}", " ").split())
