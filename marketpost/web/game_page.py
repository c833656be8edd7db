"""The page of a game: board, log, talk, and the form for orders."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api import event_stream as stream
from api.http.context import inside, ports
from api.http.request_limits import charge, leave_queue, stand_back
from api.http.serialize import refusal_of
from api.moves import wait_for
from marketpost.mail.outbound.letters import pace
from marketpost.mail.outbound.replay_page import replay_html
from marketpost.pictures.png import nearest_width, pixels_of
from marketpost.play.analyses import is_pending
from marketpost.play.limits import Limit
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import names_for
from marketpost.play.moves.submit import LONGEST_ORDERS, Outcome, submit
from marketpost.play.table.lobby import own_games, waits_for
from marketpost.play.table.talk import LONGEST, Message, messages_for
from marketpost.play.table.talk import say as say_at_table
from marketpost.rules.guide import summary
from marketpost.rules.hint_told import rule_told
from marketpost.rules.refusal import Refused
from marketpost.rules.svg import Style
from marketpost.rules.variant import note
from marketpost.rules.words import Words
from marketpost.store.changes import SameKeyOtherMove, Stored
from marketpost.store.players import Player
from marketpost.web.ahead_shown import ahead_shown
from marketpost.web.board_picture import board_patch, board_svg, sample_svg
from marketpost.web.chapters import Chapter, GameStory, narrate
from marketpost.web.composer import Draft, draft, in_words, joined, why, without_last
from marketpost.web.game_reader import Reader, number_of, player_at, reader_of
from marketpost.web.hint_shown import hint_shown
from marketpost.web.invite_shown import hosting_shown
from marketpost.web.page_language import called, explain, language, say
from marketpost.web.pages import page, wants_part
from marketpost.web.proposals_shown import proposals_shown
from marketpost.web.result_shown import result_shown
from marketpost.web.seats_shown import chairs, game_title, moment_shown, others_at, score_title, whose_turn
from marketpost.web.tutorial_shown import lesson_shown

WAIT = 10
"""Seconds that the page waits for the outcome of a move; most take a hundredth of that."""
KEY_LONGEST = 40
PREVIEW_WIDTH = nearest_width(600)
"""Pixels across the picture of a board in the preview of a link."""
HEARD_WITHIN = 1.0
"""Seconds until what is said at a table is shown on the pages of the others, and an analysis when it is there."""
SHOWS = "X-Shows"
"""Header by which our script says after which entry of the log it shows the board."""


@page("/games/<id:game>")
def show_game(game: str) -> Any:
    """Show a game; `?at=` as it was after that version, `?orders=` (from a letter's button) with these orders in the form."""
    return show(reader_of(game), number_of(request.args.get("at", "")), request.args.get("orders", "")[:LONGEST_ORDERS])


def _text(name: str) -> str:
    return request.form.get(name, "").replace("\r\n", "\n")


def _key() -> str:
    return request.form.get("key", "")[:KEY_LONGEST]


def show(
    reader: Reader, at: int | None = None, orders: str = "", told: str = "", wrong: str = "", status: int = 200, *, ahead: str = ""
) -> Any:
    """Render the whole page, or for our script the part of it that it asks for.

    `told` and `wrong` are the result of the last action; `orders` and `ahead` are texts that stay in their forms.
    """
    game = reader.game
    words = game.rules.in_language(language())
    log = narrate(game, ports().games.read(game.id), words, at)
    if wants_part() == "board":
        picture = str(_board(game, log, words)["board"])
        return _patch(game, words, picture) or picture
    leaf, board = _leaf(log), _board(game, log, words)
    live = leaf["now"] == leaf["newest"]
    shown = render_template(
        "game.html",
        **_table(reader, None if live else log.state),
        **board | {"patch": _patch(game, words, str(board["board"])), "shown": _shown()},
        **leaf,
        live=live,
        **_since(reader, log if live else None),
        hint=hint_shown(game, reader.seat) if reader.may_play and live else None,
        **ahead_shown(game, reader.player.id if reader.may_play else "", ahead),
        waiting=waiting_for(reader),
        is_part=bool(wants_part()),
        site=inside().settings.public_url,
        draft=draft(game, reader.seat, orders, words) if reader.decides and reader.seat is not None and live else None,
        orders=orders,
        told=told,
        wrong=wrong,
        key=secrets.token_hex(8),
    )
    # A browser calls it an error when a script is refused something; the script shows the page either way.
    return shown, 200 if wants_part() else status


def _since(reader: Reader, log: GameStory | None) -> dict[str, Any]:
    """Return what happened since the reader's last move, in order; all of it if they have not moved, nothing for onlookers.

    `since_after` is the entry before it, with whose board our script begins to show it.
    """
    if log is None or reader.seat is None or reader.game.status != GameStatus.RUNNING:
        return {"since": [], "since_after": 0}
    last = max((version for version, played in reader.game.history if played.seat == reader.seat), default=0)
    since = [chapter for chapter in log.chapters if chapter.version > last and chapter.told]
    first = since[0].version if since else 0
    after = max((chapter.version for chapter in log.chapters if chapter.version < first), default=first)
    return {"since": [(chapter, _motions_shown(chapter)) for chapter in since], "since_after": after}


def _motions_shown(chapter: Chapter) -> list[list[Any]]:
    """Return what travelled as our script draws it: letter, colour, colour of the letter, and the places of its way."""
    style = Style("light")
    return [[each.letter, each.colour, style.letters_on(each.colour), each.places] for each in chapter.motions]


def waiting_for(reader: Reader) -> int:
    """Count the other games that wait for a signed-in reader."""
    if reader.link or not reader.player.id:
        return 0
    return sum(waits_for(game, reader.player.id) for game in own_games(ports(), reader.player.id) if game.id != reader.game.id)


def _table(reader: Reader, then: Any) -> dict[str, Any]:
    """Collect seats, talk and the reader's actions; with the scores of an earlier position if one is shown."""
    game = reader.game
    words = game.rules.in_language(language())
    return {
        "game": game,
        "reader": reader,
        "link": reader.link,
        "title": game_title(game),
        "variant": " ".join([*note(words, *game.rules.unusual(game.setting)), *rule_told(game.hint_rule, words)]),
        "turn": whose_turn(game, reader.player.id),
        "score_title": score_title(game),
        "chairs": chairs(game, reader.player.id, then),
        "colours": game.setting.colours,
        "tutorial": lesson_shown(game, reader.seat) if reader.may_play else None,
        "result": result_shown(game, language()) if game.status == GameStatus.OVER and game.state is not None else None,
        **hosting_shown(game, reader.player.id if reader.may_play else ""),
        **proposals_shown(game, reader.player.id if reader.may_play else ""),
        "talk": _talk(reader) if reader.sees_talk else [],
        "longest": LONGEST,
        "pace": " ".join(pace(game.clock, language())),
        "invited": any(seat.invited == reader.player.id for seat in game.seats),
        "room": SeatPlan() in game.seats,
        "others": others_at(game, reader.player.id) if reader.may_play else [],
    }


def _board(game: Game, log: GameStory, words: Words) -> dict[str, Any]:
    return {
        "board": board_svg(game.rules, log.state, language(), before=log.before) if log.state else "",
        "linear": game.rules.linear(log.state, words) if log.state else "",
        "chapters": log.chapters,
        "help": words.say("help.orders").strip("\n"),
        "rules": summary(game.rules.guide(game.setting, language())),
    }


def _shown() -> int | None:
    """Return after which entry of the log our script shows the board; it then has what the page said of that entry and those before it."""
    return number_of(request.headers.get(SHOWS, "")) if wants_part() else None


def _patch(game: Game, words: Words, board: str) -> str:
    """Return the board as what differs from the one that our script shows; empty if it shows none."""
    shown = _shown()
    if shown is None or not board:
        return ""
    earlier = narrate(game, ports().games.read(game.id), words, shown)
    return board_patch(str(_board(game, earlier, words)["board"]), board, shown) if earlier.state else ""


def _leaf(log: GameStory) -> dict[str, int | None]:
    """Return the shown version and the versions that its buttons lead to."""
    versions = [chapter.version for chapter in log.chapters] or [0]
    now = max((version for version in versions if version <= log.at), default=0)
    return {
        "now": now,
        "first": versions[0],
        "newest": versions[-1],
        "earlier": max((version for version in versions if version < now), default=None),
        "later": min((version for version in versions if version > now), default=None),
    }


def _talk(reader: Reader) -> list[dict[str, Any]]:
    messages = messages_for(ports(), reader.game.id, reader.player)
    known = ports().players.find_all({each.player for each in messages})
    return [_said(known.get(each.player), each) for each in messages]


def _said(player: Player | None, message: Message) -> dict[str, Any]:
    """Return a message as the page shows it, with the id of its writer for the link to their page."""
    who = {"player": player.id, "who": called(player)} if player else {"player": "", "who": say("page.nobody")}
    return who | {"text": message.text, "at": moment_shown(message.at)}


@page("/games/<id:game>/preview", "POST")
def preview_orders(game: str) -> Any:
    """Preview orders. `add` appends a step and `drop` removes the last one, so that the form works without scripts."""
    reader = player_at(game)
    orders = _written(reader)
    if wants_part() and reader.seat is not None:
        words = reader.game.rules.in_language(language())
        return render_template("draft.html", draft=_draft_part(reader, reader.seat, orders, words), game=reader.game, link={}, is_part=True)
    return show(reader, orders=orders)


def _draft_part(reader: Reader, seat: int, orders: str, words: Words) -> Draft:
    """Return the draft for our script, which has the present board."""
    if not reader.decides:
        return Draft(orders)
    log = narrate(reader.game, ports().games.read(reader.game.id), words)
    now = (_leaf(log)["now"] or 0, str(_board(reader.game, log, words)["board"]))
    return draft(reader.game, seat, orders, words, number_of(request.form.get("branch", "")) or 0, now)


def _written(reader: Reader) -> str:
    form, words = request.form, reader.game.rules.in_language(language())
    orders = _text("orders")
    if "add" in form:
        return joined(orders, form["add"])
    return without_last(reader.game, orders, words) if "drop" in form else orders


@page("/games/<id:game>/moves", "POST")
def send_orders(game: str) -> Any:
    """Submit orders as the REST API does. Refused orders stay in the field."""
    reader = player_at(game)
    orders = _text("orders")
    try:
        move = submit(ports(), reader.game, reader.player.id, orders, _key(), number_of(request.form.get("version", "")))
    except (Refused, SameKeyOtherMove) as error:
        refusal = error.refusal if isinstance(error, Refused) else Refused("key-reused").refusal
        return show(reader, orders=orders, wrong=explain(refusal, reader.game.rules), status=422)
    outcome, _ = wait_for(reader.game, move, WAIT)
    return _after(reader_of(game), orders, outcome)


def _after(reader: Reader, orders: str, outcome: Outcome | None) -> Any:
    """Show the page after orders were sent: applied, refused, or still queued."""
    if outcome is None:
        return show(reader, told=say("compose.queued"), status=202)
    refusal = refusal_of(outcome)
    if refusal is None:
        return show(reader, told=say("compose.done")) if wants_part() else back_to(reader.game.id)
    return show(reader, orders=orders, wrong=" ".join([why(reader.game, refusal), *_what_stands(reader.game, outcome)]), status=422)


def _what_stands(game: Game, outcome: Outcome) -> list[str]:
    """Describe a partly applied move: steps before the refused one stand if chance was drawn, later ones were not tried."""
    words = game.rules.in_language(language())
    stands = [say("compose.stands")] if outcome.version else []
    left_out = ", ".join(in_words(game, step, words) for step in outcome.dropped)
    return stands + ([say("compose.dropped", text=left_out)] if left_out else [])


@page("/games/<id:game>/talk", "POST")
def talk(game: str) -> Any:
    """Say something at the table."""
    reader = player_at(game)
    text = _text("text").strip()
    if text and len(text) <= LONGEST:
        say_at_table(ports(), reader.game, reader.player.id, text, _key())
    return back_to(game)


def back_to(game: str) -> AnyResponse:
    return redirect(url_for("pages.show_game", game=game), 303)


@page("/games/<id:game>/events")
def follow_game(game: str) -> Response:
    """Stream a signal for each change after version `after`; the page then loads what changed.

    The stream of a running game ends with it. The page opens another, which tells what comes after the end: talk, and the analysis.
    """
    reader = reader_of(game)
    after = stream.read_last(request.headers.get("Last-Event-ID") or request.args.get("after"))
    table, is_over = ports(), reader.game.status == GameStatus.OVER

    def changed(stored: Stored) -> str:
        return f"id: {stored.version}\nevent: changed\ndata: {stored.version}\n\n"

    def beside() -> dict[str, object]:
        said = len(messages_for(table, game, reader.player)) if reader.sees_talk else 0
        return {"talk": said, **({"analysis": str(is_pending(table, reader.game)).lower()} if is_over else {})}

    since, watch = reader.game.version if after is None else after, TableWatch(beside)
    return stream.stream(game, since, changed, watch.signal, HEARD_WITHIN, ends=not is_over)


@dataclass(slots=True)
class TableWatch:
    """Signals what stands beside the log, whenever that changes, and now and then so that the connection stays alive."""

    look: Callable[[], dict[str, object]]
    """The value of every signal."""
    told: dict[str, object] = field(default_factory=dict)
    silent: int = 0

    def signal(self) -> str:
        """Return the signals; empty if nothing has changed and the last ones are not long ago."""
        now, self.silent = self.look(), self.silent + 1
        if now == self.told and self.silent * HEARD_WITHIN < stream.QUIET:
            return ""
        self.told, self.silent = now, 0
        return "".join(f"event: {name}\ndata: {value}\n\n" for name, value in now.items())


@page("/games/<id:game>/board.png")
def show_board_picture(game: str) -> Response:
    """Show the board as a picture, for programs that show a preview of a link; before the game begins, one of a sample game."""
    found = reader_of(game).game
    svg = board_svg(found.rules, found.state, language()) if found.state else sample_svg(found.rules.name, language())
    charge(pixels_of(svg, PREVIEW_WIDTH), Limit.PIXELS_ADDRESS, Limit.PIXELS_GUEST, Limit.PIXELS_PLAYER)
    leave_queue()
    return Response(inside().draw(svg, PREVIEW_WIDTH), mimetype="image/png")


@page("/games/<id:game>/replay.html")
def show_replay(game: str) -> Response:
    """Download the whole game as one HTML file."""
    reader = reader_of(game)
    if reader.game.state is None:
        raise Refused("not-started")
    text = replay_html(reader.game, language(), names_for(ports(), reader.game, reader.player.id if reader.player else None), stand_back)
    response = Response(text, mimetype="text/html")
    response.headers["Content-Disposition"] = f'attachment; filename="{reader.game.rules.name}-{game}.html"'
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response
