"""The account by the command line, and what an operator does about people."""

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from marketpost.cli.main import main
from marketpost.mail.outbound.operator_reports import hook_id
from marketpost.notify.targets import secret_of
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.addresses import code_name
from marketpost.play.people.registration import new_code, new_token
from tests.cli.conftest import Desk
from tests.finished import finished
from tests.service import Service


def operate(house: Service, *arguments: str) -> str:
    done = CliRunner().invoke(main, list(arguments), env=house.environment, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_tokens_are_listed_and_revoked(house: Service, ann: Desk) -> None:
    _, made = new_token(house.ports, ann.person.id, "my bot", ("read",))
    assert f"{made.id}  my bot (read)" in ann.done("tokens")

    ann.done("tokens", "--revoke", made.id)

    assert made.id not in ann.done("tokens")


def test_finished_games_of_a_player_are_printed_one_in_each_line(house: Service, ann: Desk) -> None:
    for id in ("first-of-ann", "second-of-ann"):
        finished(house.ports, id, [SeatPlan(player=ann.person.id), SeatPlan(bot="greedy")], began=house.ports.clock())

    exported = [json.loads(line) for line in ann.done("export", "--player", ann.person.id).splitlines()]

    assert [each["id"] for each in exported][:2] == ["second-of-ann", "first-of-ann"], "newest first"
    assert all(each["record"].startswith("marketpost record 1\n") for each in exported)


def test_export_without_a_game_brings_everything(ann: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    ann.done("export")

    with zipfile.ZipFile(tmp_path / f"marketpost-{ann.person.id}.zip") as archive:
        assert "profile.json" in archive.namelist()
    assert ann.run("export").exit_code == 2, "nothing is overwritten"


def test_one_blocks_and_reports(house: Service, ann: Desk, bob: Desk) -> None:
    ann.done("block", bob.person.id)
    assert ann.done("block") == f"{bob.person.id}  Bob\n"
    ann.done("unblock", bob.person.id)
    assert ann.done("block") == ""
    ann.done("report", bob.person.id, "he", "cheats")

    shown = operate(house, "reports")

    assert f"Ann ({ann.person.id}) about Bob ({bob.person.id})\n    he cheats\n" in shown
    id = shown.split("  ")[0]
    operate(house, "reports", "--done", id, "--why", "talked to him")
    assert id not in operate(house, "reports")
    assert id in operate(house, "reports", "--all")


def test_the_operator_sees_the_secrets_that_sign_calls_about_reports(house: Service) -> None:
    hook = "https://hooks.example.org/reports"
    told = CliRunner().invoke(main, ["reports", "--secrets"], env=house.environment | {"REPORTS_TO": f"root@example.org, {hook}"})

    assert told.output == f"{hook}  {secret_of(house.mailer, hook_id(hook))}\n"


def test_an_operator_suspends_and_every_act_is_in_the_audit_log(house: Service, bob: Desk) -> None:
    operate(house, "suspend", bob.person.email, "--why", "insults")
    assert bob.run("games").exit_code == 2
    assert "suspended" in operate(house, "players", "bob@")
    assert bob.person.id in operate(house, "players", "--suspended")
    operate(house, "unsuspend", bob.person.id)
    operate(house, "token", bob.person.email)

    acts = [line.split("  ") for line in operate(house, "audit").splitlines()][-3:]

    assert [(act[2], act[3]) for act in acts] == [(what, bob.person.id) for what in ("suspend", "unsuspend", "sign-in code")]
    assert acts[0][4] == "insults"


def test_an_operator_stops_letters_to_an_address_and_lifts_that(house: Service, bob: Desk) -> None:
    player = house.ports.players.find(bob.person.id)
    assert player

    operate(house, "suppressions", "add", bob.person.email, "--why", "asked by phone")
    assert operate(house, "suppressions", "list").split()[-2:] == ["operator", bob.person.email]
    operate(house, "suppressions", "lift", bob.person.email.upper())
    assert bob.person.email not in operate(house, "suppressions", "list")
    house.ports.players.change(player, lambda known: {"bounces": 3})
    assert "bounces" in operate(house, "suppressions", "list")
    operate(house, "suppressions", "lift", bob.person.email)
    assert "bounces" not in operate(house, "suppressions", "list")

    acts = [line.split("  ") for line in operate(house, "audit").splitlines()][-3:]
    assert [(act[2], act[3]) for act in acts] == [(what, player.id) for what in ("suppress", "lift suppression", "lift suppression")]
    assert bob.person.email not in operate(house, "audit")
    for wrong in (("add", "nobody"), ("lift", "nobody@example.org")):
        assert CliRunner().invoke(main, ["suppressions", *wrong], env=house.environment).exit_code == 1


def test_feeds_are_shown_renewed_and_switched_off(ann: Desk) -> None:
    ann.done("feeds", "--off")
    assert "switched off" in ann.done("feeds")

    first = ann.done("feeds", "--renew").split()

    assert [url.rpartition("/")[2] for url in first] == ["games.atom", "deadlines.ics"]
    assert ann.done("feeds").split() == first
    assert ann.done("feeds", "--renew").split() != first


def test_an_address_is_added_chosen_and_removed(house: Service, ann: Desk) -> None:
    player = house.ports.players.find(ann.person.id)
    assert player
    code = new_code(house.ports, code_name(player, "ann@work.example"))

    assert ann.done("address", "add", "ann@work.example", given=f"{code}\n").endswith("ann@work.example\n")
    assert ann.done("address", "main", "ann@work.example").startswith("ann@work.example (main address)\n")
    ann.done("address", "main", "ann@example.org")
    assert ann.done("address", "remove", "ann@work.example") == "ann@example.org (main address)\n"


def test_letters_may_explain_or_not(ann: Desk) -> None:
    assert "first letters" in ann.done("letters")
    assert "No letter" in ann.done("letters", "short")
    assert "No letter" in ann.done("letters")
    ann.done("letters", "auto")


def test_channels_are_added_listed_tested_and_removed(house: Service, ann: Desk) -> None:
    house.mailer.targets.erase(ann.person.id)
    ann.done("channels", "add", "ntfy", "ntfys://ntfy.example.org/topic")
    [target] = house.mailer.targets.of(ann.person.id)

    assert f"{target.id}  ntfy  ntfy.example.org" in ann.done("channels", "list")
    assert target.id in ann.done("channels", "test", target.id)
    assert target.id in ann.done("channels", "remove", target.id)
    assert ann.done("channels", "list").strip() == ""


def test_bots_are_made_listed_and_erased(ann: Desk) -> None:
    id = ann.done("bots", "add", "Marvin").split()[0]
    secret = ann.done("bots", "token", id, "--label", "at home").split()[-1]
    token = ann.done("bots", "tokens", id).split()[0]

    assert secret.startswith("mp_")
    assert f"{id}  Marvin" in ann.done("bots", "list")
    ann.done("bots", "revoke", id, token)
    assert ann.done("bots", "tokens", id) == ""
    ann.done("bots", "erase", id)
    assert id not in ann.done("bots", "list")
