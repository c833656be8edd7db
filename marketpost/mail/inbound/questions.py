"""Ask the player before something is done. The question quotes what a yes does, and a yes does exactly that."""

from collections.abc import Mapping, Sequence
from functools import partial

from marketpost.mail.inbound.answering import answer
from marketpost.mail.inbound.classify import Agreement
from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.inbound.yes_or_no import accepted, agreement
from marketpost.mail.outbound.letters import game_name, person
from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import names
from marketpost.rules.words import COMMON, Words
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.open_questions import Question
from marketpost.store.players import Player

ASKING = {"invitation", "proposal", "tournament-invitation"}
"""Letters that ask something of the player; a question of our own may stand in any answer."""
ABOUT_NO_GAME = {
    "new",
    "language",
    "vacation",
    "digest",
    "every",
    "letters",
    "stop",
    "hide",
    "unhide",
    "address",
    "tournament",
    "find",
    "profile",
    "ratings",
    "watch",
}
"""Commands that leave the game alone whose letter is answered with them."""


def position(game: Game) -> int:
    """Return the version that made the current position; talk, proposals and seats that change hands leave it alone."""
    return game.position


def ask(
    mailer: Mailer, inbound: InboundMessage, player: Player, reply: ReplyContext, question: Question, lines: Sequence[str] = ()
) -> MessageStatus:
    """Answer a message with a question: first these lines, then what a yes does and in which game."""
    mailer.mail_queue.questions.store(inbound.id, question)
    asked = [*lines, *describe_question(mailer, player, reply, question)]
    answer(mailer, inbound, player, reply, asked, kind=AnswerKind.ASKING, asks=inbound.id)
    return MessageStatus.ASKED


def describe_question(mailer: Mailer, player: Player, reply: ReplyContext, question: Question) -> list[str]:
    """Say what a yes does and in which game, in the player's language; orders exactly as they will be read."""
    concerns_game = bool(question.orders) or any(name not in ABOUT_NO_GAME for name, _ in question.commands)
    words, game = words_of(player), mailer.ports.game(reply.game) if reply.game and concerns_game else None
    commands = [_told_command(words, player, name, argument) for name, argument in question.commands]
    done = [f"    {line}" for line in [*commands, *question.orders.splitlines()]]
    table = game_name(game, reply.seat, names(mailer.ports, game), player.language) if game else ""
    return [words.say("answers.asks" if game else "answers.asks-alone", text=table), *done, words.say("answers.asks-or")]


def open_question(mailer: Mailer, player: Player, reply: ReplyContext, game: Game | None) -> list[str]:
    """Return the question that the player has not answered yet: ours, an invitation, or a proposal."""
    if reply.asks and (question := mailer.mail_queue.questions.open(reply.asks)):
        return describe_question(mailer, player, reply, question)
    what, who = _asked_at_table(mailer, player, reply, game) if game else ("", "")
    if game is None or not what:
        return []
    table = game_name(game, game.seat_of(player.id), names(mailer.ports, game), player.language)
    return [words_of(player).say(f"answers.ask-{what}", text=table, who=who)]


def labelled_names(mailer: Mailer, games: Mapping[str, Game], player: Player) -> dict[str, str]:
    """Return the names of games in the player's language, by label."""
    return {label: game_name(game, game.seat_of(player.id), names(mailer.ports, game), player.language) for label, game in games.items()}


def describe_labels(mailer: Mailer, games: Mapping[str, Game], player: Player) -> list[str]:
    """Say which label of a letter stands for which game."""
    return [f"    {label}: {name}" for label, name in labelled_names(mailer, games, player).items()]


def agreement_in(mailer: Mailer, parsed: ParsedMessage, player: Player, reply: ReplyContext, game: Game | None) -> Agreement:
    """Return how a yes is read: in everyday words if something was asked, otherwise not at all."""
    if reply.letter == "message" or not (reply.letter in ASKING or open_question(mailer, player, reply, game)):
        return lambda line: ""
    others = names(mailer.ports, game).values() if game else ()
    is_asked_to_join = game is not None and game.status == GameStatus.OPEN
    return partial(accepted if is_asked_to_join else agreement, names=[player.name, *parsed.names, *others])


def _asked_at_table(mailer: Mailer, player: Player, reply: ReplyContext, game: Game) -> tuple[str, str]:
    """Return what the table asks the player, and who asks."""
    if game.status == GameStatus.OPEN and any(seat.invited == player.id for seat in game.seats):
        return "invited", ""
    if game.offered_to(player.id) is not None:
        return "offered", ""
    standing = game.proposal
    if standing is None or player.id not in game.asked_by(standing) or (reply.version or 0) < standing.number:
        return "", ""
    return standing.what, person(game, standing.seat, names(mailer.ports, game), player.language)


def _told_command(words: Words, player: Player, name: str, argument: str) -> str:
    """Return the sentence for a command, or the command in the player's language."""
    if words.knows(key := f"answers.asks-{name}"):
        return words.say(key, text=argument)
    return f"{Words(player.language, COMMON).order(name, 'commands')} {argument}".strip()
