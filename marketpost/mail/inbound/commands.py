"""The commands about a game that a message may give beside orders, one function each."""

from collections.abc import Callable, Iterator
from functools import partial

from marketpost.mail.inbound.command_context import (
    AwaitsOthers,
    CommandContext,
    CommandRefused,
    CommandResult,
    describe_word,
    game_words,
    joined_lines,
)
from marketpost.mail.inbound.command_lines import CONFIRMED
from marketpost.mail.inbound.own_commands import OWN, SHOWING
from marketpost.mail.inbound.tournament_commands import answer_tournament, is_about_tournament
from marketpost.mail.inbound.trust import needs_confirmation
from marketpost.mail.link_keys import publish_link
from marketpost.mail.outbound.letters import ranking
from marketpost.mail.outbound.render import Sentences
from marketpost.play.clock.timeouts import come_back
from marketpost.play.log.actions import LinkKind, ProposalKind, SeatPlan
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves import orders_ahead as ahead
from marketpost.play.moves import standing_orders as standing
from marketpost.play.moves.game_view import names
from marketpost.play.moves.hints import ask_hint
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import cancel
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.invite_links import make_link
from marketpost.play.table.new_game_request import ADDRESS
from marketpost.play.table.notes import add_note, noted
from marketpost.play.table.proposals import agree, disagree, propose
from marketpost.play.table.rematch import rematch
from marketpost.play.table.seating import contribute, decline, join, not_of_tournament, own_seat, resign
from marketpost.play.table.talk import say
from marketpost.play.table.undo import undo
from marketpost.rules.bots import LEVELS, bot_names, usual_bot
from marketpost.rules.refusal import Refused
from marketpost.rules.words import COMMON, Words, fold, lexicon
from marketpost.store.auth_verdict import AuthVerdict

SEATED = {"resign", "hand-over", "draw", "abandon"}
"""Commands that only a player with a seat may give."""


def run_command(command: str, context: CommandContext) -> tuple[CommandResult, list[str]]:
    """Run a command; return its result and the lines that tell the player."""
    command = command.rstrip("!")
    if command not in COMMANDS and command not in AT_TABLE:
        return CommandResult.SHOWN, []
    try:
        return CommandResult.SHOWN if command in SHOWING else CommandResult.DONE, _done(command, context)
    except CommandRefused as why:
        return CommandResult.REFUSED, [str(line) for line in why.args]
    except AwaitsOthers as what:
        return CommandResult.AWAITS_OTHERS, [str(what)]
    except Refused as refused:
        return CommandResult.REFUSED, [game_words(context.game, context.player).explain(refused.refusal)]


def waits_for_yes(command: str, context: CommandContext, verdict: AuthVerdict) -> bool:
    """Whether the command needs the player's yes first; not if it would be refused anyway."""
    name = command.rstrip("!")
    if not (needs_confirmation(name, context, verdict) or (command in CONFIRMED and context.game)):
        return False
    if context.game is None:
        return name in COMMANDS
    try:
        if name in SEATED:
            own_seat(context.game, context.player.id)
        if name == "hand-over" and "@" in _heir(context.game, context.argument):
            not_of_tournament(context.game)
    except Refused:
        return False
    return True


def _done(command: str, context: CommandContext) -> list[str]:
    if command in COMMANDS:
        return COMMANDS[command](context)
    return AT_TABLE[command](context, context.game) if context.game else []


def _say(context: CommandContext, game: Game) -> list[str]:
    """Say something at the table; refused to somebody who only watches, or has left."""
    if context.player.id not in game.people:
        raise Refused("not-your-game")
    say(context.mailer.ports, game, context.player.id, context.argument, key=context.via, beside=context.mail if context.orders else "")
    return context.say("said")


def _plainly(verb: Callable[[Ports, str, str, str], Game], key: str, context: CommandContext, game: Game) -> list[str]:
    """Run a command that takes only a game and a player, and return the sentence that confirms it."""
    verb(context.mailer.ports, game.id, context.player.id, context.via)
    return context.say(key)


def _undo(context: CommandContext, game: Game) -> list[str]:
    game = undo(context.mailer.ports, game.id, context.player.id, context.via)
    return context.await_others("asked-undo") if game.proposal else context.say("undone")


def _standing(context: CommandContext, game: Game) -> list[str]:
    """Set, cancel or show standing orders; the answer lists those that hold afterwards."""
    ports, player = context.mailer.ports, context.player
    if lexicon(COMMON, "standing").get(fold(context.argument)):
        standing.cancel(ports, game.id, player.id)
        return context.say("standing-off")
    if context.argument:
        standing.leave(ports, game.id, player.id, context.argument, at_once=not context.orders)
    words = game_words(game, player)
    orders = standing.look(ports, game.id, player.id, words)
    if not orders:
        return context.say("standing-none")
    cautions = [words.caution(each) for each in standing.cautions(ports, game.id, player.id, words)]
    return context.say("standing") + [f"    {each}" for each in orders.splitlines()] + cautions


def _ahead(context: CommandContext, game: Game) -> list[str]:
    """Set, cancel or show orders ahead; the answer lists those that hold afterwards, and how they fared in samples."""
    ports, player, words = context.mailer.ports, context.player, game_words(game, context.player)
    if "off" in lexicon(COMMON, "ahead").get(fold(context.argument), ()):
        return context.say("ahead-off" if ahead.cancel(ports, game.id, player.id) else "ahead-off-none")
    if context.argument:
        left = ahead.leave(ports, game.id, player.id, context.argument, words)
        tried = context.say("ahead-tried", samples=left.samples) if left.samples else []
        return [*context.say("ahead"), *_inset(left.text), *tried, *_outlooks(context, left, words)]
    if orders := ahead.look(ports, game.id, player.id, words):
        return [*context.say("ahead"), *_inset(orders)]
    known = ahead.sentences(game, words)
    return [*context.say("ahead-none"), *_inset("\n".join(known))] if known else context.say("ahead-none-plain")


def _hint(context: CommandContext, game: Game) -> list[str]:
    """Ask for a hint. The answer waits for it and shows it; it has a sentence only if the position has changed since."""
    if context.orders:
        context.refuse("hint-beside-orders")
    game = ask_hint(context.mailer.ports, game.id, context.player.id, context.via)
    seat = game.seat_of(context.player.id)
    return [] if (game.position, seat) in game.hints_asked else context.say("hint-passed")


def _inset(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def _outlooks(context: CommandContext, left: ahead.LeftAhead, words: Words) -> Iterator[str]:
    """Say for each branch in how many samples its conditions held and its orders were legal."""
    for number, each in enumerate(left.outlooks if left.samples else (), 1):
        key = "ahead-always" if each.wanted == left.samples else "ahead-held"
        yield from context.say(key, number=number, wanted=each.wanted, legal=each.legal)
        if each.refusal:
            yield from context.say("ahead-refused", why=words.explain(each.refusal))


def _rematch(context: CommandContext, game: Game) -> list[str]:
    game = rematch(context.mailer.ports, game.id, context.player.id)
    url = context.mailer.links.game(game.id, context.player.id)
    return context.say("rematch" if game.status == GameStatus.OPEN else "rematch-begun", url=url)


def _propose(what: ProposalKind, context: CommandContext, game: Game) -> list[str]:
    game = propose(context.mailer.ports, game.id, context.player.id, what, context.via)
    return context.say(f"ended-{game.ended.how}") if game.ended else context.await_others(f"asked-{what}")


def _hand_over(context: CommandContext, game: Game) -> list[str]:
    ports, to = context.mailer.ports, _heir(game, context.argument)
    if "@" not in to:
        hand_over(ports, game.id, context.player.id, SeatPlan(bot=to), context.via)
        return context.say("handed-over")
    hand_over(ports, game.id, context.player.id, SeatPlan(invited=to), context.via)
    return context.await_others("offered", who=to)


def _heir(game: Game, argument: str) -> str:
    """Return the address or the bot that takes over a seat."""
    *_, to = argument.split()
    if "@" not in to:
        return _bot(game, argument)
    if not ADDRESS.fullmatch(to):
        raise Refused("field-email")
    return to


def _bot(game: Game, argument: str) -> str:
    """Return the bot that is named; the usual one if only `bot` is."""
    said = [fold(word) for word in argument.split()]
    levels = [level for word in said for level in lexicon(COMMON, "request").get(word, ()) if level in LEVELS]
    named = next((name for name in bot_names(game.rules) if fold(name) in said), next(iter(levels), None))
    if named is None and said[-1] not in ("bot", "robot"):
        raise Refused("unknown-bot", bot=said[-1], bots=bot_names(game.rules))
    return named or usual_bot(game.rules)


def _word(context: CommandContext, game: Game) -> list[str]:
    game = contribute(context.mailer.ports, game.id, context.player.id, context.argument, context.via)
    return describe_word(game, context.player)


def _link(context: CommandContext, game: Game) -> list[str]:
    """Make a link to a seat while the host looks for players, afterwards one to view the game."""
    what = LinkKind.SEAT if game.status == GameStatus.OPEN and game.host == context.player.id else LinkKind.LOOK
    game, number = make_link(context.mailer.ports, game.id, context.player.id, what)
    link = publish_link(context.mailer, game, number)
    return context.say(f"link-{what}", url=link.url, address=link.address)


def _note(context: CommandContext, game: Game) -> list[str]:
    ports, text = context.mailer.ports, context.argument.strip()
    notes = add_note(ports, game, context.player.id, text) if text else noted(ports, game, context.player.id)
    return [*context.say("noted"), *(f"    {line}" for line in notes.splitlines())] if notes else context.say("noted-nothing")


def _yes(context: CommandContext) -> list[str]:
    """Accept an invitation, an offered seat or a proposal."""
    ports, game, player = context.mailer.ports, context.game, context.player.id
    if game and context.done_in_play:
        return context.await_others("agreed") if game.proposal else context.say("agreed-done")
    if game and (_invited(context) or game.offered_to(player) is not None):
        then = join(ports, game.id, player, context.via, context.argument)
        return joined_lines(then, context.player, "joined" if _invited(context) else "taken-over")
    if game and (number := _proposal(context)):
        return context.await_others("agreed") if agree(ports, game.id, player, number, context.via).proposal else context.say("agreed-done")
    if is_about_tournament(context):
        return answer_tournament(context, yes=True)
    return context.refuse("no-such-yes")


def _no(context: CommandContext) -> list[str]:
    """Decline an invitation, an offered seat or a proposal."""
    ports, game, player = context.mailer.ports, context.game, context.player.id
    if game and context.done_in_play:
        return context.say("disagreed")
    if game and (_invited(context) or game.offered_to(player) is not None):
        decline(ports, game.id, player, context.via)
        return context.say("declined" if _invited(context) else "offer-declined")
    if game and (number := _proposal(context)):
        disagree(ports, game.id, player, number, context.via)
        return context.say("disagreed")
    if is_about_tournament(context):
        return answer_tournament(context, yes=False)
    return context.refuse("no-such-yes")


def _invited(context: CommandContext) -> bool:
    """Whether the player is invited, or has accepted or declined with this very message."""
    return context.game is not None and (context.done or any(seat.invited == context.player.id for seat in context.game.seats))


def _proposal(context: CommandContext) -> int | None:
    """Return the open proposal, if the answered letter was written after it: an older yes was meant for something else."""
    proposal = context.game.proposal if context.game else None
    is_meant = (
        proposal
        and context.game
        and context.game.seat_of(context.player.id) is not None
        and (context.reply.version or 0) >= proposal.number
    )
    return proposal.number if proposal and is_meant else None


COMMANDS: dict[str, Callable[[CommandContext], list[str]]] = {"yes": _yes, "no": _no} | OWN
"""Commands that need no game."""


def _score(context: CommandContext, game: Game) -> list[str]:
    """List the scores, best first."""
    if game.state is None:
        raise Refused("not-started")
    ranked = ranking(game, names(context.mailer.ports, game), context.player.language)
    say = Sentences(context.player.language, "over").say
    return [*context.say("score"), *(f"    {say('score', who=who, points=points)}" for who, points in ranked)]


AT_TABLE: dict[str, Callable[[CommandContext, Game], list[str]]] = {
    "say": _say,
    "score": _score,
    "undo": _undo,
    "resign": partial(_plainly, resign, "resigned"),
    "standing": _standing,
    "ahead": _ahead,
    "hint": _hint,
    "cancel": partial(_plainly, cancel, "cancelled"),
    "rematch": _rematch,
    "draw": partial(_propose, ProposalKind.DRAW),
    "abandon": partial(_propose, ProposalKind.ABANDON),
    "hand-over": _hand_over,
    "link": _link,
    "word": _word,
    "note": _note,
    "back": partial(_plainly, come_back, "back"),
}
"""Commands that need a game."""
