"""What a mail may ask beside its orders, one function a command. What a command shows is put into the letter itself."""

from collections.abc import Callable
from functools import partial

from marketpost.mail.inbound.classify import CONFIRMED
from marketpost.mail.inbound.command_context import AwaitsOthers, CommandContext, CommandRefused, CommandResult, game_words
from marketpost.mail.inbound.own_commands import OWN, SHOWING
from marketpost.mail.link_keys import publish_link
from marketpost.mail.outbound.letters import ranking
from marketpost.play.clock.timeouts import come_back
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game
from marketpost.play.moves import standing_orders as standing
from marketpost.play.moves.game_view import names
from marketpost.play.people.registration import invite
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import cancel
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.invite_links import LOOK, SEAT, make_link
from marketpost.play.table.new_game_request import ADDRESS
from marketpost.play.table.notes import add_note, noted
from marketpost.play.table.proposals import agree, disagree, propose
from marketpost.play.table.rematch import rematch
from marketpost.play.table.seating import decline, join, own_seat, resign
from marketpost.play.table.talk import say
from marketpost.play.table.undo import undo
from marketpost.rules.bots import bot_names, usual_bot
from marketpost.rules.refusal import Refused
from marketpost.rules.words import COMMON, fold, lexicon


def run_command(command: str, asked: CommandContext) -> tuple[CommandResult, list[str]]:
    """What the command did, told in the player's language."""
    command = command.rstrip("!")
    if command not in COMMANDS and command not in AT_TABLE:
        return CommandResult.SHOWN, []
    try:
        return CommandResult.SHOWN if command in SHOWING else CommandResult.DONE, _done(command, asked)
    except CommandRefused as why:
        return CommandResult.REFUSED, [str(line) for line in why.args]
    except AwaitsOthers as what:
        return CommandResult.AWAITS_OTHERS, [str(what)]
    except Refused as refused:
        return CommandResult.REFUSED, [game_words(asked.game, asked.player).explain(refused.refusal)]


def waits_for_yes(command: str, asked: CommandContext) -> bool:
    """Whether the player is asked before it is done: not about what would be refused anyway."""
    if command not in CONFIRMED or asked.game is None:
        return False
    try:
        own_seat(asked.game, asked.player.id)
        if command == "hand-over":
            _heir(asked.game, asked.argument)
    except Refused:
        return False
    return True


def _done(command: str, asked: CommandContext) -> list[str]:
    if command in COMMANDS:
        return COMMANDS[command](asked)
    return AT_TABLE[command](asked, asked.game) if asked.game else []


def _say(asked: CommandContext, game: Game) -> list[str]:
    say(asked.mailer.ports, game, asked.player.id, asked.argument, key=asked.via, beside=asked.mail if asked.orders else "")
    return asked.tell("said")


def _plainly(verb: Callable[[Ports, str, str, str], Game], key: str, asked: CommandContext, game: Game) -> list[str]:
    """What needs nothing but a player and a game, and what is told then."""
    verb(asked.mailer.ports, game.id, asked.player.id, asked.via)
    return asked.tell(key)


def _undo(asked: CommandContext, game: Game) -> list[str]:
    game = undo(asked.mailer.ports, game.id, asked.player.id, asked.via)
    return asked.waits("asked-undo") if game.proposal else asked.tell("undone")


def _standing(asked: CommandContext, game: Game) -> list[str]:
    """Left, taken back or only shown; what is left afterwards is told, as the player's language writes it."""
    ports, player = asked.mailer.ports, asked.player
    if lexicon(COMMON, "standing").get(fold(asked.argument)):
        standing.cancel(ports, game.id, player.id)
        return asked.tell("standing-off")
    if asked.argument:
        standing.leave(ports, game.id, player.id, asked.argument, at_once=not asked.orders)
    words = game_words(game, player)
    orders = standing.look(ports, game.id, player.id, words)
    if not orders:
        return asked.tell("standing-none")
    cautions = [words.caution(each) for each in standing.cautions(ports, game.id, player.id, words)]
    return asked.tell("standing") + [f"    {each}" for each in orders.splitlines()] + cautions


def _rematch(asked: CommandContext, game: Game) -> list[str]:
    game = rematch(asked.mailer.ports, game.id, asked.player.id)
    url = asked.mailer.links.game(game.id, asked.player.id)
    return asked.tell("rematch" if game.status == "open" else "rematch-begun", url=url)


def _propose(what: str, asked: CommandContext, game: Game) -> list[str]:
    game = propose(asked.mailer.ports, game.id, asked.player.id, what, asked.via)
    return asked.tell(f"ended-{game.ended.how}") if game.ended else asked.waits(f"asked-{what}")


def _hand_over(asked: CommandContext, game: Game) -> list[str]:
    ports, to = asked.mailer.ports, _heir(game, asked.argument)
    if "@" not in to:
        hand_over(ports, game.id, asked.player.id, SeatPlan(bot=to), asked.via)
        return asked.tell("handed-over")
    hand_over(ports, game.id, asked.player.id, SeatPlan(invited=invite(ports, to)), asked.via)
    return asked.waits("offered", who=to)


def _heir(game: Game, argument: str) -> str:
    """The address, or the bot, that a seat is handed over to."""
    *_, to = argument.split()
    if "@" not in to:
        return _bot(game, argument)
    if not ADDRESS.fullmatch(to):
        raise Refused("field-email")
    return to


def _bot(game: Game, argument: str) -> str:
    """The one that is named; the usual one for whoever says just `bot`."""
    said = [fold(word) for word in argument.split()]
    named = next((name for name in bot_names(game.rules) if fold(name) in said), None)
    if named is None and said[-1] not in ("bot", "robot"):
        raise Refused("unknown-bot", bot=said[-1], bots=bot_names(game.rules))
    return named or usual_bot(game.rules)


def _link(asked: CommandContext, game: Game) -> list[str]:
    """To a seat as long as the host looks for people, then to look."""
    what = SEAT if game.status == "open" and game.host == asked.player.id else LOOK
    game, number = make_link(asked.mailer.ports, game.id, asked.player.id, what)
    link = publish_link(asked.mailer, game, number)
    return asked.tell(f"link-{what}", url=link.url, address=link.address)


def _note(asked: CommandContext, game: Game) -> list[str]:
    ports, text = asked.mailer.ports, asked.argument.strip()
    notes = add_note(ports, game, asked.player.id, text) if text else noted(ports, game, asked.player.id)
    return [*asked.tell("noted"), *(f"    {line}" for line in notes.splitlines())] if notes else asked.tell("noted-nothing")


def _yes(asked: CommandContext) -> list[str]:
    ports, game, player = asked.mailer.ports, asked.game, asked.player.id
    if game and asked.done_in_play:
        return asked.waits("agreed") if game.proposal else asked.tell("agreed-done")
    if game and (_invited(asked) or game.offered_to(player) is not None):
        join(ports, game.id, player, asked.via)
        return asked.tell("joined" if _invited(asked) else "taken-over")
    if game and (number := _proposal(asked)):
        return asked.waits("agreed") if agree(ports, game.id, player, number, asked.via).proposal else asked.tell("agreed-done")
    return asked.not_done("no-such-yes")


def _no(asked: CommandContext) -> list[str]:
    ports, game, player = asked.mailer.ports, asked.game, asked.player.id
    if game and asked.done_in_play:
        return asked.tell("disagreed")
    if game and (_invited(asked) or game.offered_to(player) is not None):
        decline(ports, game.id, player, asked.via)
        return asked.tell("declined" if _invited(asked) else "offer-declined")
    if game and (number := _proposal(asked)):
        disagree(ports, game.id, player, number, asked.via)
        return asked.tell("disagreed")
    return asked.not_done("no-such-yes")


def _invited(asked: CommandContext) -> bool:
    return asked.game is not None and (asked.done or any(seat.invited == asked.player.id for seat in asked.game.seats))


def _proposal(asked: CommandContext) -> int | None:
    """What is proposed now, if the letter that is answered was written after it: an older yes was meant for something else."""
    proposal = asked.game.proposal if asked.game else None
    is_meant = proposal and asked.game and asked.game.seat_of(asked.player.id) is not None and (asked.reply.version or 0) >= proposal.number
    return proposal.number if proposal and is_meant else None


COMMANDS: dict[str, Callable[[CommandContext], list[str]]] = {"yes": _yes, "no": _no} | OWN


def _score(asked: CommandContext, game: Game) -> list[str]:
    """The best first."""
    if game.state is None:
        raise Refused("not-started")
    ranked = ranking(game, names(asked.mailer.ports, game), asked.player.language)
    return [*asked.tell("score"), *(f"    {who}: {score}" for who, score in ranked)]


AT_TABLE: dict[str, Callable[[CommandContext, Game], list[str]]] = {
    "say": _say,
    "score": _score,
    "undo": _undo,
    "resign": partial(_plainly, resign, "resigned"),
    "standing": _standing,
    "cancel": partial(_plainly, cancel, "cancelled"),
    "rematch": _rematch,
    "draw": partial(_propose, "draw"),
    "abandon": partial(_propose, "abandon"),
    "hand-over": _hand_over,
    "link": _link,
    "note": _note,
    "back": partial(_plainly, come_back, "back"),
}
"""Commands that mean nothing without a game."""
