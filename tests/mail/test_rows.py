"""What is kept of a letter that is done with takes little room and says all that it said."""

import hashlib

import msgspec

from store.people import Player
from store.post import Mail, Reply
from tests.mail.office import Desk

GAME, HOUR, DAY = "0123456789abcdef0123", 3_600_000, 24 * 3_600_000


def test_a_letter_that_was_sent_takes_a_quarter_of_a_kilobyte(desk: Desk, ann: Player, ben: Player) -> None:
    redis = desk.office.post.redis
    desk.table(ann, ben, id=GAME)
    while desk.game(GAME).status == "running":
        desk.clock.now += HOUR
        desk.answer(desk.to_play(GAME), desk.good_orders(id=GAME))

    rows = [key for part in ("out", "done", "of", "re") for key in redis.scan_iter(f"{{mail}}:{part}:*")]

    assert sum(redis.memory_usage(key, samples=0) for key in rows) < 256 * len(desk.street.brought)


def test_a_letter_that_is_done_with_is_told_as_it_was(desk: Desk, ann: Player) -> None:
    at, post = desk.clock(), desk.office.post
    letters = [
        Mail(f"{GAME}-3-turn-0", ann.id, "your-turn", at, at, GAME, 3, 0, status="sent", done=at),
        Mail("answer-0123456789abcdef", ann.id, "receipt", at + 1, at + 5, GAME, 4, 1, {"told": 3}, "sent", tries=2, done=at + 9),
        Mail("code-0a", ann.id, "code", at - 8 * DAY, at, status="refused", reason="no such person", done=at),
        Mail("g1", ann.id, "invited", at - 9 * DAY, at - 9 * DAY, "g1", 0, status="superseded", done=at),
    ]

    for each in letters:
        post.keep(each)

    assert post.of(ann.id) == sorted(letters, key=lambda mail: -mail.at)
    assert post.of(ann.id, at, 1) == [letters[2]]
    assert not post.put(letters)


def test_letters_and_addresses_of_the_time_when_each_had_a_row_are_known(desk: Desk, ann: Player) -> None:
    at, post = desk.clock(), desk.office.post
    old, new = (Mail(f"note-{number}", ann.id, "answer", at + number, at, status="sent", done=at) for number in (1, 2))
    post.redis.set(post.key("out", old.id), msgspec.json.encode(old), ex=DAY)
    post.redis.zadd(post.key("of", ann.id), {old.id: old.at})
    post.redis.set(post.key("reply", hashlib.sha256(b"token").hexdigest()), b'{"player":"ann","game":"g1","seat":0}', ex=DAY)
    post.keep(new)

    assert post.of(ann.id) == [new, old]
    assert not post.put([old])
    assert post.reply("token") == Reply("ann", "g1", 0)
    post.forget(ann.id, ann.email)
    assert post.of(ann.id) == []
    assert post.put([old, new])


def test_whom_a_reply_address_stands_for_is_told_as_it_was(desk: Desk) -> None:
    replies = [Reply("0123456789abcdef", GAME, 0, 7, 12), Reply("ann"), Reply("ann", None, None, None, 0, "ab12cd34")]

    for number, each in enumerate(replies):
        desk.office.post.bind(f"token {number}", each)

    assert [desk.office.post.reply(f"token {number}") for number in range(4)] == [*replies, None]
