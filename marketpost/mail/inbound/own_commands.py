"""Commands about the player, not a game: language, vacation, muting, preferences, addresses, a new game."""

import hashlib
from collections.abc import Callable
from datetime import date
from functools import partial

from marketpost.mail.inbound.command_context import CommandContext, CommandRefused, game_words
from marketpost.mail.inbound.games_list import MOST_LISTED, describe_games, watch_command
from marketpost.mail.inbound.mailed_addresses import address_command
from marketpost.mail.inbound.new_game import start_game
from marketpost.mail.inbound.profile_commands import profile_command, ratings_command
from marketpost.mail.inbound.search_commands import find_command
from marketpost.mail.inbound.tournament_commands import tournament_command
from marketpost.mail.inbound.vacation_days import is_off, read_days
from marketpost.mail.outbound.letters import day
from marketpost.mail.outbound.operator_reports import tell_operator
from marketpost.play.clock.vacation import day_of, days_left, end_vacation, take_vacation, vacation_of
from marketpost.play.people.blocking import block, company
from marketpost.play.people.preferences import no_more_letters, undo_complaint
from marketpost.play.people.registration import mute
from marketpost.play.people.reporting import report
from marketpost.play.table.lobby import own_games
from marketpost.rules.words import COMMON, fold, lexicon
from marketpost.store.players import LetterLength, MailPreference


def _new(context: CommandContext) -> list[str]:
    """Open a game as a message to `new@…` does, once for each message."""
    id = hashlib.sha256(context.via.encode()).hexdigest()[:32]
    return start_game(context.mailer, context.player, id, context.argument)


def _language(context: CommandContext) -> list[str]:
    """Change the player's language, by its name in any of our languages or by its code."""
    meant = lexicon(COMMON, "languages").get(fold(context.argument.rpartition(" ")[2]))
    if meant is None:
        context.refuse("language-unknown")
    (language,) = meant
    context.mailer.ports.players.change(context.player, lambda known: {"language": language})
    return context.say("language")


def _vacation(context: CommandContext) -> list[str]:
    """Show, plan or end a vacation."""
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
    """Say when the player's vacation is, and how many days are left."""
    days, count = vacation_of(context.player, today), days_left(context.player, today.year)
    if days is None:
        return context.say("vacation-none", count=count)
    first, last = (day(each, context.player.language) for each in days)
    return context.say("vacation-on", first=first, last=last, count=count)


def _mute(context: CommandContext, *, off: bool = False) -> list[str]:
    player, name = _whom(context)
    mute(context.mailer.ports, context.player, player, off=off)
    return context.say("unmuted" if off else "muted", who=name)


def _block(context: CommandContext, *, off: bool = False) -> list[str]:
    player, name = _whom(context)
    block(context.mailer.ports, context.player, player, off=off)
    return context.say("unblocked" if off else "blocked", who=name)


def _report(context: CommandContext) -> list[str]:
    """Report a player: the longest name that the words begin with, and the rest as the text."""
    words = context.argument.split()
    for size in range(len(words) - 1, 0, -1):
        if len(found := _called(context, " ".join(words[:size]).rstrip(":,"))) == 1:
            [(player, called)] = found.items()
            game = context.game.id if context.game else None
            id = hashlib.sha256(f"report {context.via}".encode()).hexdigest()[:16]
            made = report(context.mailer.ports, context.player.id, player, " ".join(words[size:]), game, id)
            tell_operator(context.mailer, made)
            return context.say("reported", who=called[0])
    raise CommandRefused(*context.say("report-how", names=_names(context)))


def _whom(context: CommandContext) -> tuple[str, str]:
    """Return the id and name of the player who is meant; with one other person in the game the name may be left out."""
    found = _called(context, context.argument.strip())
    if len(found) != 1:
        raise CommandRefused(*context.say("mute-who", names=_names(context)))
    [(player, called)] = found.items()
    return player, called[0]


def _called(context: CommandContext, name: str) -> dict[str, tuple[str, ...]]:
    """Return the other players with this name; all of them without a name."""
    return {player: called for player, called in _others(context).items() if not name or fold(name) in map(fold, called)}


def _names(context: CommandContext) -> list[str]:
    return [called[0] for called in _others(context).values()]


def _others(context: CommandContext) -> dict[str, tuple[str, ...]]:
    """Return the other people in the game, and the names by which they may be called."""
    if context.game is None:
        return {}
    words = game_words(context.game, context.player)
    colours = {seat.player: words.translate(colour) for seat, colour in zip(context.game.seats, context.game.setting.colours, strict=True)}
    known = (context.mailer.ports.players.find(id) for id in sorted(company(context.game) - {context.player.id}))
    return {each.id: (each.name, *([colours[each.id]] if each.id in colours else [])) for each in known if each}


def _games(context: CommandContext) -> list[str]:
    """List the player's games, or those of one ruleset; the page shows those that are too many for a letter."""
    mailer, player = context.mailer, context.player
    found = [game for game in own_games(mailer.ports, player.id) if fold(context.argument) in ("", game.rules.name)]
    rest = context.say("watch-all", url=mailer.links.home) if len(found) > MOST_LISTED else []
    return [*describe_games(mailer, player, found[:MOST_LISTED]), *rest]


def _letters(how: MailPreference, context: CommandContext) -> list[str]:
    """Change whether the player gets every letter or the digest; a complaint is undone, and preferences for single games stay."""
    context.mailer.ports.players.change(context.player, lambda known: {"mail": how})
    undo_complaint(context.mailer.ports, context.player)
    return context.say(f"letters-{how}")


def _hide(context: CommandContext, *, hidden: bool) -> list[str]:
    """Hide the player from lists and pages of players, or show them again."""
    context.mailer.ports.players.change(context.player, lambda known: {"hidden": hidden})
    return context.say("hidden" if hidden else "shown")


def _length(context: CommandContext) -> list[str]:
    """Change whether letters explain the game."""
    [found] = lexicon(COMMON, "letters")[fold(context.argument)]
    context.mailer.ports.players.change(context.player, lambda known: {"letters": LetterLength(found)})
    return context.say(f"letters-{found}")


def _stop(context: CommandContext) -> list[str]:
    """Switch all letters off."""
    no_more_letters(context.mailer.ports, context.player)
    return context.say("letters-none")


OWN: dict[str, Callable[[CommandContext], list[str]]] = {
    "new": _new,
    "language": _language,
    "vacation": _vacation,
    "mute": _mute,
    "unmute": partial(_mute, off=True),
    "block": _block,
    "unblock": partial(_block, off=True),
    "report": _report,
    "games": _games,
    "watch": watch_command,
    "digest": partial(_letters, MailPreference.DIGEST),
    "every": partial(_letters, MailPreference.EVERY),
    "letters": _length,
    "hide": partial(_hide, hidden=True),
    "unhide": partial(_hide, hidden=False),
    "stop": _stop,
    "address": address_command,
    "tournament": tournament_command,
    "find": find_command,
    "profile": profile_command,
    "ratings": ratings_command,
}
"""The function of each command."""
SHOWING = {"games", "watch", "score", "profile", "ratings", "hint"}
"""Commands that show something and change nothing that is played."""
