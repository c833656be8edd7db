"""Decide which commands of a message are done at once and which wait for the player's yes.

It depends on the authentication verdict, and on whether the turn of the answered letter is over.
"""

from enum import IntEnum

from marketpost.mail.inbound.command_context import CommandContext
from marketpost.play.log.game import Game
from marketpost.rules.words import COMMON, fold, lexicon
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.mail_queue import ReplyContext


class CommandWeight(IntEnum):
    """How much harm a forged command could do; each weight more than the one before."""

    SHOWS = 0
    """Shows something, to the player's own address, or gives the player a lost seat back."""
    SAYS = 1
    """Says something to the table, notes it, or asks for a hint, which the table sees."""
    CHANGES = 2
    """Changes something that can be changed back."""
    ENDS = 3
    """Cannot be undone, or writes to others in the player's name."""


TRUSTED_WITH = {
    (AuthVerdict.PASS, False): CommandWeight.ENDS,
    (AuthVerdict.PASS, True): CommandWeight.SAYS,
    (AuthVerdict.NONE, False): CommandWeight.CHANGES,
    (AuthVerdict.NONE, True): CommandWeight.SHOWS,
}
"""The heaviest command that is done at once, by verdict and by whether the letter's turn is over; a failed message is held whole."""
WEIGHTS = {
    CommandWeight.SHOWS: {
        "help",
        "rules",
        "board",
        "preview",
        "record",
        "games",
        "watch",
        "score",
        "profile",
        "ratings",
        "back",
        "yes",
        "no",
    },
    CommandWeight.SAYS: {"say", "note", "hint"},
    CommandWeight.ENDS: {"resign", "hand-over", "draw", "abandon", "cancel", "new", "address"},
}
"""The weight of each command; all others change something. A yes or no counts only where something was asked."""
ASKING = {"standing", "ahead", "note", "vacation", "find"}
"""Commands that only show something if they have no argument."""


def needs_confirmation(name: str, context: CommandContext, verdict: AuthVerdict) -> bool:
    """Whether this command is too heavy for the message's verdict."""
    return weight(name, context) > TRUSTED_WITH.get((verdict, turn_is_over(context.game, context.reply)), CommandWeight.SHOWS)


def weight(name: str, context: CommandContext) -> CommandWeight:
    """Return the weight of a command."""
    name = name.rstrip("!")
    if name == "yes" and context.game and context.game.proposal and context.game.proposal.what in ("draw", "abandon"):
        return CommandWeight.ENDS
    if name == "tournament":
        verb = lexicon(COMMON, "competition").get(fold(context.argument.partition(" ")[0]), ())
        return CommandWeight.ENDS if ":" in context.argument or "cancel" in verb else CommandWeight.CHANGES
    if name in ASKING and not context.argument:
        return CommandWeight.SHOWS
    return next((each for each, names in WEIGHTS.items() if name in names), CommandWeight.CHANGES)


def turn_is_over(game: Game | None, reply: ReplyContext) -> bool:
    """Whether the player has moved since the letter was written."""
    return game is not None and any(played.seat == reply.seat and version > (reply.version or 0) for version, played in game.history)
