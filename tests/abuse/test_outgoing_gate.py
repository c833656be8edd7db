"""The gate for outgoing mail: whoever tries to write to others by way of us, and what leaves nevertheless."""

import re
from collections import Counter
from pathlib import Path

import pytest

from marketpost.mail.outbound import gate
from marketpost.mail.outbound.gate import LANES, Cause, Consent, GateDecision, GateVerdict, HeldBack, Lane, Passing, pass_gate
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import enqueue
from marketpost.mail.outbound.smtp import SmtpTransportPool
from marketpost.play.limits import USUAL, Limit, Limits, read_limits
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.bot_accounts import new_bot
from marketpost.play.people.guests import new_guest
from marketpost.play.people.preferences import no_more_letters
from marketpost.play.people.registration import invite, register
from marketpost.play.table.early_end import cancel
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.seating import open_game
from marketpost.play.table.talk import say
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player
from marketpost.store.settings import Settings
from tests.mail.desk import DOMAIN, Desk, fresh, minutes_pass, open_desk
from tests.mail.street import Answers, serving
from workers.counters import read

SPAM = "PayPal Security http://evil.example"
OPERATE = (Path(__file__).parents[2] / "docs/operate-mail.md").read_text()


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben")


def named(desk: Desk, player: Player, name: str) -> Player:
    """As somebody is called who was there before names were checked."""
    desk.mailer.ports.players.change(player, lambda known: {"name": name})
    return player


def invite_to_game(desk: Desk, host: Player, email: str, number: int = 0, rules: str = "portobello") -> Player:
    ports = desk.mailer.ports
    seats = [SeatPlan(player=host.id), SeatPlan(invited=email)]
    open_game(ports, f"{host.id}-{number}", host.id, rules, seats, {})
    desk.work()
    found = ports.players.at_address(email)
    assert found
    return found


def held(desk: Desk) -> dict[str, int]:
    return read(desk.work_queue.redis).held


def test_a_stranger_gets_few_invitations_however_many_are_sent(desk: Desk, ann: Player, ben: Player) -> None:
    for number in range(10):
        victim = invite_to_game(desk, ann, "victim@example.org", number)
        invite_to_game(desk, ben, "victim@example.org", number)

    assert len(desk.box(victim)) == USUAL[Limit.INVITATIONS_STRANGER]
    assert held(desk)["recipient-limit"] == 20 - USUAL[Limit.INVITATIONS_STRANGER]
    desk.clock.forward(days=1)
    invite_to_game(desk, ann, "victim@example.org", 11)
    assert len(desk.box(victim)) == USUAL[Limit.INVITATIONS_STRANGER] + 1


def test_who_has_unsubscribed_gets_no_invitation_and_no_seat_offered(desk: Desk, ann: Player, ben: Player) -> None:
    victim = invite_to_game(desk, ann, "victim@example.org")
    no_more_letters(desk.mailer.ports, victim)
    before = len(desk.box(victim))

    invite_to_game(desk, ann, victim.email, 1)
    desk.table(ann, ben)
    hand_over(desk.mailer.ports, "g1", ann.id, SeatPlan(invited=victim.email))
    desk.work()

    assert len(desk.box(victim)) == before
    assert held(desk) == {"unsubscribed": 1}, "a seat that nobody wants to be offered is not even written down"


def test_registering_an_address_again_does_not_undo_that_its_owner_has_unsubscribed(desk: Desk, ann: Player) -> None:
    victim = invite_to_game(desk, ann, "victim@example.org")
    no_more_letters(desk.mailer.ports, victim)

    register(desk.mailer.ports, "Victim@example.org", "Somebody")
    invite_to_game(desk, ann, victim.email, 1)

    assert desk.again(victim).mail == "none"
    assert len(desk.box(victim)) == 1


def test_one_player_causes_only_so_many_invitations(desk: Desk, ann: Player) -> None:
    most = USUAL[Limit.INVITATIONS_PLAYER]
    for number in range(most + 5):
        invite_to_game(desk, ann, f"guest{number}@example.org", number)

    assert len(desk.street.brought) == most
    assert held(desk)["cause-limit"] == 5


def test_a_guest_invites_nobody(desk: Desk) -> None:
    """At the doors guests are refused; what gets in otherwise does not get out."""
    guest = new_guest(desk.mailer.ports, "Guest", "en")
    id = invite(desk.mailer.ports, "victim@example.org")
    at = desk.clock()
    enqueue(desk.mailer, Delivery("i1", id, "invitation", at, at, by=guest.id))

    desk.work()

    assert not desk.street.brought
    assert held(desk) == {"guest": 1}


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_to_a_stranger_names_nobody_in_its_subject_and_holds_no_link_of_theirs(desk: Desk, rules: str, language: str) -> None:
    ann = named(desk, desk.person("Ann"), SPAM)
    id = invite(desk.mailer.ports, "victim@example.org")
    victim = desk.mailer.ports.players.find(id)
    assert victim
    desk.mailer.ports.players.change(victim, lambda known: {"language": language})
    invite_to_game(desk, ann, victim.email, rules=rules)
    [letter] = desk.box(victim)

    assert "PayPal" not in letter.header("Subject")
    assert "PayPal Security" in " ".join(letter.text.split())
    assert "evil.example" not in str(letter.message)
    assert "://evil" not in str(letter.message)


def test_whoever_has_accepted_something_sees_in_the_subject_who_invites(desk: Desk, ann: Player, ben: Player) -> None:
    invite_to_game(desk, ann, ben.email)

    assert desk.newest(ben).header("Subject").startswith("Ann ")


def test_a_stranger_hears_nothing_of_a_game_that_is_called_off(desk: Desk, ann: Player) -> None:
    """Or else sixty games that are opened and called off would be sixty letters."""
    victim = invite_to_game(desk, ann, "victim@example.org")
    cancel(desk.mailer.ports, f"{ann.id}-0", ann.id)
    desk.work()

    assert len(desk.box(victim)) == 1
    assert held(desk) == {"stranger": 1}


def test_a_seat_offered_to_a_stranger_names_nobody_in_the_subject(desk: Desk, ann: Player, ben: Player) -> None:
    named(desk, ann, SPAM)
    desk.table(ann, ben)
    hand_over(desk.mailer.ports, "g1", ann.id, SeatPlan(invited="victim@example.org"))
    desk.work()

    victim = desk.mailer.ports.players.at_address("victim@example.org")
    assert victim
    assert "PayPal" not in desk.newest(victim).header("Subject")
    assert "evil.example" not in str(desk.newest(victim).message)


def test_a_long_talk_is_one_letter_an_hour_and_nothing_of_it_is_lost(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    before = len(desk.box(ben))
    for number in range(130):
        say(desk.mailer.ports, desk.game(), ann.id, f"line {number}")
        desk.work()
    assert [mail.text.count("line ") for mail in desk.box(ben)[before:]] == [1]

    minutes_pass(desk, 61)
    later = desk.box(ben)[before + 1 :]
    assert len(later) == 1
    assert re.findall(r"line (\d+)", later[0].text)[-1] == "129"
    assert "99 earlier messages" in " ".join(later[0].text.split())

    minutes_pass(desk, 61)
    assert len(desk.box(ben)) == before + 2
    assert not desk.waiting()


def test_what_several_say_is_told_in_one_letter(desk: Desk, ann: Player, ben: Player) -> None:
    cat = desk.person("Cat")
    desk.table(ann, ben, cat)
    for who, text in ((ann, "first"), (ann, "Hello all"), (cat, "Hello Ann")):
        say(desk.mailer.ports, desk.game(), who.id, text)
        desk.work()

    minutes_pass(desk, 61)

    letter = desk.newest(ben)
    assert "Ann" not in letter.header("Subject")
    assert letter.text.index("Hello all") < letter.text.index("Cat says:") < letter.text.index("Hello Ann")
    assert "first" not in letter.text


def test_talk_holds_up_no_turn_letter_of_another_game(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    for number in range(130):
        say(desk.mailer.ports, desk.game(), ann.id, f"line {number}")
    desk.work()
    before = len(desk.box(ben))

    for number in range(5):
        desk.table(ben, ann, id=f"h{number}")

    turns = [mail for mail in desk.box(ben)[before:] if "-turn-" in mail.header("Message-ID") or "-started-" in mail.header("Message-ID")]
    assert len(turns) == 5


def test_forged_mails_to_an_unknown_address_become_few_letters(desk: Desk, ben: Player) -> None:
    for number in range(40):
        words = " ".join(chr(97 + number // 8) * 4 + chr(97 + number % 8) * 4 for _ in range(3))
        desk.receive(fresh(words, f"play+nothing@{DOMAIN}", ben.email), f"play+nothing@{DOMAIN}")

    assert len(desk.box(ben)) == USUAL[Limit.ANSWERS_HOUR] + 1
    assert "5 answers" in " ".join(desk.newest(ben).text.split())


def test_a_robot_that_asks_for_help_is_answered_twenty_times_a_day(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    letter = desk.turn_letter(ben)
    before = len(desk.box(ben))
    for number in range(24):
        for command in ("help", "board", "yes", f"words {number}"):
            desk.answer(ben, f"{command}\n\nYours, robot {number}", letter)
        desk.clock.forward(minutes=58)

    told = [" ".join(mail.text.split()) for mail in desk.box(ben)[before:]]
    silent = [text for text in told if "We do not answer" in text or "we do not answer" in text]
    assert len(told) - len(silent) <= USUAL[Limit.ANSWERS_DAY]
    assert len(silent) <= 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_that_move_the_game_on_are_always_answered(desk: Desk, language: str) -> None:
    ann, ben = desk.person("Ann", language), desk.person("Ben", language)
    desk.table(ann, ben)
    player = desk.to_play()
    for number in range(8):
        desk.answer(player, f"xyzzy {number}")
    before = len(desk.box(player))

    desk.answer(player, desk.good_orders(language))
    desk.answer(desk.to_play(), "xyzzy again")

    assert len(desk.box(player)) > before


def test_without_limits_everything_is_sent(desk: Desk, ann: Player, ben: Player) -> None:
    desk.mailer.ports.limits.amounts = {}
    desk.table(ann, ben)
    player = desk.to_play()
    before = len(desk.box(player))

    for _ in range(7):
        desk.answer(player, "help", desk.box(player)[0])
    desk.answer(player, desk.good_orders())

    assert len(desk.box(player)) >= before + 8


def test_a_code_goes_to_an_address_that_bounces(desk: Desk) -> None:
    bob = desk.person("Bob", bounces=gate.DEAD_AFTER, mail="none")
    at = desk.clock()
    enqueue(desk.mailer, Delivery("c1", bob.id, "sign-in", at, at, values={"code": "ABCDEFGH"}))
    enqueue(desk.mailer, Delivery("d1", bob.id, "webhook-off", at, at, values={"host": "h", "reason": "r", "since": at}))

    desk.work()

    assert ["ABCDEFGH" in mail.text for mail in desk.box(bob)] == [True]
    assert held(desk) == {"bounces": 1}


def test_who_is_blocked_causes_no_letter(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    at = desk.clock()
    letter = Delivery("m1", ben.id, "news", at, at, "g1", 1, 1, by=ann.id)
    enqueue(desk.mailer, letter)
    desk.mailer.ports.players.change(ben, lambda known: {"blocked": [ann.id]})
    before = len(desk.box(ben))

    desk.work()

    assert len(desk.box(ben)) == before
    assert held(desk) == {"shut-out": 1}


def test_a_stranger_is_quoted_nothing_that_was_written_in_their_name(desk: Desk) -> None:
    raw = fresh("portobello with buy-now@evil.example, visit http://evil.example", f"new@{DOMAIN}", "victim@example.org")
    desk.receive(raw, f"new@{DOMAIN}")

    assert not any("evil.example" in str(each.mail.message) for each in desk.street.brought)


def test_a_mail_server_is_handed_only_what_passes(settings: Settings) -> None:
    server = Answers()
    with serving(server) as controller:
        desk = open_desk(settings, SmtpTransportPool(f"smtp://127.0.0.1:{controller.port}", DOMAIN))
        ann, ben = desk.person("Ann"), desk.person("Ben")
        desk.table(ann, ben)
        for number in range(20):
            say(desk.mailer.ports, desk.game(), ann.id, f"line {number}")
            invite_to_game(desk, ann, "victim@example.org", number)

    taken = Counter(envelope.rcpt_tos[0] for envelope in server.taken)
    about_game = Counter(b"line 0" in envelope.content for envelope in server.taken if envelope.rcpt_tos == [ben.email])
    assert taken["victim@example.org"] == USUAL[Limit.INVITATIONS_STRANGER]
    assert about_game == {True: 1, False: 1}


def test_every_kind_of_letter_has_a_lane() -> None:
    kinds = [kind for lane in LANES for kind in lane.kinds]

    assert sorted(kinds) == sorted(LetterKind)


def row(lane: Lane) -> str:
    consents = [consent for consent in Consent if consent in lane.to]
    to = "anybody" if len(consents) == len(Consent) else ", ".join(consents)
    limits = ", ".join(f"`{limit}`" for limit in lane.limits) or "none"
    kinds = ", ".join(f"`{kind}`" for kind in LetterKind if kind in lane.kinds)
    return f"| {lane.name} | {kinds} | {lane.cause} | {to} | {limits} | {lane.over if lane.limits else ''} |"


def test_the_operators_table_is_the_gate() -> None:
    assert [line for line in map(row, LANES) if line not in OPERATE.splitlines()] == []


def test_the_operators_page_names_every_cause_consent_and_reason() -> None:
    assert [name for name in (*Cause, *Consent, *(reason.label for reason in HeldBack)) if name not in OPERATE] == []


def test_bot_accounts_share_the_letters_of_their_owner(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    ports = desk.mailer.ports
    ports.limits = Limits(read_limits("table-letters-player=1"))
    bots = [new_bot(ports, ann, name) for name in ("One", "Other")]

    def decided(number: int) -> GateDecision:
        by = bots[number]
        mail = Delivery(f"n{number}", ben.id, LetterKind.NEWS, ports.clock(), ports.clock(), "g1", by=by.id)
        return pass_gate(desk.mailer, Passing(mail, ben, desk.game(), None, {by.id: by}))

    assert [decided(number).verdict for number in range(2)] == [GateVerdict.SEND, GateVerdict.LATER]
