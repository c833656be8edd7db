"""Vacation by mail, as people write it in four languages."""

from datetime import date

import pytest

from marketpost.mail.inbound.classify import classify
from marketpost.mail.inbound.command_lines import Command
from marketpost.mail.inbound.vacation_days import is_off, read_days
from marketpost.play.clock.vacation import vacation_of
from marketpost.rules.words import COMMON, lexicon
from tests.mail.desk import Desk

TODAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("7 days", "2026-03-02", "2026-03-08"),
        ("1 day", "2026-03-02", "2026-03-02"),
        ("2 weeks", "2026-03-02", "2026-03-15"),
        ("7 Tage", "2026-03-02", "2026-03-08"),
        ("für 2 Wochen", "2026-03-02", "2026-03-15"),
        ("3 jours", "2026-03-02", "2026-03-04"),
        ("1 settimana", "2026-03-02", "2026-03-08"),
        ("until 2026-03-12", "2026-03-02", "2026-03-12"),
        ("bis 12.3.", "2026-03-02", "2026-03-12"),
        ("bis 12.03.2026", "2026-03-02", "2026-03-12"),
        ("bis 2. Januar", "2026-03-02", "2027-01-02"),
        ("jusqu'au 12 août 2026", "2026-03-02", "2026-08-12"),
        ("fino al 12 maggio", "2026-03-02", "2026-05-12"),
        ("until May 12", "2026-03-02", "2026-05-12"),
        ("20.12. bis 2.1.", "2026-12-20", "2027-01-02"),
        ("20/12 au 2/1", "2026-12-20", "2027-01-02"),
        ("20 December to 2 January", "2026-12-20", "2027-01-02"),
        ("2026-12-20 - 2027-01-02", "2026-12-20", "2027-01-02"),
    ],
)
def test_days_are_read_as_people_write_them(text: str, first: str, last: str) -> None:
    assert read_days(text, TODAY) == (date.fromisoformat(first), date.fromisoformat(last))
    [command] = classify([f"Urlaub {text}"], lambda line: False, lexicon(COMMON, "commands")).commands
    assert command == Command("vacation", text.rstrip("."))


@pytest.mark.parametrize(
    ("line", "argument"),
    [
        ("ferie 3 giorni", "3 giorni"),
        ("Vacanze: 3 giorni", "3 giorni"),
        ("Ferien 3 Tage", "3 Tage"),
        ("congés 2 semaines", "2 semaines"),
        ("holiday until 2 January", "until 2 January"),
    ],
)
def test_vacation_has_many_names(line: str, argument: str) -> None:
    assert classify([line], lambda text: False, lexicon(COMMON, "commands")).commands == (Command("vacation", argument),)
    assert read_days(argument, TODAY)


@pytest.mark.parametrize("text", ["", "soon", "0 days", "31.2.", "99.99.", "7", "2026", "7 beers", "12 Smarch", "1.1. 2.2. 3.3."])
def test_what_is_no_day_is_not_guessed(text: str) -> None:
    assert read_days(text, TODAY) is None


@pytest.mark.parametrize("line", ["vacation off", "Urlaub Ende", "vacances fin", "vacanza fine", "Urlaub beenden"])
def test_a_vacation_can_be_ended_in_a_word(line: str) -> None:
    [command] = classify([line], lambda text: False, lexicon(COMMON, "commands")).commands

    assert command.name == "vacation"
    assert is_off(command.argument)


@pytest.mark.parametrize("line", ["Urlaub war schön, danke", "vacation was great", "vacances de rêve à la mer"])
def test_talk_of_a_vacation_is_no_vacation(line: str) -> None:
    assert classify([line], lambda text: False, lexicon(COMMON, "commands")).commands == ()


@pytest.mark.parametrize(
    ("language", "write", "told", "end", "ended"),
    [
        ("en", "vacation 7 days", "from 2 March 2026 to 8 March 2026", "vacation off", "Your vacation ends today"),
        ("de", "Urlaub 7 Tage", "vom 2. März 2026 bis zum 8. März 2026", "Urlaub Ende", "Dein Urlaub endet heute"),
        ("fr", "vacances 7 jours", "du 2 mars 2026 au 8 mars 2026", "vacances fin", "Vos vacances finissent aujourd'hui"),
        ("it", "vacanza 7 giorni", "dal 2 marzo 2026 al 8 marzo 2026", "vacanza fine", "La tua vacanza finisce oggi"),
    ],
)
def test_a_vacation_is_taken_and_ended_by_mail(desk: Desk, language: str, write: str, told: str, end: str, ended: str) -> None:
    ann = desk.person("Ann", language)
    desk.table(ann, desk.person("Ben"))

    assert desk.answer(ann, write) == "answered"
    assert told in " ".join(desk.newest(ann).text.split())
    assert vacation_of(desk.again(ann), TODAY) == (TODAY, date(2026, 3, 8))
    assert desk.answer(ann, end) == "answered"
    assert ended in " ".join(desk.newest(ann).text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    assert desk.again(ann).vacations == [(TODAY, TODAY)]


def test_who_asks_for_too_much_is_told_why(desk: Desk) -> None:
    ann = desk.person("Ann")
    desk.table(ann, desk.person("Ben"))

    desk.answer(ann, "vacation 5 weeks")

    assert "30 days of vacation a year" in " ".join(desk.newest(ann).text.split())
    assert desk.again(ann).vacations == []


def test_the_word_alone_tells_how_it_stands(desk: Desk) -> None:
    ann = desk.person("Ann")
    desk.table(ann, desk.person("Ben"))

    desk.answer(ann, "vacation")

    text = " ".join(desk.newest(ann).text.split())
    assert "You have no vacation planned. 30 days of it are left this year." in text
    assert "vacation off" in text
