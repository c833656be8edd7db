"""A report reaches the operator by letter and by webhook, where the operator wants it."""

from dataclasses import replace

import pytest

from marketpost.mail.outbound.operator_reports import read_places
from marketpost.store.players import Player
from tests.notify.bureau import Bureau
from tests.notify.receivers import Receiver

ROOT = "root@example.org"


def test_the_operator_gets_a_letter_and_a_call(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    desk = bureau.desk
    desk.mailer.settings = replace(desk.mailer.settings, reports_to=f"{ROOT}, {honest.url}")
    desk.table(ann, ben)
    desk.answer(ben, "report ann: she insults me")
    bureau.work()
    bureau.work()

    [letter] = [each.mail for each in desk.street.brought if each.recipient == ROOT]
    assert "Ann" in letter.header("Subject")
    assert "she insults me" in letter.text
    [event] = [each for each in honest.events if each["event"] == "reported"]
    assert (event["text"], event["game"]["by"], event["game"]["about"]) == ("she insults me", ben.id, ann.id)


def test_a_report_of_somebody_who_was_erased_is_told_to_nobody(bureau: Bureau, ann: Player, ben: Player) -> None:
    desk = bureau.desk
    desk.mailer.settings = replace(desk.mailer.settings, reports_to=ROOT)
    desk.table(ann, ben)
    desk.answer(ben, "report ann: she insults me")
    [made] = desk.mailer.ports.reports.all()
    desk.mailer.ports.reports.erase(ben.id)

    assert desk.mailer.ports.reports.find(made.id) is None


@pytest.mark.parametrize("text", ["root", "ftp://example.org", "root@example.org; x y"])
def test_what_is_neither_an_address_nor_a_url_cannot_be_set(text: str) -> None:
    with pytest.raises(ValueError, match="neither"):
        read_places(text)
