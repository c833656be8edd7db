"""The context in which a mailed command runs, and the sentences that answer it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game, GameStatus
from marketpost.rules.words import COMMON, Words
from marketpost.store.mail_queue import ReplyContext
from marketpost.store.players import Player

WORDS = Path(__file__).parents[1] / "words"


class CommandResult(StrEnum):
    """The result of one command, or of the orders, of a message. The values are those of the answer's kind."""

    DONE = "done"
    AWAITS_OTHERS = "asked"
    """Proposed: others have to agree."""
    REFUSED = "refused"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class CommandContext:
    """A command of an inbound message: its player, game and argument, and the ids by which it runs once."""

    mailer: Mailer
    player: Player
    reply: ReplyContext
    game: Game | None
    argument: str
    via: str = ""
    """The idempotency key of this command: it is done once, however often the message is read."""
    orders: str = ""
    """The orders in the same message."""
    mail: str = ""
    """The message's own id."""

    @property
    def done(self) -> bool:
        """Whether an earlier attempt has done this command already."""
        return self.game is not None and self.via in self.game.done

    def say(self, key: str, **values: object) -> list[str]:
        """Return a sentence of the answer in the player's language."""
        return [words_of(self.player).say(f"answers.{key}", **values)]

    @property
    def done_in_play(self) -> bool:
        """Whether it was done before in a game that had begun; then it did not answer an invitation."""
        return self.done and self.reply.turn is not None

    def await_others(self, key: str, **values: object) -> NoReturn:
        """End the command: others have to agree."""
        raise AwaitsOthers(*self.say(key, **values))

    def refuse(self, key: str) -> NoReturn:
        """End the command: it did nothing."""
        raise CommandRefused(words_of(self.player).say(f"answers.{key}"))


class AwaitsOthers(Exception):
    """Raised by a command that others have to agree to; its text tells the player so."""


class CommandRefused(Exception):
    """Raised by a command that did nothing; its text tells the player why."""


def words_of(player: Player) -> Words:
    """Return the sentences of mail answers in the player's language."""
    return Words(player.language, WORDS)


def joined_lines(game: Game, player: Player, key: str) -> list[str]:
    """Say that a seat is the player's now, and that a letter will call them, unless this answer does.

    A player who joins is also told the seat's word for chance; one who takes a seat over contributes none.
    """
    is_called = game.seat_of(player.id) in game.deciders or (key == "joined" and game.status == GameStatus.RUNNING)
    lines = [words_of(player).say(f"answers.{each}") for each in ([key] if is_called else [key, "called"])]
    return lines + describe_word(game, player) if key == "joined" else lines


def describe_word(game: Game, player: Player) -> list[str]:
    """Say which word the player's seat contributes to chance, and how to change it while that is possible."""
    seat, say = game.seat_of(player.id), words_of(player).say
    if seat is None or seat not in game.words:
        return []
    found = game.words[seat]
    told = say("answers.word-drawn" if found.drawn else "answers.word-own", word=found.word)
    return [told, say("answers.word-change")] if game.status == GameStatus.OPEN else [told]


def game_words(game: Game | None, player: Player) -> Words:
    """Return the sentences of the game, or those of all games, in the player's language."""
    return game.rules.in_language(player.language) if game else Words(player.language, COMMON)
