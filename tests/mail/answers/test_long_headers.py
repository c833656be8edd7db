"""Orders below very long headers are read; headers without end are answered."""

import pytest

from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import Desk, reply


def far_too_long(raw: bytes, bytes_before: int) -> bytes:
    line = b"X-Trace: " + b"y" * 900 + b"\r\n"
    return line * (bytes_before // len(line)) + raw


def test_orders_below_a_very_long_header_are_read(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    raw = far_too_long(reply(building, ann.email, "stall CG"), 100_000)

    assert desk.receive(raw, building.reply_to) == "submitted"


@pytest.mark.parametrize("marks", [{}, {"Auto_Submitted": "auto-replied"}])
def test_a_header_without_end_is_answered_to_the_player_of_the_token(
    desk: Desk, ann: Player, building: MailboxMessage, marks: dict[str, str]
) -> None:
    before, version = len(desk.box(ann)), desk.game().version
    raw = far_too_long(reply(building, ann.email, "stall CG", **marks), 650_000)

    assert desk.receive(raw, building.reply_to) == "cut-off"
    assert desk.receive(raw + b"\r\n", building.reply_to) == "repeats-itself"

    assert desk.game().version == version
    assert len(desk.box(ann)) == before + 1


def test_marks_of_a_machine_are_seen_in_a_very_long_header(desk: Desk, ann: Player, building: MailboxMessage) -> None:
    raw = far_too_long(reply(building, ann.email, "stall CG", Auto_Submitted="auto-replied"), 100_000)

    assert desk.receive(raw, building.reply_to) == "automatic"
