"""A command as it stands in a mail, and the words in which it is answered."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game
from marketpost.rules.words import COMMON, Words
from marketpost.store.mail_queue import ReplyContext
from marketpost.store.players import Player

WORDS = Path(__file__).parents[1] / "words"


class CommandResult(StrEnum):
    """What one command or the orders of a message came to. The values are those of the answer's kind."""

    DONE = "done"
    AWAITS_OTHERS = "asked"
    """Proposed: others have to agree."""
    REFUSED = "refused"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class CommandContext:
    """A command as it stands in a mail: whose, in which game, and what follows the word."""

    mailer: Mailer
    player: Player
    reply: ReplyContext
    game: Game | None
    argument: str
    via: str = ""
    """This command of this mail, and no other: it is done once, however often the mail is read."""
    orders: str = ""
    """What the same mail orders for now."""
    mail: str = ""
    """The mail's own id."""

    @property
    def done(self) -> bool:
        return self.game is not None and self.via in self.game.done

    def tell(self, key: str, **values: object) -> list[str]:
        return [words_of(self.player).say(f"answers.{key}", **values)]

    @property
    def done_in_play(self) -> bool:
        """Done before, in answer to a letter of a game that had begun: then it was no invitation."""
        return self.done and self.reply.turn is not None

    def waits(self, key: str, **values: object) -> NoReturn:
        raise AwaitsOthers(*self.tell(key, **values))

    def not_done(self, key: str) -> NoReturn:
        raise CommandRefused(words_of(self.player).say(f"answers.{key}"))


class AwaitsOthers(Exception):
    """What a command only proposed: others have to say yes before anything is done. Told in the player's language."""


class CommandRefused(Exception):
    """Why a command did nothing, told in the player's language."""


def words_of(player: Player) -> Words:
    return Words(player.language, WORDS)


def game_words(game: Game | None, player: Player) -> Words:
    return game.rules.in_language(player.language) if game else Words(player.language, COMMON)
