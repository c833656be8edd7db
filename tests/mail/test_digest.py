"""The digest can be answered: one reply plays any number of games, each part once and for itself."""

import re

from marketpost.play.moves.submit import submit
from marketpost.rules.ruleset import rulesets
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import MailPreference, Player
from tests.mail.desk import Desk

HEADING = re.compile(r"^([A-Z]\d+) [–-] ", re.MULTILINE)


def waiting_tables(desk: Desk, ann: Player, count: int, second: str = "Ben") -> dict[str, str]:
    """So many games of all rulesets by turns in which Ann is to decide, and her digest: the game of each label."""
    ben, names = desk.person(second), list(rulesets())
    for number in range(count):
        id = f"g{number}"
        desk.table(ann, ben, id=id, rules=names[number % len(names)])
        while desk.to_play(id).id != ann.id:
            submit(desk.mailer.ports, desk.game(id), desk.to_play(id).id, desk.good_orders(id=id))
            desk.decide()
    return labels(desk, digest(desk, ann))


def digest(desk: Desk, player: Player) -> MailboxMessage:
    desk.clock.forward(days=1)
    desk.work()
    [letter] = [mail for mail in desk.box(player) if HEADING.search(mail.text)][-1:]
    return letter


def labels(desk: Desk, letter: MailboxMessage) -> dict[str, str]:
    local = letter.reply_to.partition("@")[0].partition("+")[2]
    reply = desk.mailer.mail_queue.reply(local)
    assert reply
    return {label: each.game or "" for label, each in reply.games.items()}


def test_ten_games_one_reply_one_bad_part(desk: Desk) -> None:
    ann = desk.person("Ann", mail=MailPreference.DIGEST)
    games = waiting_tables(desk, ann, 3)
    letter = digest(desk, ann)
    print(letter.text)
    bad = next(label for label in games if label.endswith("2"))
    before = {id: desk.game(id).version for id in games.values()}
    lines = [f"{label}: {'take the moon' if label == bad else desk.good_orders(id=id)}" for label, id in games.items()]

    became = desk.answer(ann, "\n".join(lines), to=letter)

    assert became == "several-games"
    print(desk.newest(ann).text)
    for label, id in games.items():
        assert len(desk.game(id).history) and (desk.game(id).version > before[id]) == (label != bad)
