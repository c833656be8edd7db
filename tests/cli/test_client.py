"""The command line as a client: what it prints, how it ends, and that nothing counts twice."""

import json
import os
import re
import socket
import stat
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from marketpost.cli.access import key_for
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES, read_words
from tests.cli.conftest import Desk, moved
from tests.cli.door import door
from tests.cli.terminal import Terminal
from tests.running.live import MARKETPOST
from tests.service import Service

DRAWS = "4: customer A; customer B; customer C; customer D"


def test_signing_in_keeps_the_token_for_its_owner_alone(house: Service, ann: Desk) -> None:
    environment = {**os.environ, **ann.environment, "MARKETPOST_TOKEN": ""}
    with Terminal([str(MARKETPOST), "login"], environment) as terminal:
        terminal.until("Your mail address:")
        terminal.type("ann@example.org\n")
        terminal.until("The code from the mail:")
        hint = terminal.text
        terminal.type("WRONG234\n")
        terminal.until("The code is wrong")
        terminal.type(f"{last_code(house, ann.person.id).lower()}\n")
        terminal.until(f"Signed in at {ann.url} as Ann, until 2")
        assert terminal.ends() == 0
    kept = ann.home / "marketpost/client.json"

    assert "marketpost mailbox ann@example.org" in hint
    assert stat.S_IMODE(os.stat(kept).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(kept.parent).st_mode) == 0o700
    assert json.loads(kept.read_text())["services"][ann.url]["token"].startswith("mp_")
    signed_in = ann.run("games", MARKETPOST_TOKEN=None, MARKETPOST_URL=None)
    assert signed_in.exit_code == 0, signed_in.output


def last_code(house: Service, player: str) -> str:
    """As it stands in the letter."""
    mails = [mail for mail in house.mailer.deliveries.of(player, most=100) if mail.values.get("code")]
    return str(max(mails, key=lambda mail: mail.at).values["code"])


def test_whoever_is_new_registers_and_a_wrong_code_ends_it(house: Service, ann: Desk) -> None:
    done = ann.run("login", "nora@example.org", "--name", "Nora", "--code", "WRONG234", MARKETPOST_TOKEN=None)

    assert done.exit_code == 1
    assert house.ports.players.player_of("nora@example.org")
    assert not (ann.home / "marketpost/client.json").exists()
    bad = ann.run("login", "no address", "--name", "Nora", MARKETPOST_TOKEN=None)
    assert bad.exit_code == 1
    assert "email: This is no mail address." in bad.stderr


def test_a_game_is_opened_in_the_words_of_a_mail(ann: Desk, bob: Desk) -> None:
    opened = json.loads(ann.done("new", "portobello", "with", "bob@example.org", "and", "a", "greedy", "bot", "--json"))

    assert [seat["bot"] or seat["invited"] or seat["player"] for seat in opened["seats"]] == [ann.person.id, True, "greedy"]
    joined = bob.done("join", opened["id"])
    assert "[R] Ann 10 points, [Y] Bob 10 points, [G] greedy bot 10 points" in joined


@pytest.mark.parametrize("rules", sorted(rulesets()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_edition_options_and_clock_are_said_as_in_a_mail(ann: Desk, rules: str, language: str) -> None:
    ruleset, words = rulesets()[rules], read_words(rulesets()[rules].words, language)
    said, time = words["values"], {"en": "1 day, weekends off", "de": "1 Tag, Wochenenden frei", "fr": "1 jour, week-ends libres"}
    option, value = next((o, v) for key in said if "=" in key for o, _, v in [key.partition("=")] if v != ruleset.settle(None, {})[o])
    text = f"{rules}, bot, bot, {said[f'{option}={value}']}, {time.get(language, '1 giorno, fine settimana liberi')}"

    game = json.loads(ann.done("new", *text.split(), "--json"))

    assert game["options"] == {option: value}
    assert (game["clock"]["per_decision"], game["clock"]["weekends"]) == (86400, False)


def test_who_opens_a_game_is_told_where_it_is(ann: Desk) -> None:
    said = ann.done("new", "alturien", "with", "two", "greedy", "bots")

    assert said.count("greedy bot") == 2
    assert re.search(rf"marketpost show (\w+), or at {re.escape(ann.url)}/games/\1$", said, re.MULTILINE)


def test_a_game_is_opened_with_all_that_can_be_chosen(ann: Desk) -> None:
    said = ann.done(
        *("new", "portobello", "--seat", "open", "--seat", "bot:random", "--edition", "fr"),
        *("--option", "customers=queue", "--random-order", "--public", "--json"),
    )
    game = json.loads(said)

    assert (game["edition"], game["options"], game["public"], game["status"]) == ("fr", {"customers": "queue"}, True, "open")
    assert game["id"] in ann.done("games", "--lobby")
    assert "open" in ann.done("show", game["id"], "--json")
    assert "begins when all seats are taken" in ann.done("show", game["id"])


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("new", "chess"), 2, "Name a game: alturien, portobello"),
        (("new", "portobello", "with", "a", "clever", "bot"), 2, "do not understand “clever”"),
        (("new", "portobello", "mit", "einem", "schlauen", "Bot", "--language", "de"), 2, "„schlauen“ verstehe ich"),
        (("new", "portobello", "--seat", "somebody"), 2, "is no seat"),
        (("new", "portobello", "--seat", "open", "--option", "customers"), 2, "write NAME=VALUE"),
        (("new", "portobello"), 1, "takes 2 to 4 players, not 1"),
        (("new", "portobello", "--seat", "open", "--board", "moon"), 1, "no board called “moon”"),
        (("show", "no-such"), 1, "There is no such game."),
        (("show", "../tokens"), 1, "nothing at this address"),
        (("move", "no-such", "end"), 1, "There is no such game."),
        (("watch", "no-such"), 1, "There is no such game."),
        (("games", "--status", "odd"), 2, "Invalid value"),
        (("games", "--url", "ftp://example.org"), 2, "is no address of a service"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(ann: Desk, arguments: tuple[str, ...], code: int, says: str) -> None:
    done = ann.run(*arguments)

    assert done.exit_code == code, done.output
    assert says in done.stderr
    assert "Traceback" not in done.output


def test_games_are_a_table_that_says_where_i_am_to_move(ann: Desk, game: str) -> None:
    head, first, *_ = ann.done("games", "--limit", "1").splitlines()

    assert head.split() == ["GAME", "RULES", "STATE", "SEATS", "CHANGED"]
    assert first.startswith(f"{game}  portobello  YOU to move  [R] Ann 10 points, [Y] greedy bot 10 points  20")
    assert json.loads(ann.done("games", "--json", "--limit", "1"))["items"][0]["id"] == game


def test_show_has_the_board_the_last_turns_and_what_is_legal(ann: Desk, game: str) -> None:
    assert ann.done("say", game, "good", "luck") == "Said at the table.\n"
    shown = ann.done("show", game)
    german = ann.done("show", game, "--language", "de")

    for part in (f"Portobello Market, game {game}", ">[R] Ann (you) 10", "<<A>>", "LAST TURNS\n", "* Ann: good luck", "WHAT YOU MAY DO"):
        assert part in shown
    assert "\x1b" not in shown
    assert "WAS DU TUN KANNST\n* Wähle zuerst" in german
    assert json.loads(ann.done("show", game, "--json"))["you"] == "red"


def test_examples_that_are_shown_are_legal(ann: Desk, game: str) -> None:
    example = ann.done("show", game).split("FOR EXAMPLE\n* ")[1].splitlines()[0]

    assert "Red took tile" in ann.done("move", game, example)


def test_orders_from_arguments_or_standard_input_are_carried_out(ann: Desk, game: str) -> None:
    told = ann.done("move", game, "3: customer A")
    rest = ann.run("move", game, "--json", given="customer B;\ncustomer C\n")

    assert "Red took tile 3, drew a" in told
    assert json.loads(rest.stdout)["status"] == "applied"
    assert [each["action"]["orders"] for each in moved(ann, game)] == ["3: customer A", "customer B;\ncustomer C"]


def test_a_refusal_underlines_the_step_and_says_what_would_be_legal(ann: Desk, game: str) -> None:
    illegal = ann.run("move", game, "3: stall A-B; mark 5")
    unreadable = ann.run("move", game, "3: customer A; dance; end", "--language", "de")
    as_json = ann.run("move", game, "mark 99", "--json")

    assert illegal.exit_code == unreadable.exit_code == as_json.exit_code == 1
    lines = illegal.stderr.splitlines()
    step = lines[1].index("^")
    assert lines[0][step:].startswith(("stall A-B", "mark 5"))
    assert "Legal would be: 2: · 3: · 4:" in illegal.stderr
    assert unreadable.stderr.startswith("    3: customer A; dance; end\n                   ^^^^^\n")
    assert "„dance“" in unreadable.stderr
    problem = json.loads(as_json.stdout)
    assert (problem["status"], problem["step"]) == (422, 1)
    assert moved(ann, game) == []


def test_orders_for_an_older_position_are_refused(ann: Desk, game: str) -> None:
    done = ann.run("move", game, DRAWS, "--if-version", "1")

    assert done.exit_code == 1
    assert "The game has gone on" in done.stderr


def test_who_does_not_wait_gets_the_number_of_the_move(ann: Desk, game: str) -> None:
    assert re.fullmatch(r"Accepted as \w+\.\n", ann.done("move", game, DRAWS, "--no-wait"))


def test_two_commands_with_one_key_are_one_move(ann: Desk, game: str) -> None:
    first = json.loads(ann.done("move", game, "3: customer A", "--key", "mine", "--json"))
    second = json.loads(ann.done("move", game, "3: customer A", "--key", "mine", "--json"))
    other = ann.run("move", game, "customer B", "--key", "mine")

    assert first["id"] == second["id"]
    assert len(moved(ann, game)) == 1
    assert (other.exit_code, "used before" in other.stderr) == (1, True)


def test_taking_back_previewing_and_asking_what_is_legal(ann: Desk, game: str) -> None:
    assert ann.done("legal", game).split() == ["2:", "3:", "4:"]
    assert "customer A" in ann.done("legal", game, "3:").splitlines()
    assert "if chance brings clerk: no score would change" in ann.done("preview", game, "3: customer A")
    assert json.loads(ann.done("preview", game, "3:", "--json"))["complete"]
    assert json.loads(ann.done("legal", game, "--json"))["colour"] == "red"
    ann.done("move", game, "3:")
    assert "Your last orders are taken back." in ann.done("undo", game)
    again = ann.run("undo", game)
    assert (again.exit_code, "no more" in again.stderr or "not" in again.stderr) == (1, True)


def test_the_board_alone_now_then_and_in_sentences(ann: Desk, game: str) -> None:
    ann.done("move", game, DRAWS)

    assert "<<A>>" in ann.done("board", game)
    assert ann.done("board", game) != ann.done("board", game, "--at", "3")
    assert "district" in ann.done("board", game, "--linear")
    assert "<<A>>" in json.loads(ann.done("board", game, "--json"))["board"]
    assert ann.run("board", game, "--at", "9999").exit_code == 1


def test_a_game_is_taken_along_as_a_page_that_steps_through_it(ann: Desk, game: str, tmp_path: Path) -> None:
    ann.done("export", game, str(tmp_path / "game.html"), "--html")

    page = (tmp_path / "game.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<svg" in page
    assert "://" not in page.replace("http://www.w3.org/", "")


def test_a_record_goes_out_and_comes_in_again(ann: Desk, game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    ann.done("move", game, DRAWS)
    said = ann.done("export", game, str(file))
    checked = ann.done("import", str(file))
    on = json.loads(ann.done("import", "-", "--play-on", "--seat", "me", "--seat", "bot:greedy", "--json", given=file.read_text()))
    wrong = ann.run("import", "-", given=file.read_text().replace("{red 10", "{red 11"))

    assert "marketpost replay" in said
    assert "A game that could have happened: portobello" in checked
    assert (on["imported"], on["seats"][1]["bot"]) == (True, "greedy")
    assert json.loads(ann.done("export", game, "--json"))["record"].startswith("marketpost record 1\n")
    assert (wrong.exit_code, "red has 10" in wrong.stderr) == (1, True)


def test_a_record_that_cannot_be_written_is_told_in_one_line(ann: Desk, game: str, tmp_path: Path) -> None:
    file = tmp_path / "nowhere/game.txt"

    done = ann.run("export", game, str(file))

    assert (done.exit_code, done.stderr) == (1, f"Error: {file}: No such file or directory\n")


def test_what_is_wrong_is_said_once(ann: Desk, game: str) -> None:
    wrong = [
        ann.run("say", game, ""),
        ann.run("import", "-"),
        ann.run("login", "ann@example.org", "--code", "y"),
        ann.run("login", "nobody", "--name", ""),
    ]

    for each in wrong:
        assert each.exit_code == 1
        assert each.stderr.count("\n") == 1, each.stderr


def test_giving_up_asks_first(ann: Desk, game: str) -> None:
    no, yes = ann.run("resign", game, given="n\n"), ann.run("resign", game, "--yes")

    assert no.exit_code == 1
    assert yes.exit_code == 0, yes.output
    assert "[R] greedy bot" in yes.stdout


def test_an_answer_that_is_lost_is_asked_for_again_and_counts_once(ann: Desk, game: str) -> None:
    with door(ann.url) as way:
        way.lost = 2
        told = ann.at(way.url).done("move", game, "3: customer A")
        keys = {line for request in way.requests for line in request.split(b"\r\n") if line.lower().startswith(b"idempotency-key")}

    assert "Red took tile 3" in told
    assert len(keys) == 1
    assert len(moved(ann, game)) == 1


def test_the_same_command_after_a_broken_connection_counts_once(ann: Desk, game: str) -> None:
    with door(ann.url) as way:
        way.deaf = range(1, 5)  # after it has asked who we are
        broken = ann.at(way.url).run("say", game, "hello")
        again = ann.at(way.url).run("say", game, "hello")
        once_more = ann.at(way.url).run("say", game, "hello")

    assert broken.exit_code == 2
    assert "does not answer" in broken.stderr
    assert (again.exit_code, once_more.exit_code) == (0, 0)
    assert "sent before and not answered" in again.stderr
    assert "sent before" not in once_more.stderr
    said = ann.person.get(f"/v1/games/{game}/messages").json["items"]
    assert [each["text"] for each in said] == ["hello", "hello"]


def test_two_of_the_same_at_the_same_time_are_both_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with key_for("a write") as one, key_for("a write") as other:
        assert one.text != other.text
        one.answered = True
    with key_for("a write") as later:
        assert not later.again


def test_without_service_token_or_sense_it_ends_with_two(ann: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
    away = ann.at(nobody).run("games")
    wrong = ann.run("games", MARKETPOST_TOKEN="mp_wrong")
    strange = ann.run("games", MARKETPOST_TOKEN="two\nlines")
    missing = ann.run("games", MARKETPOST_TOKEN="")

    assert [each.exit_code for each in (away, wrong, strange, missing)] == [2, 2, 2, 2]
    assert "Is it running" in away.stderr
    assert "marketpost login" in wrong.stderr
    assert "You are not signed in" in missing.stderr
    assert json.loads(ann.run("games", "--json", MARKETPOST_TOKEN="mp_wrong").stdout)["code"] == "token-unknown"


class _Stranger(BaseHTTPRequestHandler):
    """Some other web server."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(302 if "moved" in self.path else 200)
        self.send_header("Location", f"http://{self.headers['Host']}/elsewhere")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, *arguments: object) -> None:
        pass


def test_what_is_no_marketpost_is_told_so_and_no_redirect_gets_the_token(ann: Desk) -> None:
    with HTTPServer(("127.0.0.1", 0), _Stranger) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        strange, moved_on = ann.at(url).run("games"), ann.at(f"{url}/moved").run("games")
        server.shutdown()

    assert (strange.exit_code, moved_on.exit_code) == (2, 2)
    assert "no Marketpost service" in strange.stderr
    assert "answers 302 and points to" in moved_on.stderr
    assert not any("elsewhere" in path for path in _Stranger.asked)
