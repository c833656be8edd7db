"""A player's vacation moves deadlines, and cannot be gathered."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from marketpost.play.clock.vacation import DAYS_A_YEAR, days_left, end_vacation, take_vacation
from marketpost.play.log.actions import Postponed, TimedOut
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.play.timed import HOUR, left, live, of, play, saved, timed_game


def vacation(desk: Desk, player: Player, first: str, last: str) -> Player:
    take_vacation(desk.mailer.ports, changed := desk.again(player), date.fromisoformat(first), date.fromisoformat(last))
    return changed


def test_a_vacation_moves_the_deadlines_that_are_running(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=2)
    vacation(desk, ann, "2026-03-03", "2026-03-05")

    assert left(desk, 0) == (22 + 3 * 24) * 60
    [moved] = of(desk, Postponed)
    assert moved.why == "vacation"


def test_a_vacation_that_is_planned_counts_for_the_next_decisions_too(desk: Desk, ann: Player, ben: Player) -> None:
    vacation(desk, ann, "2026-03-03", "2026-03-05")
    timed_game(desk, ann, ben)

    assert left(desk, 0) == 4 * 24 * 60


def test_ending_a_vacation_early_takes_back_what_was_not_used(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    vacation(desk, ann, "2026-03-03", "2026-03-12")
    assert days_left(desk.again(ann), 2026) == DAYS_A_YEAR - 10
    live(desk, days=2)
    assert left(desk, 0) == (24 + 240 - 48) * 60

    end_vacation(desk.mailer.ports, desk.again(ann))

    assert left(desk, 0) == (10 + 14) * 60, "what is left of the day, which is off, and of the time"
    assert days_left(desk.again(ann), 2026) == DAYS_A_YEAR - 2


def test_nobody_gains_by_taking_a_vacation_again_and_again(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=2)
    vacation(desk, ann, "2026-03-02", "2026-03-02")
    by = desk.game().times[0].by
    for _ in range(5):
        live(desk, minutes=30)
        end_vacation(desk.mailer.ports, desk.again(ann))
        live(desk, minutes=30)
        vacation(desk, ann, "2026-03-02", "2026-03-02")

    assert desk.game().times[0].by == by
    assert days_left(desk.again(ann), 2026) == DAYS_A_YEAR - 1


def test_a_vacation_has_an_end_and_a_budget(desk: Desk, ann: Player) -> None:
    for first, last, code in (
        ("2026-03-05", "2026-03-04", "vacation-backwards"),
        ("2026-02-01", "2026-03-01", "vacation-over"),
        ("2026-03-02", "2026-04-01", "vacation-budget"),
        ("2027-02-20", "2027-03-10", "vacation-far"),
    ):
        with pytest.raises(Refused) as refused:
            vacation(desk, ann, first, last)
        assert refused.value.code == code
    vacation(desk, ann, "2026-03-02", "2026-03-31")
    assert days_left(desk.again(ann), 2026) == 0
    vacation(desk, ann, "2026-12-20", "2027-01-10")
    found = desk.again(ann)
    assert (days_left(found, 2026), days_left(found, 2027)) == (DAYS_A_YEAR - 1 - 12, DAYS_A_YEAR - 10), "today had begun"


def test_a_vacation_that_was_written_down_is_counted_even_if_its_writer_died(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=2)
    found = desk.again(ann)
    found.vacations, found.vacation_changed = [(date(2026, 3, 3), date(2026, 3, 5))], desk.clock()
    desk.mailer.ports.players.save(found)
    live(desk, days=2)

    assert of(desk, TimedOut) == []
    assert left(desk, 0) == (22 + 3 * 24 - 48) * 60
    assert len(of(desk, Postponed)) == 1


def test_vacations_taken_in_two_places_at_once_cost_no_time(desk: Desk, ann: Player, ben: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    timed_game(desk, ann, ben)
    live(desk, hours=2)
    people, change = desk.mailer.ports.players, desk.mailer.ports.players.change

    def after_another(player: Player, changes: Callable[[Player], dict[str, Any]]) -> None:
        """Who has written down a vacation and moved no deadline yet."""
        change(desk.again(ann), lambda known: {"vacations": [(date(2026, 3, 3), date(2026, 3, 5))], "vacation_changed": desk.clock()})
        change(player, changes)

    monkeypatch.setattr(people, "change", after_another)
    vacation(desk, ann, "2026-03-03", "2026-03-08")

    assert left(desk, 0) == (22 + 6 * 24) * 60


def test_a_move_to_another_timezone_gives_no_more_than_was_given(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben, quiet=(22, 8), bank=72 * HOUR)
    found = desk.again(ann)
    found.timezone = "Pacific/Auckland"
    desk.mailer.ports.players.save(found)
    play(desk)

    assert saved(desk, 0) <= 24 * 60
