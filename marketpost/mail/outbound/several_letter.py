"""Compose the answer to a message with parts for several games, from the games as they are now."""

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.clock_times import time_left
from marketpost.mail.outbound.hint_letters import hint_lines
from marketpost.mail.outbound.letters import AnswerKind, Letter, LetterAttachment, PartAnswer, WaitingGame
from marketpost.mail.outbound.mailer import WORDS, Mailer
from marketpost.mail.outbound.waiting_games import label_games, name_games, waiting_games
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import names, record
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.rules.words import Words
from marketpost.store.delivery_queue import Delivery
from marketpost.store.mail_queue import InboundMessage, ReplyContext
from marketpost.store.message_parts import part_id
from marketpost.store.players import Player

DONE = {AnswerKind.DONE, AnswerKind.SHOWN, AnswerKind.AWAITS_OTHERS, AnswerKind.THANKS}
"""Answers that count as done in the subject."""


def compose_several(mailer: Mailer, mail: Delivery, player: Player) -> Letter | None:
    """Compose the answer; None if the message is not known any more."""
    inbound = mailer.mail_queue.inbound(mail.values["inbound"])
    if inbound is None or inbound.reply is None:
        return None
    moves = mailer.mail_queue.parts.settled(inbound.id)
    parts: dict[str, PartAnswer] = {}
    lines: list[str] = []
    asks: dict[str, str] = {}
    for label in inbound.labels:
        part = mailer.mail_queue.inbound(part_id(inbound.id, label))
        known = inbound.reply.games.get(label)
        if part is None or not (part.answer or moves.get(label)):
            continue
        if known and (told := _part(mailer, player, part, known, moves.get(label, ""))):
            parts[label] = told
            asks |= {label: part.answer["asks"]} if part.answer and part.answer["asks"] else {}
        elif part.answer:
            lines += part.answer["lines"]
    return _letter(mailer, mail, player, inbound.reply, parts, lines, asks)


def _letter(
    mailer: Mailer,
    mail: Delivery,
    player: Player,
    reply: ReplyContext,
    parts: dict[str, PartAnswer],
    lines: list[str],
    asks: dict[str, str],
) -> Letter:
    """Write the letter with the next game that waits; a reply may name each game that it shows, or that the answered letter has shown."""
    shown = {label: each.table for label, each in parts.items()}
    following = waiting_games(mailer, player, 1, but={each.game.id for each in shown.values()})
    waiting = label_games(mailer, mail, following, reply.games)
    name_games(mail, reply.games, shown | waiting)
    for label, question in asks.items():
        mail.values["games"][label]["asks"] = question
    mail.values["told"] = {each.game.id: each.game.version for each in shown.values()}
    records = tuple(_record(mailer, each.table.game) for each in parts.values() if "record" in each.asked)
    return letters.several(player, mailer.links_in(mail), parts, lines, waiting, records)


def _record(mailer: Mailer, game: Game) -> LetterAttachment:
    return LetterAttachment(f"{game.rules.name}-{game.id}.txt", record(mailer.ports, game))


def _part(mailer: Mailer, player: Player, part: InboundMessage, known: ReplyContext, move: str) -> PartAnswer | None:
    """Return what became of a part; None if its game is gone or the player has no seat in it."""
    game = mailer.ports.sound_game(known.game or "")
    seat = game.seat_since(known.seat, known.version, player.id) if game else None
    if game is None or seat is None:
        return None
    table = WaitingGame(game, seat, names(mailer.ports, game), time_left(mailer, game, seat))
    if not move:
        answered = part.answer or {}
        hint = hint_lines(game, seat, answered["hint"], player) if "hint" in answered else []
        return PartAnswer(table, also=[*answered["lines"], *hint], asked=answered["asked"], done=AnswerKind(answered["kind"]) in DONE)
    decided = outcome(mailer.ports, game.id, move)
    also = [*part.also]
    if decided and decided.dropped:
        also.append(Words(player.language, WORDS).say("answers.dropped-steps", text="; ".join(decided.dropped)))
    return PartAnswer(table, part.orders, decided, also, part.asked, decided is not None and decided.status == OutcomeStatus.APPLIED)
