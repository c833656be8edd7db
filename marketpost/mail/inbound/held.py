"""Hold messages until the player says yes from their own address: forged or strange senders, requests for games and seats."""

from dataclasses import replace
from functools import partial

import msgspec

from marketpost.mail.inbound.answering import answer, answer_unknown_address, repeats
from marketpost.mail.inbound.classify import classify
from marketpost.mail.inbound.command_context import CommandRefused, game_words, joined_lines, words_of
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.new_game import asked_for, describe_request, meant_by, names_a_game, request_in, speaking_as, start_game
from marketpost.mail.inbound.own_addresses import LocalPart, own_address
from marketpost.mail.inbound.player_message import act_on_message, act_on_question
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.inbound.search_commands import describe_plan, searched_in, start_search
from marketpost.mail.inbound.several_games import act_on_parts
from marketpost.mail.inbound.yes_or_no import accepted, agreement
from marketpost.mail.link_keys import is_link_key
from marketpost.mail.outbound.gate import DEAD_AFTER, HOUR
from marketpost.mail.outbound.letters import game_name
from marketpost.mail.outbound.letters.answer_kind import AnswerKind
from marketpost.mail.outbound.mailer import Mailer, enqueue
from marketpost.mail.strangers import is_stranger, stranger
from marketpost.play.limits import Limit, OverLimit
from marketpost.play.log.actions import LinkKind
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import names
from marketpost.play.people.names import check_name, name_from_address
from marketpost.play.people.registration import register
from marketpost.play.table.new_game_request import language_of
from marketpost.play.table.search_request import read_search
from marketpost.play.table.seating import join, settled
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import COMMON, lexicon
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.delivery_queue import Delivery
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.players import Player
from marketpost.store.suppressions import SuppressionCause

MOST_QUOTED = 12
"""Lines of a held message that the question quotes."""
MOST_HELD = 4000
"""Characters that are stored of a held message."""
MOST_REQUESTS = 5
"""Games that an address may ask for within an hour; the sender may be forged, and the answers go to its owner."""
_parsed = msgspec.json.Decoder(ParsedMessage)


def hold_for_yes(
    mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, reply: ReplyContext | None = None, language: str = ""
) -> MessageStatus:
    """Store a message and ask the player about it; it is acted on only after a yes from their own address."""
    try:
        mailer.ports.limits.spend(Limit.HELD_RECIPIENT, player.email)
    except OverLimit:
        return MessageStatus.TOO_MANY_HELD
    mailer.mail_queue.held.store(inbound.id, msgspec.json.encode(_shortened(parsed)))
    lines = _told_held(mailer, inbound, parsed, player)
    answer(mailer, inbound, player, reply, lines, held=inbound.id, kind=AnswerKind.ASKING, language=language)
    return MessageStatus.HELD


def _shortened(parsed: ParsedMessage) -> ParsedMessage:
    """Remove what a yes does not need; a message that is too long to be stored whole counts as cut off."""
    text = "\n".join(parsed.lines)[:MOST_HELD].splitlines()
    return replace(parsed, lines=text, below=(), recipients=(), truncated=parsed.truncated or text != parsed.lines)


def _held_text(mailer: Mailer, id: str) -> ParsedMessage | None:
    """Return a held message; None if it has been answered or has expired."""
    found = mailer.mail_queue.held.find(id)
    return _parsed.decode(found) if found else None


def _told_held(mailer: Mailer, held: InboundMessage, original: ParsedMessage, player: Player) -> list[str]:
    """Quote a held message and name its game. The gate removes the quote for people who have not accepted anything."""
    say = words_of(player).say
    local, token = own_address(mailer, held.recipients)
    reply = mailer.mail_queue.reply(token)
    game = mailer.ports.game(reply.game) if reply and reply.game else None
    table = game_name(game, game.seat_of(player.id), names(mailer.ports, game), player.language) if game else ""
    if local == LocalPart.NEW:
        text = _requested(original, player)
        meant = meant_by(text)
        told = [] if meant == text else [say("answers.read-corrected", text=text[:200])]
        told.append(say("answers.new-held", text=meant[:200].rstrip(".! ")))
        return [*told, *_requested_game(mailer, player, meant), say("answers.new-held-or")]
    if local == LocalPart.JOIN:
        return [say("answers.join-held", text=table)]
    quoted = [f"    {line[:200]}" for line in original.lines if line.strip()][:MOST_QUOTED]
    key = ("held" if not player.owns(original.sender or "") else "held-forged") + ("" if game else "-alone")
    return [say(f"answers.{key}", sender=original.sender, text=table), *quoted, say("answers.held-or")]


def _requested_game(mailer: Mailer, player: Player, text: str) -> list[str]:
    """Describe the game that would be opened or searched for."""
    if searched := searched_in(text):
        return [
            f"    {describe_plan(player, read_search(searched).plan(mailer.ports, player.id))}",
            words_of(player).say("answers.search-how"),
        ]
    return describe_request(player, request_in(player, text))


def check_request(player: Player, text: str) -> None:
    """Raise CommandRefused if a request for a game is unclear, or no such game can be opened or searched for."""
    if not (searched := searched_in(text)):
        request_in(player, text)
        return
    try:
        asked = read_search(searched)
        settled(ruleset(asked.rules), asked.players or ruleset(asked.rules).players[0], {})
    except Refused as refused:
        raise CommandRefused(game_words(None, player).explain(refused.refusal)) from refused


def _requested(original: ParsedMessage, player: Player) -> str:
    """Return the text that asks for a game; the subject if the body has none."""
    return asked_for(original.lines, [player.name, *original.names]) or original.subject


def request_seat(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, sender: str, key: str) -> MessageStatus:
    """Act on a message to the address of an invite link."""
    if _linked(mailer, key) is None:
        return answer_unknown_address(mailer, inbound, parsed, sender)
    player = ask_owner(mailer, inbound, sender, " ".join(parsed.lines))
    return player if isinstance(player, MessageStatus) else hold_for_yes(mailer, inbound, parsed, player)


def ask_owner(mailer: Mailer, inbound: InboundMessage, sender: str, text: str) -> Player | MessageStatus:
    """Return the owner of the sender's address, who must say yes; or the status of a message that is not asked about.

    Strangers are asked only if the message is authenticated: otherwise anybody could make us write to anybody.
    """
    player = mailer.ports.players.at_address(sender)
    if player is None or not player.confirmed:
        if inbound.verdict != AuthVerdict.PASS:
            return MessageStatus.STRANGER
        player = player or stranger(sender, language_of(text) or "en")
    try:
        if not player.confirmed:
            mailer.ports.limits.spend(Limit.STRANGERS_DOMAIN, sender.rpartition("@")[2])
            mailer.ports.limits.spend(Limit.STRANGERS_SERVICE, "new")
    except OverLimit:
        return MessageStatus.TOO_MANY_REQUESTS
    requests = mailer.mail_queue.said_before(player.id, "new", inbound.id, mailer.ports.clock(), HOUR)
    return player if requests < MOST_REQUESTS else MessageStatus.TOO_MANY_REQUESTS


def confirming_stranger(mailer: Mailer, parsed: ParsedMessage, sender: str, reply: ReplyContext) -> Player | None:
    """Return the stranger who answers our letter to them; None if the letter went to somebody else.

    A yes to our question registers them, and so does a request for a game in answer to a letter. Anything else leaves them strangers.
    """
    original = _held_text(mailer, reply.held) if reply.held else parsed
    text = " ".join(original.lines) if original else ""
    asked = stranger(sender, language_of(text) or "en")
    if asked.id != reply.player:
        return None
    if original is None or not (_says_yes(mailer, parsed, asked, reply.held) if reply.held else names_a_game(text)):
        return asked
    return register(mailer.ports, sender, own_name(original) or own_name(parsed) or name_from_address(sender), asked.language)


def _says_yes(mailer: Mailer, parsed: ParsedMessage, player: Player, held: str) -> bool:
    """Whether the message says yes to what is held."""
    return _yes_or_no(parsed, player) == "yes" or bool(_word_beside_yes(mailer, mailer.mail_queue.inbound(held), parsed, player))


def confirms(parsed: ParsedMessage, player: Player, reply: ReplyContext) -> bool:
    """Whether this is a bare yes or no to a question of ours.

    It counts even if the sender may be forged: the token of the question was sent to the player's own address only.
    """
    return bool(reply.held or reply.asks) and bool(_yes_or_no(parsed, player))


def own_name(parsed: ParsedMessage) -> str:
    """Return the sender's name from their mail program, if it is fit for letters to others."""
    name = " ".join(parsed.sender_name.split())
    try:
        check_name(name)
    except Refused:
        return ""
    return name if any(map(str.isalpha, name)) else ""


def _linked(mailer: Mailer, key: str) -> Game | None:
    """Return the game of an invite link's key, if the link is to a seat and not revoked."""
    reply = mailer.mail_queue.reply(key)
    game = mailer.ports.game(reply.game) if reply and reply.game else None
    return game if game and is_link_key(mailer, game, key, LinkKind.SEAT) else None


def _sit_down(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, key: str, word: str) -> MessageStatus:
    """Join a game by an invite link after the yes, and answer."""
    game = _linked(mailer, key)
    if game is None:
        return answer_unknown_address(mailer, inbound, parsed, player.email)
    try:
        game, kind = join(mailer.ports, game.id, player.id, f"{inbound.key} 0", word), AnswerKind.DONE
        lines = joined_lines(game, player, "joined")
    except Refused as refused:
        lines, kind = [game_words(game, player).explain(refused.refusal)], AnswerKind.REFUSED
    reply = ReplyContext(player.id, game.id, game.seat_of(player.id))
    answer(mailer, inbound, player, reply, lines, kind=kind, moved=kind == AnswerKind.DONE)
    return MessageStatus.JOINED


def act_on_reply(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, reply: ReplyContext) -> MessageStatus:
    """Act on a reply from the player's own address with a valid token."""
    _heard_from(mailer, inbound, parsed, player)
    if doubt := _doubt(parsed):
        if repeats(mailer, inbound, parsed, player, thread=reply.game):
            return MessageStatus.REPEATED
        answer(mailer, inbound, player, reply, [words_of(player).say(f"answers.{doubt}")], held=reply.held)
        return doubt
    if reply.held:
        return _answered_hold(mailer, inbound, parsed, player, reply.held)
    if reply.games and not (reply.asks and _yes_or_no(parsed, player)):
        return act_on_parts(mailer, inbound, parsed, player, reply, _act_on_words)
    return _act_on_words(mailer, inbound, parsed, player, reply)


def _act_on_words(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, reply: ReplyContext) -> MessageStatus:
    """Act on words about one game, or about none: a yes or no to our question, or anything else."""
    if reply.asks and (found := _yes_or_no(parsed, player)):
        return _answered_question(mailer, inbound, player, reply, reply.asks, yes=found == "yes")
    return act_on_message(mailer, inbound, parsed, player, reply)


def _doubt(parsed: ParsedMessage) -> MessageStatus | None:
    """Return why the message may not be what its sender wrote; None if nothing speaks against it."""
    if parsed.truncated:
        return MessageStatus.CUT_OFF
    return MessageStatus.FORWARDED if parsed.forwarded else None


def _heard_from(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player) -> None:
    """Record that the player's address works: confirm it, reset bounces, say why no letters came, and learn a missing name."""
    if is_stranger(player):
        return
    if player.name == name_from_address(player.email) and (name := own_name(parsed)):
        mailer.ports.players.change(player, lambda known: {"name": name})
    _tell_of_complaint(mailer, player)
    if player.confirmed and not player.bounces:
        return
    if player.bounces >= DEAD_AFTER:
        at = mailer.ports.clock()
        enqueue(mailer, Delivery(f"bouncing-{inbound.id}", player.id, "bouncing", at, at))
    mailer.ports.players.change(player, lambda known: {"confirmed": True, "bounces": 0})


def _tell_of_complaint(mailer: Mailer, player: Player) -> None:
    """Tell a player who writes to us why no letters come, once for each complaint."""
    found = mailer.ports.suppressions.find(player.email)
    if found and found.cause == SuppressionCause.COMPLAINT:
        at = mailer.ports.clock()
        enqueue(mailer, Delivery(f"complained-{player.id}-{found.at}", player.id, "complained", at, at, values={"since": found.at}))


def _yes_or_no(parsed: ParsedMessage, player: Player) -> str:
    """Return `yes` or `no` if the message says only that; empty otherwise."""
    names = [player.name, *parsed.names]
    said = classify(parsed.lines, lambda text: False, lexicon(COMMON, "commands"), names, agreement=partial(agreement, names=names))
    found = {command for command, _ in said.commands}
    return next(iter(found)) if not said.strange and found in ({"yes"}, {"no"}) else ""


def _answered_question(
    mailer: Mailer, inbound: InboundMessage, player: Player, reply: ReplyContext, id: str, *, yes: bool
) -> MessageStatus:
    """Act on a yes or no to a question of ours.

    Race: two workers may read two answers to the same question. The store records the first; the other one is answered that no question is
    open.
    """
    question = mailer.mail_queue.questions.find(id)
    if question is None or not mailer.mail_queue.questions.answer(id, inbound.id):
        answer(mailer, inbound, player, reply, [words_of(player).say("answers.no-such-yes")])
        return MessageStatus.NO_SUCH_QUESTION
    if not yes:
        answer(mailer, inbound, player, reply, [words_of(player).say("answers.asks-dropped")], kind=AnswerKind.DROPPED)
        return MessageStatus.DROPPED
    inbound.answers = id
    return act_on_question(mailer, inbound, player, reply, question)


def _answered_hold(mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, held: str) -> MessageStatus:
    """Act on the answer about a held message: on yes as if it had come from here, on no it is deleted."""
    waiting, original = mailer.mail_queue.inbound(held), _held_text(mailer, held)
    word = _word_beside_yes(mailer, waiting, parsed, player)
    said = "yes" if word else _yes_or_no(parsed, player)
    if said == "yes" and waiting and original:
        inbound.settles = held
        return _release(mailer, inbound, waiting, original, player, word)
    if not said and repeats(mailer, inbound, parsed, player):
        return MessageStatus.REPEATED
    if not said and waiting and original:
        lines = [words_of(player).say("answers.unclear"), *_told_held(mailer, waiting, original, player)]
        answer(mailer, inbound, player, None, lines, held=held, kind=AnswerKind.ASKING)
        return MessageStatus.UNCLEAR
    status, kind = (MessageStatus.DROPPED, AnswerKind.DROPPED) if said == "no" else (MessageStatus.NO_SUCH_QUESTION, AnswerKind.REFUSED)
    inbound.settles = held if said == "no" else None
    answer(mailer, inbound, player, None, [words_of(player).say(f"answers.{status}")], kind=kind)
    return status


def _word_beside_yes(mailer: Mailer, held: InboundMessage | None, parsed: ParsedMessage, player: Player) -> str:
    """Return the word for chance beside a yes to a seat; empty if there is none, or something else was asked."""
    first = next((line for line in parsed.lines if line.strip()), "")
    is_seat = held is not None and own_address(mailer, held.recipients)[0] == LocalPart.JOIN
    return accepted(first, [player.name, *parsed.names]).partition(" ")[2] if is_seat else ""


def _open_game(mailer: Mailer, inbound: InboundMessage, held: InboundMessage, original: ParsedMessage, player: Player) -> MessageStatus:
    """Open or search for the game that a held message requests, and answer."""
    text = meant_by(_requested(original, player))
    speaking = speaking_as(player, text)
    try:
        if searched := searched_in(text):
            lines, kind = start_search(mailer, speaking, held.id, searched), AnswerKind.DONE
        else:
            lines, kind = start_game(mailer, speaking, held.id, text, with_variant=False), AnswerKind.DONE
    except CommandRefused as why:
        lines, kind = [str(line) for line in why.args], AnswerKind.REFUSED
    except Refused as refused:
        lines, kind = [game_words(None, speaking).explain(refused.refusal)], AnswerKind.REFUSED
    reply = ReplyContext(player.id, held.id, 0) if mailer.ports.game(held.id) else ReplyContext(player.id)
    answer(mailer, inbound, speaking, reply, lines, kind=kind, language=speaking.language, moved=kind == AnswerKind.DONE)
    return MessageStatus.NEW_GAME


def _release(
    mailer: Mailer, inbound: InboundMessage, held: InboundMessage, original: ParsedMessage, player: Player, word: str
) -> MessageStatus:
    """Act on a held message after the yes, by the address it was sent to."""
    local, token = own_address(mailer, held.recipients)
    reply = mailer.mail_queue.reply(token)
    if local == LocalPart.NEW:
        return _open_game(mailer, inbound, held, original, player)
    if local == LocalPart.JOIN:
        return _sit_down(mailer, inbound, original, player, token, word)
    return (
        act_on_reply(mailer, inbound, original, player, reply) if reply else answer_unknown_address(mailer, inbound, original, player.email)
    )
