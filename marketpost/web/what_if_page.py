"""The page on which a player tries moves of everybody on a private copy of a position."""

from typing import Any

from flask import render_template, request

from marketpost.play.log.game import Game
from marketpost.play.moves.what_if import BRINGS, LONGEST_LINE, TriedLine, TriedMove, read_line, try_line
from marketpost.rules.refusal import Refused
from marketpost.web.board_picture import board_svg
from marketpost.web.composer import in_words, why
from marketpost.web.game_reader import number_of, player_at
from marketpost.web.page_language import explain, language, say, title
from marketpost.web.pages import page


@page("/games/<id:game>/what-if", "GET", "POST")
def show_what_if(game: str) -> Any:
    """Show the position after a line of moves. `add` appends a step, `outcome` what chance brings, `drop` removes the last move."""
    found, text = player_at(game).game, _written()
    at = number_of(request.values.get("at", ""))
    version = found.version if at is None else at
    try:
        return _shown(found, version, text, try_line(found, version, read_line(text)))
    except Refused as refused:
        start = try_line(found, version, [])
        return _shown(found, version, text, start, explain(refused.refusal, found.rules)), 422


def _written() -> str:
    """Return the line that the form holds, changed by the button that was pressed."""
    form = request.form
    lines = [line for line in form.get("line", "")[:LONGEST_LINE].splitlines() if line.strip()]
    if "drop" in form:
        lines = lines[:-1]
    elif "add" in form:
        lines = [*lines, form["add"]]
    elif "outcome" in form and lines:
        between = ", " if BRINGS in lines[-1] else f" {BRINGS} "
        lines = [*lines[:-1], lines[-1] + between + form["outcome"]]
    return "\n".join(lines)


def _shown(game: Game, version: int, text: str, line: TriedLine, wrong: str = "") -> str:
    rules, words = game.rules, game.rules.in_language(language())
    deciders = () if line.open or wrong else rules.deciders(line.state)
    before = line.moves[-1].before if line.moves else None
    return render_template(
        "what-if.html",
        game=game,
        title=title(rules),
        version=version,
        text=text,
        longest=LONGEST_LINE,
        wrong=wrong or _refusal(game, line.moves),
        told=[sentence for move in line.moves for sentence in rules.story(move.before.copy(), move.events, words.if_played())],
        board=board_svg(rules, line.state, language(), before=before),
        outcomes=[(each, say("what-if.outcome", text=words.translate(each), percent=round(100 * part))) for each, part in line.open],
        who=words.translate(game.setting.colours[deciders[0]]).capitalize() if deciders else "",
        steps=[in_words(game, step, words) for step in rules.legal(line.state, deciders[0])] if deciders else [],
        over=bool(rules.winners(line.state)),
    )


def _refusal(game: Game, moves: list[TriedMove]) -> str:
    refusal = moves[-1].refusal if moves else None
    return say("what-if.refused", text=why(game, refusal)) if refusal else ""
