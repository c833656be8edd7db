"""One reply to a digest of ten games, given to a whole service twice: by SMTP, and by IMAP from a real Dovecot."""

import smtplib
from imaplib import IMAP4
from pathlib import Path
from urllib.parse import quote

from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import rulesets
from marketpost.store.delivery_queue import EMAIL
from marketpost.store.local_mailbox import LocalMailbox, MailboxMessage, write_reply
from marketpost.store.players import MailPreference, Player
from marketpost.store.settings import Settings
from tests.abuse.test_bots import first_seat
from tests.mail.servers import GAMES, PASSWORD, free_port
from tests.mail.town import PLAYERS, Town, town
from tests.running.live import running, until
from workers.notifier import make_mailer
from workers.queue import make_ports

TEN, BAD = 10, 3
ANN, DESK = f"ann@{PLAYERS}", f"desk@{PLAYERS}"


def now(ports: Ports, id: str) -> Game:
    game = ports.game(id)
    assert game
    return game


def open_tables(ports: Ports, ann: Player, ben: Player) -> list[str]:
    """Games of each ruleset by turns, in which Ann is to decide, and then Ben, who never does."""
    ids = [f"waits-{number}" for number in range(TEN)]
    for number, id in enumerate(ids):
        rules = [*rulesets().values()][number % len(rulesets())]
        seats = [SeatPlan(player=ben.id), SeatPlan(player=ben.id)]
        seats[first_seat(rules)] = SeatPlan(player=ann.id)
        open_game(ports, id, ann.id, rules.name, seats, {})
    until(lambda: all(now(ports, id).deciders for id in ids))
    return ids


def digest(mailer: Mailer, ann: Player) -> MailboxMessage:
    """Ann's, as if its hour had come."""
    deliveries = mailer.deliveries
    [waiting] = until(lambda: [each for each in deliveries.of(ann.id) if each.letter == "digest"])
    deliveries.redis.zadd(deliveries.line(EMAIL), {waiting.id: 0})
    until(lambda: letters(mailer, f"{TEN} games are waiting"))
    return letters(mailer, f"{TEN} games are waiting")[0]


def letters(mailer: Mailer, subject: str) -> list[MailboxMessage]:
    """List the letters to Ann with this in their subject."""
    box = LocalMailbox(mailer.ports.games.redis)
    return [mail for line in box.list(ANN) if subject in line.head.subject and (mail := box.read(ANN, line.number))]


def good_orders(game: Game) -> str:
    return bot(game.rules, usual_bot(game.rules))(game.state.copy(), game.deciders[0], Sealed(bytes(32), game.id))


def moves(ports: Ports, ann: Player, id: str) -> int:
    game = now(ports, id)
    return sum(played.seat == game.seat_of(ann.id) for _, played in game.history)


def is_read(place: Town) -> bool:
    """Whether the mailbox of the service has a mail, and none is unread."""
    with IMAP4("127.0.0.1", place.imap_port, timeout=60) as client:
        client.login(DESK, PASSWORD)
        client.select(readonly=True)
        return bool(client.search(None, "ALL")[1][0]) and not client.search(None, "UNSEEN")[1][0]


def test_nine_of_ten_parts_are_played_once_though_the_reply_comes_twice(tmp_path: Path) -> None:
    port = free_port()
    with town() as place:
        mailbox = f"imaps://{quote(DESK)}:{quote(PASSWORD, safe='')}@localhost:{place.imaps_port}/INBOX?ca={place.certificates.ca}"
        with running(tmp_path / "data", MAIL_LISTEN=f"127.0.0.1:{port}", MAIL_DOMAIN=GAMES, IMAP_URL=mailbox) as live:
            settings, work_queue = Settings.read(live.environment), live.work_queue()
            mailer = make_mailer(settings, work_queue, make_ports(settings, work_queue))
            ports = mailer.ports
            ann, ben = register(ports, ANN, "Ann"), register(ports, f"ben@{PLAYERS}", "Ben")
            ann.mail = MailPreference.DIGEST
            ports.players.save(ann)
            tables = open_tables(ports, ann, ben)
            letter = digest(mailer, ann)
            reply = mailer.mail_queue.reply(letter.reply_to.partition("@")[0].partition("+")[2])
            assert reply
            games = {label: each.game or "" for label, each in reply.games.items()}
            assert sorted(games.values()) == sorted(tables)
            bad = [*games][BAD]
            parts = [f"{label}: {'take the moon' if label == bad else good_orders(now(ports, id))}" for label, id in games.items()]
            raw = write_reply(letter, ANN, "\n".join(parts))

            with smtplib.SMTP("127.0.0.1", port, "client.test", timeout=60) as by_smtp:
                by_smtp.sendmail(ANN, [letter.reply_to], raw)
            with smtplib.LMTP("127.0.0.1", place.lmtp_port, "client.test", timeout=60) as by_imap:
                by_imap.sendmail(ANN, [DESK], raw)

            [answer] = until(lambda: letters(mailer, "Done in 9 of 10 games"))
            until(lambda: is_read(place))
            until(lambda: not mailer.mail_queue.unread())
            assert "take the >>moon<<" in answer.text
            assert {label: moves(ports, ann, id) for label, id in games.items()} == {label: int(label != bad) for label in games}
            assert len(letters(mailer, "Done in")) == 1
