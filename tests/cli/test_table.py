"""What is agreed on at the table, from the command line."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Desk
from tests.service import Service

EXAMPLE = Path(__file__).parents[2] / "examples/verify.py"


@pytest.fixture
def together(ann: Desk, bob: Desk) -> str:
    """A game of two people."""
    game = json.loads(ann.done("new", "portobello", "with", "bob@example.org", "--json"))["id"]
    bob.done("join", game)
    return str(game)


def status(desk: Desk, game: str) -> tuple[str, str | None]:
    shown = json.loads(desk.done("show", game, "--json"))
    return shown["status"], shown["ended"]


def test_a_draw_is_proposed_seen_and_agreed_on(ann: Desk, bob: Desk, together: str) -> None:
    asked = ann.done("propose", together, "draw")

    assert f"A draw, by red. Still to answer: yellow (marketpost agree {together}, or disagree)." in asked
    assert "PROPOSED\n* A draw, by red." in bob.done("show", together)
    assert "All have agreed: it is done." in bob.done("agree", together)
    assert status(ann, together) == ("over", "draw")


def test_one_no_is_enough(ann: Desk, bob: Desk, together: str) -> None:
    ann.done("propose", together, "abandon")

    assert "off the table" in bob.done("disagree", together)
    assert status(ann, together) == ("running", None)
    nothing = bob.run("agree", together)
    assert (nothing.exit_code, nothing.stderr) == (2, "Error: Nothing is proposed in this game.\n")


def test_after_the_game_the_same_people_play_once_more(ann: Desk, bob: Desk, together: str) -> None:
    ann.done("propose", together, "draw")
    bob.done("agree", together)

    opened = json.loads(ann.done("rematch", together, "--json"))
    taken = json.loads(bob.done("rematch", together, "--json"))

    assert (opened["id"], taken["status"]) == (taken["id"], "running")
    assert opened["id"] != together


def test_a_seat_is_offered_to_a_person_and_given_to_a_bot(house: Service, ann: Desk, bob: Desk, together: str) -> None:
    house.person("carl")

    assert "stays yours until they say yes" in ann.done("hand-over", together, "carl@example.org")
    assert "A bot plays on in your seat." in bob.done("hand-over", together, "bot:greedy")
    assert [seat["bot"] for seat in json.loads(ann.done("show", together, "--json"))["seats"]] == [None, "greedy"]


def test_links_are_made_listed_and_revoked(ann: Desk, game: str) -> None:
    assert f"marketpost link {game} seat" in ann.done("link", game)
    made = ann.done("link", game, "look")
    number = made.partition(":")[0]

    assert re.fullmatch(rf"\d+: only to look: http\S+/games/{game}\?key=\S+\n", made)
    assert ann.done("link", game) == made
    assert json.loads(ann.done("link", game, "look", "--json"))["url"] in made
    assert ann.done("link", game, "--revoke", number) == f"Link {number} leads nowhere any more.\n"
    assert "no links" in ann.done("link", game)


def test_standing_orders_are_left_shown_and_taken_back(ann: Desk) -> None:
    game = json.loads(ann.done("new", "alturien", "with", "a", "greedy", "bot", "--json"))["id"]

    assert "no standing orders" in ann.done("standing", game)
    assert ann.done("standing", game, "when", "robbed:", "prestige") == ann.done("standing", game)
    assert "prestige" in json.loads(ann.done("standing", game, "--json"))["orders"]
    warned = ann.run("standing", game, "when", "robbed:", "house", "c1,", "then", "prestige")
    assert "“sell prestige” brings more and would pay alone" in warned.stderr
    assert "no standing orders" in ann.done("standing", game, "--off")
    assert ann.run("standing", game, "dance").exit_code == 1


def test_the_clock_says_how_long_one_may_think_and_who_is_to_decide_by_when(house: Service, ann: Desk, game: str) -> None:
    clock = {"per_decision": "36h", "bank": "3d", "weekends": False, "quiet": "22-08", "at_zero": "out"}
    timed = house.against_bot(ann.person, clock=clock)

    pace, red, *_ = ann.done("clock", timed).splitlines()
    assert pace.startswith("You have 1 day 12 hours for each decision. What you do not use of it is saved for the next one, up to 3 days.")
    assert "from 22:00 to 08:00" in pace
    assert re.fullmatch(r"\[R\] Ann: to decide by \w+ \d+ \w+, \d\d:\d\d", red)
    assert json.loads(ann.done("clock", timed, "--json"))["at_zero"] == "out"
    assert ann.done("clock", game) == "There is no time limit.\n"


def test_whoever_signs_out_leaves_no_token_behind(house: Service, ann: Desk) -> None:
    code = house.code_for("ann@example.org")
    signed_in = ann.run("login", "ann@example.org", "--code", code, MARKETPOST_TOKEN=None)
    kept = ann.home / "marketpost/client.json"
    token = json.loads(kept.read_text())["services"][ann.url]["token"]
    out = ann.run("logout", MARKETPOST_TOKEN=None)

    assert (signed_in.exit_code, out.exit_code, out.stdout) == (0, 0, f"Signed out at {ann.url}.\n")
    assert token not in kept.read_text()
    assert ann.run("games", MARKETPOST_TOKEN=token).exit_code == 2
    assert ann.run("games").exit_code == 0, "others keep theirs"


def test_words_for_chance_and_the_log_that_shows_them(ann: Desk, bob: Desk, tmp_path: Path) -> None:
    opened = ann.done("new", "portobello", "with", "bob@example.org", "--word", "ann-1")
    assert "Your word for chance is ann-1." in opened
    game = re.findall("marketpost show ([0-9a-f]+)", opened)[0]
    assert "Your word for chance is ann-2." in ann.done("word", game, "ann-2")
    begun = json.loads(bob.done("join", game, "--word", "bob-1", "--json"))
    assert [seat["word"] for seat in begun["seats"]] == ["ann-2", "bob-1"]
    ann.done("propose", game, "draw")
    bob.done("agree", game)
    file = tmp_path / "log.json"

    assert f"marketpost verify {file}" in bob.done("export", "--log", game, str(file))

    assert "entries unbroken" in ann.done("verify", str(file))
    script = subprocess.run([sys.executable, EXAMPLE, file], capture_output=True, text=True, check=False)
    assert (script.returncode, script.stderr) == (0, "")
    assert "2 contributions" in script.stdout
    file.write_text(file.read_text().replace("bob-1", "bob-2"))
    tampered = ann.run("verify", str(file))
    assert tampered.exit_code == 1
    assert "does not fit together" in tampered.output


def test_the_host_names_a_game(ann: Desk) -> None:
    game = json.loads(ann.done("new", "portobello", "--seat", "open", "--name", "Friday table", "--json"))["id"]

    assert "Friday table · Portobello" in ann.done("show", game)
    assert "Saturday table · Portobello" in ann.done("rename", game, "Saturday", "table")
    assert "Saturday table · portobello" in ann.done("games")
    assert "·" not in ann.done("rename", game).splitlines()[0]
