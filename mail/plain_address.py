"""A mail to `play@…`, the address that letters come from. It names no letter, so nothing is done: its writer is told what waits."""

from mail import letters
from mail.answer import answer, repeats
from mail.commands import game_words, words_of
from mail.example_orders import example_orders
from mail.post import Office
from mail.reading import Incoming
from play.game import Game
from play.lobby import find_games
from play.look import names
from store.people import Player
from store.post import Inbound, Reply

MOST_LISTED = 20


def answer_plain(office: Office, inbound: Inbound, incoming: Incoming, sender: str) -> str:
    """The letter to answer, if one decision waits; otherwise the player's games. Strangers never get mail."""
    player = office.ports.people.at_address(sender)
    if player is None or not player.confirmed:
        return "stranger"
    if repeats(office, inbound, incoming, player):
        return "repeats-itself"
    games = _running(office, player)
    waiting = [(game, seat) for game in games for seat in game.deciders if game.seats[seat].player == player.id]
    say = words_of(player).say
    if len(waiting) == 1:
        [(game, seat)] = waiting
        lines = [say("answers.plain-waiting"), say("answers.examples"), *_examples(game, seat, player)]
        answer(office, inbound, player, Reply(player.id, game.id, seat), lines, asked=["board"], kind="asking")
        return "plain-waiting"
    answer(office, inbound, player, None, [say("answers.plain"), *games_told(office, player, games)])
    return "plain"


def _examples(game: Game, seat: int, player: Player) -> list[str]:
    return [f"    {each}" for each in example_orders(game.rules, game.state, seat, game_words(game, player))]


def _running(office: Office, player: Player) -> list[Game]:
    """The newest first, as far as they are played now."""
    found, _ = find_games(office.ports, [f"player:{player.id}"], lambda game: game.status == "running", None, MOST_LISTED)
    return found


def games_told(office: Office, player: Player, games: list[Game]) -> list[str]:
    """One line a game: what it is, whether the player is to decide, and where it is seen."""
    say = words_of(player).say
    lines = []
    for game in games:
        seat, called = game.seat_of(player.id), names(office.ports, game)
        table = letters.game_name(game, seat, called, player.language)
        key = "game-yours" if seat in game.deciders else "game-others"
        lines.append(say(f"answers.{key}", table=table, url=office.links.game(game.id, player.id)))
    return lines or [say("answers.no-games", address=office.links.new)]
