"""Feeds: what waits for a player as Atom, and their deadlines as iCalendar, in every game and language."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar, Event

from marketpost.notify.feed_links import close_feeds, feed_links, reader_of, renew_feeds
from marketpost.notify.feeds import atom, calendar
from marketpost.play.clock.vacation import end_vacation, take_vacation
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.erasure import erase
from marketpost.play.people.suspension import suspend, unsuspend
from marketpost.play.table.early_end import cancel
from marketpost.play.table.seating import open_game, resign
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.play.timed import be_down, live, look, play, timed_game

ATOM = "{http://www.w3.org/2005/Atom}"
every_ruleset = pytest.mark.parametrize("rules", rulesets())


@pytest.fixture
def ann(desk: Desk) -> Player:
    return desk.person("Ann")


@pytest.fixture
def ben(desk: Desk) -> Player:
    return desk.person("Ben", timezone="Europe/Berlin")


def secret(desk: Desk, player: Player) -> str:
    links = feed_links(desk.mailer, desk.again(player))
    assert links
    return links.atom.split("/")[-2]


def deadlines(desk: Desk, player: Player) -> list[Event]:
    return list(Calendar.from_ical(calendar(desk.mailer, desk.again(player))).walk("VEVENT"))


def entries(desk: Desk, player: Player) -> list[dict[str, str]]:
    """What a feed reader shows; the feed has all that RFC 4287 asks for."""
    renew_feeds(desk.mailer, known := desk.again(player), "mark")
    links = feed_links(desk.mailer, known)
    assert links
    feed = ElementTree.fromstring(atom(desk.mailer, known, links))
    assert feed.tag == f"{ATOM}feed"
    for needed in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{needed}") is not None
    assert {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}["self"] == links.atom
    return [_entry(each) for each in feed.findall(f"{ATOM}entry")]


def _entry(entry: Any) -> dict[str, str]:
    found = {part: entry.find(f"{ATOM}{part}").text for part in ("id", "title", "updated", "content")}
    assert datetime.fromisoformat(found["updated"]).tzinfo
    return found | {"link": entry.find(f"{ATOM}link").get("href")}


@every_ruleset
def test_a_deadline_is_in_the_calendar_until_it_is_met(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    game = timed_game(desk, ann, ben, rules=rules)

    [mine] = deadlines(desk, ann)
    assert mine.start == mine.end == datetime.fromtimestamp(game.times[0].by // 1000, UTC)
    assert mine["URL"] == f"{desk.mailer.settings.public_url}/games/g1"
    assert deadlines(desk, ben) == []

    play(desk)

    assert deadlines(desk, ann) == []
    assert len(deadlines(desk, ben)) == 1


@every_ruleset
def test_a_deadline_that_moves_stays_the_same_event(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    timed_game(desk, ann, ben, rules=rules)
    seen = deadlines(desk, ann)
    live(desk, hours=2)
    take_vacation(desk.mailer.ports, away := desk.again(ann), date(2026, 3, 3), date(2026, 3, 5))
    seen += deadlines(desk, ann)
    live(desk, hours=1)
    end_vacation(desk.mailer.ports, away)
    seen += deadlines(desk, ann)
    be_down(desk, hours=5)
    look(desk)
    seen += deadlines(desk, ann)

    assert len({event["UID"] for event in seen}) == 1
    assert [event["SEQUENCE"] for event in seen] == [0, 1, 2, 3]
    assert len({event.start for event in seen}) == len(seen) - 1, "the end of the vacation gave back what it began with"
    assert sorted(event["DTSTAMP"].dt for event in seen) == [event["DTSTAMP"].dt for event in seen]


@pytest.mark.parametrize("timezone", ["UTC", "Europe/Rome", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"])
def test_a_calendar_of_several_games_keeps_its_events_when_deadlines_move_and_the_secret_is_renewed(desk: Desk, timezone: str) -> None:
    ann = desk.person("Ann", timezone=timezone)
    tables = [(rules, number) for rules in rulesets() for number in range(2)]
    for rules, number in tables:
        timed_game(desk, ann, desk.person(f"Ben{rules}{number}"), id=f"{rules}-{number}", rules=rules)
    renew_feeds(desk.mailer, ann, "mark")
    before, old = {str(each["UID"]): each for each in deadlines(desk, ann)}, secret(desk, ann)

    live(desk, hours=2)
    take_vacation(desk.mailer.ports, desk.again(ann), date(2026, 3, 3), date(2026, 3, 5))
    renew_feeds(desk.mailer, desk.again(ann))
    after = {str(each["UID"]): each for each in deadlines(desk, ann)}

    assert secret(desk, ann) != old
    assert reader_of(desk.mailer, old) is None
    assert len(before) == len(tables)
    assert after.keys() == before.keys()
    for uid, event in after.items():
        assert event.start > before[uid].start
        assert event["SEQUENCE"] == before[uid]["SEQUENCE"] + 1
        assert event.start.utcoffset() == timedelta(), "every program shows it in the time of its user"
        assert f"{event.start.astimezone(ZoneInfo(timezone)):%H:%M}" in event["DESCRIPTION"]


def test_every_decision_is_an_event_of_its_own(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    first = deadlines(desk, ann)[0]["UID"]
    play(desk)
    live(desk, minutes=5)
    play(desk)

    assert deadlines(desk, ann)[0]["UID"] != first


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_feeds_are_in_the_language_of_the_player(desk: Desk, ben: Player, rules: str, language: str) -> None:
    ann = desk.person("Ann", language, timezone="Europe/Rome")
    timed_game(desk, ann, ben, rules=rules)
    [told], [event] = entries(desk, ann), deadlines(desk, ann)

    begins = {"en": "Your turn: ", "de": "Du bist am Zug: ", "fr": "À vous de jouer", "it": "Tocca a te: "}
    assert told["title"].startswith(begins[language])
    assert told["title"] == event["SUMMARY"]
    assert "Ben" in told["title"]
    assert f"{event.start.astimezone(ZoneInfo('Europe/Rome')):%H:%M}" in told["content"]
    assert told["content"] == event["DESCRIPTION"]


@every_ruleset
def test_a_turn_without_a_clock_is_in_the_feed_and_not_in_the_calendar(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    desk.table(ann, ben, rules=rules)
    now, later = desk.to_play(), ben if desk.to_play().id == ann.id else ann
    [told] = entries(desk, now)

    assert told["link"] == f"{desk.mailer.settings.public_url}/games/g1"
    assert deadlines(desk, now) == []
    assert entries(desk, later) == []
    play(desk)
    play(desk)
    assert entries(desk, now)[0]["id"] != told["id"], "a feed reader shows the next turn as a new entry"


def test_invitations_and_ended_games_are_told(desk: Desk, ann: Player, ben: Player) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()
    assert entries(desk, ben)[0]["title"].startswith("Invitation: ")
    cancel(desk.mailer.ports, "g1", ann.id)
    assert entries(desk, ben) == []

    desk.table(ann, ben, id="g2")
    while desk.game("g2").status != "over":
        desk.by_rest(desk.to_play("g2"), desk.good_orders(id="g2"), "g2")

    assert [each["title"][:6] for each in entries(desk, ben)] == ["Over: "]
    desk.clock.forward(days=15)
    assert entries(desk, ben) == []


def test_a_feed_says_the_same_until_something_changes(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    links = renew_feeds(desk.mailer, ann, "mark")
    assert links
    first = atom(desk.mailer, ann, links), calendar(desk.mailer, ann)
    desk.clock.forward(minutes=10)

    assert (atom(desk.mailer, ann, links), calendar(desk.mailer, ann)) == first


def test_a_renewed_closed_or_foreign_secret_opens_nothing(desk: Desk, ann: Player, ben: Player) -> None:
    renew_feeds(desk.mailer, ann)
    renew_feeds(desk.mailer, ben)
    old, other = secret(desk, ann), secret(desk, ben)
    assert reader_of(desk.mailer, old) == desk.again(ann)
    renew_feeds(desk.mailer, ann)

    assert reader_of(desk.mailer, old) is None
    assert reader_of(desk.mailer, f"{ann.id}-{other.partition('-')[2]}") is None
    new = secret(desk, ann)
    close_feeds(desk.mailer, ann)
    assert reader_of(desk.mailer, new) is None
    assert reader_of(desk.mailer, f"{ann.id}-") is None


def test_nobody_reads_the_feed_of_a_suspended_or_erased_player(desk: Desk, ann: Player) -> None:
    renew_feeds(desk.mailer, ann)
    known = secret(desk, ann)
    suspend(desk.mailer.ports, desk.again(ann), "operator", "spam")
    assert reader_of(desk.mailer, known) is None
    unsuspend(desk.mailer.ports, desk.again(ann), "operator", "a mistake")
    assert reader_of(desk.mailer, known)

    erase(desk.mailer.ports, ann.id)

    assert reader_of(desk.mailer, known) is None


def test_whoever_has_resigned_has_no_deadline(desk: Desk, ann: Player, ben: Player) -> None:
    timed_game(desk, ann, ben)
    resign(desk.mailer.ports, "g1", ann.id)
    desk.work()

    assert deadlines(desk, ann) == []
    assert entries(desk, ann) == []
