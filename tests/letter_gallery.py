"""Every letter in every language from a real game, to be looked at: `python -m tests.letter_gallery FOLDER`.

Writes text and HTML, and with chromium on the PATH pictures of the HTML, those in English in the dark, too.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import click
from PIL import Image, ImageChops

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.example_orders import example_orders
from marketpost.mail.outbound.letters import Letter, PartAnswer, TimeLeft, WaitingGame
from marketpost.mail.outbound.mailer import WORDS
from marketpost.play.analyses import AnalysisStatus
from marketpost.play.compete.competition import Round
from marketpost.play.compete.competition_actions import CompetitionFormat, PlannedTable
from marketpost.play.compete.competition_notices import CompetitionNews
from marketpost.play.compete.standings import standings
from marketpost.play.log import actions
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import position_at
from marketpost.play.moves.submit import Outcome, OutcomeStatus
from marketpost.rules.analysis import Analysis, Moment, Share
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.records import Played, write
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from marketpost.rules.words import COMMON, LANGUAGES, Words
from marketpost.store.players import Player
from tests.competitions import simulate

URL = "https://marketpost.example"
LINKS = letters.Links(URL, new="new@example.org", reply="play+k3v9qd2mh7@marketpost.example")
NOW = datetime(2027, 5, 12, 9, 30, tzinfo=UTC)
DAY = 86_400_000
PEOPLE = {
    "en": ("Anna", "Europe/London"),
    "de": ("Jürgen", "Europe/Berlin"),
    "fr": ("Éloïse", "Europe/Paris"),
    "it": ("Niccolò", "Europe/Rome"),
}
SAID = ("No problem, take your time.", "Well played!", "Shall we finish this before the weekend?")
"""By players, who write in whatever language they like."""
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
COLOURS = (128, 64, 40, 24)
LARGEST = 120_000
"""Bytes of a picture; where it has more, it gets along with fewer colours."""
WIDTH = 720
NOT_ANALYSED = (AnalysisStatus.NONE, None)


def table(players: int = 3, turns: int | None = None, waiting_for: int = 0, name: str = "portobello") -> Game:
    """A game among two people and bots up to this turn and on until that seat is to decide, or to its end."""
    return _until(lambda state: turns is not None and state.turn >= turns and state.decider == waiting_for, players, name)


def _until(moment: Callable[[Any], bool], players: int, name: str) -> Game:
    rules = ruleset(name)
    game = Game("k3v9qd2m")
    game.rules, game.setting = rules, _setting(rules, players)
    game.seats = [SeatPlan(player="p0"), SeatPlan(player="p1"), *[SeatPlan(bot="greedy")] * players][:players]
    for seat, events in _played(name, players):
        if seat is not None and moment(game.state):
            break
        _happen(game, seat, events)
    return game


def _setting(rules: Ruleset[Any], players: int) -> Setting:
    return Setting(rules.colours[:players], rules.boards()[0], next(iter(rules.editions), None))


@cache
def _played(name: str, players: int) -> list[tuple[int | None, Any]]:
    """A whole game among bots: who did what."""
    rules, chance = ruleset(name), Sealed(bytes(32), "gallery")
    played: list[tuple[int | None, Any]] = [(None, rules.start(_setting(rules, players), chance))]
    state = rules.fold(played[0][1])
    while not rules.winners(state):
        if due := rules.proceed(state, chance):
            happened: tuple[int | None, Any] = None, due
        else:
            orders = bot(rules, "greedy")(state, state.decider, Sealed(bytes(32), "bot"))
            happened = state.decider, rules.judge(state, state.decider, orders, chance).events
        played.append(happened)
        for event in happened[1]:
            event.apply(state)
    return played


def play(game: Game, orders: str) -> Any:
    """What the judge says to these orders; what happens is taken in."""
    seat = game.state.decider
    verdict = game.rules.judge(game.state, seat, orders, Sealed(bytes(32), "gallery", game.state.drawn))
    _happen(game, seat, verdict.events)
    return verdict


def _happen(game: Game, seat: int | None, events: Any) -> None:
    if events:
        game.version += 1
        game.state = game.state or game.rules.blank()
        game.history.append((game.version, Played(seat, events)))
        for event in events:
            event.apply(game.state)


def every_letter(language: str) -> Iterator[tuple[str, Letter]]:
    """Each kind of letter, as one player gets it."""
    name, zone = PEOPLE[language]
    player = Player("p0", f"{language}@example.org", name, language, zone)
    names = {"red": name, "yellow": "Bernard"}
    clock = TimeLeft(NOW, NOW + timedelta(days=2, hours=8))
    game = table(turns=15)
    asked = (game, 0, player, names, LINKS)
    yield "confirm", letters.confirm(player, "K7MPX2QD", LINKS)
    yield "sign-in", letters.sign_in(player, "K7MPX2QD", LINKS)
    yield "new-address", letters.new_address(player, "K7MPX2QD", LINKS)
    yield "main-address", letters.main_address(player, LINKS)
    yield "invitation", letters.invitation(_unfilled(), player, {"yellow": "Bernard"}, "Bernard", LINKS)
    yield "declined", letters.declined(_declined(), player, names, LINKS, who="Bernard")
    yield "started", letters.started(table(turns=0, waiting_for=2), 0, player, names, LINKS)
    yield "your-turn", letters.your_turn(*asked, clock)
    yield "first-turn", letters.your_turn(table(turns=1), 0, player, names, LINKS, clock)
    undone = letters.taken_back(game, 0, language)
    yield "taken-back", letters.your_turn(*asked, clock, [undone], [("Bernard", SAID[0])])
    yield "reminder", letters.reminder(*asked, TimeLeft(NOW + timedelta(days=2), clock.until))
    yield "timed-out", letters.timed_out(*asked, "bot-takes")
    yield "message", letters.message(*asked, said=[("Bernard", "\n".join(SAID[1:]))])
    yield from _answers(player, names)
    finished = table()
    ended = (finished, 0, player, names, LINKS, write(finished.rules, finished.played, names))
    yield "over", letters.over(*ended, (AnalysisStatus.READY, _analysis(finished)))
    yield "last-move", letters.over(*ended, (AnalysisStatus.PENDING, None), last=letters.LastOrders(*_last_orders(finished, 0, language)))
    yield from _of_alturien(player, clock)
    yield "proposal", letters.proposal(*asked, what="undo", who="Bernard", back_to=game.history[-3][0])
    yield "seat", letters.proposal(game, None, player, names, LINKS, what="seat", who="Bernard")
    yield "news", letters.news(*asked, what="disagreed-draw", who="Bernard", whose=1)
    yield "complained", letters.complained(player, LINKS, at=NOW)
    yield "canary", letters.canary(player, LINKS)
    yield "bouncing", letters.bouncing(player, LINKS, reason="550 5.1.1 User unknown", at=NOW)
    yield (
        "webhook-off",
        letters.webhook_off(
            player,
            LINKS,
            host="hooks.example.org",
            reason=Words(language, COMMON).say("webhooks.status", value="503"),
            since=NOW - timedelta(days=3),
        ),
    )
    about = {"by": "Bernard (0123456789abcdef)", "about": "Mallory (fedcba9876543210)", "text": SAID[0], "game": game.id}
    yield "report", letters.report(player, LINKS, id="0123456789abcdef", **about)
    yield from _of_several_games(player, names, clock)
    yield from _of_a_tournament(player)


def _of_a_tournament(player: Player) -> Iterator[tuple[str, Letter]]:
    cup = simulate(CompetitionFormat.SWISS, 6, 3, Random(1), rounds=2)
    cup.entrants[0] = player.id
    cup.rounds[:] = [_renamed(each, "p00", player.id) for each in cup.rounds]
    ranked = [(line, player.name if line.player == player.id else f"Bernard {line.player[1:]}") for line in standings(cup)]
    yield "tournament-invitation", letters.tournament_invitation(cup, player, LINKS, host="Bernard")
    for news, number in (("round", 2), ("bye", 2), ("forfeited", 1), ("over", 0), ("cancelled", 0)):
        yield (
            ("tournament" if news == "round" else f"tournament-{news}"),
            letters.tournament(cup, player, LINKS, CompetitionNews(news), number, ranked, ["Bernard", "Claudia"]),
        )


def _renamed(now: Round, old: str, new: str) -> Round:
    tables = tuple(PlannedTable(tuple(new if each == old else each for each in table.players), table.colours) for table in now.tables)
    return Round(now.number, tables, now.byes, now.began, now.seal, now.ended)


def _of_several_games(player: Player, names: dict[str, str], clock: TimeLeft) -> Iterator[tuple[str, Letter]]:
    theirs = dict(zip(ruleset("alturien").colours, (player.name, "Bernard"), strict=False))
    tables = {
        "P1": WaitingGame(table(turns=15), 0, names, clock),
        "A2": WaitingGame(table(4, 12, name="alturien"), 0, theirs),
        "P3": WaitingGame(table(2, 7), 0, names),
    }
    yield "digest", letters.digest(player, LINKS, tables)
    yield "digest-of-one", letters.digest(player, LINKS, {"A1": tables["A2"]})
    version, orders = _last_orders(tables["P1"].game, 0, player.language)
    unclear = [Words(player.language, WORDS).say("answers.marked"), "    >>bobby, please<<"]
    parts = {
        "P1": PartAnswer(tables["P1"], orders, Outcome("m1", OutcomeStatus.APPLIED, 0, version), done=True),
        "A2": PartAnswer(tables["A2"], "e1-e9", Outcome("m2", OutcomeStatus.REFUSED, 0, None, "unreadable-order", 1, {"text": "e1-e9"})),
        "P3": PartAnswer(tables["P3"], also=unclear),
    }
    words = Words(player.language, WORDS)
    named = words.say("answers.more-labels", labels="P7, P8, P9", count=4)
    lines = [words.say("answers.no-such-label", labels=named, count=7), "    P7: 3: stall A-B", words.say("answers.letters-labels")]
    yield "several", letters.several(player, LINKS, parts, lines, {"A4": WaitingGame(table(4, 20, name="alturien"), 0, theirs)})
    done = table(turns=15, waiting_for=1)
    version, orders = _last_orders(done, 0, player.language)
    waiting = {"A2": tables["A2"]}
    yield "receipt-next", letters.receipt(done, 0, player, names, LINKS, version=version, orders=orders, waiting=waiting)


def _of_alturien(player: Player, clock: TimeLeft) -> Iterator[tuple[str, Letter]]:
    names = dict(zip(ruleset("alturien").colours, (player.name, "Bernard"), strict=False))
    yield "alturien-turn", letters.your_turn(table(4, 12, name="alturien"), 0, player, names, LINKS, clock)
    yield "alturien-first-turn", letters.your_turn(table(4, 1, name="alturien"), 0, player, names, LINKS, clock)
    robbing = _until(lambda state: state.debt is not None and state.active == 0 and state.debt.seat != 0, 4, "alturien")
    version, orders = _last_orders(robbing, 0, player.language)
    yield "alturien-robbing", letters.receipt(robbing, 0, player, names, LINKS, version=version, orders=orders)
    robbed = _until(lambda state: state.debt is not None and state.debt.seat == 0 and state.active != 0, 4, "alturien")
    yield "alturien-robbed", letters.your_turn(robbed, 0, player, names, LINKS, clock)
    finished = table(4, name="alturien")
    yield "alturien-over", letters.over(finished, 0, player, names, LINKS, write(finished.rules, finished.played, names), NOT_ANALYSED)


def _analysis(game: Game) -> Analysis:
    """Luck and skill as they might have been: a decision that gave something away, and two draws."""
    shares = (Share(340, 0, -120, -220, -190, 150, 60), Share(330, 1000, 410, 260, 20, 0, 70), Share(330, 0, -290, -40, 30, 45, 50))
    versions = [version for version, played in game.history if played.seat == 0][2:9:3]
    still = (0, 0, 0)
    before, drawn = (360, 340, 300), (-105, 85, 20)
    moments = [Moment(version, 0, 3 * number, before, still, drawn, still) for number, version in enumerate(versions, 1)]
    given_away = Moment(versions[1], 0, 6, before, (-140, 90, 50), still, still, 150, 42, "3: stall A-B; stall AB; stall AB")
    return Analysis(24, 31, (5, -2, -3), shares, (moments[0], given_away, moments[2]), tuple(versions))


def _last_orders(game: Game, seat: int, language: str) -> tuple[int, str]:
    """The version that the last orders of this seat made, and the orders as this language writes them."""
    rules = game.rules
    version, played = next(each for each in reversed(game.history) if each[1].seat == seat)
    orders, _ = rules.parse_turn(rules.serialize_turn(position_at(game, version - 1), played.events))
    return version, rules.notate(rules.parse(orders), rules.in_language(language))


def _unfilled() -> Game:
    game = table(turns=0, waiting_for=2)
    game.state, game.seats = None, [SeatPlan(invited="p0"), SeatPlan(player="p1"), SeatPlan(bot="greedy")]
    game.clock = actions.TimeControl(per_decision=3 * DAY, bank=7 * DAY, weekends=False, quiet=(22, 8), at_zero=actions.AtZero.BOT_TAKES)
    return game


def _declined() -> Game:
    game = _unfilled()
    game.seats = [SeatPlan(player="p0"), SeatPlan(), SeatPlan(bot="greedy")]
    return game


def _answers(player: Player, names: dict[str, str]) -> Iterator[tuple[str, Letter]]:
    """To what the player wrote: done, drawn, not possible, partly possible, and whatever was asked for."""
    game = table(turns=15)
    words = game.rules.in_language(player.language)
    turn = example_orders(game.rules, game.state, 0, words)
    asked = (game, 0, player, names, LINKS)
    number = turn[0].partition(":")[0]
    stall, customer = words.order("stall"), words.order("customer")
    certain = next(orders for orders in turn if customer not in orders.partition(";")[0])  # what is drawn stays drawn
    wrong = f"{certain.partition(';')[0]}; {stall} XY"
    yield "refused", letters.refused(*asked, orders=wrong, outcome=_refused(game, wrong))
    everything = {"help", "board", "rules", "record"}
    record = write(game.rules, game.played, names)
    yield "answer", letters.answer(player, LINKS, asked=everything, game=game, seat=0, names=names, record=record)
    yield "receipt", _receipt(player, names, turn[1])
    yield "goes-on", _receipt(player, names, turn[0].partition(";")[0])
    look = f"{number}: {customer}"
    play(game, look)
    yield "drawn", letters.drawn(*asked, TimeLeft(NOW, NOW + timedelta(hours=20)))
    partly = table(turns=15)
    orders = f"{number}: {customer} {partly.state.free_squares()[0]}; {stall} XY"
    yield "partly", letters.refused(partly, 0, player, names, LINKS, orders=orders, outcome=_refused(partly, orders))


def _receipt(player: Player, names: dict[str, str], orders: str) -> Letter:
    game = table(turns=15)
    play(game, orders)
    return letters.receipt(game, 0, player, names, LINKS, version=game.version, orders=orders)


def _refused(game: Game, orders: str) -> Outcome:
    version = game.version
    verdict = play(game, orders)
    why = verdict.refusal
    changed = game.version if game.version > version else None
    return Outcome("m1", "refused", 0, changed, why.code, why.step, dict(why.values), list(verdict.dropped))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.png"), *folder.glob("*.html"), *folder.glob("*.txt")):
        old.unlink()
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    written = [(language, name, letter) for language in LANGUAGES for name, letter in every_letter(language)]
    with click.progressbar(written, file=sys.stderr) as bar:
        for language, name, letter in bar:
            page = folder / f"{name}.{language}.html"
            page.write_text(_with_pictures(letter, folder), "utf-8")
            page.with_suffix(".txt").write_text(f"Subject: {letter.subject}\n\n{letter.text}", "utf-8")
            for shade in ("light", "dark") if language == "en" else ("light",):
                if browser:
                    _picture(browser, page, page.with_suffix(f".{shade}.png"), shade)


def _with_pictures(letter: Letter, folder: Path) -> str:
    """Its page, with the pictures that go along in files beside it."""
    html = letter.html
    for picture in letter.pictures:
        file = folder / f"{picture.cid.partition('@')[0]}.png"
        file.write_bytes(picture.data)
        html = html.replace(f"cid:{picture.cid}", file.name)
    return html


def _picture(browser: str, page: Path, target: Path, shade: str) -> None:
    """The whole page, with no more colours than it needs."""
    with tempfile.TemporaryDirectory() as scratch:
        shot = Path(scratch) / "shot.png"
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={scratch}/profile"]
        command += [f"--window-size={WIDTH},3200", f"--screenshot={shot}"]
        command += [f"--blink-settings=preferredColorScheme={int(shade != 'dark')}"]
        subprocess.run([*command, page.resolve().as_uri()], check=True, capture_output=True, timeout=120)
        image = Image.open(shot).convert("RGB")
    ground = Image.new("RGB", image.size, image.getpixel((1, image.height - 1)))
    used = ImageChops.difference(image, ground).getbbox() or (0, 0, WIDTH, 100)
    for colours in COLOURS:
        image.crop((0, 0, WIDTH, used[3] + 16)).quantize(colours, Image.Quantize.MAXCOVERAGE).save(target, optimize=True)
        if target.stat().st_size <= LARGEST:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
