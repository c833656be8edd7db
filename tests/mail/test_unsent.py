"""Letters that are better not sent: stale ones, unwanted ones, too many, and those to a dead address."""

from pathlib import Path

from marketpost.mail.outbound.attempt import delivered, retry_later
from marketpost.mail.outbound.compose import unsubscribe_url
from marketpost.mail.outbound.gate import DEAD_AFTER
from marketpost.mail.outbound.mailer import enqueue
from marketpost.play.limits import USUAL, Limit
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player
from tests.mail.desk import Desk, minutes_pass, notes

MAILS = Path(__file__).parent.parent / "mails"


def test_only_the_newest_of_stale_turn_letters_is_sent(desk: Desk, ann: Player, ben: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("away")
    desk.table(ann, ben)
    for _ in range(7):
        desk.clock.forward(seconds=10)
        desk.by_rest(desk.to_play(), desk.good_orders())
        desk.work()
    one, other = desk.to_play(), (ann if desk.to_play() == ben else ben)

    desk.street.outcome = lambda recipient: delivered()
    minutes_pass(desk, 30)

    assert len([mail for mail in desk.box(one) if "-turn-" in mail.header("Message-ID")]) == 1
    assert not [mail for mail in desk.box(other) if "-turn-" in mail.header("Message-ID")]
    assert "superseded" in desk.fates(one)


def test_who_wants_a_digest_gets_one_a_day(desk: Desk, ann: Player) -> None:
    cat = desk.person("Cat", "en", mail="digest", digest_hour=18)
    desk.table(ann, cat, id="g1")
    desk.table(ann, cat, id="g2")
    minutes_pass(desk, 5)
    assert not desk.box(cat)

    desk.clock.forward(hours=9)
    desk.work()

    (digest,) = desk.box(cat)
    assert "2 games are waiting" in digest.text
    desk.clock.forward(days=1)
    desk.work()
    assert len(desk.box(cat)) == 1, "nothing has happened since"


def test_who_wants_the_digest_at_a_later_hour_gets_another_one_the_same_day(desk: Desk, ann: Player) -> None:
    cat = desk.person("Cat", "en", mail="digest", digest_hour=12)
    desk.table(ann, cat, id="g1")
    desk.clock.forward(hours=3)
    desk.work()
    assert len(desk.box(cat)) == 1

    desk.mailer.ports.players.change(cat, lambda known: {"digest_hour": 18})
    desk.table(ann, cat, id="g2")
    desk.clock.forward(hours=6)
    desk.work()

    assert "2 games are waiting" in desk.newest(cat).text


def test_who_wants_no_mail_still_gets_answers(desk: Desk, ann: Player) -> None:
    cat = desk.person("Cat", "en")
    desk.table(ann, cat)
    assert desk.to_play() == cat
    letter = desk.turn_letter(cat)
    cat.mail = "none"
    desk.mailer.ports.players.save(cat)

    desk.answer(cat, desk.good_orders(), letter)
    desk.answer(ann, desk.good_orders())

    assert [mail.header("Auto-Submitted") for mail in desk.box(cat)] == ["auto-generated", "auto-replied"]
    assert desk.fates(cat).count("sent") == len(desk.fates(cat)), "what nobody wants is not even written"
    assert unsubscribe_url(desk.mailer, cat).endswith(desk.mailer.token("unsubscribe", cat.id))


def test_who_wants_no_more_mail_does_not_get_what_waited(desk: Desk, ann: Player, ben: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("away")
    desk.table(ann, ben)
    reader = desk.to_play()
    reader.mail = "none"
    desk.mailer.ports.players.save(reader)

    desk.street.outcome = lambda recipient: delivered()
    desk.clock.forward(hours=1)
    desk.work()

    assert not desk.box(reader)
    assert desk.fates(reader)[-1] == "not-wanted"


def called_again(desk: Desk, player: Player, number: int) -> None:
    """One more letter about a game."""
    at = desk.clock()
    enqueue(desk.mailer, Delivery(f"again-{number:03}-{player.id}", player.id, "started", at, at, "g1", 1, 0))


def test_nobody_gets_more_than_so_many_letters_an_hour_but_every_answer(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    desk.clock.forward(hours=1)
    before, most = len(desk.box(ann)), USUAL[Limit.TURN_LETTERS]
    for number in range(most + 10):
        called_again(desk, ann, number)
    desk.work()
    assert len(desk.box(ann)) == before + most

    desk.answer(ann, "Hilfe", desk.newest(ann))
    assert len(desk.box(ann)) == before + most + 1

    desk.clock.forward(hours=1, minutes=1)
    minutes_pass(desk, 5)
    assert len(desk.box(ann)) == before + most + 11


def test_trying_again_is_not_counted_as_a_letter(desk: Desk, ann: Player) -> None:
    desk.street.outcome = lambda recipient: retry_later("away")
    for number in range(10):
        desk.note(ann, number)
    minutes_pass(desk, 30)
    desk.street.outcome = lambda recipient: delivered()

    minutes_pass(desk, 20 + 32)

    assert len(notes(desk, ann)) == 10


def test_letters_that_come_back_stop_the_mail_and_not_the_game(desk: Desk, ann: Player, ben: Player) -> None:
    desk.table(ann, ben)
    for number in range(DEAD_AFTER):
        desk.note(ann, number)
    desk.work()
    to_ann = [each for each in desk.street.brought if each.recipient == ann.email][-DEAD_AFTER:]
    for number, letter in enumerate(to_ann):
        raw = (MAILS / "bounce_failed.eml").read_bytes().replace(b"Subject:", f"X-Number: {number}\nSubject:".encode(), 1)
        assert desk.receive(raw, letter.sender) == "bounce"
    before = len(desk.box(ann))

    for _ in range(4):
        desk.by_rest(desk.to_play(), desk.good_orders())
        desk.work()

    assert desk.again(ann).bounces == DEAD_AFTER
    assert len(desk.box(ann)) == before
    assert len([mail for mail in desk.box(ben) if "-turn-" in mail.header("Message-ID")]) == 3
    newest = desk.mailer.deliveries.of(ann.id)[0]
    assert (newest.status, newest.reason) == ("not-wanted", "the address bounces")
