"""A backup that is made while mails come and go."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from marketpost.mail.inbound.receive import process_waiting, receive
from marketpost.play.keeping.backup import backup, restore
from marketpost.play.moves.submit import submit
from marketpost.store.players import Player
from marketpost.store.raw_copies import StoredKey
from tests.games import decide
from tests.mail.desk import Desk, open_desk, reply, two_redis


def test_no_mail_and_no_letter_is_lost_that_was_on_its_way_while_a_backup_was_made(
    desk: Desk, ann: Player, ben: Player, tmp_path: Path
) -> None:
    desk.table(ann, ben, id="g2")
    desk.table(ann, ben)
    player, letter = desk.to_play(), desk.turn_letter(desk.to_play())
    receive(desk.mailer, reply(letter, player.email, desk.good_orders()), [letter.reply_to])
    before = desk.game().version

    def meanwhile(items: Iterable[StoredKey]) -> Iterator[StoredKey]:
        """A move is made and told as soon as mail is read for the file, and a mail is acted on as soon as games are."""
        blows = {
            b"{mail}:": lambda: desk.by_rest(desk.to_play("g2"), desk.good_orders(id="g2"), "g2"),
            b"game:{": lambda: (process_waiting(desk.mailer), desk.decide()),
        }
        for item in items:
            yield item
            for begins in [begins for begins in blows if item.key.startswith(begins)]:
                blows.pop(begins)()

    backup(desk.mailer.ports, tmp_path / "backup", meanwhile)
    told = desk.to_play("g2")

    with two_redis() as settings:
        elsewhere = open_desk(settings)
        restore(elsewhere.mailer.ports, tmp_path / "backup")
        elsewhere.leases_end()
        process_waiting(elsewhere.mailer)
        decide(elsewhere.mailer.ports, ["g1", "g2"], elsewhere.callbacks)
        games = [mail.game for mail in elsewhere.mailer.deliveries.of(told.id) if mail.letter == "your-turn"]

        assert elsewhere.game().version > before
        assert elsewhere.game("g2").version == desk.game("g2").version
        assert games.count("g2") >= 1


def test_a_letter_that_is_written_while_letters_are_read_for_a_backup_is_sent_by_whoever_goes_on_from_it(
    desk: Desk, ann: Player, ben: Player, tmp_path: Path
) -> None:
    desk.table(ann, ben)
    first, second = desk.to_play(), ann if desk.to_play() == ben else ben
    desk.note(first, 1)
    submit(desk.mailer.ports, desk.game(), first.id, desk.good_orders())

    def meanwhile(items: Iterable[StoredKey]) -> Iterator[StoredKey]:
        """The move is judged and told as soon as anything of the letters has been read."""
        for item in items:
            yield item
            if item.key.startswith(b"{mail}:"):
                desk.decide()

    backup(desk.mailer.ports, tmp_path / "backup", meanwhile)

    with two_redis() as settings:
        elsewhere = open_desk(settings)
        elsewhere.clock.now = desk.clock.now
        restore(elsewhere.mailer.ports, tmp_path / "backup")
        decide(elsewhere.mailer.ports, ["g1"], elsewhere.callbacks)
        elsewhere.work()

        assert len(elsewhere.box(second)) == 1
        assert elsewhere.answer(second, elsewhere.good_orders()) == "submitted"
