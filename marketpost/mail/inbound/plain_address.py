"""Answer messages to `play@…`, the address that letters come from. It names no letter, so the answer only lists what waits."""

from marketpost.mail.inbound.answering import answer, repeats
from marketpost.mail.inbound.command_context import game_words, words_of
from marketpost.mail.inbound.games_list import describe_games, unfinished_games
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.outbound.example_orders import example_orders
from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.players import Player


def answer_plain(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, sender: str) -> MessageStatus:
    """Answer with the decision that waits, if there is exactly one; otherwise with the player's games. Strangers get no letter."""
    player = mailer.ports.players.at_address(sender)
    if player is None or not player.confirmed:
        return MessageStatus.STRANGER
    if repeats(mailer, inbound, parsed, player):
        return MessageStatus.REPEATED
    games = unfinished_games(mailer, player, "running")
    waiting = [(game, seat) for game in games for seat in game.deciders if game.seats[seat].player == player.id]
    say = words_of(player).say
    if len(waiting) == 1:
        [(game, seat)] = waiting
        lines = [say("answers.plain-waiting"), say("answers.examples"), *_examples(game, seat, player)]
        answer(mailer, inbound, player, ReplyContext(player.id, game.id, seat), lines, asked=["board"], kind=AnswerKind.ASKING)
        return MessageStatus.PLAIN_ADDRESS_WAITING
    answer(mailer, inbound, player, None, [say("answers.plain"), *describe_games(mailer, player, games)])
    return MessageStatus.PLAIN_ADDRESS


def _examples(game: Game, seat: int, player: Player) -> list[str]:
    return [f"    {each}" for each in example_orders(game.rules, game.state, seat, game_words(game, player))]
