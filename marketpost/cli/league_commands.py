"""`marketpost league`: let bots play each other on this machine, and compute the table from the logs."""

import json
import os
import re
import secrets
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import click

from marketpost.cli.backup_commands import FILE, NEW_FILE, counted, must_be_new, says_if_disk_fails
from marketpost.cli.terminal import many
from marketpost.play.bot_league import LeagueGame, fixtures, play
from marketpost.play.keeping.dump import CheckedDump, DumpedGame, check_dump
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.play.people.ratings import Rating, RatingTable
from marketpost.play.people.results import RatingPool
from marketpost.rules.bots import bot
from marketpost.rules.records import RecordWrong
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.words import COMMON, Words
from marketpost.store.archive_files import Broken
from marketpost.store.dump_files import write_lines
from marketpost.store.players import BOT_ID

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
LIKELY = 1.96
"""Standard deviations on each side that hold 95 % of a normal distribution."""


@click.group()
def league() -> None:
    """Let bots play each other on this machine, and rate them from the logs."""


@league.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT…")
@click.option("--games", default=200, show_default=True, type=click.IntRange(1, 1_000_000), help="Of each ruleset.")
@click.option("--rules", "only", multiple=True, metavar="NAME", help="Only this ruleset; may be given several times.")
@click.option("--players", default=2, show_default=True, help="Seats at a table.")
@click.option("--logs", "file", type=NEW_FILE, help="Where logs and records go; `league-….zst` in this folder otherwise.")
@click.option("--seed", type=int, help="The same seed gives the same dice.")
@click.option("--seconds", default=10.0, show_default=True, help="How long a program may take for a decision.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1, 256), help="Games at the same time.")
@says_if_disk_fails
def run(
    bots: tuple[str, ...],
    games: int,
    only: tuple[str, ...],
    players: int,
    file: Path | None,
    seed: int | None,
    seconds: float,
    jobs: int,
) -> None:
    """Let bots play each other, every one in every seat, and print how they are rated.

    BOT is the name of a built-in bot, or `name=command` for a program of yours, such as `mine="python3 my_bot.py"`.
    """
    began, seed = time.time_ns() // 1_000_000, secrets.randbits(48) if seed is None else seed
    file = file or Path(f"league-{time.strftime('%Y%m%d-%H%M%S')}.zst")
    must_be_new(file)
    commands = _commands(bots)
    names = [each.partition("=")[0] for each in bots]
    try:
        planned = list(fixtures(_rulesets(only, names, commands), names, players, games))
    except Refused as refused:
        raise click.UsageError(_told(refused)) from refused
    if len(set(names)) < len(names) or len(names) < players:
        raise click.UsageError(f"{many(players, 'seat')} need as many different bots")
    todo = [LeagueGame(*each, number, began, seed, commands, seconds) for number, each in enumerate(planned)]
    done = write_lines(file, _played(todo, jobs))
    click.echo(f"{file}: {many(done, 'game')}, seed {seed}")
    _show(check_dump([file]))


def _commands(bots: Iterable[str]) -> dict[str, str]:
    """Read the command lines of the bots that are programs."""
    found = {}
    for each in bots:
        name, is_program, command = each.partition("=")
        if not NAME.fullmatch(name) or (is_program and not command.strip()):
            raise click.UsageError(f"{each!r} is neither the name of a bot nor name=command; names have small letters, digits, - and _")
        if is_program:
            found[name] = command
    return found


def _rulesets(only: tuple[str, ...], names: Iterable[str], commands: Iterable[str]) -> list[str]:
    """List the rulesets to play; refused if one is unknown, or has no bot of a name that is no program."""
    found = list(only or rulesets())
    for rules in found:
        for name in set(names).difference(commands):
            bot(ruleset(rules), name)
    return found


def _told(refused: Refused) -> str:
    return Words("en", COMMON).explain(refused.refusal)


def _played(todo: list[LeagueGame], jobs: int) -> Iterator[DumpedGame]:
    """Play games in several processes, and yield them in their order; after Ctrl-C those that are finished stay."""
    with (
        ProcessPoolExecutor(min(jobs, len(todo)), initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool,
        click.progressbar(pool.map(play, todo), length=len(todo), label="games", file=sys.stderr) as bar,
    ):
        try:
            yield from bar
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)


@league.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="LOGS…")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@says_if_disk_fails
def table(files: tuple[Path, ...], as_json: bool) -> None:
    """Verify the games of LOGS, files of `league run` or `dump`, and print how their bots are rated."""
    try:
        found = check_dump(files, counted("games"))
    except Broken as broken:
        raise click.ClickException("a file was cut off or changed, or holds no games") from broken
    except (Tampered, WrittenByNewer, RecordWrong) as wrong:
        raise click.ClickException(str(wrong)) from wrong
    if as_json:
        click.echo(_as_json(found))
    else:
        _show(found)
    sys.exit(1 if found.faults else 0)


def _tables(found: CheckedDump) -> dict[str, RatingTable]:
    return {rules: table for (rules, pool), table in sorted(found.tables.items()) if pool == RatingPool.BOTS}


def _rows(table: RatingTable) -> list[tuple[str, Rating]]:
    return sorted(((id.removeprefix(BOT_ID), rating) for id, rating in table.ratings.items()), key=lambda row: -row[1].mu)


def _show(found: CheckedDump) -> None:
    for fault in found.faults:
        click.echo(fault, err=True)
    for rules, table in _tables(found).items():
        click.echo(f"\n{rules}, {many(table.games, 'rated game')}")
        click.echo(f"  {'bot':<20} {'rating':>7} {'95 %':>16} {'games':>6} {'won':>6} {'points':>7}")
        for name, rating in _rows(table):
            between, won = "{:.2f} to {:.2f}".format(*_interval(rating)), f"{rating.won / rating.games:.0%}"
            click.echo(f"  {name:<20} {rating.mu:>7.2f} {between:>16} {rating.games:>6} {won:>6} {rating.points:>7.2f}")
    click.echo(f"\n{many(found.games, 'game')} replayed, {many(found.draws, 'draw')} verified, {many(len(found.faults), 'fault')}")


def _interval(rating: Rating) -> tuple[float, float]:
    return rating.mu - LIKELY * rating.sigma, rating.mu + LIKELY * rating.sigma


def _as_json(found: CheckedDump) -> str:
    tables = {rules: [_row(name, rating) for name, rating in _rows(table)] for rules, table in _tables(found).items()}
    return json.dumps({"games": found.games, "draws": found.draws, "faults": found.faults, "tables": tables})


def _row(name: str, rating: Rating) -> dict[str, Any]:
    between = [round(end, 2) for end in _interval(rating)]
    counted = {"games": rating.games, "won": rating.won, "points": round(rating.points, 2)}
    return {"bot": name, "rating": round(rating.mu, 2), "between": between, **counted}
