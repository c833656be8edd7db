"""Blocking and reporting: never seated together, nothing heard, and the operator learns of it."""

import pytest

from marketpost.play.compete.advance import advance
from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.entering import HOUR, announce, competition_of, enter
from marketpost.play.compete.plan_request import competition_clock
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.blocking import block
from marketpost.play.people.bot_accounts import new_bot
from marketpost.play.people.registration import register
from marketpost.play.people.suspension import suspend, unsuspend
from marketpost.play.ports import Ports
from marketpost.play.table.lobby import is_offered
from marketpost.play.table.seating import join, open_game
from marketpost.play.table.talk import messages_for, say
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.mail.test_table import is_told
from tests.service import Service
from tests.web.conftest import Open

COMMANDS = {
    "en": ("block", "unblock", "report"),
    "de": ("blockieren", "freigeben", "melden"),
    "fr": ("bloquer", "débloquer", "signaler"),
    "it": ("blocca", "sblocca", "segnala"),
}


def player_named(ports: Ports, name: str) -> Player:
    return register(ports, f"{name}@example.org", name.capitalize())


def open_table(ports: Ports, id: str, host: Player, *seats: SeatPlan, rules: str = "portobello") -> None:
    open_game(ports, id, host.id, rules, [SeatPlan(player=host.id), *seats], {}, public=True)


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("blocker", ["host", "guest"])
def test_two_of_whom_one_blocked_the_other_are_not_seated_together(ports: Ports, rules: str, blocker: str) -> None:
    ann, ben = player_named(ports, "ann"), player_named(ports, "ben")
    open_table(ports, "before", ann, SeatPlan(), rules=rules)
    block(ports, *((ann, ben.id) if blocker == "host" else (ben, ann.id)))
    open_table(ports, "kept", ann, SeatPlan(invited=ben.id), rules=rules)
    open_table(ports, "address", ann, SeatPlan(invited=ben.email), rules=rules)

    for game in ("before", "kept", "address"):
        with pytest.raises(Refused, match="not-together"):
            join(ports, game, ben.id)
        found = ports.game(game)
        assert found
        assert not is_offered(ports, found, ben.id)
        assert ben.id not in found.people
    assert not ports.index.page(f"player:{ben.id}", None, 10)


def test_neither_is_who_meets_the_other_at_a_third_table(ports: Ports) -> None:
    ann, ben, cy = (player_named(ports, name) for name in ("ann", "ben", "cy"))
    block(ports, ann, ben.id)
    open_table(ports, "g1", cy, SeatPlan(invited=ann.id), SeatPlan(invited=ben.id))
    join(ports, "g1", ann.id)

    with pytest.raises(Refused, match="not-together"):
        join(ports, "g1", ben.id)


def test_whoever_is_blocked_cannot_tell_an_invitation_that_nobody_gets_from_another(house: Service) -> None:
    ann, bob = house.person("ann-blocked"), house.person("bob-blocks")
    bob.call("PUT", f"/v1/blocks/{ann.id}")

    for whom in (bob.email, "nobody-at-all@example.org"):
        made = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"email": whom}]})
        assert (made.status_code, [seat["invited"] for seat in made.json["seats"]]) == (201, [False, True])
        assert made.json["id"] not in bob.get("/v1/games?mine=true").text


def test_nothing_the_blocked_one_says_is_shown(house: Service, browser: Open) -> None:
    ann, bob = house.person("ann-shuts-ears"), house.person("bob-shouts")
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"player": bob.id}]}).json["id"]
    bob.post(f"/v1/games/{game}/join")
    bob.post(f"/v1/games/{game}/messages", {"text": "you fool"})
    assert "you fool" in browser(ann).get(f"/games/{game}").text

    assert ann.call("PUT", f"/v1/blocks/{bob.id}").status_code == 204

    assert ann.get("/v1/blocks").json["items"] == [{"player": bob.id, "name": "Bob-shouts"}]
    assert "you fool" not in browser(ann).get(f"/games/{game}").text
    assert "you fool" not in ann.get(f"/v1/games/{game}/messages").text
    assert "you fool" in bob.get(f"/v1/games/{game}/messages").text
    assert ann.get(f"/v1/games/{game}").json["status"] == "running"
    assert ann.call("DELETE", f"/v1/blocks/{bob.id}").status_code == 204
    assert "you fool" in ann.get(f"/v1/games/{game}/messages").text


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("is_bot", [False, True])
def test_at_a_tournament_table_nothing_the_blocked_one_or_their_bot_says_is_told(desk: Desk, rules: str, is_bot: bool) -> None:
    ports, ann, bob = desk.mailer.ports, desk.person("Ann"), desk.person("Bob")
    block(ports, ann, bob.id)
    other = new_bot(ports, bob, "Marvin").id if is_bot else bob.id
    plan = CompetitionPlan("Cup", CompetitionFormat.SWISS, rules, 2, competition_clock(None), ports.clock() + HOUR)
    announce(ports, "c-1", ann.id, plan)
    for player in (ann.id, other):
        enter(ports, "c-1", player)
    desk.clock.forward(hours=1)
    advance(ports, "c-1", list)
    table = competition_of(ports, "c-1").table_id(1, 0)
    desk.work()
    before = len(desk.box(ann))

    say(ports, desk.game(table), other, "you fool")
    desk.work()

    assert len(desk.box(ann)) == before
    assert messages_for(ports, table, desk.again(ann)) == []
    say(ports, desk.game(table), ann.id, "good luck")
    assert [each.text for each in messages_for(ports, table, desk.again(bob))] == ["you fool", "good luck"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_by_mail_one_blocks_and_reports_in_every_language(desk: Desk, language: str) -> None:
    blocking, unblocking, reporting = COMMANDS[language]
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    desk.answer(one, blocking)
    assert is_told(desk, one, "blocked", who="Two")
    before = len(desk.box(one))

    say(desk.mailer.ports, desk.game(), two.id, "Are you there?")
    open_game(desk.mailer.ports, "g2", two.id, "portobello", [SeatPlan(player=two.id), SeatPlan(invited=one.email)], {})
    desk.work()

    assert len(desk.box(one)) == before
    desk.answer(one, f"{unblocking} two")
    assert is_told(desk, one, "unblocked", who="Two")
    desk.answer(one, f"{reporting} two: insults me\nall day long")
    assert is_told(desk, one, "reported", who="Two")
    [report] = desk.mailer.ports.reports.all()
    assert (report.by, report.about, report.game, report.text) == (one.id, two.id, "g1", "insults me all day long")


def test_a_report_is_made_once_and_by_nobody_about_themselves(house: Service) -> None:
    ann, bob = house.person("ann-reports"), house.person("bob-reported")
    body = {"player": bob.id, "text": "he cheats"}

    first, again = (ann.post("/v1/reports", body, headers={"Idempotency-Key": "r1"}) for _ in range(2))

    assert (first.status_code, again.json) == (201, first.json)
    assert [each.text for each in house.ports.reports.all() if each.by == ann.id] == ["he cheats"]
    for wrong in (ann.id, "0123456789abcdef"):
        assert ann.post("/v1/reports", {"player": wrong, "text": "x"}).json["code"] == "no-such-player"


def test_on_the_page_one_blocks_and_reports_whom_one_plays_with(house: Service, browser: Open) -> None:
    ann, bob, cy = house.person("ann-pages"), house.person("bob-pages"), house.person("cy-pages")
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"player": bob.id}]}).json["id"]
    bob.post(f"/v1/games/{game}/join")
    page, person = browser(ann), f"/games/{game}/people/{bob.id}"
    assert person in page.get(f"/games/{game}").text

    page.post(f"{person}/block")
    assert ann.get("/v1/players/me").json["blocked"] == [bob.id]
    assert "Bob-pages" in page.get("/settings").text
    page.post(f"/settings/blocks/{bob.id}")
    assert ann.get("/v1/players/me").json["blocked"] == []
    assert page.post(f"{person}/report", text="he cheats").status_code == 200
    assert page.post(f"{person}/report", text=" ").status_code == 422
    assert [each.game for each in house.ports.reports.all() if each.by == ann.id] == [game]
    assert page.get(f"/games/{game}/people/{cy.id}").status_code == 422


def test_a_suspended_player_is_out_of_everything(house: Service, browser: Open) -> None:
    ann, bob = house.person("ann-plays-on"), house.person("bob-suspended")
    running = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"player": bob.id}]}).json["id"]
    bob.post(f"/v1/games/{running}/join")
    hosted = bob.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}], "public": True}).json["id"]
    player = house.ports.players.find(bob.id)
    assert player

    suspend(house.ports, player, "root", "insults")

    assert bob.get("/v1/players/me").status_code == 401
    assert ann.get(f"/v1/games/{running}").json["seats"][1]["bot"]
    assert ann.get(f"/v1/games/{hosted}").json["ended"] == "cancelled"
    client, code = house.app.test_client(), house.code_for(bob.email)
    assert client.post("/v1/tokens", json={"email": bob.email, "code": code}).json["code"] == "suspended"
    code = house.code_for(bob.email)
    assert browser().post("/sign-in", email=bob.email, code=code, back="/").status_code == 403
    free = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"open": True}], "public": True}).json["id"]
    with pytest.raises(Refused, match="suspended"):
        join(house.ports, free, bob.id)
    unsuspend(house.ports, player, "root", "")
    code = house.code_for(bob.email)
    assert client.post("/v1/tokens", json={"email": bob.email, "code": code}).status_code == 201
    assert [(act.who, act.what, act.player) for act in house.ports.audit.read()][-2:] == [
        ("root", "suspend", bob.id),
        ("root", "unsuspend", bob.id),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_suspended_players_mail_does_nothing(desk: Desk, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two)
    letter = desk.turn_letter(desk.to_play())
    mover = desk.to_play()
    suspend(desk.mailer.ports, mover, "root", "")
    desk.work()
    before = desk.game().version

    assert desk.answer(mover, desk.good_orders(language), letter) == "suspended"
    assert desk.game().version == before
    assert mover.id not in {seat.player for seat in desk.game().seats}
