"""Commands about the player rather than a game: language, vacation, muting, preferences, a new game."""

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
from marketpost.play.people.blocking import company
from marketpost.play.people.preferences import no_more_letters
from marketpost.play.people.registration import mute
from marketpost.rules.words import COMMON, fold, lexicon
from marketpost.store.players import MailChoice


def _new(context: CommandContext) -> list[str]:
    """As by a mail to `new@…`; whoever answers our letter has shown whose address it is."""
    id = hashlib.sha256(context.via.encode()).hexdigest()[:32]
    return start_game(context.mailer, context.player, id, context.argument)


def _language(context: CommandContext) -> list[str]:
    """By its name in any of our languages, or by its code."""
    meant = lexicon(COMMON, "languages").get(fold(context.argument.rpartition(" ")[2]))
    if meant is None:
        context.refuse("language-unknown")
    (language,) = meant
    context.mailer.ports.players.change(context.player, lambda known: {"language": language})
    return context.say("language")


def _vacation(context: CommandContext) -> list[str]:
    ports, player = context.mailer.ports, context.player
    today = day_of(ports, player)
    before = vacation_of(player, today)
    if is_off(context.argument):
        end_vacation(ports, player)
        key = "none" if before is None else "off" if before[0] <= today else "cancelled"
        return context.say(f"vacation-{key}", count=days_left(player, today.year))
    if not context.argument:
        return _told_vacation(context, today) + context.say("vacation-how")
    days = read_days(context.argument, today) or context.refuse("vacation-how")
    take_vacation(ports, player, *days)
    return _told_vacation(context, today)


def _told_vacation(context: CommandContext, today: date) -> list[str]:
    days, count = vacation_of(context.player, today), days_left(context.player, today.year)
    if days is None:
        return context.say("vacation-none", count=count)
    first, last = (day(each, context.player.language) for each in days)
    return context.say("vacation-on", first=first, last=last, count=count)


def _mute(context: CommandContext, *, off: bool = False) -> list[str]:
    others = _others(context)
    wanted = fold(context.argument.strip())
    found = {player: called for player, called in others.items() if not wanted or wanted in map(fold, called)}
    if len(found) != 1:
        raise CommandRefused(*context.say("mute-who", names=[called[0] for called in others.values()]))
    [(player, called)] = found.items()
    mute(context.mailer.ports, context.player, player, off=off)
    return context.say("unmuted" if off else "muted", who=called[0])


def _others(context: CommandContext) -> dict[str, tuple[str, ...]]:
    """The people this player has to do with in the game, and what each may be called."""
    if context.game is None:
        return {}
    words = game_words(context.game, context.player)
    colours = {seat.player: words.translate(colour) for seat, colour in zip(context.game.seats, context.game.setting.colours, strict=True)}
    known = (context.mailer.ports.players.find(id) for id in sorted(company(context.game) - {context.player.id}))
    return {each.id: (each.name, *([colours[each.id]] if each.id in colours else [])) for each in known if each}


def _games(context: CommandContext) -> list[str]:
    mailer, player = context.mailer, context.player
    return describe_games(mailer, player, unfinished_games(mailer, player, "running", "open"))


def _letters(how: MailChoice, context: CommandContext) -> list[str]:
    """Which letters come from now on: `every` one, or the `digest`. A choice for a single game stays."""
    context.mailer.ports.players.change(context.player, lambda known: {"mail": how})
    return context.say(f"letters-{how}")


def _stop(context: CommandContext) -> list[str]:
    no_more_letters(context.mailer.ports, context.player)
    return context.say("letters-none")


OWN: dict[str, Callable[[CommandContext], list[str]]] = {
    "new": _new,
    "language": _language,
    "vacation": _vacation,
    "mute": _mute,
    "unmute": partial(_mute, off=True),
    "games": _games,
    "digest": partial(_letters, MailChoice.DIGEST),
    "every": partial(_letters, MailChoice.EVERY),
    "stop": _stop,
}
SHOWING = {"games", "score"}
"""Commands that change nothing."""
