"""What letters tell of a table whose host names it and invites somebody else."""

import pytest

from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.hosting import rename, withdraw_invitation
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.store.players import Player
from tests.mail.desk import Desk


@pytest.mark.parametrize("rules", rulesets())
def test_another_is_invited_instead_and_no_letter_has_the_name_of_the_game(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    ports, cy = desk.mailer.ports, desk.person("Cy", confirmed=False)
    open_game(ports, "g1", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(invited=ben.email)], {"name": "Cheap pills"})
    desk.work()
    withdraw_invitation(ports, "g1", ann.id, 1, instead=cy.email)
    rename(ports, "g1", ann.id, "Cheaper pills")
    desk.work()

    assert [len(desk.box(player)) for player in (ann, ben, cy)] == [0, 1, 1]
    desk.answer(ben, "yes")
    assert desk.game().status == "open"
    desk.answer(cy, "yes")
    assert desk.game().seats[1] == SeatPlan(player=cy.id)
    assert desk.game().name == "Cheaper pills"
    letters = [each.mail for each in desk.street.brought]
    assert "pills" not in " ".join(text for mail in letters for text in (mail.header("Subject"), mail.text, mail.html))
