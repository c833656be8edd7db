"""Act on a reply to a letter about several games: each part once and for itself, and one answer for all of them."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

import msgspec

from marketpost.mail.inbound.answering import answer, classify_message, repeats
from marketpost.mail.inbound.classify import Said
from marketpost.mail.inbound.command_context import game_words, words_of
from marketpost.mail.inbound.commands import AT_TABLE
from marketpost.mail.inbound.habits import folded, tidy
from marketpost.mail.inbound.labelled_parts import split_parts
from marketpost.mail.inbound.message_status import MessageStatus
from marketpost.mail.inbound.order_lines import is_order
from marketpost.mail.inbound.player_message import is_now
from marketpost.mail.inbound.questions import ask, describe_labels, labelled_names, position
from marketpost.mail.inbound.read_message import ParsedMessage
from marketpost.mail.inbound.reading_proposals import legal_orders
from marketpost.mail.outbound.letters import AnswerKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.part_answers import enqueue_answer
from marketpost.play.log.game import Game
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.message_parts import part_id, part_of
from marketpost.store.open_questions import Question
from marketpost.store.players import Player

UNLABELLED = ""
"""The label of the part that names no game."""
OF_A_GAME = {*AT_TABLE, "yes", "no", "preview", "board", "record"}
"""Commands that need to know their game."""
MOST_QUOTED = 6
"""Lines for no game that the answer quotes."""
MOST_NAMED = 3
"""Labels of no game that the answer names; it counts the others."""

ARTICLE = 3
"""Letters of the longest article with which the name of a game begins."""

Act = Callable[[Mailer, InboundMessage, ParsedMessage, Player, ReplyContext], MessageStatus]
"""Acts on a message about one game, or about none."""
Games = dict[str, Game]
"""The games of a letter by their labels."""


def act_on_parts(
    mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, reply: ReplyContext, act: Act
) -> MessageStatus:
    """Act on each part of a message once, and answer all of them with one letter when the last is decided.

    Fault: the worker may die between two parts. The message is then read again, and each part finds its own key, made of the message and
    the label, in the log of its game.
    """
    inbound.reply = reply
    games = {label: game for label, each in reply.games.items() if (game := mailer.ports.game(each.game or ""))}

    def is_legal(label: str, text: str) -> bool:
        # Read again, a message has the labels that it had: what it has played meanwhile is no longer legal.
        if inbound.labels:
            return label in inbound.labels
        near = games if label == UNLABELLED else {label: games[label]} if label in games else {}
        return any(_legal_now(game, reply.games[each], Said((text,)), player) for each, game in near.items())

    found = split_parts(parsed.lines, reply.games, lambda label, text: _reads(games, label, text), is_legal)
    above, parts = _sorted(found.unlabelled, games, parsed, player), _without_names(found.parts, labelled_names(mailer, games, player))
    if not parts:
        return _act_unlabelled(mailer, inbound, parsed, player, reply, games, act)
    if _are_labels_below(above, parts, games):
        return _ask_which_game(mailer, inbound, player, reply, games)
    if not above and not parts.keys() & reply.games.keys():
        [lines] = _join_unknown(parts, reply.games).values()
        if repeats(mailer, inbound, parsed, player, said=Said((*lines,), strange=("",))):
            return MessageStatus.REPEATED
        return _no_such_game(mailer, inbound, replace(parsed, lines=lines), player, reply, games)
    if len(parts) == 1 and not above and (only := reply.games.get(next(iter(parts)))):
        [lines] = parts.values()
        return act(mailer, inbound, replace(parsed, lines=[*found.unlabelled, *lines]), player, only)
    preface = [] if above else found.unlabelled
    known = {label: [*preface, *lines] if label in reply.games else lines for label, lines in parts.items()}
    every = ({UNLABELLED: above} if above else {}) | _join_unknown(known, reply.games)
    inbound.labels = [*every]
    mailer.mail_queue.save_progress(inbound)
    last = next(reversed(every))
    for label, lines in every.items():
        text = replace(parsed, lines=lines, below=parsed.below if label == last else (), signed=label == last)
        _act_on_part(mailer, inbound, label, text, player, reply, games, act)
    inbound.complete = True
    mailer.mail_queue.save_progress(inbound)
    enqueue_answer(mailer, inbound.id)
    return MessageStatus.SEVERAL_GAMES


def _without_names(parts: dict[str, list[str]], named: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the parts without the names of their games, which stand behind the labels in the letter and may be copied."""
    return {label: [_without_name(line, named.get(label, "")) for line in lines] for label, lines in parts.items()}


def _without_name(line: str, name: str) -> str:
    """Return what stands behind the name of a game, in brackets or not; the whole line if it does not begin with the name.

    The name may be shortened, if its first word, or that behind its article, is there: `Portobello` for `Portobello Market with Ben`.
    """
    head, _, rest = line.partition(":")
    told, whole = re.findall(r"\w+", folded(head)), re.findall(r"\w+", folded(name))
    is_name = (
        bool(told) and any(whole[skipped : skipped + len(told)] == told for skipped in (0, 1)) and any(len(word) > ARTICLE for word in told)
    )
    return rest.strip() if is_name else line


def _join_unknown(parts: dict[str, list[str]], labels: Collection[str]) -> dict[str, list[str]]:
    """Return the parts with all those for no game as one, in the place of the last of them, each line behind its label.

    One answer serves them all: a message may name a thousand games that there are not.
    """
    unknown = [label for label in parts if label not in labels]
    joined = [f"{label}: {line}" for label in unknown for line in parts[label] or [""]]
    return {label: joined if label not in labels else lines for label, lines in parts.items() if label not in unknown[:-1]}


def _reads(games: Games, label: str, text: str) -> bool:
    """Whether a text is orders of the game with this label; without one, of any of the games."""
    return any(is_order(game, text) for each, game in games.items() if label in (each, UNLABELLED))


def _are_labels_below(above: list[str], parts: dict[str, list[str]], games: Games) -> bool:
    """Whether labels may stand below their orders: orders come before the first one, and nothing after the last."""
    last = next(reversed(parts.values()))
    return not any(map(str.strip, last)) and any(_reads(games, UNLABELLED, tidy(line)) for line in above)


def _sorted(lines: list[str], games: Games, parsed: ParsedMessage, player: Player) -> list[str]:
    """Return the lines above the first label if they contain orders or commands; otherwise, as a greeting, they belong to every part."""
    text = replace(parsed, lines=lines)
    said = [classify_message(game, text, player) for game in (None, *games.values())]
    return lines if any(each.orders or each.commands for each in said) else []


def _act_on_part(
    mailer: Mailer,
    inbound: InboundMessage,
    label: str,
    text: ParsedMessage,
    player: Player,
    reply: ReplyContext,
    games: Games,
    act: Act,
) -> None:
    """Act on one part as on a message of its own; the answer to orders is settled by the notice of their outcome."""
    settles = part_id(inbound.settles, label) if inbound.settles else None
    part = InboundMessage(part_id(inbound.id, label), inbound.at, [], settles=settles, verdict=inbound.verdict)
    if label == UNLABELLED:
        part.status = _act_unlabelled(mailer, part, text, player, reply, games, act)
    elif known := reply.games.get(label):
        part.status = act(mailer, part, text, player, known)
    else:
        part.status = _no_such_game(mailer, part, text, player, reply, games)
    mailer.mail_queue.close_part(part)
    if part.status != MessageStatus.SUBMITTED:
        mailer.mail_queue.parts.settle(inbound.id, label)


def _act_unlabelled(
    mailer: Mailer, inbound: InboundMessage, parsed: ParsedMessage, player: Player, reply: ReplyContext, games: Games, act: Act
) -> MessageStatus:
    """Act on words without a label: in the only game of the letter, or about no game; orders are asked about where there are several."""
    own = msgspec.structs.replace(reply, games={})
    if len(reply.games) == 1 and reply.game is None:
        [own] = reply.games.values()
    if own.game and not reply.shows_next:
        return act(mailer, inbound, parsed, player, own)
    said = {label: classify_message(game, parsed, player) for label, game in games.items()}
    meant = {label: each for label, each in said.items() if each.orders}
    alone = classify_message(None, parsed, player)
    if not meant and (reply.game or not any(command.name.rstrip("!") in OF_A_GAME for command in alone.commands)):
        return act(mailer, inbound, parsed, player, own)
    if repeats(mailer, inbound, parsed, player, said=next(iter(meant.values()), alone)):
        return MessageStatus.REPEATED
    if not part_of(inbound.id) and (question := _question(games, reply, meant, player)):
        label, orders = question
        asked = Question(orders, position(games[label]))
        return ask(mailer, inbound, player, reply.games[label], asked, [words_of(player).say("answers.no-label")])
    return _ask_which_game(mailer, inbound, player, reply, games)


def _ask_which_game(mailer: Mailer, inbound: InboundMessage, player: Player, reply: ReplyContext, games: Games) -> MessageStatus:
    """Ask for orders with a label before them."""
    lines = [words_of(player).say("answers.which-game", label=next(iter(reply.games))), *describe_labels(mailer, games, player)]
    answer(mailer, inbound, player, msgspec.structs.replace(reply, games={}), lines, kind=AnswerKind.ASKING)
    return MessageStatus.WHICH_GAME


def _question(games: Games, reply: ReplyContext, meant: dict[str, Said], player: Player) -> tuple[str, str] | None:
    """Return the only game in which orders without a label are legal now, and the orders as they would be played there."""
    found = []
    for label, said in meant.items():
        if orders := _legal_now(games[label], reply.games[label], said, player):
            found.append((label, orders))
    return found[0] if len(found) == 1 else None


def _legal_now(game: Game, letter: ReplyContext, said: Said, player: Player) -> str:
    """Return the orders as they would be played in a game of the letter now; nothing if they are not legal there."""
    seat = game.seat_since(letter.seat, letter.version, letter.player)
    here = msgspec.structs.replace(letter, seat=seat)
    return legal_orders(game, seat, said, game_words(game, player)) if seat is not None and is_now(game, here) else ""


def _no_such_game(
    mailer: Mailer, part: InboundMessage, text: ParsedMessage, player: Player, reply: ReplyContext, games: Games
) -> MessageStatus:
    """Answer the lines whose labels belong to no game of the letter."""
    words, labels = words_of(player), [*dict.fromkeys(line.partition(":")[0] for line in text.lines)]
    named = ", ".join(labels[:MOST_NAMED])
    if (more := len(labels) - MOST_NAMED) > 0:
        named = words.say("answers.more-labels", labels=named, count=more)
    quoted = [f"    {line[:200]}" for line in text.lines][:MOST_QUOTED]
    lines = [words.say("answers.no-such-label", labels=named, count=len(labels)), *quoted]
    lines += [words.say("answers.letters-labels"), *describe_labels(mailer, games, player)]
    answer(mailer, part, player, msgspec.structs.replace(reply, games={}), lines, kind=AnswerKind.ASKING)
    return MessageStatus.WHICH_GAME
