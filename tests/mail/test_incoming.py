"""What becomes of a mail: whose it is, that it counts once, and the one answer it gets."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from redis import RedisError

from marketpost.mail.inbound.own_addresses import is_own_address
from marketpost.mail.inbound.receive import MOST_TRIES, process_waiting, receive
from marketpost.mail.outbound.gate import DEAD_AFTER
from marketpost.notify.engine import send_letters
from marketpost.play.table.talk import said
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from marketpost.store.redis_client import RedisClient
from marketpost.store.settings import Settings
from tests.mail.desk import DOMAIN, Desk, fresh, open_desk, reply, with_headers
from tests.mail.hostile import hostile_mails
from tests.mail.trial import Trial
from tests.mail.turns import every_ruleset
from tests.thorough import THOROUGH
from workers.notifier import make_mailer
from workers.queue import make_ports

STRANGER = "mallory@elsewhere.test"
UNKNOWN = f"play+{'a' * 32}@{DOMAIN}"


# Whose mail is it?


def test_a_reply_from_the_players_own_address_is_a_move(desk: Desk, playing: Player) -> None:
    before = len(desk.box(playing))

    assert desk.answer(playing, f"Hallo,\n\n{desk.good_orders()}\n\nGruß\n{playing.name}") == "submitted"

    assert desk.to_play() != playing
    assert len(desk.box(playing)) == before + 1


def test_a_reply_from_another_address_is_held_and_the_player_is_asked_at_the_own_one(desk: Desk, playing: Player) -> None:
    version, orders = desk.game().version, desk.good_orders()

    assert desk.answer(playing, orders, sender="at-work@firm.test") == "held"

    assert desk.game().version == version
    assert "at-work@firm.test" in desk.newest(playing).text
    assert {each.recipient for each in desk.street.brought} <= {"ann@example.org", "ben@example.org"}


def test_yes_plays_a_held_mail_once(desk: Desk, playing: Player) -> None:
    desk.answer(playing, desk.good_orders(), sender="at-work@firm.test")
    question = desk.newest(playing)

    assert desk.answer(playing, f"Ja!\n\n{playing.name}", question) == "submitted"

    assert desk.to_play() != playing
    version = desk.game().version
    assert desk.answer(playing, "ja", question) == "no-such-yes"
    assert desk.game().version == version


def test_no_drops_a_held_mail_for_good(desk: Desk, playing: Player) -> None:
    version = desk.game().version
    letter = desk.turn_letter(playing)
    raw = reply(letter, "at-work@firm.test", desk.good_orders())
    desk.receive(raw, letter.reply_to)
    question = desk.newest(playing)

    assert desk.answer(playing, "nein", question) == "dropped"
    desk.receive(raw, letter.reply_to)
    assert desk.answer(playing, "ja", question) == "no-such-yes"

    assert desk.game().version == version


def test_a_yes_with_doubts_plays_nothing(desk: Desk, playing: Player) -> None:
    version = desk.game().version
    desk.answer(playing, desk.good_orders(), sender="at-work@firm.test")
    before = len(desk.box(playing))

    desk.answer(playing, "ja\nhoppla, das war ich doch gar nicht", desk.newest(playing))

    assert desk.game().version == version
    assert len(desk.box(playing)) == before + 1


def test_only_the_player_can_say_yes(desk: Desk, playing: Player) -> None:
    version = desk.game().version
    desk.answer(playing, desk.good_orders(), sender=STRANGER)
    question = desk.newest(playing)

    assert desk.answer(playing, "yes", question, sender=STRANGER) == "held"

    assert desk.game().version == version
    assert desk.answer(playing, "yes", desk.newest(playing)) == "submitted", "asked about the yes, the player says yes to it"
    assert desk.game().version > version


def test_whose_turn_is_over_is_told_so(desk: Desk, playing: Player) -> None:
    letter, orders = desk.turn_letter(playing), desk.good_orders()
    desk.by_rest(playing, orders)
    version = desk.game().version

    assert desk.answer(playing, orders, letter) == "answered"

    assert desk.game().version == version
    assert re.search("Zug ist vorbei|tour est (fini|terminé|passé)", " ".join(desk.newest(playing).text.split()))


def test_a_stranger_with_a_made_up_token_hears_nothing(desk: Desk, playing: Player) -> None:
    before = desk.street.tried

    assert desk.receive(fresh("3: stall A-B", UNKNOWN, STRANGER), UNKNOWN) == "stranger"

    assert desk.street.tried == before
    assert desk.mailer.ports.players.player_of(STRANGER) is None


def test_a_player_with_a_made_up_token_is_told(desk: Desk, ann: Player) -> None:
    assert desk.receive(fresh("3: stall A-B", UNKNOWN, ann.email), UNKNOWN) == "token-unknown"

    assert "Adresse" in desk.newest(ann).text


def test_somebody_elses_token_moves_nothing(desk: Desk, ann: Player, ben: Player, playing: Player) -> None:
    other, version = (ann if playing == ben else ben), desk.game().version
    before = len(desk.box(other))

    assert desk.answer(playing, desk.good_orders(), sender=other.email) == "held"

    assert desk.game().version == version
    assert len(desk.box(other)) == before
    assert other.email in desk.newest(playing).text


def test_the_door_knows_our_addresses_only(desk: Desk, playing: Player) -> None:
    bounce = desk.street.brought[0].sender
    known = [desk.turn_letter(playing).reply_to, desk.turn_letter(playing).reply_to.upper(), bounce, f"new@{DOMAIN}"]
    unknown = [UNKNOWN, f"play+@{DOMAIN}", bounce.replace(DOMAIN, "elsewhere.test"), f"postmaster@{DOMAIN}", ""]

    assert [is_own_address(desk.mailer, each) for each in known] == [True] * len(known)
    assert [is_own_address(desk.mailer, each) for each in unknown] == [False] * len(unknown)


# Once


def test_the_same_mail_by_two_doors_is_one_move_and_one_answer(desk: Desk, playing: Player) -> None:
    letter = desk.turn_letter(playing)
    raw = reply(letter, playing.email, desk.good_orders())
    before = len(desk.box(playing))

    assert desk.receive(raw, letter.reply_to) == "submitted"
    version = desk.game().version
    assert desk.receive(b"Received: from imap.test; Mon, 2 Mar 2026 10:00:00 +0000\r\n" + raw, letter.reply_to) == "seen"
    assert desk.receive(raw, letter.reply_to, "somebody@elsewhere.test") == "submitted"

    assert desk.game().version == version
    assert len(desk.box(playing)) == before + 1


def test_an_undo_sent_twice_takes_back_once(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    desk.by_rest(desk.to_play(), "bobby 5")
    desk.by_rest(ann, "4: stall G-C")
    desk.by_rest(ann, "stall CG")
    desk.answer(ann, "Brett")
    letter, version = desk.newest(ann), desk.game().version
    raw = reply(letter, ann.email, "zurück")

    for _ in range(3):
        desk.receive(raw, letter.reply_to)

    assert "stall G-C" not in desk.game().rules.legal(desk.game().state, 0), "the first stall still stands"
    assert desk.game().version == version + 1


def test_a_mail_that_was_read_half_way_is_read_again_and_done_once(desk: Desk, playing: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    letter = desk.turn_letter(playing)
    receive(desk.mailer, reply(letter, playing.email, f"sage Hallo\n{desk.good_orders()}"), [letter.reply_to])
    with monkeypatch.context() as broken:
        broken.setattr(desk.mailer.mail_queue, "close_message", lambda *given, **more: 1 / 0)
        process_waiting(desk.mailer)
    before = len(desk.box(playing))

    desk.work()

    assert desk.to_play() != playing
    assert len(said(desk.mailer.ports, "g1")) == 1
    assert len(desk.box(playing)) == before + 1


# Alive again


def test_who_writes_to_us_has_an_address_that_works(desk: Desk, playing: Player) -> None:
    """Three letters came back, then the player freed some room and wrote."""
    playing.bounces = 3
    desk.mailer.ports.players.save(playing)

    desk.answer(playing, desk.good_orders())

    assert desk.again(playing).bounces == 0
    assert isinstance(desk.newest(playing), MailboxMessage)
    assert desk.to_play() != playing
    assert not send_letters(desk.notifier)


# The worst


@every_ruleset
@pytest.mark.usefixtures("_from_outside")
def test_hostile_mails_do_no_harm(settings: Settings, name: str) -> None:
    trial = Trial(open_desk(settings), name)

    for hostile in hostile_mails(trial, 100 * THOROUGH, seed=7, biggest=2_000_000):
        trial.run(hostile)

    assert not trial.failures, trial.report()


def test_headers_can_be_changed_without_harm() -> None:
    assert with_headers(b"From: a@b.c\r\nSubject: x\r\n\r\nhello\r\n", Subject="y") == b"From: a@b.c\r\nSubject: y\r\n\r\nhello\r\n"


def test_whoever_writes_from_an_address_that_seemed_dead_learns_why_no_letters_came(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    letter = desk.newest(ann)
    ann.bounces = DEAD_AFTER
    desk.mailer.ports.players.save(ann)

    desk.answer(ann, "help", letter)

    subjects = [each.header("Subject") for each in desk.box(ann)]
    assert "Unsere Mails an dich kamen zurück" in subjects
    found = desk.mailer.ports.players.find(ann.id)
    assert found
    assert found.bounces == 0


def test_a_line_that_cannot_be_read_is_answered_with_what_would_be_legal(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    before = desk.game().version

    desk.answer(player, "3: Quatsch A-B", desk.newest(player))

    text = desk.box(player)[-1].text
    assert "Quatsch A-B" in text
    assert re.search(r"^ {4}\S", text, re.MULTILINE)
    assert desk.game().version == before


def test_a_mail_that_breaks_us_is_answered_in_the_end(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    player = desk.to_play()
    before, letters = desk.game().version, len(desk.box(player))
    id = receive(desk.mailer, reply(desk.newest(player), player.email, desk.good_orders()), [desk.newest(player).reply_to])
    inbound = desk.mailer.mail_queue.inbound(id)
    assert inbound
    inbound.attempts = MOST_TRIES
    desk.mailer.mail_queue.save_progress(inbound)

    desk.work()

    assert desk.game().version == before
    assert len(desk.box(player)) == letters + 1


def test_a_mail_whose_entry_is_damaged_holds_up_none_of_the_others(desk: Desk, playing: Player) -> None:
    letter = desk.turn_letter(playing)
    receive(desk.mailer, reply(letter, playing.email, desk.good_orders()), [letter.reply_to])
    for number in range(3):
        damaged = receive(desk.mailer, fresh(f"{number}", letter.reply_to, playing.email), [letter.reply_to])
        desk.mailer.mail_queue.redis.set(desk.mailer.mail_queue.key("in", damaged), b"{")

    desk.work()

    assert desk.to_play() != playing


def test_a_store_that_is_away_now_and_then_costs_no_mail(desk: Desk, playing: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = desk.mailer.settings
    mailer = make_mailer(settings, desk.work_queue, make_ports(settings, desk.work_queue, answer_within=0.1))
    mailer.ports.clock, raw = desk.clock, mailer.mail_queue.raw

    def at_a_bad_moment(id: str) -> bytes:
        mailer.mail_queue.redis.connection_pool.disconnect()
        desk.mailer.mail_queue.redis.client_pause(110)
        return raw(id)

    monkeypatch.setattr(mailer.mail_queue, "raw", at_a_bad_moment)
    letter = desk.turn_letter(playing)
    receive(desk.mailer, reply(letter, playing.email, desk.good_orders()), [letter.reply_to])
    for _ in range(MOST_TRIES + 1):
        with suppress(RedisError):
            process_waiting(mailer)
        desk.leases_end()

    desk.work()

    assert desk.to_play() != playing


@pytest.mark.parametrize(
    ("full", "free"),
    [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
        ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"),
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    ],
)
@pytest.mark.parametrize(
    "write",
    [lambda redis: redis.set("anything", 1), lambda redis: redis.pipeline().set("anything", 1).execute()],
    ids=["alone", "among-others"],
)
def test_a_store_that_takes_nothing_now_and_then_costs_no_mail(
    desk: Desk, playing: Player, monkeypatch: pytest.MonkeyPatch, full: str, free: str, write: Callable[[RedisClient], Any]
) -> None:
    """No memory, no replicas, or a replica itself: that says nothing against the mail."""
    redis = desk.mailer.mail_queue.redis

    def at_a_bad_moment(id: str) -> bytes:
        redis.execute_command(*full.split())
        try:
            return bytes(write(redis))
        finally:
            redis.execute_command(*free.split())

    letter = desk.turn_letter(playing)
    receive(desk.mailer, reply(letter, playing.email, desk.good_orders()), [letter.reply_to])
    with monkeypatch.context() as now_and_then:
        now_and_then.setattr(desk.mailer.mail_queue, "raw", at_a_bad_moment)
        for _ in range(MOST_TRIES + 1):
            with suppress(RedisError):
                process_waiting(desk.mailer)
            desk.leases_end()

    desk.work()

    assert desk.to_play() != playing


def test_another_mail_under_the_message_id_of_an_earlier_one_is_not_done_but_answered(desk: Desk, ann: Player, ben: Player) -> None:
    """As from a program that numbers its mails wrongly; or a copy to which something was added on its way."""
    desk.table(ann, ben)
    letter, version = desk.turn_letter(ann), desk.game().version
    answered = len(desk.box(ann))
    assert desk.receive(reply(letter, ann.email, "help", Message_ID="<1@bot.test>"), letter.reply_to) == "answered"

    assert desk.receive(reply(letter, ann.email, "resign", Message_ID="<1@bot.test>"), letter.reply_to) == "same-message-id"

    assert desk.game().version == version
    assert len(desk.box(ann)) == answered + 2
    assert "Message-ID" in desk.newest(ann).text


def test_a_mail_that_went_to_a_wrong_address_may_be_sent_on_to_the_right_one(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    letter = desk.turn_letter(ann)
    raw = reply(letter, ann.email, "help")
    assert desk.receive(raw, "play+wrong@games.test") == "token-unknown"

    assert desk.receive(b"Resent-From: ann@example.org\r\n" + raw, letter.reply_to) == "answered"


@pytest.mark.parametrize("beside", ["somebody else's", "where letters come back to", "for new games"])
def test_a_mail_to_the_players_own_address_and_to_another_of_ours_counts_for_the_own(
    desk: Desk, ann: Player, ben: Player, beside: str
) -> None:
    """Whichever of them comes first by its letters."""
    for number in range(6):
        id = f"g{number}"
        desk.table(ann, ben, id=id)
        mover = desk.to_play(id)
        letter, other = desk.turn_letter(mover), desk.turn_letter(ben if mover == ann else ann)
        back = next(each.sender for each in desk.street.brought if each.mail is letter)
        also = {"somebody else's": other.reply_to, "where letters come back to": back, "for new games": "new@games.test"}[beside]
        answered = len(desk.box(mover))

        status = desk.receive(reply(letter, mover.email, desk.good_orders(mover.language, id)), letter.reply_to, also)

        assert (status, len(desk.box(mover))) == ("submitted", answered + 1)
