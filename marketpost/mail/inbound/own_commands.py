"""Commands that are about the player and no game: language, vacation, whom to hear, which letters to get, a new game."""

import hashlib
from collections.abc import Callable
from datetime import date
from functools import partial

from marketpost.mail.inbound.command_context import CommandContext, CommandRefused, game_words
from marketpost.mail.inbound.games_list import describe_games, unfinished_games
from marketpost.mail.inbound.new_game import start_game
from marketpost.mail.inbound.vacation_days import is_off, read_days
from marketpost.mail.outbound.letters import day
from marketpost.play.clock.vacation import day_of, days_left, end_vacation, take_vacation, vacation_of
from marketpost.play.people.preferences import no_more_letters
from marketpost.play.people.registration import mute
from marketpost.rules.words import COMMON, fold, lexicon


def _new(asked: CommandContext) -> list[str]:
    """As by a mail to `new@…`; whoever answers our letter has shown whose address it is."""
    id = hashlib.sha256(asked.via.encode()).hexdigest()[:32]
    return start_game(asked.mailer, asked.player, id, asked.argument)


def _language(asked: CommandContext) -> list[str]:
    """By its name in any of our languages, or by its code."""
    meant = lexicon(COMMON, "languages").get(fold(asked.argument.rpartition(" ")[2]))
    if meant is None:
        asked.not_done("language-unknown")
    (language,) = meant
    asked.mailer.ports.players.change(asked.player, lambda known: {"language": language})
    return asked.tell("language")


def _vacation(asked: CommandContext) -> list[str]:
    ports, player = asked.mailer.ports, asked.player
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


def _told_vacation(asked: CommandContext, today: date) -> list[str]:
    days, count = vacation_of(asked.player, today), days_left(asked.player, today.year)
    if days is None:
        return asked.tell("vacation-none", count=count)
    first, last = (day(each, asked.player.language) for each in days)
    return asked.tell("vacation-on", first=first, last=last, count=count)


def _mute(asked: CommandContext, *, off: bool = False) -> list[str]:
    others = _others(asked)
    wanted = fold(asked.argument.strip())
    found = {player: called for player, called in others.items() if not wanted or wanted in map(fold, called)}
    if len(found) != 1:
        raise CommandRefused(*asked.tell("mute-who", names=[called[0] for called in others.values()]))
    [(player, called)] = found.items()
    mute(asked.mailer.ports, asked.player, player, off=off)
    return asked.tell("unmuted" if off else "muted", who=called[0])


def _others(asked: CommandContext) -> dict[str, tuple[str, ...]]:
    """The people this player has to do with in the game, and what each may be called."""
    if asked.game is None:
        return {}
    words = game_words(asked.game, asked.player)
    colours = {seat.player: words.translate(colour) for seat, colour in zip(asked.game.seats, asked.game.setting.colours, strict=True)}
    known = (asked.mailer.ports.players.find(id) for id in sorted(asked.game.people - {asked.player.id}))
    return {each.id: (each.name, *([colours[each.id]] if each.id in colours else [])) for each in known if each}


def _games(asked: CommandContext) -> list[str]:
    mailer, player = asked.mailer, asked.player
    return describe_games(mailer, player, unfinished_games(mailer, player, "running", "open"))


def _letters(how: str, asked: CommandContext) -> list[str]:
    """Which letters come from now on: `every` one, or the `digest`. A choice for a single game stays."""
    asked.mailer.ports.players.change(asked.player, lambda known: {"mail": how})
    return asked.tell(f"letters-{how}")


def _stop(asked: CommandContext) -> list[str]:
    no_more_letters(asked.mailer.ports, asked.player)
    return asked.tell("letters-none")


OWN: dict[str, Callable[[CommandContext], list[str]]] = {
    "new": _new,
    "language": _language,
    "vacation": _vacation,
    "mute": _mute,
    "unmute": partial(_mute, off=True),
    "games": _games,
    "digest": partial(_letters, "digest"),
    "every": partial(_letters, "every"),
    "stop": _stop,
}
SHOWING = {"games", "score"}
"""Commands that change nothing."""
