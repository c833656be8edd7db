"""Ann and Ben, who both write English."""

import pytest

from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import Desk


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben")


@pytest.fixture
def building(desk: Desk, ann: Player, ben: Player) -> MailboxMessage:
    """Ann has built two stalls, one by one, and her turn is not over; the letter that told her of the second."""
    desk.table(ann, ben)
    desk.by_rest(desk.to_play(), "bobby 5")
    desk.work()
    for orders in ("4: stall G-C", "stall CG"):
        desk.answer(ann, orders, desk.newest(ann))
    return desk.newest(ann)
