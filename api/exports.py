"""REST call that exports everything stored about a player as a zip archive."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from flask import Response, current_app

from api.account_events import event_shown
from api.blocks import report_shown
from api.bots import bot_shown
from api.channels import channel_shown
from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, me, ports, token
from api.http.serialize import entry, moment
from api.players import notification, profile
from api.tokens import token_shown
from marketpost.play.limits import Limit
from marketpost.play.moves.game_view import record
from marketpost.play.outbox.account_events import decode_event
from marketpost.play.people.bot_accounts import bots_of
from marketpost.play.people.export import ExportedGame, exported_games
from marketpost.play.ports import Ports
from marketpost.store.account_streams import BEGINNING, MOST_EVENTS
from marketpost.store.credentials import Token
from marketpost.store.players import Player
from marketpost.store.suppressions import Suppression

exports = Calls("exports", __name__, url_prefix="/v1/players/me", description="Export of my data")
ZIP = "application/zip"
MOST_LETTERS = 100_000
File = tuple[str, Any]
"""The name of a file in the archive, and its text or JSON document."""


@exports.call("GET", "/export", access=Permission.READ, gives={200: ZIP}, problems=(429,))
def export_me() -> Response:
    """Export everything that is stored about me, as a zip archive

    Profile, tokens (without their secrets), bots, channels, notifications, newest events, suppressed addresses, my reports, and for each
    game its log, its record, what was said at the table, my notes, my standing orders and orders ahead: no more than I may see, and of a
    running game nothing hidden.
    """
    return export(me(), token())


def export(player: Player, current: Token) -> Response:
    """Stream the zip archive of a player, game by game, so that other requests are served meanwhile."""
    ports().limits.spend(Limit.EXPORTS_PLAYER, player.owner or player.id)
    about = _about(player, current)
    files = _files(about, ports(), player)
    headers = {"Content-Disposition": f'attachment; filename="marketpost-{player.id}.zip"', "Cache-Control": "private, no-store"}
    return Response(_zipped(files, current_app.json.dumps), mimetype=ZIP, headers=headers)


def _about(player: Player, current: Token) -> list[File]:
    """Collect the files about the player."""
    letters = mailer().deliveries.history(player.id, MOST_LETTERS)
    return [
        ("profile.json", profile(player)),
        ("tokens.json", [token_shown(each, current) for each in ports().credentials.tokens_of(player.id)]),
        ("bots.json", [bot_shown(each) for each in bots_of(ports(), player.id)]),
        ("channels.json", [channel_shown(each) | {"target": each.url} for each in mailer().targets.of(player.id)]),
        ("notifications.json", [notification(each) for each in letters]),
        ("events.json", [event_shown(id, decode_event(data)) for id, data in ports().streams.read(player.id, BEGINNING, MOST_EVENTS)]),
        ("suppressions.json", [_suppression(found) for each in player.every_address if (found := ports().suppressions.find(each))]),
        ("reports.json", [report_shown(each) for each in ports().reports.all() if each.by == player.id]),
    ]


def _suppression(found: Suppression) -> dict[str, Any]:
    return {"address": found.address, "cause": found.cause, "at": moment(found.at)}


def _files(about: Iterable[File], ports: Ports, player: Player) -> Iterator[File]:
    """Yield all files of the archive; a game is read when its turn comes."""
    yield from about
    for each in exported_games(ports, player):
        yield from _game(ports, each)


def _game(ports: Ports, each: ExportedGame) -> Iterator[File]:
    """Yield the files of one game."""
    folder, game = f"games/{each.id}", each.game
    if game:
        yield f"{folder}/log.json", {"game": game.id, "items": [entry(game.rules, stored) for stored in ports.games.read(game.id)]}
    if game and game.state is not None:
        yield f"{folder}/record.txt", record(ports, game)
    if each.messages:
        yield (
            f"{folder}/messages.json",
            [{"player": said.player, "at": moment(said.at), "text": said.text} for said in each.messages],
        )
    texts = {
        "notes.txt": each.notes,
        "standing-orders.txt": each.standing,
        "orders-ahead.txt": each.ahead,
        "notices.txt": each.preference or "",
    }
    yield from ((f"{folder}/{name}", text) for name, text in texts.items() if text)


class _Sent(io.RawIOBase):
    """A write-only file that hands over what was written since the last call of `take`; zipfile then writes front to back."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        """Whether it can be written to: always."""
        return True

    def write(self, data: Any) -> int:
        """Buffer some bytes."""
        self.parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        """Return the buffered bytes and empty the buffer."""
        taken, self.parts = b"".join(self.parts), []
        return taken


def _zipped(files: Iterable[File], dumps: Any) -> Iterator[bytes]:
    """Yield the bytes of the archive, file by file."""
    sent = _Sent()
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content if isinstance(content, str) else dumps(content, indent=2))
            yield sent.take()
    yield sent.take()
