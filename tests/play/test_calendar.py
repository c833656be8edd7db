"""Playing time in a player's own day: nights, weekends and vacations left out, and every change of the clocks got right."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketpost.play.clock.calendar import MOST_QUIET, Calendar, hours_quiet
from tests.play.timed import DAY, HOUR

ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia",
    "Pacific/Kiritimati", "Africa/Cairo", "America/Havana", "Asia/Beirut", "America/St_Johns", "Pacific/Chatham",
)  # fmt: skip
"""With half and quarter hours, a change of half an hour, changes at midnight, and a day that never was."""
NIGHT = (22, 8)


def at(text: str, zone: str = "Europe/Berlin") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def told(moment: int, zone: str = "Europe/Berlin") -> str:
    return datetime.fromtimestamp(moment / 1000, ZoneInfo(zone)).strftime("%a %Y-%m-%d %H:%M")


def in_berlin(**kinds: object) -> Calendar:
    return Calendar("Europe/Berlin", **kinds)


def test_where_everything_counts_a_day_is_a_day() -> None:
    assert Calendar().add(1000, DAY) == 1000 + DAY
    assert Calendar().between(1000, 1000 + DAY) == DAY
    assert Calendar().between(1000, 500) == 0


def test_a_day_that_begins_on_friday_evening_ends_on_monday_evening() -> None:
    assert told(in_berlin(weekends=False).add(at("2026-03-06 18:00"), DAY)) == "Mon 2026-03-09 18:00"


def test_who_is_asked_on_a_sunday_has_all_of_it_on_monday() -> None:
    assert told(in_berlin(weekends=False).add(at("2026-03-08 12:00"), 10 * HOUR)) == "Mon 2026-03-09 10:00"


def test_quiet_hours_across_midnight_are_left_out() -> None:
    days = in_berlin(quiet=NIGHT)

    assert told(days.add(at("2026-03-02 21:00"), 2 * HOUR)) == "Tue 2026-03-03 09:00"
    assert told(days.add(at("2026-03-02 23:30"), 2 * HOUR)) == "Tue 2026-03-03 10:00"
    assert days.between(at("2026-03-02 23:00"), at("2026-03-03 07:00")) == 0


def test_quiet_hours_within_a_day_are_left_out() -> None:
    assert told(in_berlin(quiet=(12, 14)).add(at("2026-03-02 11:00"), 2 * HOUR)) == "Mon 2026-03-02 15:00"


def test_vacation_days_are_left_out_from_midnight_to_midnight() -> None:
    days = in_berlin(away=((date(2026, 3, 4), date(2026, 3, 6)),))

    assert told(days.add(at("2026-03-03 18:00"), DAY)) == "Sat 2026-03-07 18:00"
    assert days.between(at("2026-03-04 00:00"), at("2026-03-07 00:00")) == 0


def test_the_same_hours_fall_elsewhere_for_who_has_moved_to_another_zone() -> None:
    monday = at("2026-03-02 20:00")

    assert told(Calendar("Europe/Berlin", quiet=NIGHT).add(monday, 4 * HOUR)) == "Tue 2026-03-03 10:00"
    assert told(Calendar("America/New_York", quiet=NIGHT).add(monday, 4 * HOUR)) == "Tue 2026-03-03 00:00"


def test_in_spring_the_night_is_an_hour_shorter_and_no_playing_time_is_lost() -> None:
    """On 29 March 2026 clocks go from 2:00 to 3:00."""
    asked = at("2026-03-28 21:00")

    assert told(in_berlin(quiet=NIGHT).add(asked, 2 * HOUR)) == "Sun 2026-03-29 09:00"
    assert in_berlin(quiet=(12, 13)).between(at("2026-03-29 00:00"), at("2026-03-30 00:00")) == 22 * HOUR
    assert in_berlin(quiet=(4, 2)).between(at("2026-03-29 00:00"), at("2026-03-30 00:00")) == HOUR, "of 2:00 to 4:00 one hour is there"


def test_in_autumn_the_hour_that_comes_twice_counts_twice() -> None:
    """On 25 October 2026 clocks go from 3:00 back to 2:00."""
    sunday = (at("2026-10-25 00:00"), at("2026-10-26 00:00"))

    assert in_berlin(quiet=(12, 13)).between(*sunday) == 24 * HOUR
    assert in_berlin(quiet=(4, 2)).between(*sunday) == 3 * HOUR


def test_a_zone_with_a_half_hour_has_its_nights_at_its_own_time() -> None:
    days = Calendar("Asia/Kolkata", quiet=NIGHT)

    assert told(days.add(at("2026-03-02 21:30", "Asia/Kolkata"), HOUR), "Asia/Kolkata") == "Tue 2026-03-03 08:30"


def test_a_day_that_a_zone_left_out_holds_no_time() -> None:
    """Samoa went from 29 to 31 December 2011."""
    days = Calendar("Pacific/Apia", quiet=(1, 2))

    assert days.between(at("2011-12-29 12:00", "Pacific/Apia"), at("2011-12-31 12:00", "Pacific/Apia")) == 23 * HOUR


@pytest.mark.parametrize(("quiet", "hours"), [((22, 8), 10), ((0, 8), 8), ((12, 13), 1), ((8, 0), 16), ((5, 5), 0)])
def test_how_long_the_quiet_hours_are(quiet: tuple[int, int], hours: int) -> None:
    assert hours_quiet(quiet) == hours


moments = st.datetimes(datetime(2009, 1, 1), datetime(2040, 1, 1)).map(lambda when: int(when.replace(tzinfo=UTC).timestamp() * 1000))
amounts = st.integers(0, 10 * DAY)
nights = st.tuples(st.integers(0, 23), st.integers(0, 23)).filter(lambda hours: 0 < hours_quiet(hours) <= MOST_QUIET)
absences = st.tuples(st.dates(date(2009, 1, 1), date(2040, 1, 1)), st.integers(0, 30)).map(
    lambda told: (told[0], told[0] + timedelta(told[1]))
)


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    away = draw(st.lists(absences, max_size=2))
    return Calendar(draw(st.sampled_from(ZONES)), draw(st.booleans()), draw(st.none() | nights), tuple(away))


@settings(max_examples=150, deadline=None)
@given(calendars(), moments, amounts)
def test_what_is_added_is_what_lies_between(days: Calendar, start: int, much: int) -> None:
    assert days.between(start, days.add(start, much)) == much


@settings(max_examples=150, deadline=None)
@given(calendars(), moments, amounts, amounts)
def test_more_time_never_ends_earlier_and_later_never_leaves_more(days: Calendar, start: int, less: int, more: int) -> None:
    end = days.add(start, less)

    assert start <= end <= days.add(start, less + more)
    assert days.add(end, more) == days.add(start, less + more) or more == 0
    assert days.between(start + more, end) <= days.between(start, end) <= end - start


@settings(max_examples=100, deadline=None)
@given(calendars(), moments, amounts, amounts)
def test_time_can_be_counted_in_pieces(days: Calendar, start: int, first: int, second: int) -> None:
    middle, end = start + first, start + first + second

    assert days.between(start, middle) + days.between(middle, end) == days.between(start, end)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(ZONES), moments)
def test_even_the_quietest_calendar_comes_to_an_end(zone: str, start: int) -> None:
    days = Calendar(zone, weekends=False, quiet=(0, MOST_QUIET))

    assert days.add(start, 60 * DAY) < start + 400 * DAY
