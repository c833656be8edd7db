"""Mails that pretend to come from a player: held and asked about, never acted on, while every genuine one is."""

import random
from collections import Counter
from itertools import product
from smtplib import SMTP

import pytest

from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.receive import process_waiting
from marketpost.play.table.talk import said
from marketpost.rules.ruleset import rulesets
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.corpus import KINDS, LANGUAGES, make
from tests.mail.corpus import verdict as reading_of
from tests.mail.desk import DOMAIN, Desk, fresh, reply
from tests.mail.dns_server import dns_server
from tests.mail.doors import by_smtp, smtp_door, trust
from tests.mail.programs import PROGRAMS
from tests.mail.signing import Domain, signed
from tests.mail.turns import Turn

FORGED, GENUINE = (
    f"Authentication-Results: mx.games.test; dmarc={result} header.from=example.org\r\n".encode() for result in ("fail", "pass")
)
FORGERIES = 50
every_ruleset = pytest.mark.parametrize("rules", rulesets())


@pytest.fixture(autouse=True)
def _trusting(desk: Desk) -> None:
    trust(desk, "mx.games.test")


def table(desk: Desk, rules: str) -> tuple[Player, MailboxMessage]:
    """Who is to move in a new game, and the letter that says so."""
    desk.table(desk.person("Ann"), desk.person("Ben"), rules=rules)
    player = desk.to_play()
    return player, desk.turn_letter(player)


def send(desk: Desk, player: Player, letter: MailboxMessage, text: str, mark: bytes = FORGED) -> None:
    by_smtp(desk, mark + reply(letter, player.email, text), "forger@elsewhere.test", letter.reply_to)


def said_in(desk: Desk, game: str) -> int:
    return len(said(desk.mailer.ports, game))


@every_ruleset
def test_of_many_forged_mails_with_a_good_token_none_is_applied(desk: Desk, rules: str) -> None:
    player, letter = table(desk, rules)
    before, asked = desk.game().version, len(desk.box(player))

    with smtp_door(desk) as port, SMTP("127.0.0.1", port, timeout=60) as client:
        for number in range(FORGERIES):
            orders = desk.good_orders() if number % 2 else "resign!"
            raw = FORGED + reply(letter, player.email, f"{orders}\n", Message_ID=f"<{number}@elsewhere.test>")
            client.sendmail("forger@elsewhere.test", letter.reply_to, raw)
    desk.work()

    assert desk.game().version == before
    assert 0 < len(desk.box(player)) - asked <= 10


@every_ruleset
def test_every_genuine_reply_of_the_corpus_is_played(desk: Desk, rules: str) -> None:
    """Written by every mail program, signed by the player's domain and checked with real lookups: none is held."""
    desk.table(desk.person("Player"), desk.person("Ben"), rules=rules)
    player, chance = desk.person("Player"), random.Random(3)
    if desk.to_play().id != player.id:
        desk.by_rest(desk.to_play(), desk.good_orders())
        desk.work()
    game, letter, before = desk.game(), desk.newest(player), desk.game().version
    turn = Turn(game.rules, game.state, game.deciders[0], desk.good_orders())
    mails = [
        make(turn, program, language, KINDS[number % len(KINDS)], chance)
        for number, (program, language) in enumerate(product(PROGRAMS, LANGUAGES))
    ]
    with dns_server(Domain(dmarc="p=reject").zone) as port:
        trust(desk, dns=port)
        with smtp_door(desk) as door:
            for case in mails:
                with SMTP("127.0.0.1", door, timeout=60) as client:
                    client.sendmail(player.email, letter.reply_to, signed(case.raw))
    while process_waiting(desk.mailer):
        pass

    found = statuses(desk)
    assert found.keys() <= {MessageStatus.SUBMITTED, MessageStatus.ASKED, MessageStatus.NOT_UNDERSTOOD}
    assert found[MessageStatus.SUBMITTED] >= sum(reading_of(case) == "exact" for case in mails) > len(mails) * 0.9
    desk.work()
    assert desk.game().version > before, desk.newest(player).text


def statuses(desk: Desk) -> Counter[str]:
    """What became of all mails that came in."""
    queue = desk.mailer.mail_queue
    ids = (key.decode().rpartition(":")[2] for key in queue.redis.scan_iter(queue.key("in", "*"), count=1000))
    return Counter(inbound.status for id in ids if (inbound := queue.inbound(id)))


@every_ruleset
@pytest.mark.parametrize("text", ["resign!", "hand over! to eve@elsewhere.test"])
def test_a_forger_with_a_token_gives_no_seat_away_until_its_owner_says_so(desk: Desk, rules: str, text: str) -> None:
    player, letter = table(desk, rules)
    before = desk.game().version

    send(desk, player, letter, text)

    assert desk.game().version == before
    question = desk.newest(player)
    assert "may be forged" in " ".join(question.text.split())
    assert text in question.text
    desk.answer(player, "yes", question)
    assert desk.game().version > before


def test_a_forged_mail_is_thrown_away_on_a_no(desk: Desk) -> None:
    player, letter = table(desk, "portobello")
    before = desk.game().version
    send(desk, player, letter, "resign!")

    assert desk.answer(player, "no", desk.newest(player)) == "dropped"
    assert desk.game().version == before


def test_a_bare_yes_to_our_question_counts_even_from_a_server_that_fails(desk: Desk) -> None:
    """Or a player whose mail always fails could do nothing; the question went to their own address alone."""
    player, letter = table(desk, "portobello")
    send(desk, player, letter, desk.good_orders())

    send(desk, player, desk.newest(player), "yes")

    assert any(played.seat is not None for _, played in desk.game().history)


def test_anything_else_to_our_question_is_held_too(desk: Desk) -> None:
    player, letter = table(desk, "portobello")
    desk.answer(player, "resign", letter)
    before = desk.game().version

    send(desk, player, desk.newest(player), desk.good_orders())

    assert desk.game().version == before


@pytest.mark.parametrize("verdict", [AuthVerdict.PASS, AuthVerdict.NONE])
@pytest.mark.parametrize("text", ["resign!", "hand over! to eve@elsewhere.test", "draw", "undo"])
def test_a_token_of_an_earlier_turn_changes_nothing_by_itself(desk: Desk, text: str, verdict: AuthVerdict) -> None:
    player, letter = table(desk, "portobello")
    desk.by_rest(player, desk.good_orders())
    desk.work()
    before = desk.game().version

    assert desk.answer(player, text, letter, verdict=verdict) == "asked"
    assert desk.game().version == before
    desk.answer(player, "yes", desk.newest(player), verdict=verdict)
    assert desk.game().version > before


def test_agreeing_to_a_draw_ends_the_game_only_when_it_is_certainly_the_player(desk: Desk) -> None:
    player, letter = table(desk, "portobello")
    other = next(each for each in (desk.person("Ann"), desk.person("Ben")) if each.id != player.id)
    desk.answer(player, "draw", letter)
    proposal = desk.newest(other)

    assert desk.answer(other, "yes", proposal, verdict=AuthVerdict.NONE) == "asked"
    assert desk.game().status == "running"
    desk.answer(other, "yes", desk.newest(other), verdict=AuthVerdict.NONE)
    assert desk.game().status != "running"


def test_a_forged_mail_to_an_address_of_no_letter_is_not_answered(desk: Desk) -> None:
    ann = desk.person("Ann")

    for address in (f"play@{DOMAIN}", f"play+{'a' * 32}@{DOMAIN}"):
        assert desk.receive(fresh("Hello", address, ann.email), address, verdict=AuthVerdict.FAIL) == "stranger"
    assert desk.box(ann) == []


def test_a_mail_to_two_of_my_reply_addresses_is_acted_on_in_both_games(desk: Desk) -> None:
    ann, ben = desk.person("Ann"), desk.person("Ben")
    for id in ("g1", "g2"):
        desk.table(ann, ben, id=id)
    letters = [mail for mail in desk.box(ann) if mail.header("Auto-Submitted") == "auto-generated"]
    to = sorted({mail.reply_to for mail in letters})
    raw = reply(letters[0], ann.email, "say Hello everybody", To=", ".join(to))
    before = len(desk.box(ann))

    by_smtp(desk, GENUINE + raw, ann.email, *to)

    assert [said_in(desk, id) for id in ("g1", "g2")] == [1, 1]
    assert len(desk.box(ann)) == before + 2
    by_smtp(desk, GENUINE + raw, ann.email, to[0])
    assert [said_in(desk, id) for id in ("g1", "g2")] == [1, 1]
