"""Receivers that fail: patience for them, letters where no webhook works, and nobody else held up."""

from dataclasses import replace
from typing import Any

from marketpost.mail.outbound.attempt import DeliveryOutcome
from marketpost.notify.engine import call_targets
from marketpost.notify.record import LEAST_FAILURES, SWITCHED_OFF_AFTER
from marketpost.notify.record import TARGET_LONGEST_WAIT as LONGEST_WAIT
from marketpost.notify.targets import MOST_TARGETS
from marketpost.notify.webhook_client import WebhookClient
from marketpost.store.players import Player
from tests.notify.bureau import Bureau, play_until_turn_of, subjects
from tests.notify.receivers import OK, Receiver, never_answers, receiver, says, status


def test_a_call_that_fails_is_made_again_later_and_later(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ann, ben)
        tries, waits = [], []
        for _ in range(12):
            bureau.work()
            tries.append(broken.connections)
            found = bureau.again(hook)
            waits.append(found.again - (found.last_error_at or 0))
            bureau.pass_time(milliseconds=waits[-1])

        assert tries == sorted(set(tries)), "each time again"
        assert waits == sorted(waits)
        assert waits[0] < waits[-1]
        assert waits[-1] <= LONGEST_WAIT
        assert (bureau.again(hook).last_error, bureau.again(hook).off) == ("status 500", None)

        broken.answer = says(OK)
        bureau.pass_time(hours=1)
        healed = bureau.again(hook)
        assert (healed.failures, healed.failing_since) == (0, None)
        assert healed.last_success
        assert healed.last_error == "status 500", "still shown"
        assert bureau.desk.mailer.deliveries.waiting("webhook") == 0


def test_after_days_of_failure_it_is_switched_off_with_one_letter_and_letters_come_again(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ben, ann)
        for _ in range(4 * 24):
            bureau.pass_time(hours=1)
        off = bureau.again(hook)
        made = broken.connections

        play_until_turn_of(bureau, ann)
        bureau.pass_time(hours=1)

    assert off.off
    assert off.failures >= LEAST_FAILURES
    assert broken.connections == made, "no more calls"
    assert subjects(bureau, ann)[0] == "Nachrichten an 127.0.0.1 sind abgeschaltet"
    assert [subject for subject in subjects(bureau, ann) if "abgeschaltet" in subject] == subjects(bureau, ann)[:1]
    assert "Die Antwort war 500." in bureau.desk.box(ann)[0].text
    assert "/hook" not in bureau.desk.box(ann)[0].text, "the rest of the address may be a secret"
    assert subjects(bureau, ann)[-1].startswith("Du bist am Zug")
    assert bureau.desk.mailer.deliveries.waiting("webhook") == 0


def test_one_that_is_switched_on_and_fails_for_days_again_is_told_of_again(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ben, ann)
        for _ in range(2):
            failing = bureau.again(hook)
            failing.off, failing.again, failing.failures = None, 0, LEAST_FAILURES
            failing.failing_since = bureau.desk.clock() - SWITCHED_OFF_AFTER
            bureau.desk.mailer.targets.update(failing)
            play_until_turn_of(bureau, ann)
            bureau.pass_time(hours=1)
            assert bureau.again(hook).off

    assert len([subject for subject in subjects(bureau, ann) if "abgeschaltet" in subject]) == 2


def test_a_webhook_that_was_hardly_called_is_not_switched_off(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ann, ben)
        bureau.work()
        bureau.desk.clock.forward(days=30)
        bureau.work()

        assert broken.connections >= 2
        assert bureau.again(hook).off is None


def test_a_broken_webhook_does_not_hold_up_another_of_the_same_player(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    with receiver(status(500)) as broken:
        bureau.hook(ann, broken)
        bureau.hook(ann, honest)
        bureau.desk.table(ann, ben)
        bureau.work()

    assert honest.requests


def test_a_receiver_that_breaks_its_caller_has_only_failed(bureau: Bureau, ann: Player, ben: Player) -> None:
    class Breaking(WebhookClient):
        def post(self, url: str, *_: Any) -> DeliveryOutcome:
            raise LookupError(url)

    with receiver(says(OK)) as strange:
        hook = bureau.hook(ann, strange)
        bureau.desk.notifier.http = Breaking()
        bureau.desk.table(ann, ben)
        bureau.work()

    assert bureau.again(hook).last_error == "unreadable"
    assert bureau.desk.mailer.deliveries.waiting("webhook") == 1


def test_a_deleted_webhook_is_not_called_and_does_not_come_back(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ann, ben)
        bureau.work()
        bureau.desk.mailer.targets.delete(ann.id, hook.id)
        bureau.desk.mailer.targets.update(hook)
        bureau.pass_time(hours=1)

    assert broken.connections == 1
    assert bureau.desk.mailer.targets.of(ann.id) == []
    assert bureau.desk.mailer.deliveries.waiting("webhook") == 0


def test_a_call_whose_worker_died_is_made_by_another(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    assert bureau.desk.mailer.deliveries.take(bureau.desk.clock(), 10, "webhook").deliveries

    call_targets(bureau.desk.notifier, 10.0)
    assert honest.requests == []
    bureau.desk.leases_end()
    call_targets(bureau.desk.notifier, 10.0)
    assert honest.requests


def test_a_call_in_the_hands_of_one_worker_is_not_made_by_another_whose_clock_is_hours_ahead(
    bureau: Bureau, ann: Player, ben: Player, honest: Receiver
) -> None:
    bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    assert bureau.desk.mailer.deliveries.take(bureau.desk.clock(), 10, "webhook").deliveries

    bureau.pass_time(hours=5)

    assert honest.requests == []


def test_a_call_that_cannot_be_read_any_more_holds_up_none_of_the_others(
    bureau: Bureau, ann: Player, ben: Player, honest: Receiver
) -> None:
    bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    deliveries = bureau.desk.mailer.deliveries
    deliveries.redis.set(deliveries.key("out", "damaged"), b"{")
    deliveries.redis.zadd(deliveries.line("webhook"), {"damaged": 0})

    call_targets(bureau.desk.notifier, 10.0)

    assert honest.requests


def test_a_slow_receiver_of_one_player_does_not_delay_the_calls_of_others(
    bureau: Bureau, ann: Player, ben: Player, honest: Receiver
) -> None:
    """Each player has one line: however many slow receivers one has, the others' calls are made meanwhile."""
    with receiver(never_answers) as slow:
        bureau.desk.notifier.http = replace(bureau.desk.notifier.http, deadline=3.0)
        for _ in range(MOST_TARGETS):
            bureau.hook(ann, slow)
        bureau.hook(ben, honest)
        bureau.desk.table(ann, ben)
        slow_ones_while_told: list[int] = []
        honest.answer = lambda connection, over: (slow_ones_while_told.append(slow.connections), connection.sendall(OK))[1]
        bureau.desk.work()

        call_targets(bureau.desk.notifier, 1.0)

    assert slow_ones_while_told, "called"
    assert max(slow_ones_while_told) <= 1
    assert bureau.desk.mailer.deliveries.due(bureau.desk.clock(), "webhook") == MOST_TARGETS - 1, "the rest is given back"
