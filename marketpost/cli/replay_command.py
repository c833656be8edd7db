"""`marketpost replay`: check that a record is of a game that the rules allow."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from marketpost.cli import command_language as speech
from marketpost.rules import records
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import Replay
from marketpost.rules.replay import replay as replayed
from marketpost.rules.words import COMMON, Words


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="Print the final position as JSON instead of one line a file.")
@click.option("--board", "board", type=click.Path(dir_okay=False), help="A board file, for records on a board of your own.")
def replay(files: tuple[str, ...], as_json: bool, board: str | None) -> None:
    """Replay records and check everything they say. `-` reads standard input."""
    speech.speak(None)
    fine = [_replay_file(file, as_json, board) for file in files]
    sys.exit(0 if all(fine) else 1)


def _replay_file(file: str, as_json: bool, board: str | None) -> bool:
    """Replay one record and print the result. Whether it is right."""
    try:
        record = read_record(file, board)
        done = replayed(record)
    except records.RecordWrong as wrong:
        click.echo(f"{file}:{wrong.line}: {why(wrong)}", err=as_json)
        return False
    except OSError as error:
        click.echo(f"{file}: {error.strerror or error}", err=as_json)
        return False
    click.echo(json.dumps(record.rules.document(done.state, None), ensure_ascii=False) if as_json else _fine(file, done))
    return True


def read_record(file: str, board: str | None) -> records.Record:
    """Read a record from a file or from standard input."""
    return records.read(_text(file), _board_finder(file, board))


def _text(file: str) -> str:
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return data.decode("utf-8-sig", errors="replace")


def _board_finder(file: str, board: str | None) -> Callable[[str], str | dict[str, Any]]:
    """Return a function that finds a record's board: the file given, `NAME.json` beside the record, or a board of ours."""

    def find(name: str) -> str | dict[str, Any]:
        beside = Path(file).parent / f"{Path(name).name}.json"
        path = Path(board) if board else beside if file != "-" and beside.is_file() else None
        return _read_board(path) if path else name

    return find


def _read_board(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise Refused("board-unreadable", file=str(path), reason=str(error)) from error
    if not isinstance(document, dict):
        raise Refused("board-no-object")
    return document


def why(wrong: records.RecordWrong) -> str:
    """Return the sentence for a fault in a record; a ruleset's own faults are in its own word files."""
    for folder in (COMMON, *COMMON.parent.glob("*/words")):
        words = Words(speech.words().language, folder)
        if words.knows(f"refusals.{wrong.code}"):
            return words.explain(wrong.refusal)
    return wrong.code


def _fine(file: str, done: Replay) -> str:
    """Return the line about a record that is right."""
    winners = [done.state.colours[seat] for seat in done.record.rules.winners(done.state)]
    key = "running" if not winners else "wins" if len(winners) == 1 else "win"
    words = done.record.rules.in_language(speech.words().language)
    return words.say(f"records.{key}", file=file, turns=done.turns, winners=words.say("records.and").join(map(words.translate, winners)))
