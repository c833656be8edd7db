"""Show the seats of a game on pages: who sits there, the scores, and who decides."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from babel.dates import format_timedelta, get_timezone

from api.http.context import ports
from marketpost.mail.outbound.letters import pace
from marketpost.mail.outbound.letters.times import day, locale, moment
from marketpost.play.clock.deadlines import running
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import names_for, names_seen, seated
from marketpost.play.people.blocking import company
from marketpost.store.players import is_bot_id
from marketpost.web.page_language import called, knows, language, name_of, say, title
from marketpost.web.session import me


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat as a page shows it."""

    colour: str
    """The colour's name in the board data, used as a CSS class."""
    told: str
    """The colour's name in the reader's language."""
    who: str
    player: str
    """The id of the player who sits there, for the link to their page; empty if there is none."""
    score: str
    mine: bool
    decides: bool
    won: bool
    until: str
    """By when the seat must decide, if the game has a clock."""


def chairs(game: Game, player: str, then: Any = None, named: Mapping[str, str] | None = None) -> list[Chair]:
    """Return the seats of a game; `then` is an earlier position whose scores are shown, `named` the names if they are known."""
    state = then or game.state
    words, named = game.rules.in_language(language()), names_for(ports(), game, player) if named is None else named
    scores = game.rules.scores(state) if state else [""] * len(game.seats)
    deciders = game.rules.deciders(then) if then else game.deciders
    winners = game.rules.winners(then) if then else game.winners
    times = {} if then else running(game)
    return [
        Chair(
            colour,
            words.translate(colour),
            _sitter(seat, named.get(colour, "")),
            seat.player if seat.player and named.get(colour) else "",
            " + ".join(scores[number].split("+")),
            seat.player == player and bool(player),
            number in deciders,
            number in winners,
            moment_shown(times[number].by) if number in times else "",
        )
        for number, (colour, seat) in enumerate(zip(game.setting.colours, game.seats, strict=True))
    ]


def moment_shown(at: int, format: Callable[[datetime, str], str] = moment) -> str:
    """Format a time in the reader's timezone and language."""
    reader = me()
    there = datetime.fromtimestamp(at / 1000, get_timezone(reader.timezone if reader else "UTC"))
    return format(there, language())


def _sitter(seat: SeatPlan, name: str) -> str:
    """Return the name in a seat: a player, a bot, or that it is free or waits for an answer."""
    if seat.bot:
        return say("page.bot", bot=say(f"bots.{seat.bot}") if knows(f"bots.{seat.bot}") else seat.bot)
    if seat.player:
        known = name_of(name) or say("page.nobody")
        return say("page.bot-account", text=known) if is_bot_id(seat.player) else known
    return say("page.invited") if seat.invited else say("page.free")


def score_title(game: Game) -> str:
    """Return what the numbers of a score mean in this game."""
    return say(f"scores.{game.rules.name}") if knows(f"scores.{game.rules.name}") else say("scores.any")


def whose_turn(game: Game, player: str, sitting: Sequence[Chair] = ()) -> str:
    """Return one line: whose turn it is, who has won, or which seats are free."""
    if game.status == GameStatus.OPEN:
        return say("page.waiting", count=sum(not (seat.player or seat.bot) for seat in game.seats))
    words, sitting = game.rules.in_language(language()), sitting or chairs(game, player)
    if game.status == GameStatus.OVER:
        winners = [f"{each.told} ({each.who})" for each in sitting if each.won]
        if not winners:
            return say(f"ended.{game.how_ended}")
        return say("page.won", count=len(winners), text=words.listed(winners, "and"))
    if any(each.mine and each.decides for each in sitting):
        return say("page.your-turn")
    return say("page.their-turn", text=words.listed((f"{each.told} ({each.who})" for each in sitting if each.decides), "and"))


def game_title(game: Game) -> str:
    """Return the title of a game, behind the name that its host gave it."""
    return f"{game.name} · {title(game.rules)}" if game.name else title(game.rules)


def rows(games: Sequence[Game], player: str) -> list[dict[str, Any]]:
    """Return what a list shows of games; the players of all of them are read in one request."""
    people = ports().players.find_all({id for game in games for id in seated(game)})
    return [_row(game, player, chairs(game, player, None, names_seen(people, game, player))) for game in games]


def _row(game: Game, player: str, sitting: list[Chair]) -> dict[str, Any]:
    seat = game.seat_of(player) if player else None
    return {
        "id": game.id,
        "title": game_title(game),
        "status": game.status,
        "turn": whose_turn(game, player, sitting),
        "chairs": sitting,
        "mine": seat is not None,
        "waits": seat is not None and seat in game.deciders,
        "invited": any(each.invited == player and bool(player) for each in game.seats),
        "due": _due(game, seat) if seat is not None else "",
        "ended": moment_shown(game.changed, day) if game.status == GameStatus.OVER else "",
        "pace": next(pace(game.clock, language())) if game.status == GameStatus.OPEN else "",
    }


def _due(game: Game, seat: int) -> str:
    """Return by when a seat must decide, and how long that is from now; empty without a clock."""
    time = running(game).get(seat)
    if time is None:
        return ""
    left = timedelta(milliseconds=time.by - ports().clock())
    return f"{moment_shown(time.by)} ({format_timedelta(left, add_direction=True, threshold=1.5, locale=locale(language()))})"


def others_at(game: Game, player: str) -> list[tuple[str, str]]:
    """Return the people at the table beside the player, who may block or report them: their ids and names."""
    people = ports().players.find_all(company(game) - {player})
    return sorted(((id, called(each)) for id, each in people.items()), key=lambda each: each[1].casefold())
