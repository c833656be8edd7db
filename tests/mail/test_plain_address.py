"""`play@…`, where letters come from: a mail to it is taken at every door, and answered to players alone."""

import re
from collections.abc import Callable
from dataclasses import replace
from email.utils import parseaddr
from smtplib import LMTP

import pytest

from api.http.app import create_app
from marketpost.mail.inbound.own_addresses import is_own_address
from marketpost.mail.inbound.receive import receive
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh
from tests.mail.doors import by_smtp, smtp_door

PLAIN = f"play@{DOMAIN}"
every_ruleset = pytest.mark.parametrize("rules", rulesets())


def write(desk: Desk, sender: str, text: str = "Hello?", to: str = PLAIN) -> str:
    return desk.receive(fresh(text, to, sender), to)


@every_ruleset
def test_every_address_of_a_letter_is_taken_at_the_door(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    desk.table(ann, ben, rules=rules)

    for brought in desk.street.brought:
        for address in (brought.sender, brought.mail.reply_to, parseaddr(brought.mail.header("From"))[1]):
            assert is_own_address(desk.mailer, address), address


@every_ruleset
def test_whoever_writes_to_it_gets_the_letter_to_answer(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    game = desk.table(ann, ben, rules=rules)
    player, before = desk.to_play(), game.version
    orders = desk.good_orders(player.language)

    assert write(desk, player.email, orders) == "plain-waiting"
    assert desk.game().version == before

    letter = desk.newest(player)
    assert game.rules.draw(game.state, game.rules.in_language(player.language)).strip() in letter.text.replace("\r\n", "\n")
    assert desk.answer(player, orders, letter) == "submitted"
    assert desk.game().version > before


@every_ruleset
def test_whoever_has_no_decision_to_make_is_told_of_the_own_games(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    desk.table(ann, ben, rules=rules)
    other = ben if desk.to_play() == ann else ann

    assert write(desk, other.email) == "plain"

    assert f"/games/g1?as={other.id}&key=" in desk.newest(other).text


def test_whoever_has_two_decisions_to_make_is_told_of_both(desk: Desk, ann: Player) -> None:
    for id in ("g1", "g2"):
        open_game(desk.mailer.ports, id, ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(bot="random")], {})
    desk.work()

    assert write(desk, ann.email) == "plain"

    assert set(re.findall(r"/games/(\w+)", desk.newest(ann).text)) == {"g1", "g2"}


def test_whoever_plays_nothing_is_told_how_to_begin(desk: Desk, ann: Player) -> None:
    assert write(desk, ann.email) == "plain"

    assert f"new@{DOMAIN}" in desk.newest(ann).text


def test_strangers_get_no_mail(desk: Desk) -> None:
    desk.person("Shy", confirmed=False)

    assert write(desk, "nobody@example.org") == "stranger"
    assert write(desk, "shy@example.org") == "stranger"
    assert not desk.street.brought


def test_an_answer_to_all_addresses_of_a_letter_counts_for_the_letter(desk: Desk, playing: Player) -> None:
    letter = desk.turn_letter(playing)
    raw = fresh(desk.good_orders(), f"{PLAIN}, {letter.reply_to}", playing.email)

    assert desk.receive(raw, PLAIN, letter.reply_to) == "submitted"


def test_a_machine_that_answers_each_letter_is_answered_once(desk: Desk, ann: Player, ben: Player) -> None:
    for number in range(4):
        write(desk, ann.email, f"I am away, note {number}.")

    assert len(desk.box(ann)) == 1


def to_plain(desk: Desk, raw: bytes, sender: str) -> None:
    by_smtp(desk, raw, sender, PLAIN)


def by_lmtp(desk: Desk, raw: bytes, sender: str) -> None:
    with smtp_door(desk, lmtp=True) as port, LMTP("127.0.0.1", port, timeout=60) as client:
        client.sendmail(sender, PLAIN, raw)


def by_provider(desk: Desk, raw: bytes, sender: str) -> None:
    client = create_app(replace(desk.mailer.settings, inbound_secret="between us")).test_client()
    taken = client.post("/v1/inbound", headers={"X-Inbound-Secret": "between us"}, data=raw, content_type="message/rfc822")
    assert taken.status_code == 202


def by_imap(desk: Desk, raw: bytes, sender: str) -> None:
    """A mailbox knows no envelope: what the header says counts."""
    receive(desk.mailer, raw, [])


@pytest.mark.parametrize("way_in", [to_plain, by_lmtp, by_provider, by_imap])
def test_it_is_taken_and_answered_by_every_way_in(desk: Desk, ann: Player, way_in: Callable[[Desk, bytes, str], None]) -> None:
    way_in(desk, fresh("Hello?", PLAIN, ann.email), ann.email)
    desk.work()

    assert len(desk.box(ann)) == 1
