"""List a player's games for an answer: those that wait for the player first."""

from datetime import UTC, datetime

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.outbound import letters
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import names
from marketpost.play.table.lobby import find_games
from marketpost.store.players import Player

MOST_LISTED = 20


def unfinished_games(mailer: Mailer, player: Player, *statuses: str) -> list[Game]:
    """Return the player's games in one of these states, newest first."""
    found, _ = find_games(mailer.ports, [f"player:{player.id}"], lambda game: game.status in statuses, None, MOST_LISTED)
    return found


def describe_games(mailer: Mailer, player: Player, games: list[Game]) -> list[str]:
    """Write one line for each game: its name, whether the player must decide and by when, and its address."""
    ordered = sorted(games, key=lambda game: (not _waits_for(game, player), _deadline(game, player) or float("inf")))
    return [_told(mailer, player, game) for game in ordered] or [words_of(player).say("answers.no-games", address=mailer.links.new)]


def _told(mailer: Mailer, player: Player, game: Game) -> str:
    seat, called = game.seat_of(player.id), names(mailer.ports, game)
    values = {"table": letters.game_name(game, seat, called, player.language), "url": mailer.links.game(game.id, player.id)}
    if game.status == GameStatus.OPEN:
        invited = any(each.invited == player.id for each in game.seats)
        return words_of(player).say(f"answers.{'game-invited' if invited else 'game-open'}", **values)
    if not _waits_for(game, player):
        return words_of(player).say("answers.game-others", **values)
    by = _deadline(game, player)
    if not by:
        return words_of(player).say("answers.game-yours", **values)
    now, then = (datetime.fromtimestamp(at / 1000, UTC) for at in (mailer.ports.clock(), by))
    return words_of(player).say("answers.game-yours-until", **values, **letters.until(letters.TimeLeft(now, then), player) or {})


def _waits_for(game: Game, player: Player) -> bool:
    """Whether the game waits for the player's decision."""
    return any(game.seats[seat].player == player.id for seat in game.deciders)


def _deadline(game: Game, player: Player) -> int:
    """Return the player's deadline in milliseconds since 1970; 0 if no time runs."""
    return min((game.times[seat].by for seat in game.deciders if game.seats[seat].player == player.id and seat in game.times), default=0)
