"""Show the end of a game: final scores, the chart of the scores over the turns, and the check of chance."""

from typing import Any

from api.http.context import ports
from marketpost.play.keeping.verify import Verified, verify
from marketpost.play.log.game import Game
from marketpost.rules.bots import bot_names, usual_bot
from marketpost.rules.chart import chart
from marketpost.rules.svg import Style


def result_shown(game: Game, language: str) -> dict[str, Any]:
    """Return the seats in the order of the result, winners first, and the chart; templates may insert it unescaped."""
    words = game.rules.in_language(language)
    events = [event for played in game.played for event in played.events]
    scores = [[int(part) for part in score.split("+")] for score in game.rules.scores(game.state)]
    order = sorted(range(len(game.seats)), key=lambda seat: (seat in game.winners, scores[seat]), reverse=True)
    return {
        "order": order,
        "chart": chart(game.rules, events, words, Style("light", "chart")),
        "bots": bot_names(game.rules),
        "usual": next((seat.bot for seat in game.seats if seat.bot), usual_bot(game.rules)),
        "against_bots": sum(seat.player is not None for seat in game.seats) == 1,
        "many_bots": sum(seat.bot is not None for seat in game.seats),
    }


def checked(game: str) -> Verified:
    """Draw everything in a game again from its public log; raises `Tampered` where the log is damaged."""
    stored, head = ports().log_and_head(game)
    return verify(game, stored, head)
