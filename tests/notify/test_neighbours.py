"""A target that fails for days, and a mail provider that defers everything: nobody else waits, and the owner is told."""

import pytest

from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, retry_later
from marketpost.notify.targets import add_target
from marketpost.rules.ruleset import rulesets
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player
from tests.notify import doubles
from tests.notify.bureau import Bureau
from tests.notify.doubles import Double, serving
from tests.notify.receivers import Receiver, receiver, status

MINUTE = 60_000
DEFERRING = "@slow.example"
DAYS = 4


def deferring(recipient: str) -> DeliveryOutcome:
    return retry_later("451 try again later") if recipient.endswith(DEFERRING) else delivered()


def sent(bureau: Bureau, player: Player, channel: str) -> list[Delivery]:
    return [each for each in bureau.desk.mailer.deliveries.of(player.id, channel=channel) if each.status == "sent"]


@pytest.mark.parametrize("rules", rulesets())
def test_a_target_and_a_provider_that_fail_for_days_delay_nobody_else(
    bureau: Bureau, ann: Player, ben: Player, honest: Receiver, rules: str
) -> None:
    """Told by the ages of deliveries, on a clock that is moved."""
    desk = bureau.desk
    sam = desk.person("Sam", email=f"sam{DEFERRING}")
    dan = desk.person("Dan", mail="webhook")
    desk.street.outcome = deferring
    with receiver(status(503)) as broken, serving(Double(doubles.ntfy)) as phone:
        bureau.hook(ann, honest)
        bad = bureau.hook(dan, broken)
        add_target(desk.mailer, "phone", dan.id, "ntfy", f"ntfy://{phone.place}/topic", None)
        for id, other in (("g1", sam), ("g2", dan), ("g3", ben)):
            desk.table(ann, other, id=id, rules=rules)
        for _ in range(DAYS * 8):
            for id in ("g1", "g2", "g3"):
                if desk.game(id).status == "running":
                    desk.by_rest(desk.to_play(id), desk.good_orders(id=id), id)
            bureau.pass_time(hours=3)

    assert sent(bureau, sam, "email") == []
    for player, channel in ((ann, "webhook"), (ben, "email"), (dan, "ntfy")):
        told = sent(bureau, player, channel)
        assert len(told) > DAYS, (player.name, channel)
        assert max((each.done or 0) - each.at for each in told) < 3 * 60 * MINUTE + MINUTE, "at the next look at the queue"
        assert all(each.attempts == 0 for each in told), "none was put off"
    off = bureau.again(bad)
    assert off.off
    history = [each for each in desk.mailer.deliveries.of(dan.id) if each.letter == "webhook-off"]
    assert [each.status for each in history] == ["sent"], "its owner is told by letter"
    assert {each.reason for each in desk.mailer.deliveries.of(dan.id, channel="webhook") if each.status == "given-up"} == {"status 503"}
