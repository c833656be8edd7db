"""A question to the player before something is done: what a yes does is quoted, and nothing else is done on it."""

from collections.abc import Sequence

from mail.answer import answer
from mail.commands import words_of
from mail.letters import game_name
from mail.post import Office
from play.game import Game
from play.look import names
from rules.words import COMMON, Words
from store.people import Player
from store.post import Inbound, Reply
from store.questions import Question


def position(game: Game) -> int:
    """The version that made the position as it stands. Talk, proposals and seats that change hands leave it alone."""
    return game.history[-1][0] if game.history else 0


def ask(office: Office, inbound: Inbound, player: Player, reply: Reply, question: Question, lines: Sequence[str] = ()) -> str:
    """Answer a mail with a question: first these lines, then what will be done, and in which game, on a yes."""
    office.post.questions.keep(inbound.id, question)
    asked = [*lines, *told_question(office, player, reply, question)]
    answer(office, inbound, player, reply, asked, kind="asking", asks=inbound.id)
    return "asked"


def told_question(office: Office, player: Player, reply: Reply, question: Question) -> list[str]:
    """What a yes does and in which game, in the player's language; orders exactly as they will be read."""
    words, game = words_of(player), office.ports.game(reply.game) if reply.game else None
    table = game_name(game, reply.seat, names(office.ports, game), player.language) if game else "Marketpost"
    commands = [_told_command(words, player, name, argument) for name, argument in question.commands]
    done = [f"    {line}" for line in [*commands, *question.orders.splitlines()]]
    return [words.say("answers.asks", text=table), *done, words.say("answers.asks-or")]


def _told_command(words: Words, player: Player, name: str, argument: str) -> str:
    """A sentence where there is one for the command, else the command as this language writes it."""
    if words.knows(key := f"answers.asks-{name}"):
        return words.say(key, text=argument)
    return f"{Words(player.language, COMMON).order(name, 'commands')} {argument}".strip()
