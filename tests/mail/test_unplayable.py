"""Mails and letters of a game that is damaged, or to which a newer version of Marketpost has written."""

import logging

import msgspec
import pytest

from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.outbound.mailer import enqueue
from marketpost.play.log.entries import Tampered, WrittenByNewer, digest
from marketpost.play.ports import Ports
from marketpost.rules.words import LANGUAGES
from marketpost.store.delivery_queue import Delivery, DeliveryStatus
from marketpost.store.game_logs import GameLogs
from tests.mail.desk import Desk, minutes_pass
from workers.jobs import decide_safely


def append(ports: Ports, id: str, change: "list[object]") -> None:
    """An entry as a newer version would write it: bound to the one before, with something at its end that nobody here knows."""
    game = ports.game(id)
    assert game
    entry = [game.version + 1, game.changed, None, ["reminded", 0, 1], game.stamp, game.head, "", []]
    for place, value in enumerate(change):
        entry[3 + place : 4 + place] = [value]
    data = msgspec.json.encode(entry)
    ports.games.redis.xadd(GameLogs.key(id, "log"), {b"e": data}, id=f"{game.version + 1}-0")
    ports.games.redis.set(GameLogs.key(id, "head"), digest(data))


NEW_ACTION: "list[object]" = [["fireworks", 7]]
NEW_FORMAT: "list[object]" = [["reminded", 0, 1], "portobello 1", "", "", [], 2]


def flip(ports: Ports, id: str) -> None:
    """One byte of the newest entry."""
    ports.evict(id)
    key = GameLogs.key(id, "log")
    [(version, fields)] = ports.games.redis.xrevrange(key, count=1)
    data = fields[b"e"]
    ports.games.redis.xdel(key, version)
    ports.games.redis.xadd(key, {b"e": data.replace(b'"', b"#", 1)}, id=version.replace(b"-0", b"-1"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_about_a_damaged_game_is_answered_at_once_and_plainly(desk: Desk, language: str) -> None:
    ann, ben = desk.person("Ann", language), desk.person("Ben", language)
    desk.table(ann, ben)
    player = desk.to_play()
    letter = desk.turn_letter(player)
    flip(desk.mailer.ports, "g1")

    status = desk.answer(player, "bobby 5", to=letter)

    assert status == MessageStatus.GAME_DAMAGED
    words = {"en": "damaged", "de": "beschädigt", "fr": "endommagé", "it": "danneggiata"}
    assert words[language] in desk.newest(player).text


@pytest.mark.parametrize("new", [NEW_ACTION, NEW_FORMAT], ids=["action", "format"])
def test_what_a_newer_version_wrote_is_left_untouched_and_told_once(
    desk: Desk, new: "list[object]", caplog: pytest.LogCaptureFixture
) -> None:
    ann, ben = desk.person("Ann"), desk.person("Ben")
    desk.table(ann, ben)
    ports, player = desk.mailer.ports, desk.to_play()
    letter = desk.turn_letter(player)
    new = new if new is NEW_ACTION else [*new[:2], desk.game().head, *new[3:]]
    append(ports, "g1", new)
    before = ports.games.read("g1")
    ports.index.announce("g1", 0)

    with pytest.raises(WrittenByNewer):
        ports.game("g1")
    for _ in range(3):
        decide_safely(ports, ["g1"], desk.callbacks)
    status = desk.answer(player, "bobby 5", to=letter)
    for _ in range(5):
        desk.leases_end()
        minutes_pass(desk, 1)

    assert ports.games.read("g1") == before
    assert status == MessageStatus.WAITING, "a newer worker reads it"
    inbound = [desk.mailer.mail_queue.inbound(id.decode()) for id in ports.games.redis.zrange(desk.mailer.mail_queue.key("unread"), 0, -1)]
    assert [each.attempts for each in inbound if each] == [0]
    assert not ports.damaged.all()
    told = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(told) == 1
    assert "written by a newer Marketpost" in told[0]
    assert "update it" in told[0]


def test_a_letter_of_such_a_game_is_not_given_up(desk: Desk) -> None:
    ann, ben = desk.person("Ann"), desk.person("Ben")
    desk.table(ann, ben)
    at = desk.clock()
    enqueue(desk.mailer, Delivery("l1", ann.id, "your-turn", at, at, "g1", 2, 0))
    enqueue(desk.mailer, Delivery("l2", ben.id, "fireworks", at, at))
    append(desk.mailer.ports, "g1", NEW_ACTION)

    for _ in range(8):
        desk.leases_end()
        minutes_pass(desk, 5)

    assert {mail.id: (mail.status, mail.attempts) for mail in desk.waiting()} == {
        "l1": (DeliveryStatus.WAITING, 0),
        "l2": (DeliveryStatus.WAITING, 0),
    }


def test_a_flipped_byte_in_what_a_newer_version_wrote_is_damage(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    ports = desk.mailer.ports
    before = ports.games.read("g1")
    append(ports, "g1", NEW_ACTION)
    key = GameLogs.key("g1", "log")
    [(version, fields)] = ports.games.redis.xrevrange(key, count=1)
    ports.games.redis.delete(key)
    for each in before:
        ports.games.redis.xadd(key, {b"e": each.data}, id=f"{each.version}-0")
    ports.games.redis.xadd(key, {b"e": fields[b"e"].replace(b"fireworks", b"fireworkr")}, id=version)

    with pytest.raises(Tampered):
        ports.game("g1")
