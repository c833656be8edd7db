"""Act on a message from a player's own address: run its commands, submit its orders, and answer once."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec

from marketpost.mail.inbound.answering import answer, classify_message, repeats
from marketpost.mail.inbound.classify import Said
from marketpost.mail.inbound.command_context import CommandContext, CommandResult, game_words, words_of
from marketpost.mail.inbound.command_lines import Command
from marketpost.mail.inbound.commands import run_command, waits_for_yes
from marketpost.mail.inbound.courtesies import is_kind
from marketpost.mail.inbound.games_list import watched_game
from marketpost.mail.inbound.marked_text import marked
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.new_game import asked_for, meant_by, names_a_game
from marketpost.mail.inbound.order_lines import is_order
from marketpost.mail.inbound.preview_answer import describe_preview
from marketpost.mail.inbound.questions import agreement_in, ask, describe_labels, open_question, position
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.inbound.reading_proposals import ReadingProposal, describe_changes, describe_lines, propose_reading
from marketpost.mail.inbound.repairs import is_prose
from marketpost.mail.inbound.standing_order_lines import cut_off, part
from marketpost.mail.outbound.example_orders import example_orders
from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.submit import sent_before, submit
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.words import Words
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.message_parts import part_of
from marketpost.store.open_questions import Question
from marketpost.store.players import Player

log = logging.getLogger("marketpost.mail")


def act_on_message(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, reply: ReplyContext) -> MessageStatus:
    """Act on a whole message or on none of it: one line that is not understood stops the rest."""
    game = mailer.ports.game(reply.game) if reply.game else None
    reply = _seated(reply, game)
    asked = open_question(mailer, player, reply, game)
    said = _without_agreement(classify_message(game, parsed, player, agreement_in(mailer, parsed, player, reply, game)), reply)
    bare = inbound.reply is None  # the name of a ruleset may be meant as the label of a game
    said = _bare_request(said, parsed, player, reply) if bare else said
    if bare and (request := _misspelt_request(said, parsed, player, reply)):
        return ask(mailer, inbound, player, reply, Question("", 0, [Command("new", request)]))
    talk = _talk(said, parsed, reply, game)
    if repeats(mailer, inbound, parsed, player, game, replace(said, strange=(talk,)) if talk else said, reply.game):
        return MessageStatus.REPEATED
    too_early = said.orders if asked and game and game.status == GameStatus.OPEN else ()
    broken = [*cut_off(game, parsed.lines), *too_early]
    if game and not broken and (said.strange or parsed.below) and (proposal := _proposal(game, parsed, player, reply)):
        question = Question(proposal.orders, position(game), [*proposal.commands])
        return ask(mailer, inbound, player, reply, question, describe_changes(proposal, words_of(player)))
    if talk:
        return _obey(mailer, inbound, player, reply, game, Said(commands=(Command("say", talk),)))
    if strange := [*said.strange, *broken]:
        _not_understood(mailer, inbound, parsed, player, reply, game, strange, asked)
        return MessageStatus.NOT_UNDERSTOOD
    if said == Said():
        return _nothing_asked(mailer, inbound, parsed, player, reply, game, asked)
    return _obey(mailer, inbound, player, reply, game, said)


def _seated(reply: ReplyContext, game: Game | None) -> ReplyContext:
    """Return the reply context with the seat that the player has now."""
    return msgspec.structs.replace(reply, seat=game.seat_since(reply.seat, reply.version, reply.player)) if game else reply


def _proposal(game: Game, parsed: ParsedMessage, player: Player, reply: ReplyContext) -> ReadingProposal | None:
    """Return a legal reading of an unclear message, while the letter's turn is not over."""
    return propose_reading(game, reply.seat, parsed, player, game_words(game, player)) if is_now(game, reply) else None


def _without_agreement(said: Said, reply: ReplyContext) -> Said:
    """Treat yes and no in one message as not understood; orders beside either answer our question better."""
    agreed = [each for each in said.commands if each.name in ("yes", "no")]
    others = tuple(each for each in said.commands if each not in agreed)
    if len(set(agreed)) > 1 or (reply.asks and agreed and not said.orders):
        return replace(said, strange=(*said.strange, *(each.name for each in agreed)))
    return replace(said, commands=others) if reply.asks else said


def _bare_request(said: Said, parsed: ParsedMessage, player: Player, reply: ReplyContext) -> Said:
    """Read a game that is requested without the word `new`, in answer to a letter that belongs to no game."""
    text = asked_for(parsed.lines, [player.name, *parsed.names]) if said.strange and not reply.game else ""
    return Said(commands=(Command("new", text),)) if names_a_game(text) and not (said.orders or said.commands) else said


def _misspelt_request(said: Said, parsed: ParsedMessage, player: Player, reply: ReplyContext) -> str:
    """Return a request whose ruleset is misspelt, in answer to such a letter; it is opened only after a yes."""
    if reply.game or not said.strange or said.orders or said.commands:
        return ""
    text = asked_for(parsed.lines, [player.name, *parsed.names])
    return "" if (meant := meant_by(text)) == text else meant


def _talk(said: Said, parsed: ParsedMessage, reply: ReplyContext, game: Game | None) -> str:
    """Return what an answer to a message from the table says: everything, if it contains neither orders nor a command.

    A yes or no answers the message, not a proposal that may be open beside it.
    """
    asked = {command for command, _ in said.commands} - {"yes", "no"}
    if reply.letter != "message" or game is None or said.orders or asked:
        return ""
    return "\n".join(parsed.lines).strip()


def _not_understood(
    mailer: Mailer,
    inbound: InboundMessage,
    parsed: ParsedMessage,
    player: Player,
    reply: ReplyContext,
    game: Game | None,
    strange: list[str],
    question: list[str],
) -> None:
    """Answer a message with lines that were not understood, and repeat an open question."""
    words = words_of(player)
    lines = [words.say("answers.marked"), *(f"    {line}" for line in marked(game, parsed.lines, strange))]
    if not question or (game and game.status == GameStatus.RUNNING and any(is_order(game, line) for line in parsed.lines)):
        is_part = part_of(inbound.id) is not None  # the letter about all parts shows examples with their labels
        lines += [
            words.say("answers.nothing-done-part" if is_part else "answers.nothing-done"),
            *_how_to_say(game, strange, words),
            *((not is_part and _examples(game, reply, player)) or [words.say("answers.separate")]),
            *_labels(mailer, inbound, player, game),
            *question,
        ]
    else:
        lines += [words.say("answers.unclear"), *question]
    answer(mailer, inbound, player, reply, lines, kind=AnswerKind.ASKING if question else AnswerKind.REFUSED, asks=reply.asks)


def _labels(mailer: Mailer, inbound: InboundMessage, player: Player, game: Game | None) -> list[str]:
    """Say which label stands for which game, to a player who answered a letter about several games and named none."""
    known = inbound.reply.games if inbound.reply and game is None else {}
    games = {label: found for label, each in known.items() if (found := mailer.ports.game(each.game or ""))}
    return [words_of(player).say("answers.letters-labels"), *describe_labels(mailer, games, player)] if games else []


def act_on_question(mailer: Mailer, inbound: InboundMessage, player: Player, reply: ReplyContext, question: Question) -> MessageStatus:
    """Do exactly what a confirmed question quoted, unless the position has changed since it was asked."""
    game = mailer.ports.game(reply.game) if reply.game else None
    said = Said(tuple(question.orders.splitlines()), tuple(Command(*each) for each in question.commands))
    if game and question.orders and position(game) != question.position and not sent_before(mailer.ports, game.id, player.id, inbound.key):
        lines = [words_of(player).say("answers.meanwhile"), *(f"    {line}" for line in question.orders.splitlines())]
        answer(mailer, inbound, player, reply, [*lines, *_examples(game, reply, player)])
        return MessageStatus.POSITION_CHANGED
    return _obey(mailer, inbound, player, reply, game, said)


def _how_to_say(game: Game | None, strange: list[str], words: Words) -> list[str]:
    """Say how to talk to the table, to a player who seems to want that."""
    if game is None or not all(is_prose(line, game.rules.words) for line in strange):
        return []
    return [words.say("answers.to-say")]


def _examples(game: Game | None, reply: ReplyContext, player: Player) -> list[str]:
    """Say how steps are separated, with example orders, if the player has to decide."""
    if game is None or reply.seat is None or not is_now(game, reply):
        return []
    orders = example_orders(game.rules, game.state, reply.seat, game_words(game, player))
    say = words_of(player).say
    return [say("answers.separate"), say("answers.examples"), *(f"    {each}" for each in orders)]


def _nothing_asked(
    mailer: Mailer,
    inbound: InboundMessage,
    parsed: ParsedMessage,
    player: Player,
    reply: ReplyContext,
    game: Game | None,
    question: list[str],
) -> MessageStatus:
    """Answer a message without orders or commands: thank for kind words, otherwise say that nothing was found in it."""
    if question:
        again = [words_of(player).say("answers.unclear"), *question]
        answer(mailer, inbound, player, reply, again, kind=AnswerKind.ASKING, asks=reply.asks)
        return MessageStatus.ANSWERED
    kind, say = AnswerKind.THANKS if is_kind(parsed.lines) else AnswerKind.REFUSED, words_of(player).say
    lines = [say("answers.thanks"), say("answers.to-say")] if kind == AnswerKind.THANKS else [say("answers.nothing")]
    answer(mailer, inbound, player, reply, [*lines, *_examples(game, reply, player)], kind=kind)
    return MessageStatus.ANSWERED if kind == AnswerKind.THANKS else MessageStatus.NOTHING_FOUND


def _obey(mailer: Mailer, inbound: InboundMessage, player: Player, reply: ReplyContext, game: Game | None, said: Said) -> MessageStatus:
    """Run the commands, then submit the orders, and tell everything in one answer."""
    via = inbound.key
    asked = [command for command, _ in said.commands]
    now, left = part(game, said.orders) if "preview" not in asked else (said.orders, [])
    orders = "\n".join(now)
    wanted = [*said.commands, *([("standing", "\n".join(left))] if left else [])]
    parts = [
        (name, CommandContext(mailer, player, reply, game, rest, f"{via} {number}", orders, inbound.id))
        for number, (name, rest) in enumerate(wanted)
    ]
    said_beside = [each for each in parts if each[0] == "say" and orders and game and "preview" not in asked]
    if game and sent_before(mailer.ports, game.id, player.id, via):
        _say_beside(said_beside)
        return MessageStatus.SUBMITTED
    if not (inbound.settles or inbound.answers) and any(waits_for_yes(*each, inbound.verdict) for each in parts):
        commands = [(name.rstrip("!"), rest) for name, rest in said.commands]
        return ask(mailer, inbound, player, reply, Question("\n".join(said.orders), position(game) if game else 0, commands))
    told: list[tuple[CommandResult, list[str]]] = [
        (CommandResult.DONE, each[1].say("said")) if each in said_beside else run_command(*each) for each in parts
    ]
    results = {result for result, _ in told}
    lines = [*describe_lines("read-left-out", said.aside, words_of(player)), *(line for _, each in told for line in each)]
    if game and "preview" in asked:
        lines += _previewed(game, reply.seat or 0, orders, player)
        orders = ""
    if orders and game:
        why = _submit(mailer, inbound, player, game, reply, orders, lines, asked)
        _say_beside(said_beside)
        if not why:
            return MessageStatus.SUBMITTED
        lines.append(why)
        results.add(CommandResult.REFUSED)
    shown = [*asked, "board"] if "undo" in asked else asked
    again = open_question(mailer, player, reply, game) if "language" in asked else []  # which was asked in another language
    asks, moved = reply.asks if again else None, _moved(mailer, game, parts)
    hint = _hint(mailer, game, player, asked)
    if watched := _watched(mailer, player, said.commands):
        reply, shown = ReplyContext(player.id, watched.id), [*shown, "board"]
    answer(mailer, inbound, player, reply, [*lines, *again], asked=shown, kind=_kind(results), asks=asks, moved=moved, hint=hint)
    return MessageStatus.ANSWERED


def _watched(mailer: Mailer, player: Player, commands: Sequence[Command]) -> Game | None:
    """Return the game whose board a message asks to see and does nothing else; its answer is a letter of that game, from outside."""
    match commands:
        case [Command("watch", argument)] if argument:
            with suppress(Refused):
                return watched_game(mailer, player, argument)
    return None


def _moved(mailer: Mailer, game: Game | None, parts: list[tuple[str, CommandContext]]) -> bool:
    """Whether a command of the message is in the log of its game."""
    now = mailer.ports.game(game.id) if game else None
    return now is not None and any(context.via in now.done for _, context in parts)


def _hint(mailer: Mailer, game: Game | None, player: Player, asked: list[str]) -> int:
    """Return the position in which a message has asked for a hint; 0 if it has asked for none, or none is given."""
    now = mailer.ports.game(game.id) if game and "hint" in asked else None
    return now.position if now and (now.position, now.seat_of(player.id)) in now.hints_asked else 0


def _say_beside(parts: list[tuple[str, CommandContext]]) -> None:
    """Say what stands beside orders, after these were submitted.

    Race: the worker that judges the orders also tells what was said. It judges first, so that the next player gets one letter with both.
    """
    for each in parts:
        run_command(*each)


def _kind(results: set[CommandResult]) -> AnswerKind:
    """Return what the subject of the answer says, from the results of all commands."""
    changes = results - {CommandResult.SHOWN}
    if not changes:
        return AnswerKind.SHOWN if results else AnswerKind.REFUSED
    if changes == {CommandResult.DONE, CommandResult.AWAITS_OTHERS}:
        return AnswerKind.AWAITS_OTHERS
    return AnswerKind.PARTLY if len(changes) > 1 else AnswerKind(changes.pop())


def _submit(
    mailer: Mailer, inbound: InboundMessage, player: Player, game: Game, reply: ReplyContext, orders: str, also: list[str], asked: list[str]
) -> str:
    """Submit orders, whose outcome answers the message; return why they cannot be submitted, or an empty text."""
    if game.seat_of(player.id) is None:
        return game_words(game, player).explain(Refusal("not-your-game"))
    if not is_now(game, reply):
        inbound.too_late = True
        over = game.status == GameStatus.OVER
        return game_words(game, player).explain(Refusal("game-over")) if over else words_of(player).say("answers.turn-over")
    inbound.orders, inbound.also, inbound.asked = orders, also, asked
    mailer.mail_queue.save_progress(inbound)
    # Between our look at the position and the judge's somebody may move; what was confirmed is played in no other position.
    only_at = game.version if inbound.answers else None
    try:
        move = submit(mailer.ports, game, player.id, orders, key=inbound.key, if_match=only_at, via=inbound.id)
        inbound.game, inbound.move = game.id, move
        accepted = {"mail": inbound.id, "move": move, "game": game.id}
        log.info("inbound message %(mail)s: move %(move)s in game %(game)s was accepted", accepted)
    except Refused as refused:
        return game_words(game, player).explain(refused.refusal)
    return ""


def _previewed(game: Game, seat: int, orders: str, player: Player) -> list[str]:
    """Describe what orders would do."""
    if game.state is None:
        return [game_words(game, player).explain(Refusal("not-started"))]
    return describe_preview(game, seat, orders, game_words(game, player), words_of(player))


def is_now(game: Game, reply: ReplyContext) -> bool:
    """Whether a reply to this letter is still about the current turn.

    The token of a letter is valid until its turn is over; one from a letter before the turn until the player has moved. It is invalid if
    the letter told of something that was undone since.
    """
    if game.status != GameStatus.RUNNING or reply.seat not in game.deciders:
        return False
    written = reply.version or 0
    if any(undone > written > back_to for undone, back_to in game.undos):
        return False
    moved = any(played.seat == reply.seat and version > written for version, played in game.history)
    return reply.turn == game.state.turn or not moved
