"""Show the end of a game: final scores, the chart of the scores over the turns, and the check of chance."""

from typing import Any

from api.http.context import ports
from marketpost.play.analyses import AnalysisStatus, find_analysis
from marketpost.play.keeping.verify import Verified, verify
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import picture
from marketpost.rules.analysis_told import basis_told, shares_told, turning_points_told
from marketpost.rules.bots import LEVELS, level_of, usual_bot
from marketpost.rules.chart import chances_chart, chart
from marketpost.rules.svg import Style


def result_shown(game: Game, language: str) -> dict[str, Any]:
    """Return the seats in the order of the result, winners first, and the chart; templates may insert it unescaped."""
    words = game.rules.in_language(language)
    events = [event for played in game.played for event in played.events]
    scores = [[int(part) for part in score.split("+")] for score in game.rules.scores(game.state)]
    order = sorted(range(len(game.seats)), key=lambda seat: (seat in game.winners, scores[seat]), reverse=True)
    return {
        "order": order,
        "analysis": analysis_shown(game, language),
        "chart": chart(game.rules, events, words, Style("light", "chart")),
        "bots": LEVELS,
        "usual": level_of(next((seat.bot for seat in game.seats if seat.bot), usual_bot(game.rules))),
        "against_bots": sum(seat.player is not None for seat in game.seats) == 1,
        "many_bots": sum(seat.bot is not None for seat in game.seats),
    }


def analysis_shown(game: Game, language: str) -> dict[str, Any]:
    """Return luck and skill as the page shows them: a chart, a line for each seat, and the turning points with their boards."""
    status, analysis = find_analysis(ports(), game)
    words, colours = game.rules.in_language(language), game.setting.colours
    if analysis is None:
        return {"pending": status == AnalysisStatus.PENDING}
    names = [words.translate(colour) for colour in colours]
    points = turning_points_told(game.rules, analysis, names, words)
    return {
        "pending": False,
        "chart": chances_chart(analysis, colours, words),
        "shares": shares_told(analysis, names, words),
        "basis": basis_told(analysis, words),
        "points": [(each, picture(game, each.version, words, Style("light", f"point{each.version}"))) for each in points],
        "titles": {name: words.say(f"analysis.{name}") for name in ("title", "points", "before")},
    }


def checked(game: str) -> Verified:
    """Draw everything in a game again from its public log; raises `Tampered` where the log is damaged."""
    stored, head = ports().log_and_head(game)
    return verify(game, stored, head)
