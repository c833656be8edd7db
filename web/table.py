"""Who sits at a table, how they stand, and whose decision it is: what pages show of any game beside the board."""

from dataclasses import dataclass
from typing import Any

from api.inside import ports
from play.game import Game
from play.log import SeatPlan
from play.look import names
from web.speech import knows, language, say, title


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat as a page shows it."""

    colour: str
    """As the board data calls it, for the style."""
    told: str
    """As the reader calls it."""
    who: str
    score: str
    mine: bool
    decides: bool
    won: bool


def chairs(game: Game, player: str, state: Any = None) -> list[Chair]:
    """`state`: an earlier position, whose scores are to be shown."""
    state = state or game.state
    words, named = game.rules.in_language(language()), names(ports(), game)
    scores = game.rules.scores(state) if state else [""] * len(game.seats)
    deciders = game.rules.deciders(state) if state and not game.rules.winners(state) else ()
    winners = game.rules.winners(state) if state else ()
    return [
        Chair(
            colour,
            words.tell(colour),
            _sitter(seat, named.get(colour, "")),
            " + ".join(scores[number].split("+")),
            seat.player == player and bool(player),
            number in deciders,
            number in winners,
        )
        for number, (colour, seat) in enumerate(zip(game.setting.colours, game.seats, strict=True))
    ]


def _sitter(seat: SeatPlan, name: str) -> str:
    if seat.bot:
        return say("page.bot", bot=say(f"bots.{seat.bot}") if knows(f"bots.{seat.bot}") else seat.bot)
    if seat.player:
        return name or say("page.nobody")
    return say("page.invited") if seat.invited else say("page.free")


def score_title(game: Game) -> str:
    """What the numbers of a score are, in this game."""
    return say(f"scores.{game.rules.name}") if knows(f"scores.{game.rules.name}") else say("scores.any")


def whose_turn(game: Game, player: str) -> str:
    """In one line: is it mine, whose is it, who has won, who is missing."""
    if game.status == "open":
        return say("page.waiting", count=sum(not (seat.player or seat.bot) for seat in game.seats))
    sitting = chairs(game, player)
    if game.status == "over":
        winners = [f"{each.told} ({each.who})" for each in sitting if each.won]
        return say("page.won", count=len(winners), text=_and(winners))
    if any(each.mine and each.decides for each in sitting):
        return say("page.your-turn")
    return say("page.their-turn", text=_and([f"{each.told} ({each.who})" for each in sitting if each.decides]))


def _and(parts: list[str]) -> str:
    *before, last = parts or [""]
    return f"{', '.join(before)} {say('page.and')} {last}" if before else last


def row(game: Game, player: str) -> dict[str, Any]:
    """A game in a list."""
    seat = game.seat_of(player) if player else None
    return {
        "id": game.id,
        "title": title(game.rules),
        "status": game.status,
        "turn": whose_turn(game, player),
        "chairs": chairs(game, player),
        "mine": seat is not None,
        "waits": seat is not None and seat in game.deciders,
        "invited": any(each.invited == player and bool(player) for each in game.seats),
    }
