"""List games for an answer: the player's own, those that wait for the player first, and public games to watch."""

from datetime import UTC, datetime

from marketpost.mail.inbound.command_context import CommandContext, words_of
from marketpost.mail.outbound import letters
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import names, names_for
from marketpost.play.table.lobby import own_games, watched_games
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player

MOST_LISTED = 20


def unfinished_games(mailer: Mailer, player: Player, *statuses: str) -> list[Game]:
    """Return the player's games in one of these states, those that wait for the player first, by deadline."""
    return [game for game in own_games(mailer.ports, player.id) if game.status in statuses][:MOST_LISTED]


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


def watch_command(context: CommandContext) -> list[str]:
    """List the newest public games of others that run, each with its address; with an id or an address tell what happened last in one."""
    mailer, player = context.mailer, context.player
    if context.argument:
        game = watched_game(mailer, player, context.argument)
        return [_watched(mailer, player, game), *_last_moves(game, player), *context.say("watch-again")]
    found, place = watched_games(mailer.ports, player.id, None, MOST_LISTED)
    if not found:
        return context.say("watch-none")
    rest = context.say("watch-all", url=f"{mailer.links.home}/watch") if place else []
    return [*context.say("watch-head"), *(f"    {_watched(mailer, player, game)}" for game in found), *rest]


def watched_game(mailer: Mailer, player: Player, argument: str) -> Game:
    """Find the game that `watch` names, by its id or its address; refused if the player may not see it."""
    game = mailer.ports.sound_game(argument.strip(" <>.").rpartition("/")[2])
    if game is None or not game.may_see(player.id):
        raise Refused("no-such-game")
    return game


def _last_moves(game: Game, player: Player) -> list[str]:
    """Narrate what happened in the last moves, as many as there are seats."""
    history = game.history[-len(game.seats) :]
    return [f"    {line}" for line in (letters.since(game, history[0][0] - 1, player) if history else ())]


def _watched(mailer: Mailer, player: Player, game: Game) -> str:
    table = letters.game_name(game, None, names_for(mailer.ports, game, player.id), player.language)
    return words_of(player).say("answers.watch-line", table=table, url=f"{mailer.links.home}/games/{game.id}")
