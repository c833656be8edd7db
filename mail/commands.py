"""What a mail may ask beside its orders, one function a command. What a command shows is put into the letter itself."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal, NoReturn

from mail.letters import day
from mail.post import Office
from mail.vacation import is_off, read_days
from play import standing
from play.game import Game
from play.open import decline, join, resign
from play.talk import say
from play.tick import come_back
from play.undo import undo
from play.vacation import day_of, days_left, end_vacation, take_vacation, vacation_of
from rules.refusal import Refused
from rules.words import COMMON, LANGUAGES, Words, fold, lexicon
from store.people import Player
from store.post import Inbound, Reply

WORDS = Path(__file__).parent / "words"
Result = Literal["done", "refused", "shown"]
"""What a part of a mail came to."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command as it stands in a mail: whose, in which game, and what follows the word."""

    office: Office
    inbound: Inbound
    player: Player
    reply: Reply
    game: Game | None
    argument: str
    via: str = ""
    """This command of this mail, and no other: it is done once, however often the mail is read."""
    orders: str = ""
    """What the same mail orders for now."""

    @property
    def done(self) -> bool:
        return self.game is not None and self.via in self.game.done

    def tell(self, key: str, **values: object) -> list[str]:
        return [words_of(self.player).say(f"answers.{key}", **values)]

    def not_done(self, key: str) -> NoReturn:
        raise NotDone(words_of(self.player).say(f"answers.{key}"))


class NotDone(Exception):
    """Why a command did nothing, told in the player's language."""


def obey(command: str, asked: Asked) -> tuple[Result, list[str]]:
    """What the command did, told in the player's language."""
    if command not in COMMANDS:
        return "shown", []
    try:
        return "done", COMMANDS[command](asked)
    except NotDone as why:
        return "refused", [str(why)]
    except Refused as refused:
        return "refused", [game_words(asked.game, asked.player).explain(refused.refusal)]


def words_of(player: Player) -> Words:
    return Words(player.language, WORDS)


def game_words(game: Game | None, player: Player) -> Words:
    return game.rules.in_language(player.language) if game else Words(player.language, COMMON)


def _say(asked: Asked) -> list[str]:
    if asked.game is None:
        return []
    say(asked.office.ports, asked.game, asked.player.id, asked.argument, key=asked.via)
    return asked.tell("said")


def _undo(asked: Asked) -> list[str]:
    if asked.game is None:
        return []
    undo(asked.office.ports, asked.game.id, asked.player.id, asked.via)
    return asked.tell("undone")


def _resign(asked: Asked) -> list[str]:
    if asked.game is None:
        return []
    resign(asked.office.ports, asked.game.id, asked.player.id, asked.via)
    return asked.tell("resigned")


def _language(asked: Asked) -> list[str]:
    language = asked.argument.strip().casefold()
    if language not in LANGUAGES:
        asked.not_done("language-unknown")
    asked.player.language = language
    asked.office.ports.people.save(asked.player)
    return asked.tell("language")


def _vacation(asked: Asked) -> list[str]:
    ports, player = asked.office.ports, asked.player
    today = day_of(ports, player)
    before = vacation_of(player, today)
    if is_off(asked.argument):
        end_vacation(ports, player)
        key = "none" if before is None else "off" if before[0] <= today else "cancelled"
        return asked.tell(f"vacation-{key}", count=days_left(player, today.year))
    if not asked.argument:
        return _told_vacation(asked, today) + asked.tell("vacation-how")
    days = read_days(asked.argument, today) or asked.not_done("vacation-how")
    take_vacation(ports, player, *days)
    return _told_vacation(asked, today)


def _told_vacation(asked: Asked, today: date) -> list[str]:
    """The vacation as it is planned now."""
    days, count = vacation_of(asked.player, today), days_left(asked.player, today.year)
    if days is None:
        return asked.tell("vacation-none", count=count)
    first, last = (day(each, asked.player.language) for each in days)
    return asked.tell("vacation-on", first=first, last=last, count=count)


def _back(asked: Asked) -> list[str]:
    if asked.game is None:
        return []
    come_back(asked.office.ports, asked.game.id, asked.player.id, asked.via)
    return asked.tell("back")


def _standing(asked: Asked) -> list[str]:
    """Left, taken back or only shown; what is left afterwards is told, as the player's language writes it."""
    if asked.game is None:
        return []
    ports, game, player = asked.office.ports, asked.game, asked.player
    if lexicon(COMMON, "standing").get(fold(asked.argument)):
        standing.cancel(ports, game.id, player.id)
        return asked.tell("standing-off")
    if asked.argument:
        standing.leave(ports, game.id, player.id, asked.argument, at_once=not asked.orders)
    orders = standing.look(ports, game.id, player.id, game_words(game, player))
    return asked.tell("standing") + [f"    {each}" for each in orders.splitlines()] if orders else asked.tell("standing-none")


def _yes(asked: Asked) -> list[str]:
    if asked.game is None or not _invited(asked):
        asked.not_done("no-such-yes")
    join(asked.office.ports, asked.game.id, asked.player.id, asked.via)
    return asked.tell("joined")


def _no(asked: Asked) -> list[str]:
    if asked.game is None or not _invited(asked):
        asked.not_done("no-such-yes")
    decline(asked.office.ports, asked.game.id, asked.player.id, asked.via)
    return asked.tell("declined")


def _invited(asked: Asked) -> bool:
    return asked.game is not None and (asked.done or any(seat.invited == asked.player.id for seat in asked.game.seats))


COMMANDS: dict[str, Callable[[Asked], list[str]]] = {
    "say": _say,
    "undo": _undo,
    "resign": _resign,
    "language": _language,
    "vacation": _vacation,
    "standing": _standing,
    "back": _back,
    "yes": _yes,
    "no": _no,
}
